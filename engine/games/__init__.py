"""The games that come with Facedown, each in its own folder."""
