"""One table as a value: no clock, no asyncio, no disk."""
