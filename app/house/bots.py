"""Bots at work: they think in threads, from views like anyone's, and hand in the way everybody does."""

import asyncio
import random
import time
from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING, Any

from app.house.open_table import Live
from app.logs import get
from app.refusals import Refusal
from app.table import actions as do
from engine.bots import bots

if TYPE_CHECKING:
    from app.house.house import House

log = get("bots")
SHORTLY = (0.2, 0.8)  # seconds before a bot lays its card among others'
BEAT = 0.7  # seconds before a bot acts alone
OTHERS_FIRST = 3.0  # seconds that a bot gets which another worker should be running
AGAIN = 1.0  # seconds until the next try when the database is away
LATER = 10.0  # seconds until the next try when something is broken
OVERTAKEN = frozenset({"past_round", "already_in", "not_asked", "not_a_bot", "not_started", "over"})


class Bots:
    def __init__(self, house: "House") -> None:
        self.house = house
        self.tasks: dict[tuple[Live, int], asyncio.Task[None]] = {}
        self.broken: set[tuple[str, str]] = set()  # game and bot: said once

    def running(self, live: Live) -> bool:
        return any(key[0] is live for key in self.tasks)

    def run(self, live: Live, ours: bool) -> None:
        """See to it that every bot that the table waits for plays. `ours`: nobody else is at it already."""
        for seat in live.sitting.bots_to_move():
            running = self.tasks.get((live, seat))
            if running is None or running.done():
                task = self.tasks[live, seat] = asyncio.create_task(self.play(live, seat, ours))
                task.add_done_callback(partial(self.finished, (live, seat)))

    def finished(self, key: tuple[Live, int], task: "asyncio.Task[None]") -> None:
        if self.tasks.get(key) is task:
            del self.tasks[key]

    def stop(self) -> None:
        for task in self.tasks.values():
            task.cancel()

    async def play(self, live: Live, seat: int, ours: bool) -> None:
        if not ours:
            await asyncio.sleep(OTHERS_FIRST)
        while seat in live.sitting.bots_to_move():
            await asyncio.sleep(self.pause(live))
            if seat not in live.sitting.bots_to_move():
                return
            try:
                await self.word(live, seat, "bot")
            except Refusal as refused:
                if refused.reason == "store_down":
                    await asyncio.sleep(AGAIN)
                elif refused.reason not in OVERTAKEN:
                    log.error("a bot was refused", table=live.id, reason=refused.reason)
                    await asyncio.sleep(LATER)
            except Exception:
                log.exception("a bot's seat broke", table=live.id)
                await asyncio.sleep(LATER)

    def pause(self, live: Live) -> float:
        """People are not kept waiting; where only bots are asked, they let the last reveal play out first."""
        factor = self.house.settings.bot_pause
        sitting, table = live.sitting, live.sitting.table
        if not factor or table is None:
            return 0.0
        if any(sitting.seats[seat].person and not sitting.seats[seat].bot for seat in table.asked):
            return factor * random.uniform(*SHORTLY)
        return factor * (BEAT + max(0.0, live.shown_at - time.monotonic()))

    async def word(self, live: Live, seat: int, by: str) -> None:
        """Think, and hand in one word for this seat."""
        table = live.sitting.table
        if table is None or seat not in table.waits:
            return
        round = table.round
        move = await self.think(live, seat)
        try:
            await self.house.act(live, "", do.PlayFor(seat, round, move, by))
        except Refusal as refused:
            table = live.sitting.table
            if refused.reason != "not_legal" or table is None or seat not in table.waits:
                raise
            self.say_once(live, "it made a move that is not legal")
            await self.house.act(live, "", do.PlayFor(seat, round, table.default(seat), by))

    async def think(self, live: Live, seat: int) -> str:
        table = live.sitting.table
        assert table is not None
        found = bots(live.sitting.game)
        bot = found.get(live.sitting.seats[seat].bot) or next(iter(found.values()))
        # Copies: the table may go on while the bot thinks, and a bot must not be able to change it.
        shared, own = deepcopy(table.shared()), deepcopy(table.own(seat))
        try:
            return await asyncio.to_thread(bot, shared, own, random.Random(random.SystemRandom().getrandbits(64)))
        except Exception:
            self.say_once(live, "it broke down", exc_info=True)
            return table.default(seat)

    def say_once(self, live: Live, what: str, **more: Any) -> None:
        key = live.sitting.saved.game, what
        if key not in self.broken:
            self.broken.add(key)
            log.error("a bot is no good; the default is played", game=key[0], why=what, **more)
