"""Several processes on one Postgres: no move is lost, and each follows the others' commits."""

import asyncio
from random import Random
from typing import Any

import pytest

from app.house.house import House
from app.house.open_table import OpenTable
from app.refusals import Refusal
from app.store.rows import Deadline
from app.table import actions as do
from tests.app.conftest import StartHouse
from tests.app.tables import PEOPLE, Clock, kinds, seated, state, until, wait_for_rows


async def two(start_worker: StartHouse, **settings: Any) -> tuple[House, House]:
    # Both migrate at the same time.
    here, there = await asyncio.gather(start_worker(**settings), start_worker(**settings))
    assert here.secret_key == there.secret_key
    return here, there


async def same(house: House, open_table: OpenTable) -> OpenTable:
    """The other process's copy of this table."""
    found = await house.by_token(open_table.sitting.saved.token)
    assert found is not None and found is not open_table
    return found


def deaf(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house.workers, "handle", lambda notice: None)


async def exchange(here: House, open_table: OpenTable, there: House, other: OpenTable) -> None:
    """Wait until both have handled each other's notifications, and those that followed from them."""
    for locked in (True, False):
        await here.act(open_table, "ada", do.Lock(locked))
        await until(other, lambda: other.seq == open_table.seq)
        await there.act(other, "ada", do.Lock(locked))
        await until(open_table, lambda: other.seq == open_table.seq)


async def die(house: House) -> None:
    """End it as if killed: no deadlines are set for its seats, and its bots and timers stop."""
    assert not house.journal.chores
    await house.stop()


async def play_as(house: House, open_table: OpenTable, person: str, luck: Random, lost: list[str]) -> int:
    """One person who acts at once, on what that process knows. Returns the number of accepted actions."""
    accepted = 0
    seat = open_table.sitting.seat_of(person)
    assert seat is not None
    with open_table.subscribe() as news:
        while open_table.sitting.phase == "playing":
            table = open_table.sitting.table
            assert table is not None
            words = table.moves(seat) or table.anytime(seat)
            back = table.back(seat)
            try:
                if back and back.steps and luck.random() < 0.2:
                    await house.act(open_table, person, do.StepBack(table.round))
                    accepted += 1
                elif words and (table.moves(seat) or luck.random() < 0.1):
                    await house.act(open_table, person, do.Play(table.round, luck.choice(words)))
                    accepted += 1
                elif table.drafts.get(seat) and luck.random() < 0.1:
                    await house.act(open_table, person, do.Undo(table.round))
                    accepted += 1
                else:
                    await news.changed()  # somebody else is asked, here or at the other worker
            except Refusal as refused:
                lost.append(refused.reason)
    return accepted


@pytest.mark.parametrize("game", ["dice", "digging"])
@pytest.mark.parametrize("hearing", [True, False], ids=["hearing", "deaf"])
async def test_a_game_played_through_two_workers(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch, hearing: bool, game: str
) -> None:
    here, there = await two(start_worker)
    if not hearing:  # then only conflicts in the log tell them of each other
        deaf(here, monkeypatch)
        deaf(there, monkeypatch)
    open_table = await seated(here, game, 4)
    other = await same(there, open_table)
    before = open_table.seq
    refusals: list[str] = []
    plays = [
        play_as(house, at, person, Random(person), refusals)
        for person, house, at in zip(
            PEOPLE, (here, there, here, there), (open_table, other, open_table, other), strict=False
        )
    ]
    if not hearing:
        plays += [nudge(here, open_table), nudge(there, other)]
    accepted = await asyncio.gather(*plays)
    if hearing:
        await until(open_table, lambda: open_table.seq == other.seq)
    await here.recovery.catch_up(open_table)
    await there.recovery.catch_up(other)
    assert state(open_table) == state(other) and open_table.sitting.phase == "over"
    assert open_table.seq == before + sum(accepted)  # each accepted action is in the log, once
    stored = await here.store.since(open_table.id, 0)
    assert stored is not None and [row.seq for row in stored.entries] == list(range(1, open_table.seq + 1))
    overtaken = {"past_round", "already_in", "not_legal", "not_asked", "nothing_to_undo", "no_way_back", "over"}
    assert set(refusals) <= overtaken


async def nudge(house: House, open_table: OpenTable) -> int:
    """Read the table now and then, for a process that does not listen."""
    while open_table.sitting.phase == "playing":
        await asyncio.sleep(0.05)
        await house.recovery.catch_up(open_table)
    return 0


async def test_what_one_commits_the_other_tells_its_own(start_worker: StartHouse) -> None:
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 2)
    other = await same(there, open_table)
    await here.act(open_table, "ada", do.Play(1, "walk"))
    await until(other, lambda: other.seq == open_table.seq)
    await there.act(other, "bo", do.Play(1, "walk"))
    await until(open_table, lambda: open_table.seq == other.seq)
    assert state(open_table) == state(other)
    await here.act(open_table, "ada", do.Lock())
    await until(other, lambda: other.sitting.saved.locked)
    assert other.picture.card.locked


