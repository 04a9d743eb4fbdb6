"""Bots at a table: they run in threads, get views, and play through the same path as people."""

import asyncio
import gc
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import app.house.bot_runner
from app.house.bot_runner import AT_ONCE, BEAT, MARGIN, SHORTLY, SLOWEST, BotRunner
from app.house.house import House
from app.house.open_table import Done, OpenTable
from app.refusals import Refusal
from app.table import actions as do
from engine.game import Game
from engine.views import Own, Shared
from tests.app.conftest import Logged, StartHouse
from tests.app.tables import Clock, again, hand_in, kinds, passed, seated, soon, state, until
from tests.support.packages import ROOT


async def with_bots(house: House, game: str, bots: int = 2, bot: str = "") -> OpenTable:
    open_table = await house.open("ada", game, "Ada")
    for _ in range(bots):
        await house.act(open_table, "ada", do.AddBot(bot))
    await house.act(open_table, "ada", do.Start())
    return open_table


@pytest.fixture
def with_bot(tiny: dict[str, Game]) -> Callable[[str, Any], None]:
    def put(game: str, bot: Any) -> None:
        tiny[game] = replace(tiny[game], bots={"special": bot})

    return put


@pytest.mark.parametrize("game", ["counting", "dice", "window", "dark", "wishes", "raiders"])
async def test_people_and_bots_play_whole_games(house: House, game: str) -> None:
    open_table = await with_bots(house, game)
    while open_table.sitting.phase == "playing":
        await passed(open_table)
        await until(open_table, lambda: open_table.picture.waits_for(0) or open_table.sitting.phase == "over")
        if open_table.picture.spares(0):
            continue
        await hand_in(house, open_table, "ada")
    assert state(await again(house, open_table)) == state(open_table)


async def test_bots_alone_play_to_the_end(house: House) -> None:
    open_table = await with_bots(house, "raiders", 3)
    await house.act(open_table, "ada", do.Leave())
    await until(open_table, lambda: open_table.sitting.phase == "over")


async def test_a_bot_sees_what_its_seat_sees_and_thinks_in_a_thread(house: House, with_bot: Any) -> None:
    seen: list[tuple[Any, Any]] = []
    threads = set()

    def bot(shared: Any, own: Any, luck: Random) -> str:
        seen.append((shared, own))
        threads.add(threading.get_ident())
        move = luck.choice(own.moves)
        own.moves.clear()  # its own copy
        return str(move)

    with_bot("wishes", bot)
    open_table = await with_bots(house, "wishes", 1)
    await until(open_table, lambda: open_table.sitting.table and open_table.sitting.table.waits == [0])
    assert {type(shared) for shared, _ in seen} == {Shared} and {type(own) for _, own in seen} == {Own}
    assert {own.seat for _, own in seen} == {1} and threading.get_ident() not in threads
    assert open_table.sitting.table is not None and set(seen[0][1].private) == {"dealt", "chosen"}


@pytest.mark.parametrize("what", ["raises", "cheats", "says nothing"])
async def test_the_default_replaces_a_failing_bot(house: House, with_bot: Any, what: str) -> None:
    def bot(shared: Any, own: Any, luck: Random) -> Any:
        if what == "raises":
            raise ZeroDivisionError
        return "win" if what == "cheats" else None

    with_bot("dark", bot)
    open_table = await with_bots(house, "dark", 1)
    await until(open_table, lambda: open_table.sitting.table and open_table.sitting.table.waits == [0])
    assert open_table.sitting.table is not None and open_table.sitting.table.drafts == {1: ("hide", "south")}


async def test_a_bot_whose_word_was_played_by_others_meanwhile_is_asked_for_the_next(
    house: House, with_bot: Any, logged: Logged
) -> None:
    thinks, may, drafts = threading.Event(), threading.Event(), []

    def bot(shared: Any, own: Any, luck: Random) -> str:
        drafts.append(own.draft)
        thinks.set()
        may.wait()
        return str(own.moves[0])

    with_bot("dark", bot)
    open_table = await with_bots(house, "dark", 1)
    await asyncio.to_thread(thinks.wait)
    await house.act(open_table, "", do.PlayFor(1, 1, "walk", "bot"))
    may.set()
    await until(open_table, lambda: not open_table.picture.waits_for(1))
    assert drafts == [(), ("walk",)] and logged.troubles() == []


