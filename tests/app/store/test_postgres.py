"""Postgres: one statement on one connection, and what happens if that connection is lost or hangs."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

from app.store import connect
from app.store.batch import COLUMNS
from app.store.postgres import PostgresWriter, statement
from app.store.rows import Bad, Chores, Down, Write
from app.store.store import Store
from tests.app.store.conftest import OpenStore
from tests.app.store.making import entry, held, log, opening, shot
from tests.app.tables import soon
from tests.support.network import Network
from tests.support.postgres import Postgres


@pytest.fixture
async def store(on_postgres: Store) -> Store:
    await on_postgres.commit([opening()], Chores())
    return on_postgres


@pytest.fixture
async def other(postgres_url: str) -> AsyncIterator[Any]:
    """A separate connection to the same database."""
    connection = await asyncpg.connect(postgres_url.replace("+asyncpg", ""))
    yield connection
    await connection.close()


class Wire(Network):
    """A network between a store and its Postgres."""

    def __init__(self, url: str) -> None:
        self.database = make_url(url)
        assert self.database.host is not None and self.database.port is not None
        super().__init__(self.database.host, self.database.port)

    @property
    def url(self) -> str:
        return self.database.set(host="127.0.0.1", port=self.port).render_as_string(hide_password=False)


@pytest.fixture
async def wire(postgres_url: str) -> AsyncIterator[Wire]:
    async with Wire(postgres_url) as wire:
        yield wire


def more(seq: int) -> Write:
    """An entry with a snapshot and a timer."""
    return Write("t1", [entry(seq)], shot(seq), deadlines={"choice": float(seq)})


def pid(store: Store) -> int:
    """The server process of the writer's connection."""
    assert isinstance(store.writer, PostgresWriter) and store.writer.connection is not None
    found: int = store.writer.connection.get_server_pid()
    return found


# one statement --------------------------------------------------------------------------------------------------------