async def test_a_double_through_another_worker_counts_once(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = await two(start_worker)
    deaf(there, monkeypatch)
    open_table = await seated(here, "dark", 2)
    other = await same(there, open_table)
    first = await here.act(open_table, "ada", do.Play(1, "walk"), "m1")
    assert await there.act(other, "ada", do.Play(1, "walk"), "m1") == first.again()
    assert state(open_table) == state(other)
    twice = [here.act(open_table, "bo", do.Ready(), "m2"), there.act(other, "bo", do.Play(1, "walk"), "m3")]
    await asyncio.gather(*twice, return_exceptions=True)
    both = [here.act(open_table, "bo", do.Undo(1), "m4"), there.act(other, "bo", do.Undo(1), "m4")]
    done = await asyncio.gather(*both)
    assert sorted(one.doubled for one in done) == [False, True] and done[0].seq == done[1].seq


async def test_two_sit_down_on_the_last_seat(start_worker: StartHouse) -> None:
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 3, start=False)
    other = await same(there, open_table)
    sits = [here.act(open_table, "di", do.Sit("Di")), there.act(other, "ed", do.Sit("Ed"))]
    done = await asyncio.gather(*sits, return_exceptions=True)
    assert sorted(getattr(one, "reason", "") for one in done) == ["", "full"]


async def test_presence_at_another_worker_counts(start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 2)
    here.presence.socket_opened(open_table, "ada")
    here.presence.socket_opened(open_table, "bo")
    other = await same(there, open_table)
    there.presence.socket_opened(other, "bo")  # connected to both processes
    await exchange(here, open_table, there, other)
    here.presence.socket_closed(open_table, "bo")
    await exchange(here, open_table, there, other)
    await wait_for_rows(here)
    clock.jump(61, here, there)
    there.presence.socket_closed(other, "bo")
    await exchange(here, open_table, there, other)
    await wait_for_rows(here, ("away", "1"))
    clock.jump(61, here, there)
    await until(open_table, lambda: open_table.sitting.seats[1].away)
    assert (await kinds(here, open_table)).count("Away") == 1 and open_table.sitting.is_host("ada")


async def test_who_is_found_to_share_a_table_is_asked_for_sockets(start_worker: StartHouse) -> None:
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 2)
    for person in ("ada", "bo"):
        here.presence.socket_opened(open_table, person)
    other = await same(there, open_table)
    await exchange(here, open_table, there, other)
    other.holders.clear()
    there.presence.socket_opened(other, "bo")
    there.presence.socket_closed(other, "bo")
    await wait_for_rows(here, ("away", "1"))
    here.workers.announce(open_table)
    await wait_for_rows(here)


async def test_a_seat_marked_away_by_mistake_is_back_at_once(start_worker: StartHouse) -> None:
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 2)
    here.presence.socket_opened(open_table, "bo")
    other = await same(there, open_table)
    await there.act(other, "", do.Away(1))
    await until(open_table, lambda: open_table.seq >= other.seq + 1 and not open_table.sitting.seats[1].away)
    await until(other, lambda: not other.sitting.seats[1].away)


async def test_a_worker_that_is_killed_leaves_its_work_to_the_others(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)
    monkeypatch.setattr("app.house.bot_runner.OTHERS_FIRST", 0.0)
    here, there = await two(start_worker)
    open_table = await seated(here, "counting", 2, start=False)
    await here.act(open_table, "ada", do.AddBot())
    await here.act(open_table, "ada", do.Timer(30))
    await here.act(open_table, "ada", do.Start())
    here.presence.socket_opened(open_table, "ada")
    here.presence.socket_opened(open_table, "bo")
    other = await same(there, open_table)
    there.presence.socket_opened(other, "ada")
    await exchange(here, open_table, there, other)
    await wait_for_rows(there, ("choice", ""))
    await die(here)
    before = there.presence.audit({})
    assert there.presence.audit(before) == before  # the table is idle: other processes are asked for its people again
    await wait_for_rows(there, ("away", "1"), ("choice", ""))
    clock.jump(61, there)
    await until(other, lambda: other.sitting.seats[1].away and other.history.reveal.after > 0)
    assert {"PlayFor", "Away"} <= set(await kinds(there, other))


async def test_a_link_made_at_one_worker_is_spent_at_another(start_worker: StartHouse) -> None:
    here, there = await two(start_worker)
    open_table = await seated(here, "dark", 2)
    token = await here.device_link(open_table, "bo")
    other = await there.redeem(token, "bo's phone")
    assert other.sitting.seat_of("bo's phone") == 1
    await until(open_table, lambda: open_table.sitting.seat_of("bo's phone") == 1)
    with pytest.raises(Refusal, match="link_spent"):
        await here.redeem(token, "cy")


async def test_a_worker_that_is_behind_refuses_nothing_for_that(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = await two(start_worker)
    deaf(there, monkeypatch)
    open_table = await seated(here, "counting", 2)
    other = await same(there, open_table)
    await here.act(open_table, "ada", do.Play(1, "1"))
    await there.act(other, "bo", do.Play(2, "1"))  # it was already Bo's turn
    with pytest.raises(Refusal, match="future_round"):
        await there.act(other, "bo", do.Play(9, "1"))


async def test_a_deadline_found_while_a_house_closes_is_carried_out_before_the_database_is_let_go(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await start_worker()
    open_table = await seated(house, "dark", 2)
    done: list[str] = []
    looking, close = asyncio.Event(), house.store.close

    async def due(before: float) -> list[Deadline]:
        looking.set()
        await house.supervisor.closing.wait()
        await asyncio.sleep(0.05)
        return [Deadline(open_table.id, "choice", "", 0.0)]

    async def slow(table: str) -> OpenTable:
        await asyncio.sleep(0.05)
        done.append("carried out")
        return open_table

    async def closed() -> None:
        done.append("closed")
        await close()

    monkeypatch.setattr(house.store, "due", due)
    monkeypatch.setattr(house.deadlines, "find", slow)
    monkeypatch.setattr(house.store, "close", closed)
    house.deadlines.note(0.0)
    await looking.wait()
    await house.stop()
    assert done == ["carried out", "closed"]
