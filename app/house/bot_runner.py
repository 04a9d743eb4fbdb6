"""Runs bots: they compute their moves in threads, from the same views as players, and submit them as actions. They
also pass for people whom a window need not disturb."""

import asyncio
import math
import random
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextlib import suppress
from copy import deepcopy
from functools import partial
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from app import metrics
from app.house.open_table import OpenTable
from app.house.presence import Act
from app.logs import get
from app.refusals import Refusal
from app.table import actions as do
from app.table.picture import Picture
from engine.bots import bots_of
from engine.game import Bot
from engine.steps import Move

log = get("bots")
SHORTLY = (0.8, 1.6)  # seconds before a bot plays if people are asked too; longer than a bot thinks
PASS, SPREAD, LONGEST_PASS = 1.5, 0.6, 8.0  # of `pass_seconds`: the median, the spread of the logarithm, the limit
LATE = 2.0  # seconds between the times at which a bot plays that has thought for longer than its pause
MARGIN, FADING, SLOWEST = 1.25, 0.995, 4.0  # how pauses follow the longest thoughts, and for how many seconds at most
BEAT = 0.7  # seconds before a bot plays if only bots are asked
OTHERS_FIRST = 3.0  # seconds to wait for the process that should run the bot
AGAIN = 1.0  # seconds until the next try if the database is down
LATER = 10.0  # seconds until the next try after an unexpected error
LONGEST_THOUGHT = 10.0  # seconds; a bot that takes longer is not asked before that thought has ended
AT_ONCE = 4  # bots that run at the same time
OVERTAKEN = frozenset({"past_round", "already_in", "not_asked", "not_a_bot", "not_started", "over", "table_gone"})

T = TypeVar("T")


class Pause(NamedTuple):
    """Both by the monotonic clock."""

    asked: float
    due: float  # when the answer may be handed in


