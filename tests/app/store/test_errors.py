"""Drivers' errors mapped to three kinds, without row contents in their texts."""

import sqlite3

import asyncpg
import pytest
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from app.store.errors import as_store_error, as_store_errors
from app.store.rows import Bad, Conflict, Down


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (asyncpg.UniqueViolationError("x"), Conflict),
        (asyncpg.ForeignKeyViolationError("x"), Conflict),
        (asyncpg.SerializationError("x"), Conflict),
        (asyncpg.DeadlockDetectedError("x"), Conflict),
        (sqlite3.IntegrityError("x"), Conflict),
        (asyncpg.CharacterNotInRepertoireError("x"), Bad),
        (asyncpg.UndefinedTableError("x"), Bad),
        (asyncpg.DataError("x"), Bad),
        (sqlite3.DataError("x"), Bad),
        (sqlite3.ProgrammingError("x"), Bad),
        (OverflowError("x"), Bad),
        (UnicodeEncodeError("utf-8", "\ud800", 0, 1, "x"), Bad),
        (asyncpg.AdminShutdownError("x"), Down),
        (asyncpg.DiskFullError("x"), Down),
        (asyncpg.ReadOnlySQLTransactionError("x"), Down),
        (asyncpg.InterfaceError("x"), Down),
        (asyncpg.InternalClientError("x"), Down),
        (asyncpg.ConnectionDoesNotExistError("x"), Down),
        (sqlite3.OperationalError("disk I/O error"), Down),
        (SQLAlchemyError("x"), Down),
        (OSError("x"), Down),
        (TimeoutError(), Down),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_names(error: Exception, name: type[Exception]) -> None:
    assert type(as_store_error(error)) is name
    assert type(as_store_error(DBAPIError("SELECT", {}, error))) is name
    with pytest.raises(name):
        with as_store_errors():
            raise error


def test_the_programs_own_errors_are_not_the_databases() -> None:
    with pytest.raises(ZeroDivisionError):
        with as_store_errors():
            raise ZeroDivisionError


def test_error_messages_contain_no_rows() -> None:
    down = as_store_error(asyncpg.AdminShutdownError("terminating\nDETAIL: (secret)"))
    assert str(down) == "AdminShutdownError: terminating"
    assert str(as_store_error(asyncpg.DataError("invalid input: 'secret'"))) == "DataError"
    assert len(str(as_store_error(OSError("x" * 1000)))) < 300


def test_an_error_without_a_message_is_named_by_its_type() -> None:
    assert str(as_store_error(TimeoutError())) == "TimeoutError: no answer in time"
    assert str(as_store_error(asyncpg.InterfaceError(""))) == "InterfaceError"
