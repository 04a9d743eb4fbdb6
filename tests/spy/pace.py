"""Whole games in virtual time, and when each answer was handed in: whether a pause tells what an answer is.

The table is a sitting in memory with the server's own bot runner; only threads and clock are replaced. People answer at
random, in windows as fast as the table passes for them. For each answer of a bot, and for every answer in a window, it
is noted how long it took, how many words it has, with how many words it could begin, and whether it is the default.
"""

import asyncio
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest import mock

from app.house import bot_runner
from app.house.bot_runner import BotRunner, pauses_once_in
from app.table import actions as do
from app.table.effects import PlayOut, WakeBots
from app.table.events import History
from app.table.picture import Picture, draw
from app.table.sitting import Sitting
from engine.bots import at_random
from engine.game import games
from engine.proof import canonical
from tests.spy.virtual_time import run_in_virtual_time


@dataclass(frozen=True)
class Paced:
    """An answer, as the others at the table could time it."""

    kind: str  # which pauses it is compared with
    delay: float  # seconds from the question, or from when pages had told what happened
    words: int
    ways: int  # with how many words it could begin
    default: bool


@dataclass(eq=False)
class PacedTable:
    """What the bot runner needs of an open table."""

    sitting: Sitting
    luck: Random
    id: str = "paced"
    shown_at: float = 0.0
    gone: bool = False
    paced: list[Paced] = field(default_factory=list)
    thoughts: dict[str, float] = field(default_factory=dict)
    told: int = 0  # hand-ins in windows that others could see

    def __post_init__(self) -> None:
        self.history = History()
        self.picture = draw(self.sitting, self.history)
        self.runner = BotRunner(self.act, 1.0)
        self.runner.thoughts = self.thoughts
        self.over = asyncio.Event()
        self.begun: dict[int, tuple[Any, float, int]] = {}  # seat -> what it pauses in, since when, ways
        self.noted: dict[int, Any] = {}  # seat -> what it has paused in
        self.answering: dict[int, asyncio.Task[None]] = {}

    async def act(self, table: Any, person: str, action: do.Action) -> None:
        entry = do.Entry(person, action, self.luck.randbytes(32).hex(), asyncio.get_running_loop().time())
        self.note(action)
        change, before = self.sitting.apply(entry), self.picture
        if change.sitting.saved.began != self.sitting.saved.began:
            self.history = History()
        if change.events:
            self.history = self.history.add(canonical(change.events).decode())
        self.sitting = change.sitting
        self.picture = draw(self.sitting, self.history, self.picture)
        if before.in_window and not change.events:
            self.told += visible(self.picture) != visible(before)
        for effect in change.effects:
            if isinstance(effect, PlayOut):
                self.shown_at = asyncio.get_running_loop().time() + effect.seconds
        if change.events:
            self.ask()
        for effect in change.effects:
            if isinstance(effect, WakeBots):
                self.runner.wake(self, effect.seats, True)  # type: ignore[arg-type]
        if self.sitting.phase == "over":
            self.over.set()

    def ask(self) -> None:
        """A new question: note since when it is open, and let people answer it."""
        table, now = self.sitting.table, asyncio.get_running_loop().time()
        assert table is not None
        key = pauses_once_in(self.picture)
        for seat in table.waits:
            ways, before = table.moves(seat), self.begun.get(seat)
            if before is None or before[0] != key:
                since = max(now, self.shown_at) if self.waits_for_telling(seat) else now
                self.begun[seat] = key, since, len(ways)
            if not self.sitting.seats[seat].bot and not table.spared(seat) and seat not in self.answering:
                task = self.answering[seat] = asyncio.ensure_future(self.answer(seat))
                task.add_done_callback(lambda _, seat=seat: self.answering.pop(seat, None))  # type: ignore[misc]

    def waits_for_telling(self, seat: int) -> bool:
        return self.picture.spares(seat) or not self.picture.people_asked()

    async def answer(self, seat: int) -> None:
        """A person answers at random, after a while."""
        while self.asks(seat):
            if self.picture.in_window:
                since = self.begun[seat][1] + bot_runner.pass_seconds()
                await asyncio.sleep(since - asyncio.get_running_loop().time())
            else:
                await asyncio.sleep(self.luck.expovariate(1 / 3))
            round = self.picture.round
            while self.asks(seat) and self.picture.round == round:
                table = self.sitting.table
                assert table is not None
                word = at_random(table.shared(), table.own(seat), self.luck)
                await self.act(self, self.sitting.seats[seat].holders[0], do.Play(round, word))

    def asks(self, seat: int) -> bool:
        """Whether the person at this seat must answer."""
        table = self.sitting.table
        return table is not None and seat in table.waits and not table.spared(seat)

    def note(self, action: do.Action) -> None:
        """Note an answer when its last word is played; within a turn only the first one, as the others come at once."""
        table = self.sitting.table
        if table is None or not isinstance(action, do.Play | do.PlayFor):
            return
        seat = (
            action.seat
            if isinstance(action, do.PlayFor)
            else next(n for n in table.waits if self.answering.get(n) is asyncio.current_task())
        )
        if not (isinstance(action, do.PlayFor) or self.picture.in_window) or action.round != table.round:
            return
        key, since, ways = self.begun.get(seat, (None, 0.0, 0))
        known = action.move in table.moves(seat) and table.completes(seat, action.move)
        if not known or self.noted.get(seat) == key:
            return
        self.noted[seat] = key
        people = self.picture.people_asked()
        person = not self.sitting.seats[seat].bot
        kind = "window" if person else "bot beside people" if people else "bots alone"
        words = (*table.drafts.get(seat, ()), action.move)
        delay = asyncio.get_running_loop().time() - since
        self.paced.append(Paced(kind, delay, len(words), ways, words[0] == default_of(table, seat)))