async def test_a_commit_is_one_statement(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    statements: list[str] = []
    fetch = asyncpg.Connection.fetch

    async def counted(self: Any, query: str, *arguments: Any, **how: Any) -> Any:
        statements.append(query)
        return await fetch(self, query, *arguments, **how)

    monkeypatch.setattr(asyncpg.Connection, "fetch", counted)
    chores = Chores({("t1", 0): 6.0, ("t1", 1): None}, {("t1", 0): (1, "4"), ("t1", 1): None})
    await store.commit([more(2), opening("t2")], chores)
    (statement,) = statements
    assert statement.count("INSERT INTO") == 4
    assert await log(store) == [1, 2] and await log(store, "t2") == [1]


def test_a_statement_holds_only_what_there_is_to_do() -> None:
    alone = statement(("entries",))
    assert alone.count("$") == len(COLUMNS["entries"]) and "deadlines" not in alone
    whole = statement(tuple(COLUMNS))
    assert f"${sum(map(len, COLUMNS.values()))}:" in whole and "notify" not in whole


async def test_entries_are_read_by_a_statement_that_is_prepared_once(store: Store) -> None:
    for seq in (2, 3):
        await store.commit([more(seq)], Chores())
    for seq in (1, 2, 3):
        found = await store.since("t1", seq)
        assert ([row.seq for row in found.entries] if found else []) == list(range(seq + 1, 4))
    whole, table = await store.since("t1", 1), await store.by_id("t1")
    assert whole is not None and table is not None
    assert whole.snapshot == table.snapshot and whole.entries == [entry(2), entry(3)]
    assert store.reader is not None and store.reader.connection is not None
    prepared = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%row_number()%FROM moves%'"
    prepared += " AND statement NOT LIKE '%pg_prepared_statements%'"
    assert await store.reader.connection.fetchval(prepared) == 1


@pytest.mark.parametrize("person", ["secret\x00", "secret\ud800"], ids=["no text for Postgres", "no text"])
async def test_a_row_that_the_database_does_not_take(store: Store, person: str) -> None:
    before, connection = await held(store), pid(store)
    with pytest.raises(Bad) as bad:
        await store.commit([more(2), Write("t1", [entry(3, person=person)])], Chores())
    assert "secret" not in str(bad.value)
    assert await held(store) == before and pid(store) == connection


async def test_a_number_that_the_database_does_not_take(store: Store) -> None:
    with pytest.raises(Bad):
        await store.commit([Write("t1", [entry(2**40)])], Chores())
    assert await log(store) == [1]


# a lost connection ----------------------------------------------------------------------------------------------------


async def test_a_connection_that_is_known_to_be_dead_is_replaced(store: Store, other: Any) -> None:
    assert isinstance(store.writer, PostgresWriter) and store.writer.connection is not None
    connection, before = store.writer.connection, pid(store)
    await other.execute("SELECT pg_terminate_backend($1)", before)
    await soon(connection.is_closed)
    await store.commit([more(2)], Chores())
    assert await log(store) == [1, 2] and pid(store) != before


async def test_a_connection_that_dies_in_the_middle_of_a_commit(store: Store, other: Any) -> None:
    async with other.transaction():
        await other.execute("LOCK TABLE deadlines")
        commit = asyncio.create_task(store.commit([more(2)], Chores()))
        await waits_for_lock(other, pid(store))
        await other.execute("SELECT pg_terminate_backend($1)", pid(store))
        with pytest.raises(Down):
            await commit
    assert await log(store) == [1]
    await store.commit([more(2)], Chores())
    assert await log(store) == [1, 2]


async def waits_for_lock(other: Any, pid: int) -> None:
    async def so() -> bool:
        query = "SELECT wait_event_type = 'Lock' FROM pg_stat_activity WHERE pid = $1"
        return bool(await other.fetchval(query, pid))

    await soon(so)


async def test_a_connection_that_is_cut(open_store: OpenStore, wire: Wire) -> None:
    store = await open_store(wire.url)
    await store.commit([opening()], Chores())
    wire.swallows = True
    commit = asyncio.create_task(store.commit([more(2)], Chores()))
    await asyncio.sleep(0)
    wire.cut()
    with pytest.raises(Down):
        await commit
    wire.swallows = False
    await store.commit([more(2)], Chores())
    assert await log(store) == [1, 2]


async def test_a_driver_in_an_invalid_state(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    before = pid(store)

    async def lost(*_: Any, **__: Any) -> None:
        raise asyncpg.InternalClientError("got result for unknown protocol state")

    with monkeypatch.context() as patch:
        patch.setattr(asyncpg.Connection, "fetch", lost)
        with pytest.raises(Down, match="InternalClientError"):
            await store.commit([more(2)], Chores())
        with pytest.raises(Down, match="InternalClientError"):
            await store.probe()
    await store.commit([more(2)], Chores())
    assert await log(store) == [1, 2] and pid(store) != before


async def test_a_driver_in_an_invalid_state_while_reading(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async def reader() -> Any:
        async with store.reading() as connection:
            return await connection.scalar(text("SELECT pg_backend_pid()"))

    before = await reader()
    assert await reader() == before

    async def lost(*_: Any, **__: Any) -> None:
        raise asyncpg.InternalClientError("got result for unknown protocol state")

    with monkeypatch.context() as patch:
        patch.setattr(asyncpg.Connection, "prepare", lost)
        with pytest.raises(Down, match="InternalClientError"):
            await store.by_id("t1")
    assert await reader() != before
    assert await store.by_id("t1") is not None


# a database that hangs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("used", [True, False], ids=["open connection", "new connection"])
async def test_a_database_that_does_not_answer_is_down(
    open_store: OpenStore, wire: Wire, monkeypatch: pytest.MonkeyPatch, used: bool
) -> None:
    store = await open_store(wire.url)
    if used:
        await store.commit([opening()], Chores())
    before = wire.connections
    wire.swallows = True
    with monkeypatch.context() as patch:
        patch.setattr(connect, "COMMIT_TIMEOUT", 0.2)
        both = store.commit([opening("t2")], Chores()), store.probe()
        done = await asyncio.gather(*both, return_exceptions=True)
        assert [type(one).__name__ for one in done] == ["Down", "Down"]
    wire.swallows = False
    await store.commit([opening("t3")], Chores())
    await store.probe()
    assert await log(store, "t2") == [] and await log(store, "t3") == [1]
    assert wire.connections > before


async def test_a_commit_that_another_program_holds_up_is_down(
    store: Store, other: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = pid(store)
    async with other.transaction():
        await other.execute("LOCK TABLE tables")
        with monkeypatch.context() as patch:
            patch.setattr(connect, "COMMIT_TIMEOUT", 0.2)
            with pytest.raises(Down, match="in time"):
                await store.commit([more(2)], Chores())
    await store.commit([opening("t2")], Chores())
    assert await log(store, "t2") == [1] and pid(store) != before


async def test_a_cancelled_commit_leaves_its_connection(store: Store, other: Any) -> None:
    before = pid(store)
    async with other.transaction():
        await other.execute("LOCK TABLE tables")
        commit = asyncio.create_task(store.commit([more(2)], Chores()))
        await waits_for_lock(other, before)
        commit.cancel()
        with pytest.raises(asyncio.CancelledError):
            await commit
    await store.commit([opening("t2")], Chores())
    assert await log(store, "t2") == [1] and pid(store) != before


# a read-only database -------------------------------------------------------------------------------------------------


async def test_a_probe_finds_out_when_the_database_can_be_written_again(
    store: Store, other: Any, postgres: Postgres, postgres_url: str
) -> None:
    name = postgres_url.rpartition("/")[2]
    await store.probe()
    await other.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    await other.execute("SELECT pg_terminate_backend($1)", pid(store))
    with pytest.raises(Down):
        while True:  # the connection may not have noticed yet that it is closed
            await store.probe()
    with pytest.raises(Down, match="ReadOnly"):
        await store.probe()
    with pytest.raises(Down, match="ReadOnly"):
        await store.commit([more(2)], Chores())
    await store.ping()
    await other.execute("SET default_transaction_read_only = off")
    await other.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    await store.probe()
    await store.commit([more(2)], Chores())
    assert await log(store) == [1, 2]


async def test_postponing_does_not_wait_for_deadlines_that_another_process_changes(store: Store, other: Any) -> None:
    await store.commit([more(2)], Chores())
    async with other.transaction():
        await other.execute("SELECT 1 FROM deadlines FOR UPDATE")
        async with asyncio.timeout(connect.TIMEOUT / 2):
            await store.postpone(0.0, 50.0)
        assert [row.at for row in await store.due(100.0)] == [2.0]
    await store.postpone(0.0, 50.0)
    assert [row.at for row in await store.due(100.0)] == [50.0]


async def test_a_postgres_that_answers_before_it_has_stored_is_not_durable(
    store: Store, other: Any, open_store: OpenStore, postgres_url: str
) -> None:
    assert await store.durable()
    name = await other.fetchval("SELECT current_database()")
    await other.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = off')
    await store.engine.dispose()  # the setting is for new connections
    assert not await store.durable()


async def test_a_database_that_refuses_connections_is_down(store: Store, other: Any) -> None:
    """Postgres uses one class of errors both for missing privileges and for wrong statements."""
    user = f"reader_{uuid.uuid4().hex}"
    await other.execute(f"CREATE ROLE {user} LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO {user}")
    try:
        url = store.engine.url.set(username=user)
        reader = Store(url)
        with pytest.raises(Down, match="InsufficientPrivilege"):
            await reader.probe()
        assert await log(reader) == [1]
        await reader.close()
        await other.execute(f"REVOKE CONNECT ON DATABASE {url.database} FROM PUBLIC")
        with pytest.raises(Down, match="InsufficientPrivilege"):
            await reader.commit([more(2)], Chores())
        await reader.close()
    finally:
        await other.execute(f"DROP OWNED BY {user}; DROP ROLE {user}")


async def test_a_database_that_is_not_there_is_named(postgres: Postgres, open_store: OpenStore) -> None:
    with pytest.raises(Down, match=r"/nothing: InvalidCatalogNameError: database .nothing. does not exist$"):
        await open_store(postgres.url("nothing"))
