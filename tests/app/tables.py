"""Tables in tests: taking seats, playing at random, comparing."""

import asyncio
import hashlib
import inspect
import itertools
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import pytest

from app import clock
from app.house.commit import Commit
from app.house.house import House
from app.house.journal import new_secrets
from app.house.open_table import OpenTable, Pending, encode_action, encode_sitting, read_action
from app.refusals import Refusal
from app.store.rows import Chores, Write
from app.table import actions as do
from app.table.effects import Effect
from app.table.sitting import Sitting

PEOPLE = ("ada", "bo", "cy", "di", "ed")  # names, and also the ids of the persons


class Log:
    """A sitting and its entries, with predictable secrets and times, without a house."""

    def __init__(self, game: str = "dark", seats: int = 0, **options: str) -> None:
        self.ticks = itertools.count(1)
        self.entries: list[do.Entry] = []
        self.events: list[Any] = []
        self.effects: list[Effect] = []  # of the newest entry
        opening = self.entry("ada", do.Open("token", "CODE", game, "Ada"))
        self.sitting = Sitting.open(opening)
        self.entries.append(opening)
        for person in PEOPLE[1:seats]:
            self(person, do.Sit(person.title()))
        if options:
            self("ada", do.Options(options))
        if seats:
            self("ada", do.Start())

    def entry(self, person: str, action: Any, at: float | None = None) -> do.Entry:
        tick = float(next(self.ticks))
        secret = hashlib.sha256(str(tick).encode()).hexdigest()
        return do.Entry(person, action, secret, tick if at is None else float(at))

    def __call__(self, person: str, action: do.Action, at: float | None = None) -> list[Any]:
        entry = self.entry(person, action, at)
        change = self.sitting.apply(entry)
        self.sitting = change.sitting
        self.effects = list(change.effects)
        self.entries.append(entry)
        self.events += change.events
        return list(change.events)

    def refused(self, person: str, action: do.Action, at: float | None = None) -> str:
        """The reason of the refusal. Checks that nothing has changed."""
        before = encode_sitting(self.sitting)
        try:
            self.sitting.apply(self.entry(person, action, at))
        except Refusal as refused:
            assert encode_sitting(self.sitting) == before
            return refused.reason
        raise AssertionError(f"{action} was not refused")

    @property
    def saved(self) -> bytes:
        return encode_sitting(self.sitting)


def names(log: Log) -> list[str]:
    return [seat.name for seat in log.sitting.seats if seat.taken]


def wander(now: Callable[[], Sitting], luck: Random) -> Iterator[tuple[str, do.Action]]:
    """Random legal actions of the people of a running table, including take-backs, steps back and any-time moves. `now`
    returns the current sitting."""
    while (sitting := now()).phase == "playing":
        table = sitting.table
        assert table is not None
        seat = luck.randrange(len(sitting.seats))
        person = sitting.seats[seat].holders[0] if sitting.seats[seat].holders else ""
        if not person:
            continue
        if table.drafts.get(seat) and luck.random() < 0.2:
            yield person, do.Undo(table.round)
        elif (back := table.back(seat)) and back.steps and luck.random() < 0.2:
            yield person, do.StepBack(table.round)
        elif words := table.moves(seat) or table.anytime(seat):
            yield person, do.Play(table.round, luck.choice(words))


async def seated(house: House, game: str = "dark", seats: int = 3, start: bool = True) -> OpenTable:
    """A table with this number of people, started."""
    open_table = await house.open("ada", game, "Ada")
    for person in PEOPLE[1:seats]:
        await house.act(open_table, person, do.Sit(person.title()))
    if start:
        await house.act(open_table, "ada", do.Start())
    return open_table


async def play_out(house: House, open_table: OpenTable, luck: Random, most: int = 10_000) -> None:
    """Play at random: this number of actions, or to the end."""
    for person, action in itertools.islice(wander(lambda: open_table.sitting, luck), most):
        await house.act(open_table, person, action)
        await passed(open_table)


async def passed(open_table: OpenTable) -> None:
    """Wait until the table has answered for all whom a window need not disturb."""
    await until(open_table, lambda: not open_table.sitting.spared())