class BotRunner:
    def __init__(self, act: Act, pause: float) -> None:
        """`pause`: factor for the time that bots wait before they play; 0: no waiting."""
        self.act = act
        self.pause = pause
        self.tasks: dict[tuple[OpenTable, int], asyncio.Task[None]] = {}
        self.few = asyncio.Semaphore(AT_ONCE)
        self.logged: set[tuple[str, str]] = set()  # game and fault: each is logged once
        self.hanging: Counter[Bot] = Counter()  # thoughts that took too long and have not ended yet
        self.thoughts: dict[str, float] = {}  # by game: how long answers take at most of late, with a margin
        self.working: list[float] = []  # since when each bot thinks or its move is committed, monotonic

    def running(self, table: OpenTable) -> bool:
        return any(key[0] is table for key in self.tasks)

    def wake(self, table: OpenTable, seats: Sequence[int], ours: bool) -> None:
        """Play for these seats. `ours`: this process should, otherwise another one should and this one waits first."""
        for seat in seats:
            running = self.tasks.get((table, seat))
            if running is None or running.done():
                task = self.tasks[table, seat] = asyncio.create_task(self.play(table, seat, ours))
                task.add_done_callback(partial(self.finished, (table, seat)))

    def finished(self, key: tuple[OpenTable, int], task: "asyncio.Task[None]") -> None:
        if self.tasks.get(key) is task:
            del self.tasks[key]

    def stop(self) -> None:
        for task in self.tasks.values():
            task.cancel()

    async def play(self, table: OpenTable, seat: int, ours: bool) -> None:
        if not ours:
            await asyncio.sleep(OTHERS_FIRST)
        begun: Hashable = None
        while True:
            try:
                if table.gone or not plays_for(table.picture, seat):
                    return
                if begun != (begins := pauses_once_in(table.picture)):
                    pause = Pause(asked := time.monotonic(), asked + self.wait(table, seat))
                    begun, first = begins, table.picture.round
                # The first answer alone waits: what follows in a turn is told without pauses.
                await self.move(table, seat, "bot", pause if table.picture.round == first else None)
            except Refusal as refusal:
                begun = None
                if refusal.reason == "store_down":
                    await asyncio.sleep(AGAIN)
                elif refusal.reason not in OVERTAKEN:
                    log.error("a bot was refused", table=table.id, reason=refusal.reason)
                    await asyncio.sleep(LATER)
            except Exception:
                metrics.FAULTS.labels("bot").inc()
                log.exception("a bot's seat broke", table=table.id)
                await asyncio.sleep(LATER)

    def wait(self, table: OpenTable, seat: int) -> float:
        """Seconds until this seat is played for. A pass for a person, and bots if only they are asked, wait for the
        animation of the last reveal. Where bots think for long, as on a slow machine, all of them wait as long."""
        if not self.pause:
            return 0.0
        told = max(0.0, table.shown_at - time.monotonic())
        if table.picture.spares(seat):
            return self.pause * (pass_seconds() + told)
        thought = self.thoughts.get(table.picture.game.key, 0.0)
        if table.picture.people_asked():
            return max(self.pause * random.uniform(*SHORTLY), thought)
        return max(self.pause * (BEAT + told), thought)

    async def time_up(self, table: OpenTable, seat: int) -> None:
        """Submit the next word for this seat, whose time has run out. Its bot, if one is playing, stops: otherwise both
        would add words to the same draft."""
        if (running := self.tasks.get((table, seat))) is not None:
            running.cancel()
        await self.move(table, seat, "time")

    async def move(self, table: OpenTable, seat: int, by: Literal["bot", "time"], pause: Pause | None = None) -> None:
        """Submit the bot's next word for this seat, or the game's default if the bot's word is not legal. For a spared
        person it is always the default, even if the time has run out. Time that runs out uses nothing up: the bot then
        chooses among fewer words. The word that completes an answer waits for the end of the pause, or for the next
        time after it, if that is over: when a seat hands in must tell neither how many words its answer has nor how
        long it was thought about."""
        picture = table.picture
        if not picture.waits_for(seat):
            return
        spared = picture.spares(seat)
        move = picture.default(seat) if spared else await self.timed(self.think(table, seat, by == "time"))
        if pause is not None and picture.completes(seat, move):
            if not spared:
                self.note_thought(picture.game.key, time.monotonic() - pause.asked)
            await asyncio.sleep(self.left(pause.due))
            if table.picture.round != picture.round or not plays_for(table.picture, seat):
                return
        if spared:
            await self.submit(table, do.PlayFor(seat, picture.round, move, "player"))
            return
        try:
            await self.submit(table, do.PlayFor(seat, picture.round, move, by))
        except Refusal as refusal:
            now = table.picture
            if refusal.reason != "not_legal" or not now.waits_for(seat):
                raise
            if now.own_of_bot(seat) != picture.own_of_bot(seat):
                return  # the clock or another process has played a word meanwhile: it is asked for the next one
            self.log_once(table, "it made a move that is not legal")
            await self.submit(table, do.PlayFor(seat, now.round, now.default(seat), by))

    def note_thought(self, game: str, seconds: float) -> None:
        """How long an answer took makes the next pauses long enough, for a while."""
        long = min(SLOWEST, MARGIN * seconds)
        self.thoughts[game] = max(long, self.thoughts.get(game, 0.0) * FADING)

    def left(self, due: float) -> float:
        """Seconds until the next time at which a bot may play that was to play at `due`."""
        late, every = time.monotonic() - due, self.pause * LATE
        return -late if late <= 0 else -late % every if every else 0.0

    async def submit(self, table: OpenTable, action: do.PlayFor) -> None:
        await self.timed(self.act(table, "", action))

    async def timed(self, work: Awaitable[T]) -> T:
        begun = time.monotonic()
        self.working.append(begun)
        try:
            return await work
        finally:
            self.working.remove(begun)

    def busy_since(self) -> float | None:
        """Since when the slowest bot thinks or waits for its commit, monotonic."""
        return min(self.working, default=None)

    async def think(self, table: OpenTable, seat: int, frugal: bool) -> Move:
        """The bot's choice (`frugal`: one that uses nothing up); the default if the bot fails or takes too long."""
        picture = table.picture
        words = picture.frugal(seat) if frugal else picture.own_of_bot(seat).moves
        if frugal and len(words) == 1:
            return words[0]
        known = bots_of(picture.game)
        bot = known.get(picture.card.seats[seat].bot) or next(iter(known.values()))
        if self.hanging[bot] > 0:
            return picture.default(seat)
        # Copies, because a bot could change the views, which are shared.
        shared, own = deepcopy(picture.shared), deepcopy(picture.own_of_bot(seat))
        assert shared is not None, "the table waits for this seat"
        if frugal:
            own = msgspec.structs.replace(own, moves=words, anytime=[])
        luck = random.Random(random.SystemRandom().getrandbits(64))
        try:
            async with self.few:
                async with asyncio.timeout(LONGEST_THOUGHT):
                    move = await in_thread(partial(bot, shared, own, luck), partial(self.hanging.subtract, [bot]))
            if not frugal or move in words:
                return move
            self.log_once(table, "it made a move that is not legal")
        except TimeoutError:
            self.hanging[bot] += 1
            self.log_once(table, "it takes too long; it is not asked before it comes back")
        except Exception:
            self.log_once(table, "it broke down", exc_info=True)
        return picture.default(seat)

    def log_once(self, table: OpenTable, what: str, **more: Any) -> None:
        metrics.FAULTS.labels("bot").inc()
        key = table.picture.game.key, what
        if key not in self.logged:
            self.logged.add(key)
            log.error("a bot is no good; the default is played", game=key[0], why=what, **more)


def pass_seconds() -> float:
    """The pause before the table passes for a person, from when the pages have told what happened. As with people it is
    now and then much longer than usual, so that a long pause does not tell that somebody has something to play."""
    return min(random.lognormvariate(math.log(PASS), SPREAD), LONGEST_PASS)


def pauses_once_in(picture: Picture) -> Hashable:
    """A bot pauses once in each scope, such as a turn, in each window, and in each other round."""
    return picture.round if picture.in_window else picture.scope or picture.round


def plays_for(picture: Picture, seat: int) -> bool:
    """Whether a bot plays this seat, or the table answers for it."""
    return seat in picture.bots_to_move or picture.spares(seat)


async def in_thread(think: Callable[[], Move], late: Callable[[], None]) -> Move:
    """Run `think` in a new daemon thread, so that a bot that never returns neither delays shutdown nor occupies a
    thread of a pool. If the caller is cancelled before `think` returns, this calls `late` when `think` does return.
    A TimeoutError of `think` is raised as a RuntimeError, so that callers can tell it from their own."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Move] = loop.create_future()

    def deliver(move: Move, error: Exception | None) -> None:
        if done.done():
            late()
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(move)

    def run() -> None:
        move = ""
        failed: Exception | None = None
        try:
            move = think()
        except TimeoutError as error:
            failed = RuntimeError(str(error))
        except Exception as error:
            failed = error
        except BaseException as error:  # for example SystemExit
            failed = RuntimeError(type(error).__name__)
        with suppress(RuntimeError):  # the event loop was closed meanwhile
            loop.call_soon_threadsafe(deliver, move, failed)

    threading.Thread(target=run, name="bot", daemon=True).start()
    return await done
