"""The rules of play: no web, no clock, no disk, no database. See `docs/architecture.md`."""
