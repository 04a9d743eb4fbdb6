"""Notifications between processes on one Postgres: connections that are lost, and messages that cannot be handled."""

import asyncio
from dataclasses import replace
from typing import Any

import asyncpg
import pytest

from app.house.house import House
from app.house.notices import Notice, Outbox, encoded, read_commit, read_notice
from app.house.open_table import OpenTable
from app.refusals import Refusal
from app.store.rows import Down, StoredEntry
from app.table import actions as do
from tests.app.conftest import Logged, StartHouse
from tests.app.house.test_workers import same, two
from tests.app.tables import Gate, again, seated, soon, state, until


def connection(house: House) -> Any:
    assert house.workers.channel is not None
    return house.workers.channel.connection


async def settled(house: House) -> None:
    """Wait until nothing is being read or told."""
    await soon(lambda: not house.workers.tasks)


async def test_a_lost_connection_is_made_again_and_what_was_missed_is_read(
    start_worker: StartHouse, postgres_url: str
) -> None:
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 2)
    other = await same(there, open_table)
    admin = await asyncpg.connect(postgres_url.replace("+asyncpg", ""))
    listening = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'facedown, listening'"
    before = connection(there)
    await admin.execute(f"{listening} AND pid = {before.get_server_pid()}")
    await here.act(open_table, "ada", do.Play(1, "walk"))
    await until(other, lambda: other.seq == open_table.seq)
    await soon(lambda: connection(there) not in (None, before))
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
    before = connection(there)
    await before.execute("UNLISTEN *")
    await here.act(open_table, "ada", do.Play(1, "walk"))
    there.workers.checked = 0.0  # so that the connection is checked now
    await until(other, lambda: other.seq == open_table.seq)
    assert connection(there) is not before
    await soon(lambda: not there.problems())


async def test_without_notifications_the_server_is_not_ready(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 2)
    other = await same(there, open_table)
    listening, fetch = connection(there), asyncpg.Connection.fetch

    async def broken(self: Any, *what: Any, **how: Any) -> Any:
        if self is listening:
            raise asyncpg.InternalClientError("on purpose")
        return await fetch(self, *what, **how)

    async def no_connection() -> None:
        raise asyncpg.InternalClientError("on purpose")

    with monkeypatch.context() as patch:
        patch.setattr(asyncpg.Connection, "fetch", broken)
        patch.setattr(there.workers, "connect", no_connection)
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
    there.workers.hear("nonsense")
    there.workers.hear(encoded(Notice("another", asks=[lives[0].id])))
    assert logged.troubles() == ["a notice could not be handled"] * 2
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
    monkeypatch.setattr(there.workers, "follow", lambda *_: False)
    await here.act(open_table, "ada", do.Lock())
    await until(other, lambda: other.picture.card.locked)
    assert state(other) == state(open_table) and logged.troubles() == ["a table could not be caught up"]


async def test_a_commit_is_told_with_its_entries_and_nothing_is_read(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 2)
    other = await same(there, open_table)
    await soon(lambda: open_table.holders == {there.worker} and other.holders == {here.worker})
    await settled(there)
    monkeypatch.setattr(there.store, "since", None)
    listener = other.subscribe()
    with listener:
        for person in ("ada", "bo"):
            await here.act(open_table, person, do.Play(1, "walk"))
            await listener.changed()
            assert state(other) == state(open_table)
    assert other.snapshot_seq == open_table.snapshot_seq
    assert other.replies == open_table.replies or not open_table.replies


async def test_a_commit_that_is_too_long_for_a_notification_is_read(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.house.notices.LIMIT", 300)
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 2)
    other = await same(there, open_table)
    with other.subscribe():
        await here.act(open_table, "ada", do.Lock())
        await until(other, lambda: other.picture.card.locked)
    assert state(other) == state(open_table)


async def test_entries_of_which_our_rules_make_something_else_are_read_with_their_snapshot(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 2)
    other = await same(there, open_table)
    await soon(lambda: open_table.holders)
    entries: list[StoredEntry] = []
    monkeypatch.setattr(there.workers, "follow", lambda table, told: entries.extend(told))
    with other.subscribe():
        await here.act(open_table, "ada", do.Lock())
        await until(other, lambda: other.picture.card.locked)
    (entry,) = entries
    before = await again(here, open_table)
    assert not before.follow([replace(entry, seq=before.seq + 1, events='["other"]')])
    assert not before.follow([replace(entry, seq=before.seq + 1, version=before.version + 7)])
    assert state(before) == state(open_table)


async def test_who_is_alone_sends_nothing_and_who_comes_later_is_told(start_worker: StartHouse) -> None:
    here = await start_worker()
    open_table = await seated(here, "dark", 2)
    sent: list[Any] = []
    send = here.workers.channel.send

    async def counted(notices: Any) -> None:
        sent.extend(notices)
        await send(notices)

    here.workers.channel.send = counted
    await here.act(open_table, "ada", do.Lock())
    await settled(here)
    assert not sent
    there = await start_worker()
    await soon(lambda: here.workers.others == {there.worker})
    other = await same(there, open_table)
    await here.act(open_table, "ada", do.Lock(False))
    await until(other, lambda: not other.picture.card.locked)
    assert sent
    await there.stop()
    await soon(lambda: not here.workers.others and not open_table.holders)