async def test_a_bot_whose_move_hangs_makes_the_server_not_ready(
    house: House, with_bot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinks, may = threading.Event(), threading.Event()

    def bot(shared: Any, own: Any, luck: Random) -> str:
        thinks.set()
        may.wait()
        return str(own.moves[0])

    with_bot("dark", bot)
    open_table = await with_bots(house, "dark", 1)
    await asyncio.to_thread(thinks.wait)
    assert house.problems() == []
    monkeypatch.setattr("app.house.house.LONGEST_MOVE", 0.0)
    assert house.problems() == ["a bot has been busy for 0 seconds"]
    may.set()
    await until(open_table, lambda: not open_table.picture.waits_for(1))
    await soon(lambda: house.problems() == [])


async def test_a_bot_stands_in_until_the_owner_is_back(house: House) -> None:
    open_table = await seated(house, "wishes", 2)
    await house.act(open_table, "", do.Away(1))
    await house.act(open_table, "ada", do.StandIn(1))
    await until(open_table, lambda: not open_table.picture.waits_for(1))
    await house.act(open_table, "bo", do.Undo(1))  # acting makes him present again
    await house.act(open_table, "bo", do.Undo(1))
    own = open_table.picture.own(1)
    assert own is not None
    await house.act(open_table, "bo", do.Play(1, own.moves[0]))
    own = open_table.picture.own(1)
    assert own is not None and own.draft and "Back" in await kinds(house, open_table)


async def test_a_bot_that_is_cancelled_leaves_no_error_behind(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its move may be refused afterwards."""
    loop, unseen = asyncio.get_running_loop(), []
    loop.set_exception_handler(lambda _, context: unseen.append(context["message"]))
    table = await seated(house, "dark", 2, start=False)
    reply: asyncio.Future[Done] = loop.create_future()
    monkeypatch.setattr(house, "submit", lambda *_, reply=reply: reply)
    moves = asyncio.create_task(house.act(table, "", do.CallOff()))
    await asyncio.sleep(0)
    moves.cancel()
    await asyncio.wait([moves])
    reply.set_exception(Refusal("not_yet"))
    await asyncio.sleep(0)
    monkeypatch.undo()
    del reply
    gc.collect()
    assert unseen == []


async def test_bots_go_on_after_a_restart(start_house: StartHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.house.bot_runner.OTHERS_FIRST", 0.0)
    house = await start_house(bot_pause=100.0)
    open_table = await with_bots(house, "dark", 1)
    token = open_table.sitting.saved.token
    assert open_table.sitting.bots_to_move() == (1,)
    await house.stop()
    house = await start_house()
    open_table = await house.by_token(token)
    await until(open_table, lambda: open_table.sitting.bots_to_move() == ())


async def test_bots_keep_a_pace(start_house: StartHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    house = await start_house(bot_pause=1000.0)
    open_table = await with_bots(house, "dark", 1)
    factor = house.settings.bot_pause
    for _ in range(20):  # a person is asked, too
        assert SHORTLY[0] <= house.bot_runner.wait(open_table, 1) / factor <= SHORTLY[1]
    monkeypatch.setattr(house.bot_runner, "pause", 1.0)
    for took, least in ((3.0, 3.0 * MARGIN), (9.0, SLOWEST)):  # on a slow machine all pauses are longer for a while
        house.bot_runner.note_thought("dark", took)
        assert house.bot_runner.wait(open_table, 1) == least
    house.bot_runner.thoughts.clear()
    monkeypatch.setattr(house.bot_runner, "pause", factor)
    await house.act(open_table, "ada", do.Leave())
    open_table.shown_at = 0.0
    assert house.bot_runner.wait(open_table, 1) == BEAT * factor
    monkeypatch.setattr("app.house.bot_runner.time.monotonic", lambda: 100.0)
    open_table.shown_at = 104.0  # the pages still animate the last reveal
    assert house.bot_runner.wait(open_table, 1) == (BEAT + 4.0) * factor


async def test_a_bot_pauses_once_in_its_turn(start_house: StartHouse, tiny: dict[str, Game]) -> None:
    tiny["digging"] = replace(tiny["digging"], bots={"digger": dig_on})
    house = await start_house()
    pauses: list[str] = []
    house.bot_runner.wait = lambda table, seat: pauses.append(table.picture.scope) or 0.0  # type: ignore[func-returns-value]
    open_table = await with_bots(house, "digging", 1)
    assert open_table.sitting.table is not None
    await house.act(open_table, "ada", do.Play(1, "end"))
    await until(open_table, lambda: open_table.picture.waits_for(0))
    assert pauses == ["turn 1"] and open_table.picture.round == 6


async def test_a_bot_pauses_once_an_answer(house: House) -> None:
    pauses: list[int] = []
    house.bot_runner.wait = lambda table, seat: pauses.append(table.picture.round) or 0.05  # type: ignore[func-returns-value,method-assign]
    open_table = await with_bots(house, "dice", 1)
    await until(open_table, lambda: not open_table.picture.waits_for(1))
    assert pauses == [1]
    assert await kinds(house, open_table) == ["Open", "AddBot", "Start", *["PlayFor"] * 4]


async def test_when_time_is_up_only_the_clock_plays_for_a_bots_seat(house: House) -> None:
    house.bot_runner.wait = lambda table, seat: 1000.0  # type: ignore[method-assign]
    open_table = await with_bots(house, "dice", 1)
    await house.act(open_table, "ada", do.Timer(5))
    await until(open_table, lambda: len(open_table.picture.own_of_bot(1).draft) == 3)
    assert house.bot_runner.running(open_table)
    with pytest.raises(Refusal, match="not_yet"):
        await house.bot_runner.time_up(open_table, 1)
    assert not house.bot_runner.running(open_table)


def dig_on(shared: Any, own: Any, luck: Random) -> str:
    return "here" if own.draft else str(own.moves[0])


# bad bots ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def asked() -> Iterator["Hanging"]:
    """A bot that does not return before the end of the test."""
    bot = Hanging()
    yield bot
    bot.over.set()


class Hanging:
    def __init__(self) -> None:
        self.times = 0
        self.over = threading.Event()

    def __call__(self, shared: Any, own: Any, luck: Random) -> str:
        self.times += 1
        self.over.wait()
        return str(own.moves[0])


async def test_a_bot_that_never_returns_stops_neither_its_table_nor_others(
    house: House, with_bot: Any, asked: Hanging, monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    monkeypatch.setattr("app.house.bot_runner.LONGEST_THOUGHT", 0.3)
    clock = Clock(monkeypatch)
    with_bot("dark", asked)
    lives = [await with_bots(house, "dark", 1) for _ in range(AT_ONCE + 1)]
    other = await with_bots(house, "dice", 3)
    await house.act(other, "ada", do.Leave())
    for open_table in lives:
        await until(open_table, lambda open_table=open_table: drafts(open_table) == {1: ("hide", "south")})  # type: ignore[misc]
    times = asked.times
    assert 1 <= times <= AT_ONCE + 1
    await until(other, lambda: other.sitting.phase == "over")
    # When the time runs out, it is not asked either.
    await house.act(lives[0], "ada", do.Timer(30))
    clock.jump(31, house)
    await until(lives[0], lambda: lives[0].history.reveal.after > 0)
    assert asked.times == times and not house.problems()
    # On a busy machine the bots of the other table may take longer than this short limit, too.
    assert set(logged.troubles()) == {"a bot is no good; the default is played"}
    assert [line["game"] for line in map(json.loads, logged.lines) if line.get("why")].count("dark") == 1
    # When the hanging calls have returned, the runner asks the bot again.
    asked.over.set()
    while asked.times == times:
        again = await with_bots(house, "dark", 1)
        await until(again, lambda again=again: asked.times > times or drafts(again) == {1: ("hide", "south")})  # type: ignore[misc]


def drafts(open_table: OpenTable) -> Any:
    return open_table.sitting.table and open_table.sitting.table.drafts


HANG_AND_STOP = """
import asyncio, sys, threading
from dataclasses import replace
from app.house.house import House
from app.settings import Settings
from app.table import actions as do
from engine import game
from tests.engine.tiny import TINY

asked = threading.Event()

def hang(shared, own, luck):
    asked.set()
    threading.Event().wait()

game.games = lambda: {"dark": replace(TINY["dark"], bots={"hanging": hang})}

async def main():
    house = await House.start(Settings(database_url=sys.argv[1], bot_pause=0.0))
    table = await house.open("ada", "dark", "Ada")
    await house.act(table, "ada", do.AddBot())
    await house.act(table, "ada", do.Start())
    await asyncio.to_thread(asked.wait)
    await house.stop()

asyncio.run(main())
"""


def test_a_server_stops_though_a_bot_never_returns(sqlite_url: str) -> None:
    command = [sys.executable, "-c", HANG_AND_STOP, sqlite_url]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60).returncode == 0


@pytest.mark.parametrize("what", ["plays_for", "pauses_once_in", "wait", "think", "move", "submit"])
async def test_where_a_bots_seat_breaks_it_is_counted_and_played_on(
    house: House, monkeypatch: pytest.MonkeyPatch, logged: Logged, what: str
) -> None:
    owner: Any = app.house.bot_runner if what in ("plays_for", "pauses_once_in") else BotRunner
    plain, left = getattr(owner, what), iter(range(2))

    def broken(*args: Any, **named: Any) -> Any:
        if next(left, None) is not None:
            raise ZeroDivisionError
        return plain(*args, **named)

    monkeypatch.setattr("app.house.bot_runner.LATER", 0.05)
    monkeypatch.setattr(owner, what, broken)
    open_table = await with_bots(house, "dark", 1)
    await until(open_table, lambda: not open_table.picture.bots_to_move)
    assert logged.troubles() == ["a bot's seat broke"] * 2 and not house.problems()


@pytest.mark.parametrize("what", ["few", "think", "submit"])
async def test_where_a_bots_seat_hangs_the_server_is_not_ready(
    house: House, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    hangs = asyncio.Event()

    async def hang(*_: Any) -> Any:
        hangs.set()
        await asyncio.Event().wait()

    if what == "few":
        monkeypatch.setattr(house.bot_runner.few, "acquire", hang)
    else:
        monkeypatch.setattr(house.bot_runner, "act" if what == "submit" else what, hang)
    table = await with_bots(house, "dark", 1)
    await hangs.wait()
    assert house.problems() == [] and house.bot_runner.running(table)
    monkeypatch.setattr("app.house.house.LONGEST_MOVE", 0.0)
    assert house.problems() == ["a bot has been busy for 0 seconds"]


async def test_a_bot_whose_view_breaks_is_asked_again_later(
    house: House, tiny: dict[str, Game], monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    monkeypatch.setattr("app.house.bot_runner.LATER", 0.05)
    private, left = tiny["dark"].private, iter(range(2))

    def broken(*state: Any) -> Any:
        if next(left, None) is not None:
            raise ZeroDivisionError
        return private(*state)

    tiny["dark"] = replace(tiny["dark"], private=broken)
    open_table = await with_bots(house, "dark", 1)
    await until(open_table, lambda: not open_table.picture.bots_to_move)
    assert logged.troubles() == ["a bot's seat broke"] * 2 and not house.problems()


@pytest.mark.parametrize("error", [SystemExit, RecursionError])
async def test_a_bot_that_ends_its_thread_ends_nothing_else(
    house: House, with_bot: Any, monkeypatch: pytest.MonkeyPatch, logged: Logged, error: type[BaseException]
) -> None:
    monkeypatch.setattr("app.house.bot_runner.LONGEST_THOUGHT", 0.3)

    def bot(*_: Any) -> str:
        raise error

    with_bot("dark", bot)
    open_table = await with_bots(house, "dark", 1)
    await until(open_table, lambda: drafts(open_table) == {1: ("hide", "south")})
    assert len(logged.troubles()) == 1
