"""The tables in memory, and the background work."""