async def test_who_does_not_need_a_table_is_not_told_of_it_and_reads_it_again(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 2)
    other = await same(there, open_table)
    await soon(lambda: there.worker in open_table.holders and here.worker in other.holders)
    monkeypatch.setattr("app.house.house.LEFT_SECONDS", 0.0)
    await here.act(open_table, "ada", do.Lock())
    await soon(lambda: other.left and not open_table.holders)
    await here.act(open_table, "ada", do.Name("Ada Lovelace"))
    assert other.seq < open_table.seq
    with other.subscribe():
        assert await there.by_id(open_table.id) is other and other.seq == open_table.seq
        await soon(lambda: there.worker in open_table.holders)
        await here.act(open_table, "ada", do.Lock(False))
        await until(other, lambda: not other.picture.card.locked)


async def test_a_table_that_is_left_while_somebody_is_about_to_need_it(start_worker: StartHouse) -> None:
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 2)
    other = await same(there, open_table)
    await soon(lambda: there.worker in open_table.holders and here.worker in other.holders)
    with open_table.subscribe(), other.subscribe():
        for leave in (other, open_table):
            leave.holders.clear()
        other.left = other.unsure = True
        await there.act(other, "bo", do.Play(1, "walk"))  # who acts tells of it
        await until(open_table, lambda: open_table.seq == other.seq)
        await soon(lambda: there.worker in open_table.holders and here.worker in other.holders)
        for leave in (other, open_table):
            leave.holders.clear()
        other.left = other.unsure = True
        await here.act(open_table, "ada", do.Lock())
        await until(other, lambda: other.picture.card.locked)  # who listens is noticed


async def test_what_a_process_did_not_tell_before_it_died_is_found_out(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 2)
    other = await same(there, open_table)
    await soon(lambda: here.worker in other.holders and there.worker in open_table.holders)
    with other.subscribe():
        monkeypatch.setattr(here.workers, "tell", lambda *_: None)
        await here.act(open_table, "ada", do.Lock())
        here.workers.stop()
        await connection(here).close()  # the system closes a dead process's connections
        await until(other, lambda: other.picture.card.locked)
        assert not other.holders


async def test_what_was_stored_although_that_was_not_known_is_told_later(start_worker: StartHouse) -> None:
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 2)
    other = await same(there, open_table)
    await soon(lambda: there.worker in open_table.holders)
    gate = Gate(here)
    gate.failing, gate.fails_after = lambda _: Down("on purpose"), True
    with other.subscribe(), open_table.subscribe():
        with pytest.raises(Refusal, match="store_down"):
            await here.act(open_table, "ada", do.Lock())
        gate.failing = lambda _: None
        await until(other, lambda: other.picture.card.locked)


def test_notices_are_never_too_long() -> None:
    outbox = Outbox()
    entries = [StoredEntry(n, n, 0.0, "ada", "", "x" * 64, '{"do":"ä"}' * (n * 9), None) for n in range(1, 90)]
    outbox.joins = True
    outbox.commits = [(f"{n:024}", [entry]) for n, entry in enumerate(entries)]
    outbox.holds = outbox.too = {f"{n:024}": 10**9 for n in range(1000)}
    outbox.lacks = outbox.asks = dict.fromkeys(outbox.holds)
    texts = list(outbox.texts("somebody"))
    assert all(len(text.encode()) < 8000 for text in texts)
    notices = [read_notice(text) for text in texts]
    told = [read_commit(said) for notice in notices for said in notice.commits]
    reached = [place for notice in notices for place in notice.reached]
    assert len(told) + len(reached) == len(entries) and len(told) > 50 and reached
    assert [entry for _, (entry,) in told] == entries[: len(told)]
    assert sum(len(notice.holds) for notice in notices) == sum(len(notice.asks) for notice in notices) == 1000


async def test_notifications_are_handled_before_the_database_is_closed(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await start_worker()
    open_table = await seated(house, "dark", 2)
    done: list[str] = []
    since, leave, close = house.store.since, house.workers.leave, house.store.close

    async def slow(table: str, seq: int) -> Any:
        await asyncio.sleep(0.05)
        done.append("read")
        return await since(table, seq)

    async def left() -> None:
        done.append("left")
        await leave()

    async def closed() -> None:
        done.append("closed")
        await close()

    monkeypatch.setattr(house.store, "since", slow)
    monkeypatch.setattr(house.workers, "leave", left)
    monkeypatch.setattr(house.store, "close", closed)
    house.workers.catch_up_later(open_table.id, open_table.seq + 1)
    await house.stop()
    assert done == ["read", "left", "closed"]
