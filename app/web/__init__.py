"""The web: pages, JSON and sockets. `docs/architecture.md` says how the parts meet."""
