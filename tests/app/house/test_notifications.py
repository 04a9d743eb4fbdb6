"""Notifications between processes on one Postgres: connections that are lost, and messages that cannot be handled."""

import asyncio
from typing import Any

import asyncpg
import pytest

from app.house.open_table import OpenTable
from app.table import actions as do
from tests.app.conftest import Logged, StartHouse
from tests.app.house.test_workers import same, two
from tests.app.tables import seated, soon, state, until


async def test_a_lost_connection_is_made_again_and_what_was_missed_is_read(
    start_worker: StartHouse, postgres_url: str
) -> None:
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 2)
    other = await same(there, open_table)
    admin = await asyncpg.connect(postgres_url.replace("+asyncpg", ""))
    listening = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
    before = there.workers.connection
    await admin.execute(f"{listening} AND pid = {before.get_server_pid()}")
    await here.act(open_table, "ada", do.Play(1, "walk"))
    await until(other, lambda: other.seq == open_table.seq)
    await soon(lambda: there.workers.connection not in (None, before))
    await admin.execute(listening)
    await here.act(open_table, "ada", do.Lock())
    await until(other, lambda: other.sitting.saved.locked)
    await admin.close()


async def test_a_connection_that_does_not_listen_any_more_is_made_again(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As behind a pooler that gives the connection to others."""
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 2)
    other = await same(there, open_table)
    monkeypatch.setattr("app.house.workers.TIMEOUT", 1.0)  # a busy machine may need longer for the first connection
    before = there.workers.connection
    await before.execute("UNLISTEN *")
    await here.act(open_table, "ada", do.Play(1, "walk"))
    there.workers.lost.set()  # so that the connection is checked now
    there.workers.lost.clear()
    await until(other, lambda: other.seq == open_table.seq)
    assert there.workers.connection is not before
    await soon(lambda: not there.problems())


async def test_without_notifications_the_server_is_not_ready(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 2)
    other = await same(there, open_table)
    listening, execute = there.workers.connection, asyncpg.Connection.execute

    async def broken(self: Any, *what: Any, **how: Any) -> Any:
        if self is listening:
            raise asyncpg.InternalClientError("on purpose")
        return await execute(self, *what, **how)

    async def no_connection() -> None:
        raise asyncpg.InternalClientError("on purpose")

    with monkeypatch.context() as patch:
        patch.setattr(asyncpg.Connection, "execute", broken)
        patch.setattr(there.workers, "connect", no_connection)
        there.workers.lost.set()
        await soon(lambda: there.problems() == ["the other processes are not heard"])
        await here.act(open_table, "ada", do.Play(1, "walk"))
        assert other.seq < open_table.seq and not here.problems()
    await until(other, lambda: other.seq == open_table.seq)
    await soon(lambda: not there.problems())
    assert logged.troubles() == ["not hearing of other processes"]


async def test_a_notification_that_cannot_be_handled_does_not_prevent_others(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    here, there = await two(start_worker)
    lives = [await seated(here, "dark", 2) for _ in range(2)]
    others = [await same(there, open_table) for open_table in lives]

    def broken(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(there.workers, "claim_seats", broken)
    for open_table in lives:
        there.workers.heard(None, 0, "facedown", f"another ?{open_table.id}")
    assert logged.troubles() == ["a notification could not be handled"] * 2
    monkeypatch.setattr(
        here.journal, "notification", lambda *_: f"{here.worker} ?{lives[0].id} {lives[1].id}:{lives[1].seq + 1}"
    )
    await here.act(lives[1], "ada", do.Lock())
    await until(others[1], lambda: others[1].picture.card.locked)


async def test_a_table_that_breaks_while_it_is_caught_up_is_read_again(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 2)
    other = await same(there, open_table)
    take_in, left = OpenTable.take_in, iter(range(1))

    def broken(self: OpenTable, stored: Any) -> None:
        if next(left, None) is not None:
            raise ZeroDivisionError
        take_in(self, stored)

    monkeypatch.setattr(OpenTable, "take_in", broken)
    await here.act(open_table, "ada", do.Lock())
    await until(other, lambda: other.picture.card.locked)
    assert state(other) == state(open_table) and logged.troubles() == ["a table could not be caught up"]


async def test_a_notification_that_would_be_too_long_names_no_table(start_worker: StartHouse) -> None:
    here, there = await two(start_worker)
    lives = [await seated(here, "dark", 2) for _ in range(3)]
    others = [await same(there, open_table) for open_table in lives]
    here.journal.notification = lambda *_: f"{here.worker} *"  # type: ignore[method-assign]
    await asyncio.gather(*[here.act(open_table, "ada", do.Lock()) for open_table in lives])
    for other in others:
        await until(other, lambda other=other: other.sitting.saved.locked)  # type: ignore[misc]


async def test_notifications_are_handled_before_the_database_is_closed(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await start_worker()
    open_table = await seated(house, "dark", 2)
    done: list[str] = []
    since, disconnect, close = house.store.since, house.workers.disconnect, house.store.close

    async def slow(table: str, seq: int) -> Any:
        await asyncio.sleep(0.05)
        done.append("read")
        return await since(table, seq)

    async def late() -> None:
        if house.workers.connection is not None:  # nothing comes over one that is closed
            house.workers.catch_up_later(open_table.id, open_table.seq + 1)
        await disconnect()

    async def closed() -> None:
        done.append("closed")
        await close()
        await asyncio.sleep(0.2)  # so that what is read too late shows

    monkeypatch.setattr(house.store, "since", slow)
    monkeypatch.setattr(house.workers, "disconnect", late)
    monkeypatch.setattr(house.store, "close", closed)
    await house.stop()
    assert done == ["read", "closed"]
