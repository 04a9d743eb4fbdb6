"""The database itself: migrations, one transaction a commit, keys that decide."""

import asyncio
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from app.settings import Settings
from app.store.migrate import configure
from app.store.rows import Bad, Chores, Conflict, Line, Opening, Snapshot, Write
from app.store.schema import metadata
from app.store.store import Store


@pytest.fixture
async def store(database_url: str) -> Any:
    store = await Store.open(Settings(database_url=database_url))
    yield store
    await store.close()


def line(seq: int, person: str = "ada", id: str = "") -> Line:
    return Line(seq, 0, 1.0, person, id, "secret", "{}", None)


def opening(table: str = "t1", code: str = "CODE") -> Write:
    return Write(table, [line(1)], Snapshot(1, 0, "lobby", "{}", 1.0), Opening(f"token of {table}", code, "dark"))


async def log(store: Store, table: str = "t1") -> list[int]:
    kept = await store.since(table, 0)
    return [line.seq for line in kept.lines] if kept else []


async def test_migrations_build_what_the_schema_says(store: Store) -> None:
    def differences(connection: Connection) -> Any:
        options = {"compare_type": True, "compare_server_default": True}
        found = compare_metadata(MigrationContext.configure(connection, opts=options), metadata)
        index = next(i for i in inspect(connection).get_indexes("moves") if i["name"] == "ix_moves_doubles")
        where = index["dialect_options"][f"{connection.dialect.name}_where"]
        return found, index["unique"], index["column_names"], str(where)

    async with store.reading() as connection:
        found, unique, columns, where = await connection.run_sync(differences)
    assert found == []
    assert "client_id" in where
    assert unique and columns == ["table_id", "person", "client_id"]


async def test_snapshots_have_room_to_be_written_again(postgres_url: str) -> None:
    store = await Store.open(Settings(database_url=postgres_url))
    async with store.reading() as connection:
        found = await connection.scalar(text("SELECT reloptions FROM pg_class WHERE relname = 'tables'"))
    await store.close()
    assert found == ["fillfactor=50", "toast_tuple_target=8160"]


def test_there_is_one_line_of_migrations() -> None:
    assert len(ScriptDirectory.from_config(configure()).get_heads()) == 1


async def test_migrating_again_changes_nothing(store: Store, database_url: str) -> None:
    await store.commit([opening()], Chores())
    others = await asyncio.gather(*[Store.open(Settings(database_url=database_url)) for _ in range(3)])
    for other in others:
        assert await log(other) == [1]
        await other.close()


async def test_a_migration_that_fails_leaves_nothing_behind(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.store import migrate

    def half(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE half (n INTEGER)"))
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(migrate, "upgrade", half)
        with pytest.raises(ZeroDivisionError):
            await Store.open(Settings(database_url=database_url))
    store = await Store.open(Settings(database_url=database_url))
    async with store.reading() as connection:
        names = await connection.run_sync(lambda c: inspect(c).get_table_names())
    assert set(names) == {*metadata.tables, "alembic_version"}
    await store.close()


async def test_sqlite_is_set_to_lose_nothing(sqlite_url: str) -> None:
    store = await Store.open(Settings(database_url=sqlite_url))
    async with store.reading() as connection:
        found = {
            name: await connection.scalar(text(f"PRAGMA {name}"))
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    await store.close()
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000}


async def test_a_batch_is_committed_whole_or_not_at_all(store: Store) -> None:
    await store.commit([opening()], Chores())
    good = Write("t1", [line(2), line(3)], Snapshot(3, 0, "lobby", "{}", 1.0), choice=True, ends_at=5.0)
    for bad in (Write("t1", [line(1)]), opening("t2"), Write("t1", [line(4)], choice=True, ends_at=None)):
        if bad.choice:
            await store.commit([good, bad], Chores())
            continue
        with pytest.raises(Conflict):
            await store.commit([good, bad], Chores(away={("t1", 0): 1.0}))
        assert await log(store) == [1] and await store.due(10.0) == []
    assert await log(store) == [1, 2, 3, 4]


async def test_the_same_entry_is_written_once_by_whoever_is_first(store: Store) -> None:
    await store.commit([opening()], Chores())
    done = await asyncio.gather(
        *[store.commit([Write("t1", [line(2, f"p{n}")])], Chores()) for n in range(8)], return_exceptions=True
    )
    assert sorted(type(one).__name__ for one in done) == ["Conflict"] * 7 + ["NoneType"]


async def test_the_same_message_is_written_once(store: Store) -> None:
    await store.commit([opening()], Chores())
    await store.commit([Write("t1", [line(2, id="m1"), line(3, "bo", "m1"), line(4), line(5)])], Chores())
    with pytest.raises(Conflict):
        await store.commit([Write("t1", [line(6, id="m1")])], Chores())
    found = await store.answered("t1", "bo", "m1")
    assert found is not None and found.seq == 3
    assert await store.answered("t1", "bo", "m2") is None


async def test_a_row_that_the_database_does_not_take(postgres_url: str) -> None:
    store = await Store.open(Settings(database_url=postgres_url))
    await store.commit([opening()], Chores())
    with pytest.raises(Bad) as bad:
        await store.commit([Write("t1", [line(2, person="secret\x00")])], Chores())
    assert "secret" not in str(bad.value)
    await store.close()


async def test_chores_of_a_table_that_is_gone_are_a_conflict(store: Store) -> None:
    with pytest.raises(Conflict):
        await store.commit([], Chores(away={("gone", 0): 1.0}))
    with pytest.raises(Conflict):
        await store.commit([], Chores(lifted={("gone", 0): (1, "4")}))
    await store.commit([], Chores(away={("gone", 0): None}, lifted={("gone", 0): None}))


async def test_the_first_who_misses_a_seat_counts(store: Store) -> None:
    await store.commit([opening()], Chores(away={("t1", 0): 5.0}))
    await store.commit([], Chores(away={("t1", 0): 9.0, ("t1", 1): 7.0}))
    assert [(row.key, row.at) for row in await store.due(10.0)] == [("0", 5.0), ("1", 7.0)]
    assert [row.key for row in await store.due(6.0)] == ["0"]
    await store.put_off(8.0, 0.0)
    assert [row.at for row in await store.due(10.0)] == [8.0, 8.0]
    (row, _) = await store.due(10.0)
    await store.drop_deadline(row)
    await store.commit([], Chores(away={("t1", 1): None}))
    assert await store.due(10.0) == []


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("postgres://u:p@h/d", "postgresql+asyncpg://u:p@h/d"),
        ("postgresql://u:p@h:5/d?sslmode=require", "postgresql+asyncpg://u:p@h:5/d?ssl=require"),
        ("postgresql+asyncpg://h/d", "postgresql+asyncpg://h/d"),
        ("sqlite:////srv/f.db", "sqlite+aiosqlite:////srv/f.db"),
        ("", "sqlite+aiosqlite:///data/facedown.sqlite3"),
    ],
)
def test_addresses(given: str, used: str) -> None:
    from app.store.connect import address

    assert address(Settings(database_url=given)).render_as_string(hide_password=False) == used
