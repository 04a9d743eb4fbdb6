"""The server: who sits where, what is stored, who is told. `docs/architecture.md` says how the parts meet."""
