"""SQLite: durability, and files that hang or are read-only."""

import asyncio
import sqlite3
import threading
from typing import Any

import pytest
from sqlalchemy import event, make_url, text

from app.store import connect
from app.store.rows import Bad, Chores, Conflict, Down, Write
from app.store.sqlite import SqliteWriter, Threaded
from app.store.store import Store
from tests.app.store.conftest import OpenStore
from tests.app.store.making import entry, held, log, opening, shot
from tests.app.tables import soon

PRAGMAS = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
SAFE = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000}


@pytest.fixture
async def store(on_sqlite: Store) -> Store:
    await on_sqlite.commit([opening()], Chores())
    return on_sqlite


@pytest.fixture
def file(sqlite_url: str) -> str:
    return str(make_url(sqlite_url).database)


def more(seq: int) -> Write:
    """An entry with a snapshot and a timer."""
    return Write("t1", [entry(seq)], shot(seq), deadlines={"choice": float(seq)})


def used(store: Store) -> Threaded:
    """The writer's connection."""
    assert isinstance(store.writer, SqliteWriter) and store.writer.connection is not None
    return store.writer.connection


async def test_both_connections_are_set_to_lose_nothing(store: Store) -> None:
    async with store.reading() as connection:
        assert {name: await connection.scalar(text(f"PRAGMA {name}")) for name in PRAGMAS} == SAFE
    found: dict[str, Any] = {}

    def look() -> None:
        database = used(store).database
        assert database is not None
        found.update({name: database.execute(f"PRAGMA {name}").fetchone()[0] for name in PRAGMAS})

    await used(store).call(look)
    assert found == SAFE


async def test_the_file_is_readable_by_its_owner_only(store: Store, tmp_path: Any) -> None:
    assert {one.name: oct(one.stat().st_mode & 0o777) for one in tmp_path.glob("facedown.sqlite3*")} == {
        "facedown.sqlite3": "0o600",
        "facedown.sqlite3-shm": "0o600",
        "facedown.sqlite3-wal": "0o600",
    }


async def test_a_store_that_is_closed_leaves_one_file(store: Store, tmp_path: Any) -> None:
    await store.close()
    assert [one.name for one in tmp_path.glob("facedown.sqlite3*")] == ["facedown.sqlite3"]


async def test_a_row_that_the_database_does_not_take(store: Store) -> None:
    before, connection = await held(store), used(store)
    with pytest.raises(Bad):
        await store.commit([more(2), Write("t1", [entry(3, person="secret\ud800")])], Chores())
    with pytest.raises(Bad):
        await store.commit([more(2), Write("t1", [entry(2**70)])], Chores())
    with pytest.raises(Conflict):
        await store.commit([more(1)], Chores())
    assert await held(store) == before and used(store) is connection


async def test_a_commit_that_hangs_is_down_and_never_done(
    store: Store, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hung = used(store)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with monkeypatch.context() as patch:
        patch.setattr(connect, "COMMIT_TIMEOUT", 0.2)
        both = store.commit([opening("t2")], Chores()), store.probe()
        done = await asyncio.gather(*both, return_exceptions=True)
        assert [type(one).__name__ for one in done] == ["Down", "Down"]
    other.execute("ROLLBACK")
    other.close()
    await store.commit([opening("t3")], Chores())
    await store.probe()
    await asyncio.to_thread(hung.thread.shutdown)
    assert used(store) is not hung and hung.database is None
    assert await log(store, "t2") == [] and await log(store, "t3") == [1]


async def test_a_hanging_thread_blocks_no_caller(
    store: Store, open_store: OpenStore, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hung, released = used(store), threading.Event()

    def hang_with_the_next_entry() -> None:
        assert hung.database is not None
        hung.database.create_function("hang", 0, released.wait)
        hung.database.execute("CREATE TEMP TRIGGER slow BEFORE INSERT ON moves BEGIN SELECT hang(); END")

    await hung.call(hang_with_the_next_entry)
    try:
        monkeypatch.setattr(connect, "COMMIT_TIMEOUT", 0.2)
        with pytest.raises(Down, match="in time"):
            await store.commit([opening("t2")], Chores())
        await store.close()
    finally:
        released.set()
    await asyncio.to_thread(hung.thread.shutdown)
    assert await log(await open_store(sqlite_url), "t2") == []


async def test_a_read_that_hangs_is_down_and_hinders_nobody(
    store: Store, open_store: OpenStore, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()

    def hang_while_links_are_read(connection: Any, record: Any) -> None:
        connection.run_async(lambda raw: raw.create_function("hang", 0, released.wait))
        cursor = connection.cursor()
        cursor.execute("CREATE TEMP VIEW links AS SELECT hang() AS hash, '' AS table_id, 0 AS seat, 1e12 AS expires")
        cursor.close()

    hanging = await open_store(sqlite_url)
    await hanging.engine.dispose()
    event.listen(hanging.engine.sync_engine, "connect", hang_while_links_are_read)
    monkeypatch.setattr(connect, "READ_TIMEOUT", 0.2)
    try:
        with pytest.raises(Down, match="in time"):
            await hanging.link("0")
        monkeypatch.undo()
        await hanging.commit([more(2)], Chores())
        assert await hanging.seq("t1") == 2
        await hanging.close()
    finally:
        released.set()
    await soon(lambda: len(asyncio.all_tasks()) == 1)  # the thread goes on, and its connection is closed


async def test_a_file_that_another_program_holds(store: Store, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "TIMEOUT", 0.2)
    await store.writer.close()
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Down, match="locked"):
        await store.commit([more(2)], Chores())
    other.close()
    await store.commit([more(2)], Chores())
    assert await log(store) == [1, 2]


async def test_a_probe_finds_out_when_the_file_can_be_written_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.probe()
    await store.writer.close()
    plain = sqlite3.connect

    def read_only(file: str, **how: Any) -> Any:
        return plain(f"file:{file}?mode=ro", uri=True, **how)

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", read_only)
        for _ in range(2):
            with pytest.raises(Down, match="readonly"):
                await store.probe()
        with pytest.raises(Down, match="readonly"):
            await store.commit([more(2)], Chores())
        await store.ping()
    await store.probe()
    await store.commit([more(2)], Chores())
    assert await log(store) == [1, 2]


async def test_a_probe_finds_out_when_the_disk_is_no_longer_full(store: Store) -> None:
    def fill() -> None:
        database = used(store).database
        assert database is not None
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        database.execute(f"PRAGMA max_page_count = {pages}")

    await used(store).call(fill)
    large = [Write("t1", [entry(seq, person="x" * 5000)]) for seq in range(2, 40)]
    with pytest.raises(Down, match="full"):
        await store.commit(large, Chores())
    assert await log(store) == [1]
    await store.probe()
    await store.commit(large, Chores())
    assert len(await log(store)) == 39
