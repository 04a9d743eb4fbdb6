"""Postgres: the engine for reads, and the writer. A commit is one statement: one round trip, one fsync."""

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Any

import asyncpg
from sqlalchemy import URL, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app import clock
from app.store.batch import COLUMNS, Batch
from app.store.connect import TIMEOUT, dsn
from app.store.errors import FAILURES, as_store_errors, driver_error, message_of
from app.store.rows import Bad, Conflict, Down, Snapshot, StoredEntry, StoredTable

INTEGERS = {"seq", "version", "began", "seat", "round"}
FLOATS = {"at", "touched"}  # all others are text

# The parts of the statement; {rows} is a batch as a table with these columns. The parts run concurrently and do not see
# each other's changes; foreign keys are checked after all of them.
CHANGES = {
    "entries": "INSERT INTO moves ({columns}) SELECT * FROM {rows}",
    "openings": "INSERT INTO tables ({columns}) SELECT * FROM {rows}",
    "snapshots": """
        UPDATE tables SET seq = new.seq, began = new.began, phase = new.phase, saved = new.saved, touched = new.touched
        FROM {rows} AS new ({columns}) WHERE tables.id = new.id RETURNING 1
    """,
    # If several workers noticed that a seat is away, the first deadline is kept.
    "set_deadlines": """
        INSERT INTO deadlines ({columns}) SELECT * FROM {rows}
        ON CONFLICT (table_id, kind, key) DO UPDATE SET at = excluded.at WHERE excluded.kind <> 'away'
    """,
    "drop_deadlines": """
        DELETE FROM deadlines AS old USING {rows} AS gone ({columns})
        WHERE old.table_id = gone.table_id AND old.kind = gone.kind AND old.key = gone.key
    """,
    "set_lifted": """
        INSERT INTO lifted ({columns}) SELECT * FROM {rows}
        ON CONFLICT (table_id, seat) DO UPDATE SET round = excluded.round, move = excluded.move
    """,
    "drop_lifted": """
        DELETE FROM lifted AS old USING {rows} AS gone ({columns})
        WHERE old.table_id = gone.table_id AND old.seat = gone.seat
    """,
}
# The entries of a table after one of them; the first row has the newest snapshot, too.
SINCE = """
    SELECT m.seq, m.version, m.at, m.person, m.client_id, m.secret, m.action, m.events, t.seq, t.began, t.phase,
        CASE WHEN row_number() OVER (ORDER BY m.seq) = 1 THEN t.saved END, t.touched
    FROM moves m JOIN tables t ON t.id = m.table_id WHERE m.table_id = $1 AND m.seq > $2 ORDER BY m.seq
"""
PROBE = "INSERT INTO keys (name, value) VALUES ('probe', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value"


def postgres_engine(url: URL) -> AsyncEngine:
    engine = create_async_engine(
        url,
        pool_size=4,
        max_overflow=4,
        pool_timeout=TIMEOUT,
        pool_pre_ping=True,
        connect_args={"timeout": TIMEOUT, "command_timeout": TIMEOUT},
    )
    event.listen(engine.sync_engine, "handle_error", note_lost)
    return engine


def note_lost(context: ExceptionContext) -> None:
    """Discard the connection after an internal error of the driver."""
    error = context.original_exception
    if isinstance(error, Exception) and isinstance(driver_error(error), asyncpg.InternalClientError):
        context.is_disconnect = True


class PostgresConnection:
    """A connection of its own, so that nothing waits for the pool; its statements are prepared once. One call at a
    time."""

    def __init__(self, url: URL) -> None:
        self.dsn = dsn(url)
        self.connection: asyncpg.Connection[asyncpg.Record] | None = None

    async def run(self, statement: str, arguments: Sequence[Any]) -> list[asyncpg.Record]:
        """Run one transaction. Raises Conflict or Bad (nothing was written) or Down (outcome unknown)."""
        try:
            connection = await self.connected()
            with as_store_errors():
                rows: list[asyncpg.Record] = await connection.fetch(statement, *arguments)
                return rows
        except (Conflict, Bad):
            raise
        except BaseException:  # also when cancelled: the next caller would read the old answer
            self.drop()
            raise

    async def connected(self) -> "asyncpg.Connection[asyncpg.Record]":
        """The connection; a new one if the last is closed. On Down from here nothing was sent."""
        if self.connection is None or self.connection.is_closed():
            try:
                self.connection = await asyncpg.connect(self.dsn, timeout=TIMEOUT, command_timeout=TIMEOUT)
            except FAILURES as error:
                raise Down(message_of(error)) from None
        return self.connection

    def drop(self) -> None:
        if self.connection is not None:
            self.connection.terminate()
            self.connection = None

    async def close(self) -> None:
        if self.connection is not None and not self.connection.is_closed():
            try:
                await self.connection.close(timeout=1)
            except FAILURES:
                self.drop()


class PostgresWriter(PostgresConnection):
    async def commit(self, batch: Batch) -> None:
        columns = [column for rows in batch.values() for column in zip(*rows, strict=True)]
        await self.run(statement(tuple(batch)), columns)

    async def probe(self) -> None:
        await self.run(PROBE, [str(clock.now())])


class PostgresReader(PostgresConnection):
    """Reads what other processes have committed."""

    def __init__(self, url: URL) -> None:
        super().__init__(url)
        self.lock = asyncio.Lock()

    async def since(self, table: str, seq: int) -> StoredTable | None:
        """The snapshot and all entries after an entry; None if there are none."""
        async with self.lock:
            rows = await self.run(SINCE, [table, seq])
        entries = [StoredEntry(*row[:8]) for row in rows]
        return StoredTable(table, Snapshot(*rows[0][8:]), entries) if rows else None


@cache
def statement(kinds: Sequence[str]) -> str:
    """The SQL for changes of these kinds: one array parameter per column."""
    parts: list[str] = []
    number = 1
    check = ""
    for kind in kinds:
        names = COLUMNS[kind]
        if kind == "snapshots":  # of a table that is gone: dividing by zero undoes the whole statement
            all_there = f"((SELECT count(*) FROM snapshots) = cardinality(${number}::int[]))::int"
            check = f"1 / {all_there}"
        arrays = ", ".join(f"${n}::{type_of(name)}[]" for n, name in enumerate(names, number))
        parts.append(f"{kind} AS ({CHANGES[kind].format(columns=', '.join(names), rows=f'unnest({arrays})')})")
        number += len(names)
    return f"WITH {', '.join(parts)} SELECT {check}"


def type_of(column: str) -> str:
    return "int" if column in INTEGERS else "float8" if column in FLOATS else "text"