async def hand_in(house: House, open_table: OpenTable, person: str) -> None:
    """Play the first legal words until this person has handed in."""
    seat = open_table.sitting.seat_of(person)
    assert seat is not None
    round = open_table.picture.round
    while open_table.picture.round == round and open_table.picture.waits_for(seat):
        own = open_table.picture.own(seat)
        assert own is not None
        await house.act(open_table, person, do.Play(round, own.moves[0]))


async def refused(house: House, open_table: OpenTable, person: str, action: do.Action, id: str = "") -> str:
    """The reason of the refusal. Checks that nothing has changed."""
    before = state(open_table)
    try:
        await house.act(open_table, person, action, id)
    except Refusal as refusal:
        assert state(open_table) == before
        return refusal.reason
    raise AssertionError(f"{action} was not refused")


def state(open_table: OpenTable) -> Any:
    """All committed state of a table."""
    history = open_table.history
    return encode_sitting(open_table.sitting), history.all.raw(), history.reveal.raw(), history.reveal.after


async def again(house: House, open_table: OpenTable) -> OpenTable:
    """The same table as another process would load it."""
    fresh = await house.store.by_id(open_table.id)
    assert fresh is not None
    return OpenTable(fresh)


async def act_alone(open_table: OpenTable, person: str, action: do.Action) -> list[Effect]:
    """Commit an action without store or house. Returns its effects."""
    followed: list[Effect] = []
    open_table.inbox.append(Pending(person, action, "", encode_action(action), asyncio.Future(), 0.0))
    async with Commit(open_table) as commit:
        write = commit.check(new_secrets(2))
        assert write is not None and not commit.refused
        commit.publish(write, lambda table, effects, ours: followed.extend(effects))
    return followed


async def until(open_table: OpenTable, so: Callable[[], Any], seconds: float = 60) -> None:
    """Wait until the condition holds, checking it after each commit."""
    with open_table.subscribe() as subscription:
        while not so():
            await asyncio.wait_for(subscription.changed(), seconds)


async def soon(so: Callable[[], Any], seconds: float = 60) -> None:
    """Wait for a condition that no commit announces."""
    async with asyncio.timeout(seconds):
        while not (so() if not inspect.iscoroutinefunction(so) else await so()):
            await asyncio.sleep(0.01)


class Gate:
    """Wraps the store's commits: holds them back, counts them, makes them fail."""

    def __init__(self, house: House) -> None:
        self.commit = house.store.commit
        self.open = asyncio.Event()
        self.open.set()
        self.came = asyncio.Event()
        self.batches: list[list[str]] = []  # the tables of each
        self.failing: Callable[[Sequence[Write]], Exception | None] = lambda writes: None
        self.fails_after = False  # the commit is stored, but the caller gets an error
        house.store.commit = self.through  # type: ignore[method-assign]

    async def through(self, writes: Sequence[Write], chores: Chores) -> None:
        self.came.set()
        await self.open.wait()
        self.batches.append([write.table for write in writes])
        error = self.failing(writes)
        if error is not None and not self.fails_after:
            raise error
        await self.commit(writes, chores)
        if error is not None:
            raise error


class Clock:
    """A system clock that the test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead = 0.0
        real = clock.now
        monkeypatch.setattr(clock, "now", lambda: real() + self.ahead)

    def jump(self, seconds: float, *houses: House) -> None:
        self.ahead += seconds
        for house in houses:
            house.deadlines.note(0.0)


async def rows(house: House) -> list[tuple[str, str]]:
    """All deadlines."""
    return sorted((row.kind, row.key) for row in await house.store.due(1e12))


async def wait_for_rows(house: House, *expected: tuple[str, str]) -> None:
    """Wait until there are exactly these deadlines."""

    async def so() -> bool:
        return await rows(house) == list(expected)

    await soon(so)


async def kinds(house: House, open_table: OpenTable) -> list[str]:
    """The kinds of all actions in the log."""
    stored = await house.store.since(open_table.id, 0)
    assert stored is not None
    return [type(read_action(row.action)).__name__ for row in stored.entries]
