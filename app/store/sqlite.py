"""SQLite: the engine for reads, and the writer. A commit is one call in a dedicated thread.

The writer does not use SQLAlchemy: when a call is cancelled, SQLAlchemy closes the connection in the thread that hangs,
and waits for it without a timeout.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app import clock
from app.store import connect
from app.store.batch import COLUMNS, Batch, Row
from app.store.errors import as_store_errors
from app.store.rows import Bad, Conflict, Gone


def insert(table: str, columns: Sequence[str], conflict: str = "") -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))}) {conflict}"


# Order matters: conflicts must show in the log first, and a new table must exist before its deadlines.
CHANGES = {
    "entries": insert("moves", COLUMNS["entries"]),
    "openings": insert("tables", COLUMNS["openings"]),
    "snapshots": "UPDATE tables SET seq = ?, began = ?, phase = ?, saved = ?, touched = ? WHERE id = ?",
    # If several workers noticed that a seat is away, the first deadline is kept.
    "set_deadlines": insert(
        "deadlines",
        COLUMNS["set_deadlines"],
        "ON CONFLICT (table_id, kind, key) DO UPDATE SET at = excluded.at WHERE excluded.kind <> 'away'",
    ),
    "drop_deadlines": "DELETE FROM deadlines WHERE table_id = ? AND kind = ? AND key = ?",
    "set_lifted": insert(
        "lifted",
        COLUMNS["set_lifted"],
        "ON CONFLICT (table_id, seat) DO UPDATE SET round = excluded.round, move = excluded.move",
    ),
    "drop_lifted": "DELETE FROM lifted WHERE table_id = ? AND seat = ?",
}
SNAPSHOTS = CHANGES["snapshots"]
PROBE = insert("keys", ("name", "value"), "ON CONFLICT (name) DO UPDATE SET value = excluded.value")


def sqlite_engine(url: URL) -> AsyncEngine:
    file = Path(url.database or "")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)  # it contains the secret key and hidden moves
    engine = create_async_engine(url, pool_size=4, max_overflow=4, connect_args={"timeout": connect.TIMEOUT / 2})
    event.listen(engine.sync_engine, "connect", prepare)
    event.listen(engine.sync_engine, "begin", begin)
    return engine


def prepare(connection: Any, record: Any = None) -> None:
    connection.isolation_level = None  # we begin transactions ourselves; the driver's default would split migrations
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")  # small computers lose power without notice
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute(f"PRAGMA busy_timeout = {int(connect.TIMEOUT * 500)}")
    cursor.close()


def begin(connection: Connection) -> None:
    # A writing transaction takes its lock at once: upgrading a read lock later can fail without waiting.
    write = connection.get_execution_options().get("write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


class Threaded:
    """A connection and the one thread that uses it."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.thread = ThreadPoolExecutor(1, "sqlite")
        self.database: sqlite3.Connection | None = None
        self.abandoned = False

    async def call(self, function: Callable[[], None]) -> None:
        await asyncio.get_running_loop().run_in_executor(self.thread, function)

    def abandon(self) -> None:
        """Give up a thread that may hang; if it continues later, it rolls back."""
        self.abandoned = True
        self.thread.submit(self.close)
        self.thread.shutdown(wait=False)

    # in the thread ------------------------------------------------------------------------------------------------

    def write(self, statements: Sequence[tuple[str, Sequence[Row]]]) -> None:
        if self.database is None:
            self.database = sqlite3.connect(self.file, timeout=connect.TIMEOUT / 2)
            prepare(self.database)
        self.database.execute("BEGIN IMMEDIATE")
        try:
            for statement, rows in statements:
                changed = self.database.executemany(statement, rows).rowcount
                if statement is SNAPSHOTS and changed < len(rows):
                    raise Gone
            self.database.execute("ROLLBACK" if self.abandoned else "COMMIT")
        except BaseException:
            self.database.rollback()
            raise

    def close(self) -> None:
        if self.database is not None:
            self.database.close()
            self.database = None


class SqliteWriter:
    """Writes over a dedicated connection, so commits never wait for the pool. One call at a time."""

    def __init__(self, url: URL) -> None:
        self.file = url.database or ""
        self.connection: Threaded | None = None

    async def commit(self, batch: Batch) -> None:
        await self.run([(CHANGES[kind], rows) for kind, rows in batch.items()])

    async def probe(self) -> None:
        await self.run([(PROBE, [("probe", str(clock.now()))])])

    async def run(self, statements: Sequence[tuple[str, Sequence[Row]]]) -> None:
        """Run one transaction. Raises Conflict, Gone or Bad (nothing was written) or Down (outcome unknown)."""
        if self.connection is None:
            self.connection = Threaded(self.file)
        try:
            with as_store_errors():
                await self.connection.call(partial(self.connection.write, statements))
        except (Conflict, Bad):
            raise
        except BaseException:  # the thread may hang, or the connection may be read-only
            self.drop()
            raise

    def drop(self) -> None:
        if self.connection is not None:
            self.connection.abandon()
            self.connection = None

    async def close(self) -> None:
        connection, self.connection = self.connection, None
        if connection is not None:
            try:
                async with asyncio.timeout(connect.TIMEOUT):
                    await connection.call(connection.close)
            except TimeoutError:
                pass
            finally:
                connection.thread.shutdown(wait=False)
