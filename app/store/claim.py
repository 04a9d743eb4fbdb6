"""Keeps a second server from the same SQLite file: each would hold tables in memory that the other one changes."""

from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # not on Windows: there nothing is claimed
    fcntl = None  # type: ignore[assignment]


class Claimed(Exception):
    """Another process serves this file."""


def claim(database: Path) -> IO[bytes]:
    """Claim the database for this process until the returned file is closed. The system closes it when the process
    ends, however it ends. Raises Claimed, and OSError if the file cannot be written."""
    database.parent.mkdir(parents=True, exist_ok=True)
    lock = database.with_name(database.name + ".lock").open("ab")
    if fcntl is not None:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise Claimed(str(database)) from None
    return lock
