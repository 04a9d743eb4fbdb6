"""The web interface: pages, JSON and sockets. See `docs/architecture.md`."""
