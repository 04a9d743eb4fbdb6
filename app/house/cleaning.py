"""Deletes tables that nobody has used for long. A clock can be wrong, and what is deleted is gone for good. So:

- What is due is marked first. It is deleted if it is still due when the server has run for a day since. That day is
  measured without the clock: one process counts the running time, in the database, and also does the cleaning.
- Nothing is marked or deleted while the clock is far beyond the newest entry of all tables.
- A clock that jumps, or that is far beyond the newest entry at a start, is in doubt: nothing is marked or deleted until
  the server has run for a day, or until its operator has confirmed the clock.
"""

import time
from collections.abc import Callable

from app import clock
from app.logs import get
from app.store.rows import Conflict, Down
from app.store.store import Store
from engine.game import left_out

log = get("cleaning")
DAY = 86400.0
FAR = 7 * DAY  # from the newest entry to now: then the clock may be wrong
LOBBY_DAYS = 30  # tables that wait in the lobby are not kept for longer
CLEAN_SECONDS = 3600  # between two searches for old tables
JUMP = 3600.0  # seconds by which the clock may differ from the time that has passed
RUNNING = "running"  # the running time, and the process that counts it
DOUBT = "clock in doubt"  # the running time at which the clock became doubtful; "" if it is not
CONFIRMED = "clock confirmed"  # what the clock showed when an operator confirmed it


class Cleaning:
    def __init__(
        self,
        store: Store,
        worker: str,
        keep_days: int,
        deleted: Callable[[str], None],
        closing: Callable[[], bool],
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = clock.steady,
    ) -> None:
        """`deleted(table)` is called for each deleted table. `wall` is the system clock, `steady` measures how much
        time has passed."""
        self.store = store
        self.worker = worker
        self.keep = keep_days * DAY
        self.keep_lobby = min(keep_days, LOBBY_DAYS) * DAY
        self.deleted = deleted
        self.closing = closing
        self.wall = wall
        self.steady = steady
        self.ahead = wall() - steady()
        self.counted = steady()
        self.next = 0.0  # when old tables are looked for again
        self.seen = ""  # `RUNNING` at the last count, if another process had counted

    async def begin(self) -> None:
        """To be called at a start."""
        if not self.keep:
            return
        log.info("tables that are due to be deleted", count=await self.store.unused(*self.limits()))
        if await self.is_far():
            await self.doubt("the clock is far beyond the newest entry")

    def limits(self) -> tuple[float, float]:
        """Tables that nobody has used since the first time are due; those in the lobby, since the second."""
        now = self.wall()
        return now - self.keep, now - self.keep_lobby

    async def look(self) -> None:
        """Notice a jump of the clock. To be called often."""
        ahead = self.wall() - self.steady()
        if self.keep and abs(ahead - self.ahead) > JUMP:
            try:
                await self.doubt("the clock has jumped", seconds=round(ahead - self.ahead))
            except (Down, Conflict):
                return  # it is noticed again
        self.ahead = ahead

    async def doubt(self, why: str, **more: int) -> None:
        running, _ = counter(await self.store.value(RUNNING))
        await self.store.put(DOUBT, f"{running:.0f}")
        log.warning(why, then="no table is deleted for a day, or until `facedown confirm-clock`", **more)

    async def is_far(self) -> bool:
        newest = await self.store.newest()
        return newest > 0 and self.wall() - max(newest, float(await self.store.value(CONFIRMED) or 0)) > FAR

    async def count(self) -> float | None:
        """Count the running time, and return it; None if another process counts. A process takes over if nobody has
        counted since its last call."""
        before = await self.store.value(RUNNING)
        running, worker = counter(before)
        passed, self.counted = self.steady() - self.counted, self.steady()
        if worker == self.worker:
            running += passed
        elif before and before != self.seen:
            self.seen = before
            return None
        done = await self.store.swap(RUNNING, before, f"{running:.0f} {self.worker}")
        return running if done else None

    async def clean(self) -> None:
        """Count the running time, and every hour mark and delete what is due. To be called more often."""
        try:
            running = await self.count()
            if running is None or self.steady() < self.next:
                return
            self.next = self.steady() + CLEAN_SECONDS
            if await self.in_doubt(running) or await self.is_far():
                return
            if left_out():  # their tables cannot be used, although somebody may want to
                log.warning("old tables are kept, since a game could not be loaded")
                return
            before, lobby = self.limits()
            if marked := await self.store.mark_due(before, lobby, running):
                log.info("old tables will be deleted in a day", count=marked)
            while not self.closing() and (gone := await self.store.forget(before, lobby, running - DAY)):
                for id in gone:
                    self.deleted(id)
                log.info("old tables deleted", count=len(gone))
        except (Down, Conflict) as error:
            log.warning("old tables could not be deleted", reason=str(error))

    async def in_doubt(self, running: float) -> bool:
        since = await self.store.value(DOUBT)
        if since and running - float(since) >= DAY:
            await self.store.swap(DOUBT, since, "")
            return False
        return bool(since)


def counter(value: str) -> tuple[float, str]:
    """The running time in seconds, and who counts it."""
    seconds, _, worker = value.partition(" ")
    return float(seconds or 0), worker


async def confirm_clock(store: Store) -> None:
    """The operator says that the clock is right."""
    await store.put(CONFIRMED, f"{time.time():.0f}")
    await store.put(DOUBT, "")
