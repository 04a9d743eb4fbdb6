"""The server: tables in memory, storage and the web interface. See `docs/architecture.md`."""
