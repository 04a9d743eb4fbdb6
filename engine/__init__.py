"""The rules of play: no web, no clock, no disk, no database. `docs/architecture.md` says how the parts meet."""