def visible(picture: Picture) -> Any:
    shared = picture.shared
    return shared and (shared.version, shared.waits, shared.digests)


def default_of(table: Any, seat: int) -> str:
    return str(table.ask.default(table.state, seat, ()))


async def played(game: str, seed: int, people: int, thoughts: dict[str, float]) -> PacedTable:
    luck = Random(f"{game} {seed}")
    entry = do.Entry("p0", do.Open("token", "CODE", game, "P0"), luck.randbytes(32).hex(), 0.0)
    table = PacedTable(Sitting.open(entry), luck, thoughts=thoughts)
    for n in range(1, luck.choice([n for n in games()[game].seats if n > 1])):
        if n < people:
            await table.act(table, f"p{n}", do.Sit(f"P{n}"))
        else:
            await table.act(table, "p0", do.AddBot("random"))
    await table.act(table, "p0", do.Start())
    await table.over.wait()
    table.runner.stop()
    return table


def thinking(seconds: float) -> Callable[..., Any]:
    """Instead of a thread, during which virtual time would go on: every word takes this time."""

    def begin(think: Callable[[], Any], late: Callable[[], None]) -> Any:
        async def thought() -> Any:
            await asyncio.sleep(seconds)
            return think()

        return thought()

    return begin


def paced_game(
    game: str, seed: int, people: int = 1, thinks: float = 0.0, thoughts: dict[str, float] | None = None
) -> PacedTable:
    """A whole game; the first seats are held by people, the others by bots that play at random and think for so many
    seconds about each word. `thoughts`: what the bot runner knows from games before."""
    luck = Random(seed)

    async def whole() -> PacedTable:
        loop = asyncio.get_running_loop()
        chance = SimpleNamespace(
            Random=Random, SystemRandom=lambda: luck, uniform=luck.uniform, lognormvariate=luck.lognormvariate
        )
        with (
            mock.patch.object(bot_runner, "in_thread", thinking(thinks)),
            mock.patch.object(bot_runner, "time", SimpleNamespace(monotonic=loop.time)),
            mock.patch.object(bot_runner, "random", chance),
        ):
            return await played(game, seed, people, {} if thoughts is None else thoughts)

    return run_in_virtual_time(whole())


def correlations(paced: Sequence[Paced]) -> dict[str, tuple[float, int]]:
    """How far a delay tells each feature, by kind of pause: the correlation, and of how many answers."""
    found = {}
    for kind in sorted({one.kind for one in paced}):
        some = [one for one in paced if one.kind == kind]
        for name in ("words", "ways", "default"):
            found[f"{kind}: {name}"] = correlation([(one.delay, float(getattr(one, name))) for one in some]), len(some)
    return found


def correlation(pairs: Sequence[tuple[float, float]]) -> float:
    """0 if one of the two never varies."""
    one, other = zip(*pairs, strict=True)
    spread = max(one) - min(one) > 1e-6 and max(other) > min(other)
    return statistics.correlation(one, other) if len(pairs) > 2 and spread else 0.0
