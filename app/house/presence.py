"""Which seats are away. A seat without an open socket becomes away after a while, until its person returns.

Each process knows only its own sockets. It sets a deadline, a row in the store, for a seat without one; a process that
has a socket of that seat deletes the row.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine
from typing import Any

from app import clock
from app.house.commit import fault
from app.house.open_table import OpenTable
from app.house.supervisor import Loop
from app.refusals import Refusal
from app.table import actions as do

AUDIT_SECONDS = 60

Act = Callable[[OpenTable, str, do.Action], Awaitable[Any]]  # table, person, action


class Presence:
    def __init__(
        self,
        act: Act,
        note_away: Callable[[OpenTable, int, float | None], None],
        awake: Callable[[], Collection[OpenTable]],
        pause: Callable[[float], Awaitable[bool]],
        away_seconds: float,
        look_after: Callable[[OpenTable], None],
    ) -> None:
        """`look_after` is called for idle tables."""
        self.act = act
        self.note_away = note_away
        self.awake = awake
        self.pause = pause
        self.away_seconds = away_seconds
        self.look_after = look_after
        self.returning: dict[tuple[OpenTable, int | str], asyncio.Task[None]] = {}

    def socket_opened(self, table: OpenTable, person: str) -> None:
        """To be called when a socket of this person has opened."""
        table.sockets[person] += 1
        if (seat := table.picture.seat_of(person)) is not None:
            table.watched.discard(seat)
            self.note_away(table, seat, None)
            self.review(table)
        elif person in table.picture.lost:
            self.review(table)

    def socket_closed(self, table: OpenTable, person: str) -> None:
        """To be called when a socket of this person has closed."""
        table.sockets[person] -= 1
        if table.sockets[person] <= 0:
            del table.sockets[person]
            self.review(table)
        table.used = time.monotonic()

    def review(self, table: OpenTable) -> None:
        """Set a deadline for every person's seat without a socket, and bring back every away seat that has one."""
        if table.gone:
            return
        for seat in table.picture.card.seats:
            n, present = seat.n, table.present(seat.n)
            missing = seat.kind == "person" and not seat.away and not present
            if missing and n not in table.watched:
                table.watched.add(n)
                self.note_away(table, n, clock.now() + self.away_seconds)
            elif not missing and n in table.watched:
                table.watched.discard(n)
                self.note_away(table, n, None)
            if seat.away and present:
                self.start((table, n), self.bring_back(table, n))
        for person in table.picture.lost:
            if table.sockets[person]:
                self.start((table, person), self.return_seat(table, person))

    def start(self, key: tuple[OpenTable, int | str], work: Coroutine[Any, Any, None]) -> None:
        """Bring somebody back in the background, unless that is being done."""
        if key in self.returning:
            work.close()
            return
        task = self.returning[key] = asyncio.create_task(work)
        task.add_done_callback(lambda _: self.returning.pop(key, None))

    def stop(self) -> None:
        for task in self.returning.values():
            task.cancel()

    async def bring_back(self, table: OpenTable, seat: int) -> None:
        while table.present(seat) and table.picture.card.seats[seat].away:
            if not await self.acted(table, "", do.Back(seat)):
                return

    async def return_seat(self, table: OpenTable, person: str) -> None:
        while table.sockets[person] and person in table.picture.lost:
            if not await self.acted(table, person, do.Return()):
                return

    async def acted(self, table: OpenTable, person: str, action: do.Action) -> bool:
        """Whether the action was accepted, or may be later."""
        try:
            await self.act(table, person, action)
        except Refusal as refusal:
            if refusal.reason != "store_down":
                return False
            await asyncio.sleep(1)
        return True

    def claim_seats(self, table: OpenTable) -> None:
        """Another process has set deadlines for seats of this table: delete those of seats with a socket here."""
        for n in range(len(table.picture.card.seats)):
            if table.present(n):
                self.note_away(table, n, None)

    async def run(self, loop: Loop) -> None:
        """Check idle tables now and then: a process that was killed set no deadlines for its seats."""
        still: dict[str, int] = {}
        while not await self.pause(AUDIT_SECONDS):
            with loop.iteration():
                still = self.audit(still)

    def audit(self, before: dict[str, int]) -> dict[str, int]:
        for table in list(self.awake()):
            if before.get(table.id) == table.seq:
                table.watched.clear()
                try:
                    self.look_after(table)
                except Exception:
                    fault("look after", table)
        return {table.id: table.seq for table in self.awake()}
