"""Timers: lifted cards are played, bots complete the answers, also after a restart."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import text

from app.house.house import House
from app.house.open_table import OpenTable
from app.store.rows import Bad, Conflict, Down
from app.table import actions as do
from tests.app.conftest import Logged, StartHouse
from tests.app.tables import Clock, again, hand_in, kinds, rows, seated, soon, state, until, wait_for_rows


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


async def timed(house: House, game: str = "dark", seats: int = 2) -> OpenTable:
    live = await seated(house, game, seats, start=False)
    await house.act(live, "ada", do.Timer(30))
    await house.act(live, "ada", do.Start())
    return live


def words(live: OpenTable) -> list[tuple[str, ...]]:
    """The words that the last reveal opened."""
    reveal = live.picture.events[live.history.reveal.after]
    return [tuple(answer["words"]) for answer in reveal["answers"]]


async def test_when_time_is_up_what_is_lifted_is_laid_and_bots_fill_the_rest(house: House, clock: Clock) -> None:
    live = await timed(house, "dice", seats=3)
    await house.act(live, "bo", do.Play(1, "4 right"))
    house.lift(live, "ada", 1, "3 left")
    house.lift(live, "bo", 1, "2 left")
    await soon_lifted(house, live, {0: "3 left", 1: "2 left"})
    clock.jump(31, house)
    await until(live, lambda: live.history.reveal.after > 0)
    ada, bo, cy = words(live)
    assert ada[0] == "3 left" and bo[:2] == ("4 right", "2 left")
    assert [len(answer) for answer in (ada, bo, cy)] == [4, 4, 4]
    assert state(await again(house, live)) == state(live)


async def soon_lifted(house: House, live: OpenTable, expected: dict[int, str]) -> None:
    async def so() -> bool:
        return await house.store.lifted(live.id, 1) == expected

    await soon(so)


async def test_only_legal_words_for_this_round_and_only_with_a_timer_are_remembered(house: House) -> None:
    live = await seated(house, "dark", 3)
    house.lift(live, "ada", 1, "walk")  # no timer runs
    await house.act(live, "ada", do.Timer(30))
    house.lift(live, "ada", 1, "fly")
    house.lift(live, "ada", 0, "walk")
    house.lift(live, "di", 1, "walk")
    house.lift(live, "bo", 1, "walk")
    house.lift(live, "bo", 1, None)
    house.lift(live, "cy", 1, "walk")
    await soon_lifted(house, live, {2: "walk"})


async def test_the_next_choice_gets_its_own_time(house: House, clock: Clock) -> None:
    live = await timed(house)
    first = live.sitting.saved.ends_at
    clock.jump(15, house)
    await hand_in(house, live, "ada")
    assert live.sitting.saved.ends_at == first
    await hand_in(house, live, "bo")
    second = live.sitting.saved.ends_at
    assert first is not None and second is not None and second > first + 10
    clock.jump(15, house)
    assert (await kinds(house, live)).count("PlayFor") == 0
    clock.jump(16, house)
    await until(live, lambda: live.sitting.phase == "over")
    assert ("choice", "") not in await rows(house)


async def test_a_timer_switched_off_plays_nothing(house: House, clock: Clock) -> None:
    live = await timed(house)
    await house.act(live, "ada", do.Timer(0))
    assert ("choice", "") not in await rows(house)
    clock.jump(3600, house)
    await house.act(live, "ada", do.Play(1, "walk"))
    assert "PlayFor" not in await kinds(house, live)


async def test_a_game_plays_itself_out_when_nobody_is_there(house: House, clock: Clock) -> None:
    live = await timed(house, "dice", 3)
    while live.sitting.phase == "playing":
        round = live.sitting.table.round if live.sitting.table else 0
        clock.jump(31, house)
        await until(live, lambda round=round: live.sitting.table and live.sitting.table.round > round)  # type: ignore[misc]
    assert set(await kinds(house, live)) - {"Away"} == {"Open", "Sit", "Timer", "Start", "PlayFor"}


async def test_deadlines_survive_a_restart(start_house: StartHouse, clock: Clock) -> None:
    house = await start_house()
    live = await timed(house, "dice")
    await house.act(live, "bo", do.Play(1, "4 right"))
    house.lift(live, "ada", 1, "3 left")
    await soon_lifted(house, live, {0: "3 left"})
    token, ends_at = live.sitting.saved.token, live.sitting.saved.ends_at
    await house.stop()
    clock.jump(3600)
    house = await start_house()
    assert ("choice", "") in await rows(house)
    clock.jump(6, house)  # after a start there is a grace period

    async def so() -> bool:
        found = await house.by_token(token)
        return bool(found.history.reveal.after > 0)

    await soon(so)
    live = await house.by_token(token)
    assert [answer[0] for answer in words(live)] == ["3 left", "4 right"]
    assert live.sitting.saved.ends_at is not None and live.sitting.saved.ends_at != ends_at


async def test_a_clock_that_jumps_back_stops_no_timer(house: House, clock: Clock) -> None:
    live = await timed(house)
    clock.jump(-3600, house)
    await hand_in(house, live, "ada")
    await hand_in(house, live, "bo")
    ends_at = live.sitting.saved.ends_at
    assert ends_at is not None and ends_at >= live.sitting.saved.at + 30
    clock.jump(3600 + 31, house)
    await until(live, lambda: live.sitting.phase == "over")


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
    live = await timed(house)
    await wait_for_rows(house, ("away", "0"), ("away", "1"), ("choice", ""))
    async with raising(house, error) if error else renamed(house):
        clock.jump(31, house)
        await soon(lambda: house.problems() == ["deadlines has failed and is starting again"])
        await house.act(live, "ada", do.Play(1, "walk"))
        assert live.history.reveal.after == 0
    await until(live, lambda: live.history.reveal.after > 0)
    await soon(lambda: not house.problems())
    if error is Down:
        assert logged.troubles() == ["deadlines cannot be read"]
    elif error:
        assert set(logged.troubles()) == {"a background loop broke"}
