"""Runs bots: they compute their moves in threads, from the same views as players, and submit them as actions. They
also pass for people whom a window need not disturb."""

import asyncio
import random
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from functools import partial
from typing import Any, Literal

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
SHORTLY = (0.2, 0.8)  # seconds before a bot plays if people are asked too
PASS = (0.8, 2.4)  # seconds before the table answers for a person, from when the pages have told what happened
BEAT = 0.7  # seconds before a bot plays if only bots are asked
OTHERS_FIRST = 3.0  # seconds to wait for the process that should run the bot
AGAIN = 1.0  # seconds until the next try if the database is down
LATER = 10.0  # seconds until the next try after an unexpected error
LONGEST_THOUGHT = 10.0  # seconds; a bot that takes longer is not asked again
AT_ONCE = 4  # bots that run at the same time
OVERTAKEN = frozenset({"past_round", "already_in", "not_asked", "not_a_bot", "not_started", "over"})


class BotRunner:
    def __init__(self, act: Act, pause: float) -> None:
        """`pause`: factor for the time that bots wait before they play; 0: no waiting."""
        self.act = act
        self.pause = pause
        self.tasks: dict[tuple[OpenTable, int], asyncio.Task[None]] = {}
        self.few = asyncio.Semaphore(AT_ONCE)
        self.logged: set[tuple[str, str]] = set()  # game and fault: each is logged once
        self.too_slow: set[Bot] = set()

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
        begun = ""  # the scope in which this seat has been played already: it pauses once in a scope, except in windows
        while plays_for(table.picture, seat):
            round = table.picture.round
            try:
                if not begun or begun != table.picture.scope or table.picture.in_window:
                    await asyncio.sleep(self.wait(table, seat))
                if table.picture.in_window and table.picture.round != round:
                    continue  # another window, with a pause of its own
                begun = table.picture.scope
                if plays_for(table.picture, seat):
                    await self.move(table, seat, "bot")
            except Refusal as refusal:
                begun = ""
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
        animation of the last reveal."""
        if not self.pause:
            return 0.0
        told = max(0.0, table.shown_at - time.monotonic())
        if table.picture.spares(seat):
            return self.pause * (random.uniform(*PASS) + told)
        if table.picture.people_asked():
            return self.pause * random.uniform(*SHORTLY)
        return self.pause * (BEAT + told)

    async def move(self, table: OpenTable, seat: int, by: Literal["bot", "time"]) -> None:
        """Submit the bot's next word for this seat, or the game's default if the bot's word is not legal. For a spared
        person it is always the default, even if the time has run out."""
        picture = table.picture
        if not picture.waits_for(seat):
            return
        if picture.spares(seat):
            await self.act(table, "", do.PlayFor(seat, picture.round, picture.default(seat), "player"))
            return
        move = await self.think(table, seat)
        try:
            await self.act(table, "", do.PlayFor(seat, picture.round, move, by))
        except Refusal as refusal:
            now = table.picture
            if refusal.reason != "not_legal" or not now.waits_for(seat):
                raise
            if now.own(seat) != picture.own(seat):
                return  # the clock or another process has played a word meanwhile: it is asked for the next one
            self.log_once(table, "it made a move that is not legal")
            await self.act(table, "", do.PlayFor(seat, now.round, now.default(seat), by))

    async def think(self, table: OpenTable, seat: int) -> Move:
        """The bot's choice; the game's default if the bot fails or takes too long."""
        picture = table.picture
        known = bots_of(picture.game)
        bot = known.get(picture.card.seats[seat].bot) or next(iter(known.values()))
        if bot in self.too_slow:
            return picture.default(seat)
        # Copies, because a bot could change the views, which are shared.
        shared, own = deepcopy(picture.shared), deepcopy(picture.own_of_bot(seat))
        assert shared is not None, "the table waits for this seat"
        luck = random.Random(random.SystemRandom().getrandbits(64))
        try:
            async with self.few:
                async with asyncio.timeout(LONGEST_THOUGHT):
                    return await in_thread(partial(bot, shared, own, luck))
        except TimeoutError:
            self.too_slow.add(bot)
            self.log_once(table, "it takes too long; it is not asked again")
        except Exception:
            self.log_once(table, "it broke down", exc_info=True)
        return picture.default(seat)

    def log_once(self, table: OpenTable, what: str, **more: Any) -> None:
        metrics.FAULTS.labels("bot").inc()
        key = table.picture.game.key, what
        if key not in self.logged:
            self.logged.add(key)
            log.error("a bot is no good; the default is played", game=key[0], why=what, **more)


def plays_for(picture: Picture, seat: int) -> bool:
    """Whether a bot plays this seat, or the table answers for it."""
    return seat in picture.bots_to_move or picture.spares(seat)


async def in_thread(think: Callable[[], Move]) -> Move:
    """Run in a new daemon thread, so that a bot that never returns neither delays shutdown nor occupies a thread of a
    pool."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Move] = loop.create_future()

    def deliver(move: Move, error: Exception | None) -> None:
        if done.done():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(move)

    def run() -> None:
        move, failed = "", None
        try:
            move = think()
        except Exception as error:
            failed = error
        except BaseException as error:  # for example SystemExit
            failed = RuntimeError(type(error).__name__)
        with suppress(RuntimeError):  # the event loop was closed meanwhile
            loop.call_soon_threadsafe(deliver, move, failed)

    threading.Thread(target=run, name="bot", daemon=True).start()
    return await done
