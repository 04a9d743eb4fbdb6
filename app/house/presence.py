"""Who is here. A closed socket is never leaving; a seat without one for a while is away, until its owner comes back.

Which sockets are open is known only to the process that has them. A seat without one gets a deadline, a row; whoever
has a socket of that seat takes the row away again, in whichever process.
"""

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING

from app import clock
from app.house.open_table import Live
from app.logs import get
from app.refusals import Refusal
from app.table import actions as do

if TYPE_CHECKING:
    from app.house.house import House

log = get("presence")
AUDIT_SECONDS = 60


class Presence:
    def __init__(self, house: "House") -> None:
        self.house = house
        self.returning: dict[tuple[Live, int], asyncio.Task[None]] = {}

    def here(self, live: Live, person: str) -> None:
        live.sockets[person] += 1
        if (seat := live.sitting.seat_of(person)) is not None:
            live.watched.discard(seat)
            self.house.journal.note_away(live, seat, None)
            self.review(live)

    def gone(self, live: Live, person: str) -> None:
        live.sockets[person] -= 1
        if live.sockets[person] <= 0:
            del live.sockets[person]
            self.review(live)
        live.used = time.monotonic()

    def review(self, live: Live) -> None:
        """A deadline for every person's seat without a socket; a way back for every seat that has one again."""
        for n, seat in enumerate(live.sitting.seats):
            missing = seat.person and not seat.away and not live.present(n)
            if missing and n not in live.watched:
                live.watched.add(n)
                at = clock.now() + self.house.settings.away_seconds
                self.house.journal.note_away(live, n, at)
            elif not missing and n in live.watched:
                live.watched.discard(n)
                self.house.journal.note_away(live, n, None)
            if seat.away and live.present(n) and (live, n) not in self.returning:
                task = asyncio.create_task(self.bring_back(live, n))
                self.returning[live, n] = task
                task.add_done_callback(partial(self.returned, (live, n)))

    def returned(self, key: tuple[Live, int], task: "asyncio.Task[None]") -> None:
        self.returning.pop(key, None)

    def stop(self) -> None:
        for task in self.returning.values():
            task.cancel()

    async def bring_back(self, live: Live, seat: int) -> None:
        while live.present(seat) and live.sitting.seats[seat].away:
            try:
                await self.house.act(live, "", do.Back(seat))
            except Refusal as refused:
                if refused.reason != "store_down":
                    return
                await asyncio.sleep(1)

    def asked_for(self, live: Live) -> None:
        """Another worker misses seats of this table. Those that are here are not missed."""
        for n in range(len(live.sitting.seats)):
            if live.present(n):
                self.house.journal.note_away(live, n, None)

    async def run(self) -> None:
        """A worker that was killed told nobody that its seats are gone: look again at tables that stand still."""
        still: dict[str, int] = {}
        while not await self.house.pause(AUDIT_SECONDS):
            still = self.audit(still)

    def audit(self, before: dict[str, int]) -> dict[str, int]:
        for live in list(self.house.awake):
            if before.get(live.id) == live.seq:
                live.watched.clear()
                self.review(live)
        return {live.id: live.seq for live in self.house.awake}
