"""Keeps a second server from the same SQLite file: each would hold tables in memory that the other one changes."""

import errno
import os
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # not on Windows: there nothing is claimed
    fcntl = None  # type: ignore[assignment]


LOCK = ".lock"


class Claimed(Exception):
    """Another process serves this file."""


class Unwritable(Exception):
    """This user cannot write the database's files; the text says which and whose they are."""


def need_writable(database: Path) -> None:
    """Make the folder of a SQLite file. Raises Unwritable if the folder, or a file that is there, cannot be written."""
    place = database.parent
    try:
        place.mkdir(parents=True, exist_ok=True)
        database.with_name(database.name + LOCK).open("ab").close()
        for place in (database, *(database.with_name(database.name + end) for end in ("-wal", "-shm"))):
            if os.path.exists(place):
                place.open("r+b").close()
    except OSError as error:
        raise Unwritable(whose(place, error)) from None


def whose(place: Path, error: OSError) -> str:
    while not os.path.exists(place) and place != place.parent:
        place = place.parent
    name = f"the {'folder' if place.is_dir() else 'file'} {place.absolute()}"
    if error.errno not in (errno.EACCES, errno.EPERM):
        return f"{name} cannot be written: {error.strerror}"
    owner, us = place.stat().st_uid, os.geteuid()
    return f"{name} cannot be written: it belongs to user {owner}, this program runs as user {us}; chown it to {us}"


def claim(database: Path) -> IO[bytes]:
    """Claim the database for this process until the returned file is closed. The system closes it when the process
    ends, however it ends. Raises Claimed, and Unwritable."""
    need_writable(database)
    lock = database.with_name(database.name + LOCK).open("ab")
    if fcntl is not None:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise Claimed(str(database)) from None
    return lock
