"""Maps errors of SQLAlchemy and the drivers to Conflict, Bad or Down of `rows`."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg
from sqlalchemy.exc import SQLAlchemyError

from app.store.rows import Bad, Conflict, Down, Gone

RETRY = {"40001", "40P01"}  # could not serialize, deadlock
NO_DIVISOR = "22012"  # how the commit of `postgres.py` says that a table is gone
DOUBLE, BAD_DATA, BAD_NAME = "23", "22", "42"  # SQLSTATE classes

POSTGRES = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
ROWS = (sqlite3.DataError, sqlite3.ProgrammingError, UnicodeError, OverflowError)
FAILURES = (SQLAlchemyError, *POSTGRES, sqlite3.Error, *ROWS, OSError, TimeoutError)


@contextmanager
def as_store_errors() -> Iterator[None]:
    """Raises Conflict, Bad or Down instead of the database's error."""
    try:
        yield
    except FAILURES as error:
        raise as_store_error(error) from None


def as_store_error(error: Exception) -> Conflict | Bad | Down:
    error = driver_error(error)
    state = getattr(error, "sqlstate", None) or ""
    if isinstance(error, sqlite3.IntegrityError) or state in RETRY or state[:2] == DOUBLE:
        return Conflict(message_of(error))
    if state == NO_DIVISOR:
        return Gone()
    # asyncpg refuses a value itself before anything is sent; its text would quote the value.
    refused = isinstance(error, asyncpg.InterfaceError) and isinstance(error, ValueError)
    if refused or isinstance(error, ROWS) or state[:2] in (BAD_DATA, BAD_NAME):
        return Bad(type(error).__name__)
    return Down(message_of(error))


def driver_error(error: Exception) -> Exception:
    """The driver's own error: SQLAlchemy wraps it, twice for asyncpg."""
    while isinstance(wrapped := getattr(error, "orig", None), Exception):
        error = wrapped
    return error


def message_of(error: Exception) -> str:
    """The first line of the message. Later lines may show rows, which contain cards and tokens."""
    text = str(error) or ("no answer in time" if isinstance(error, TimeoutError) else "")
    return f"{type(error).__name__}: {text.splitlines()[0][:200] if text else ''}".rstrip(": ")
