"""Timers: lifted cards are played, bots complete the answers, also after a restart."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from app.house.house import House
from app.house.open_table import OpenTable
from app.refusals import Refusal
from app.store.rows import Bad, Conflict, Down
from app.table import actions as do
from engine.game import Game
from tests.app.conftest import Logged, StartHouse
from tests.app.tables import Clock, again, hand_in, kinds, refused, rows, seated, soon, state, until, wait_for_rows
from tests.engine.tiny import Hide


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


async def timed(house: House, game: str = "dark", seats: int = 2) -> OpenTable:
    open_table = await seated(house, game, seats, start=False)
    await house.act(open_table, "ada", do.Timer(30))
    await house.act(open_table, "ada", do.Start())
    return open_table


def words(open_table: OpenTable) -> list[tuple[str, ...]]:
    """The words that the last reveal opened."""
    reveal = open_table.picture.events[open_table.history.reveal.after]
    return [tuple(answer["words"]) for answer in reveal["answers"]]


async def test_when_time_is_up_what_is_lifted_is_laid_and_bots_fill_the_rest(house: House, clock: Clock) -> None:
    open_table = await timed(house, "dice", seats=3)
    await house.act(open_table, "bo", do.Play(1, "4 right"))
    house.lift(open_table, "ada", 1, "3 left")
    house.lift(open_table, "bo", 1, "2 left")
    await soon_lifted(house, open_table, {0: "3 left", 1: "2 left"})
    clock.jump(31, house)
    await until(open_table, lambda: open_table.history.reveal.after > 0)
    ada, bo, cy = words(open_table)
    assert ada[0] == "3 left" and bo[:2] == ("4 right", "2 left")
    assert [len(answer) for answer in (ada, bo, cy)] == [4, 4, 4]
    assert state(await again(house, open_table)) == state(open_table)


async def test_when_time_is_up_the_whole_turn_is_played(house: House, clock: Clock) -> None:
    open_table = await timed(house, "digging")
    await house.act(open_table, "ada", do.Play(1, "dig"))
    await house.act(open_table, "ada", do.Play(1, "here"))
    while open_table.picture.scope == "turn 0":  # if both bid for what was found, that has a time of its own
        round = open_table.picture.round
        clock.jump(31, house)
        await until(open_table, lambda round=round: open_table.picture.round > round)  # type: ignore[misc]
    table = open_table.sitting.table
    assert table is not None and open_table.sitting.saved.ends_at is not None
    back = table.own(0).back
    assert back is None or back.steps == 0  # neither what a bot played because the time ran out, nor what came before


async def test_time_that_runs_out_uses_nothing_up(
    house: House, clock: Clock, tiny: dict[str, Game], monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    monkeypatch.setattr(Hide, "frugal", lambda ask, g, seat, draft: ["north", "south"] if draft else ["hide"])
    greedy = {"greedy": lambda shared, own, luck: "lamp" if own.anytime else own.moves[-1]}
    tiny["dark"] = replace(tiny["dark"], bots=greedy)
    open_table = await timed(house)
    house.lift(open_table, "ada", 1, "walk")  # it would use something up
    await soon_lifted(house, open_table, {0: "walk"})
    clock.jump(31, house)
    await until(open_table, lambda: open_table.history.reveal.after > 0)
    assert [one["kind"] for one in open_table.picture.events if one["kind"] == "any_time"] == []
    told = [(one.seat, one.words) for one in open_table.picture.announcements if one.kind == "time"]
    assert told == [(0, ("hide", "south")), (1, ("hide", "south"))]
    assert not logged.troubles()


async def soon_lifted(house: House, open_table: OpenTable, expected: dict[int, str]) -> None:
    async def so() -> bool:
        return await house.store.lifted(open_table.id, 1) == expected

    await soon(so)


async def test_only_legal_words_for_this_round_and_only_with_a_timer_are_remembered(house: House) -> None:
    open_table = await seated(house, "dark", 3)
    house.lift(open_table, "ada", 1, "walk")  # no timer runs
    await house.act(open_table, "ada", do.Timer(30))
    house.lift(open_table, "ada", 1, "fly")
    house.lift(open_table, "ada", 0, "walk")
    house.lift(open_table, "di", 1, "walk")
    house.lift(open_table, "bo", 1, "walk")
    house.lift(open_table, "bo", 1, None)
    house.lift(open_table, "cy", 1, "walk")
    await soon_lifted(house, open_table, {2: "walk"})


async def test_the_next_choice_gets_its_own_time(house: House, clock: Clock) -> None:
    open_table = await timed(house)
    first = open_table.sitting.saved.ends_at
    clock.jump(15, house)
    await hand_in(house, open_table, "ada")
    assert open_table.sitting.saved.ends_at == first
    await hand_in(house, open_table, "bo")
    second = open_table.sitting.saved.ends_at
    assert first is not None and second is not None and second > first + 10
    clock.jump(15, house)
    assert (await kinds(house, open_table)).count("PlayFor") == 0
    clock.jump(16, house)
    await until(open_table, lambda: open_table.sitting.phase == "over")
    assert ("choice", "") not in await rows(house)


async def test_a_timer_switched_off_plays_nothing(house: House, clock: Clock) -> None:
    open_table = await timed(house)
    await house.act(open_table, "ada", do.Timer(0))
    assert ("choice", "") not in await rows(house)
    clock.jump(3600, house)
    await house.act(open_table, "ada", do.Play(1, "walk"))
    assert "PlayFor" not in await kinds(house, open_table)


async def test_a_game_without_people_present_is_played_to_its_end(house: House, clock: Clock) -> None:
    open_table = await timed(house, "dice", 3)
    while open_table.sitting.phase == "playing":
        round = open_table.sitting.table.round if open_table.sitting.table else 0
        clock.jump(31, house)
        await until(open_table, lambda round=round: open_table.sitting.table and open_table.sitting.table.round > round)  # type: ignore[misc]
    assert set(await kinds(house, open_table)) - {"Away"} == {"Open", "Sit", "Timer", "Start", "PlayFor"}


async def test_deadlines_survive_a_restart(start_house: StartHouse, clock: Clock) -> None:
    house = await start_house()
    open_table = await timed(house, "dice")
    await house.act(open_table, "bo", do.Play(1, "4 right"))
    house.lift(open_table, "ada", 1, "3 left")
    await soon_lifted(house, open_table, {0: "3 left"})
    token, ends_at = open_table.sitting.saved.token, open_table.sitting.saved.ends_at
    await house.stop()
    clock.jump(3600)
    house = await start_house()
    assert ("choice", "") in await rows(house)
    clock.jump(6, house)  # after a start there is a grace period

    async def so() -> bool:
        found = await house.by_token(token)
        return bool(found.history.reveal.after > 0)

    await soon(so)
    open_table = await house.by_token(token)
    assert [answer[0] for answer in words(open_table)] == ["3 left", "4 right"]
    assert open_table.sitting.saved.ends_at is not None and open_table.sitting.saved.ends_at != ends_at


async def test_deadlines_of_a_game_that_is_missing_for_a_start_are_kept(
    start_house: StartHouse, tiny: dict[str, Any], clock: Clock, logged: Logged
) -> None:
    house = await start_house()
    token = (await timed(house)).picture.token
    await house.stop()
    gone = tiny.pop("dark")
    house = await start_house()
    clock.jump(3600, house)
    await soon(lambda: len(house.deadlines.delays) == 1 and not house.deadlines.tasks)
    assert ("choice", "") in await rows(house)
    for _ in range(20):
        clock.jump(0.4, house)
        await asyncio.sleep(0)
    await soon(lambda: not house.deadlines.tasks)
    assert sum("a deadline was refused" in line for line in logged.lines) <= 5, "tried again less and less often"
    await house.stop()
    tiny["dark"] = gone
    house = await start_house()
    clock.jump(3600, house)
    open_table = await house.by_token(token)
    assert open_table is not None
    await until(open_table, lambda: open_table.history.reveal.after > 0)


async def test_a_clock_that_jumps_back_stops_no_timer(house: House, clock: Clock) -> None:
    open_table = await timed(house)
    clock.jump(-3600, house)
    await hand_in(house, open_table, "ada")
    await hand_in(house, open_table, "bo")
    ends_at = open_table.sitting.saved.ends_at
    assert ends_at is not None and ends_at >= open_table.sitting.saved.at + 30
    clock.jump(3600 + 31, house)
    await until(open_table, lambda: open_table.sitting.phase == "over")


class Broken(Exception):
    """Raised on purpose."""


@asynccontextmanager
async def renamed(house: House) -> AsyncIterator[None]:
    """The deadlines are unavailable: their database table has another name."""
    async with house.store.begin() as connection:
        await connection.execute(text("ALTER TABLE deadlines RENAME TO elsewhere"))
    yield
    async with house.store.begin() as connection:
        await connection.execute(text("ALTER TABLE elsewhere RENAME TO deadlines"))


@asynccontextmanager
async def raising(house: House, error: type[Exception]) -> AsyncIterator[None]:
    async def due(*_: float) -> None:
        raise error("on purpose")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(house.store, "due", due)
        yield


@pytest.mark.parametrize("error", [None, Conflict, Bad, Down, Broken], ids=lambda error: getattr(error, "__name__", ""))
async def test_deadlines_that_cannot_be_read_are_carried_out_when_they_can(
    house: House,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    logged: Logged,
    error: type[Exception] | None,
) -> None:
    monkeypatch.setattr("app.house.deadlines.LOOK_AHEAD", 1000.0)
    open_table = await timed(house)
    await wait_for_rows(house, ("away", "0"), ("away", "1"), ("choice", ""))
    async with raising(house, error) if error else renamed(house):
        clock.jump(31, house)
        await soon(lambda: house.problems() == ["deadlines has failed and is starting again"])
        await house.act(open_table, "ada", do.Play(1, "walk"))
        assert open_table.history.reveal.after == 0
    await until(open_table, lambda: open_table.history.reveal.after > 0)
    await soon(lambda: not house.problems())
    if error is Down:
        assert logged.troubles() == ["deadlines cannot be read"]
    elif error:
        assert set(logged.troubles()) == {"a background loop broke"}


# claims ---------------------------------------------------------------------------------------------------------------


async def test_a_claim_is_granted_after_a_minute(house: House, clock: Clock) -> None:
    open_table = await seated(house, "dark", 3)
    for person in ("ada", "bo", "cy"):
        house.presence.socket_opened(open_table, person)
    await wait_for_rows(house)
    await house.act(open_table, "bo", do.StandIn(0))
    assert await rows(house) == [("claim", "")]
    clock.jump(40, house)
    await house.act(open_table, "cy", do.Object())
    assert await rows(house) == []
    await house.act(open_table, "bo", do.StandIn(2))
    clock.jump(61, house)
    await until(open_table, lambda: open_table.sitting.seats[2].bot)
    await wait_for_rows(house)
    # Whatever Cy does, he plays himself again.
    await house.act(open_table, "cy", do.Here())
    assert not open_table.sitting.seats[2].bot
    assert (await kinds(house, open_table))[-2:] == ["Back", "Here"]


async def test_a_claim_survives_a_restart_and_leaves_time_to_object(start_house: StartHouse, clock: Clock) -> None:
    house = await start_house()
    open_table = await seated(house, "dark", 2)
    token = open_table.sitting.saved.token
    await house.act(open_table, "ada", do.Silence())
    await house.act(open_table, "", do.Away(1))
    await wait_for_rows(house, ("away", "0"), ("long_away", ""))
    await house.stop()
    clock.jump(3600)
    house = await start_house()
    found = await house.by_token(token)
    assert found is not None and found.picture.claimable == (), "who is away could not come back meanwhile"
    clock.jump(61, house)
    await until(found, lambda: found.picture.claimable == (0, 1)[1:])
    await house.act(found, "ed", do.Claim(1, "Ed"))
    await house.stop()
    clock.jump(3600)
    house = await start_house()
    clock.jump(30, house)
    found = await house.by_token(token)
    assert found is not None and found.picture.claim is not None, "objections are heard for another minute"
    clock.jump(40, house)

    async def so() -> bool:
        found = await house.by_token(token)
        return found is not None and found.sitting.seats[1].name == "Ed"

    await soon(so)


async def test_after_ten_minutes_away_others_may_ask_for_the_seat(house: House, clock: Clock) -> None:
    open_table = await seated(house, "dark", 3)
    for person in ("ada", "bo", "cy"):
        house.presence.socket_opened(open_table, person)
    house.presence.socket_closed(open_table, "bo")
    clock.jump(61, house)
    await until(open_table, lambda: open_table.picture.card.seats[1].away)
    clock.jump(500, house)
    assert await refused(house, open_table, "di", do.Claim(1, "Di")) == "too_soon"
    clock.jump(101, house)
    await until(open_table, lambda: open_table.picture.claimable == (1,))
    await wait_for_rows(house)
    await house.act(open_table, "di", do.Claim(1, "Di"))
    await house.act(open_table, "cy", do.Agree())
    clock.jump(61, house)
    await until(open_table, lambda: open_table.sitting.seats[1].newcomer)
    house.presence.socket_opened(open_table, "bo")
    await until(open_table, lambda: open_table.sitting.seats[1].holders == ["bo"])
    assert state(await again(house, open_table)) == state(open_table)


async def test_a_deal_without_a_pledged_salt_is_called_off(house: House, clock: Clock) -> None:
    open_table = await seated(house, "dark", 2, start=False)
    await house.act(open_table, "bo", do.Pledge("0" * 64))
    await house.act(open_table, "ada", do.Start())
    await wait_for_rows(house, ("away", "0"), ("away", "1"), ("deal", ""))
    assert open_table.picture.card.dealing and open_table.picture.card.phase == "lobby"
    clock.jump(11, house)
    await until(open_table, lambda: not open_table.picture.card.dealing)
    await wait_for_rows(house, ("away", "0"), ("away", "1"))
    assert [told.kind for told in open_table.picture.announcements] == ["unopened"]
    assert state(await again(house, open_table)) == state(open_table)
    await house.act(open_table, "ada", do.Start())
    assert open_table.picture.card.phase == "playing"


async def test_a_deadline_that_hangs_is_tried_again(
    house: House, clock: Clock, monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    monkeypatch.setattr("app.house.deadlines.LONGEST", 0.1)
    open_table = await timed(house)
    plain, left = house.deadlines.find, iter([True])

    async def find(id: str) -> Any:
        return await (asyncio.Event().wait() if next(left, None) else plain(id))

    monkeypatch.setattr(house.deadlines, "find", find)
    clock.jump(31, house)
    await soon(lambda: "a deadline broke" in logged.troubles())
    monkeypatch.setattr("app.house.deadlines.LONGEST", 60.0)
    await until(open_table, lambda: open_table.history.reveal.after > 0)


# a clock that was ahead -----------------------------------------------------------------------------------------------

AHEAD = 200 * 86400.0


@pytest.mark.parametrize("restarted", [False, True])
async def test_after_a_clock_that_was_ahead_everything_keeps_what_was_left_of_its_time(
    start_house: StartHouse, clock: Clock, restarted: bool
) -> None:
    house = await start_house()
    clock.jump(AHEAD, house)
    timed_table = await timed(house, "dark", 2)
    salted = await seated(house, "dark", 2, start=False)
    await house.act(salted, "bo", do.Pledge("0" * 64))
    await house.act(salted, "ada", do.Start())
    asked = await seated(house, "dark", 3)
    for person in ("ada", "bo", "cy"):
        house.presence.socket_opened(asked, person)
    await house.act(asked, "bo", do.StandIn(0))
    link = await house.device_link(asked, "cy")
    ids = timed_table.id, salted.id, asked.id
    ends_at = timed_table.picture.ends_at
    assert ends_at is not None
    if restarted:
        await house.stop()
    clock.jump(-AHEAD)
    if restarted:
        house = await start_house()
    house.deadlines.next_search = 0.0
    house.deadlines.note(0.0)

    async def set_back() -> bool:
        tables = [await house.by_id(id) for id in ids]
        return all(table is not None and table.picture.at < ends_at - AHEAD for table in tables)

    await soon(set_back)
    tables = [await house.by_id(id) for id in ids]
    one, two, three = [table for table in tables if table is not None]
    assert one.picture.ends_at is not None and abs(one.picture.ends_at + AHEAD - ends_at) < 20
    assert two.picture.card.dealing and three.picture.claim is not None
    assert max(row.at for row in await house.store.due(1e12)) < ends_at - AHEAD + 100, "absences, too"
    clock.jump(15 * 60, house)
    await until(one, lambda: one.history.reveal.after > 0)
    await until(two, lambda: not two.picture.card.dealing)
    await until(three, lambda: three.sitting.seats[0].bot)
    with pytest.raises(Refusal, match="link_spent"):
        await house.redeem(link, "cy's phone")
    for table in (one, two, three):
        assert state(await again(house, table)) == state(table)


async def test_who_acts_first_after_a_clock_that_was_ahead(house: House, clock: Clock) -> None:
    clock.jump(AHEAD, house)
    open_table = await timed(house)
    clock.jump(-AHEAD)
    await house.act(open_table, "ada", do.Play(1, "walk"))
    assert (await kinds(house, open_table))[-2:] == ["SetBack", "Play"]
    assert open_table.picture.ends_at is not None and open_table.picture.ends_at < open_table.picture.at + 60
    assert await refused(house, open_table, "", do.SetBack()) == "not_yet"
