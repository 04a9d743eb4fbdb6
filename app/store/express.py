"""The hot way into Postgres: all that a commit writes as one statement, so one round trip and one fsync."""

import asyncio
from collections.abc import Sequence
from typing import Any

import asyncpg
from sqlalchemy import URL

from app.store.connect import SECONDS, dsn
from app.store.rows import Bad, Conflict, Down

RETRY = {"40001", "40P01"}  # could not serialize, deadlock
DOUBLE, BAD_DATA, BAD_NAME = "23", "22", "42"  # classes of SQL's states


class Express:
    """A connection of the journal's own: however many read, it need not wait for one."""

    def __init__(self, url: URL) -> None:
        self.dsn = dsn(url)
        self.connection: asyncpg.Connection[asyncpg.Record] | None = None
        self.lock = asyncio.Lock()  # a connection takes one statement at a time

    async def run(self, statement: str, arguments: Sequence[Any]) -> None:
        """In a transaction of its own. Raises Conflict or Bad (nothing was done) or Down (nobody knows)."""
        try:
            async with self.lock:
                if self.connection is None or self.connection.is_closed():
                    self.connection = await asyncpg.connect(self.dsn, timeout=SECONDS, command_timeout=SECONDS)
                await self.connection.fetch(statement, *arguments)
        except asyncpg.PostgresError as error:
            raise self.named(error) from None
        except (asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError) as error:
            self.drop()
            raise Down(said(error)) from None

    def named(self, error: asyncpg.PostgresError) -> Exception:
        """One of our three words for it."""
        state = error.sqlstate or ""
        if state in RETRY or state[:2] == DOUBLE:
            return Conflict(said(error))
        if state[:2] in (BAD_DATA, BAD_NAME):
            return Bad(type(error).__name__)
        self.drop()
        return Down(said(error))

    def drop(self) -> None:
        if self.connection is not None:
            self.connection.terminate()
            self.connection = None

    async def close(self) -> None:
        if self.connection is not None and not self.connection.is_closed():
            try:
                await self.connection.close(timeout=1)
            except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
                self.drop()


def said(error: Exception) -> str:
    """What went wrong, without the rows: those hold cards and tokens, and come after the first line."""
    return f"{type(error).__name__}: {str(error).splitlines()[0][:200] if str(error) else ''}"
