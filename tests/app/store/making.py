"""Rows to write, and the content of a database."""

from typing import Any

from sqlalchemy import select

from app.store import schema as s
from app.store.rows import Opening, Snapshot, StoredEntry, Write
from app.store.store import Store


def entry(seq: int, person: str = "ada", id: str = "") -> StoredEntry:
    return StoredEntry(seq, 0, 1.0, person, id, "secret", "{}", None)


def shot(seq: int) -> Snapshot:
    return Snapshot(seq, 0, "lobby", "{}", 1.0)


def opening(table: str = "t1", code: str = "") -> Write:
    return Write(table, [entry(1)], shot(1), Opening(f"token of {table}", code or f"CODE {table}", "dark"))


async def log(store: Store, table: str = "t1") -> list[int]:
    stored = await store.since(table, 0)
    return [row.seq for row in stored.entries] if stored else []


async def held(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of all database tables that a commit can write, in short form."""
    wanted = {
        "log": select(s.entries.c.table_id, s.entries.c.seq),
        "tables": select(s.tables.c.id, s.tables.c.seq),
        "deadlines": select(s.deadlines),
        "lifted": select(s.lifted),
    }
    async with store.reading() as connection:
        return {name: sorted(tuple(row) for row in await connection.execute(query)) for name, query in wanted.items()}
