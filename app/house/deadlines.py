"""Deadlines are rows. Whoever is alive carries them out; the log's key sees to it that it is done once."""

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from app import clock
from app.house.open_table import Live
from app.logs import get
from app.refusals import Refusal
from app.store.rows import Conflict, Deadline, Down
from app.table import actions as do

if TYPE_CHECKING:
    from app.house.house import House

log = get("deadlines")
LOOK_AHEAD = 10.0  # seconds: how often the rows are looked at when nothing is due
AT_ONCE = 20
OTHERS_FIRST = 1.0  # seconds that a deadline gets of a table which is in another worker's memory


class Deadlines:
    def __init__(self, house: "House") -> None:
        self.house = house
        self.sooner = asyncio.Event()
        self.next = 0.0  # when the loop looks again, by the clock
        self.tasks: dict[tuple[str, str, str], asyncio.Task[None]] = {}
        self.few = asyncio.Semaphore(AT_ONCE)

    def note(self, at: float | None) -> None:
        """A deadline was committed; if it comes before the loop looks again, it must look sooner."""
        if at is not None and at < self.next:
            self.next = at
            self.sooner.set()

    async def run(self) -> None:
        while not self.house.closing.is_set():
            now = clock.now()
            self.next = now + LOOK_AHEAD
            self.sooner.clear()
            try:
                rows = await self.house.store.due(now + LOOK_AHEAD)
            except Down:
                rows = []
            for row in rows:
                if (row.table, row.kind, row.key) not in self.tasks:
                    if (at := self.mine_from(row)) <= now:
                        self.start(row)
                    else:
                        self.next = min(self.next, at)
            await self.sleep()
        while self.tasks:
            await asyncio.wait(self.tasks.values())

    async def sleep(self) -> None:
        """Until the next deadline. The wall's clock may jump; no sleep is longer than a look ahead."""
        while (left := self.next - clock.now()) > 0 and not self.house.closing.is_set():
            self.sooner.clear()
            try:
                await asyncio.wait_for(self.sooner.wait(), min(left, LOOK_AHEAD))
            except TimeoutError:
                return

    def mine_from(self, row: Deadline) -> float:
        here = not self.house.store.postgres or row.table in self.house.lives
        return row.at if here else row.at + OTHERS_FIRST

    def start(self, row: Deadline) -> None:
        key = row.table, row.kind, row.key
        task = self.tasks[key] = asyncio.create_task(self.carry_out(row))
        task.add_done_callback(partial(self.finished, key))

    def finished(self, key: tuple[str, str, str], task: "asyncio.Task[None]") -> None:
        self.tasks.pop(key, None)
        self.note(clock.now() + 0.05)

    def stop(self) -> None:
        """The house closes: `run` ends when what is under way is done."""
        self.sooner.set()

    async def carry_out(self, row: Deadline) -> None:
        try:
            async with self.few:
                await self.do(row)
        except (Down, Conflict):
            await self.house.pause(1)
        except Refusal as refused:
            if refused.reason != "store_down":
                log.info("a deadline was refused", table=row.table, kind=row.kind, reason=refused.reason)
            await self.house.pause(1)
        except Exception:
            log.exception("a deadline broke", table=row.table, kind=row.kind)
            await self.house.pause(10)

    async def do(self, row: Deadline) -> None:
        live = await self.house.by_id(row.table)
        if live is not None and row.kind == "away":
            await self.away(live, int(row.key))
        elif live is not None and row.kind == "choice":
            await self.time_up(live)
        if live is None or row.kind == "away" or live.sitting.saved.ends_at is None:
            await self.house.store.drop_deadline(row)

    async def away(self, live: Live, seat: int) -> None:
        live.watched.discard(seat)
        seats = live.sitting.seats
        if seat >= len(seats) or live.present(seat) or seats[seat].away or not seats[seat].person:
            return
        try:
            await self.house.act(live, "", do.Away(seat))
        except Refusal as refused:
            if refused.reason != "no_such_seat":
                raise

    async def time_up(self, live: Live) -> None:
        """What is lifted is laid down if it may be; bots fill what is missing."""
        sitting, table = live.sitting, live.sitting.table
        ends_at = sitting.saved.ends_at
        if table is None or ends_at is None or ends_at > clock.now():
            return
        round = table.round
        lifted = await self.house.store.lifted(live.id, round)
        for seat in list(table.waits):
            await self.fill(live, seat, round, lifted.get(seat))

    async def fill(self, live: Live, seat: int, round: int, lifted: str | None) -> None:
        """Until this seat's answer is whole."""
        try:
            while (table := live.sitting.table) is not None and table.round == round and seat in table.waits:
                if lifted is not None and lifted in table.moves(seat):
                    await self.house.act(live, "", do.PlayFor(seat, round, lifted, "time"))
                else:
                    await self.house.bots.word(live, seat, "time")
                lifted = None
        except Refusal as refused:
            if refused.reason not in ("past_round", "already_in", "not_legal", "not_yet", "over"):
                raise
