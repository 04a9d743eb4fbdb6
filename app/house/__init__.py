"""The tables that are in memory, and what goes on by itself."""
