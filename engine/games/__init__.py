"""The games that come with Facedown, one folder each."""
