"""Carries out deadlines, which are rows. Any process may do so; the log's primary key prevents doing it twice."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial

from app import clock, metrics
from app.house.open_table import OpenTable
from app.house.presence import Act
from app.house.supervisor import Loop
from app.logs import get
from app.refusals import Refusal
from app.store.rows import Conflict, Deadline, Down
from app.store.store import Store
from app.table import actions as do
from app.table.actions import Action
from app.table.picture import Picture
from app.table.times import AHEAD

log = get("deadlines")
LOOK_AHEAD = 10.0  # seconds between two reads of the rows if nothing is due
AGAIN = 1.0  # seconds until the next read if the database is down
AT_ONCE = 20  # deadlines carried out at the same time
LONGEST_DELAY = 600.0  # seconds until the next try for a table that fails again and again
LONGEST = 120.0  # seconds that one deadline may take; then it is tried again later
CLOCK_SECONDS = 60  # between two searches for times in the future, after a clock that was ahead
OTHERS_FIRST = 1.0  # seconds to wait for a process that may have the table in memory, if this one does not
OVERTAKEN = frozenset({"past_round", "already_in", "not_legal", "not_yet", "over"})


class Deadlines:
    def __init__(
        self,
        store: Store,
        act: Act,
        find: Callable[[str], Awaitable[OpenTable | None]],
        in_memory: Callable[[str], bool],
        bot_moves: Callable[[OpenTable, int], Awaitable[None]],
        pause: Callable[[float], Awaitable[bool]],
        away_seconds: float,
    ) -> None:
        """`find` returns a table by id, loading it if necessary. `bot_moves(table, seat)` lets a bot choose and
        submit the next word of this seat."""
        self.store = store
        self.act = act
        self.find = find
        self.in_memory = in_memory
        self.bot_moves = bot_moves
        self.pause = pause
        self.away_seconds = away_seconds
        self.closing = False
        self.sooner = asyncio.Event()
        self.next = 0.0  # when the rows are read again, by the clock
        self.tasks: dict[tuple[str, str, str], asyncio.Task[None]] = {}
        self.few = asyncio.Semaphore(AT_ONCE)
        self.delays: dict[str, tuple[float, float]] = {}  # failing tables: seconds of delay, and until when, monotonic
        self.next_search = 0.0  # for times in the future, monotonic

    def note(self, at: float | None) -> None:
        """To be called after a deadline is stored: the rows are read again by then."""
        if at is not None and at < self.next:
            self.next = at
            self.sooner.set()

    async def run(self, loop: Loop) -> None:
        while not self.closing:
            try:
                with loop.iteration():
                    await self.put_right()
                    await self.start_due()
            except Down as error:
                if loop.up:
                    log.error("deadlines cannot be read", reason=str(error))
                loop.failed()
                self.next = clock.now() + AGAIN
            await self.sleep()
        while self.tasks:
            await asyncio.wait(self.tasks.values())

    async def start_due(self) -> None:
        """Read the rows and start those that are due."""
        now = clock.now()
        self.next = now + LOOK_AHEAD
        self.sooner.clear()
        for row in await self.store.due(now + LOOK_AHEAD):
            if (row.table, row.kind, row.key) not in self.tasks:
                if (at := self.due_here(row)) <= now:
                    self.start(row)
                else:
                    self.next = min(self.next, at)

    async def put_right(self) -> None:
        """After a clock that was ahead: set back the times that lie in the future. Otherwise deadlines would be dead
        until the time comes that the clock had shown."""
        if time.monotonic() < self.next_search:
            return
        self.next_search = time.monotonic() + CLOCK_SECONDS
        now = clock.now()
        await self.store.bring_forward(now, now + self.away_seconds + AHEAD)
        for id in await self.store.dated_after(now + AHEAD):
            try:
                if (table := await self.find(id)) is not None:
                    await self.act(table, "", do.SetBack())
            except Refusal as refusal:
                log.info("times could not be set back", table=id, reason=refusal.reason)

    async def sleep(self) -> None:
        """Wait for the next deadline, but at most LOOK_AHEAD, because the system clock may jump."""
        while (left := self.next - clock.now()) > 0 and not self.closing:
            self.sooner.clear()
            try:
                await asyncio.wait_for(self.sooner.wait(), min(left, LOOK_AHEAD))
            except TimeoutError:
                return

    def due_here(self, row: Deadline) -> float:
        """When this process should act on the deadline."""
        ours = not self.store.postgres or self.in_memory(row.table)
        _, until = self.delays.get(row.table, (0.0, 0.0))
        left = max(0.0, until - time.monotonic())
        return max(clock.now() + left if left else 0.0, row.at if ours else row.at + OTHERS_FIRST)

    def start(self, row: Deadline) -> None:
        key = row.table, row.kind, row.key
        task = self.tasks[key] = asyncio.create_task(self.carry_out(row))
        task.add_done_callback(partial(self.finished, key))

    def finished(self, key: tuple[str, str, str], task: "asyncio.Task[None]") -> None:
        self.tasks.pop(key, None)
        self.note(clock.now() + 0.05)

    def stop(self) -> None:
        """Make `run` end after the deadlines being carried out."""
        self.closing = True
        self.sooner.set()

    async def carry_out(self, row: Deadline) -> None:
        try:
            async with self.few, asyncio.timeout(LONGEST):
                await self.do(row)
        except (Down, Conflict):
            await self.pause(1)
        except Refusal as refusal:
            if refusal.reason == "store_down":
                await self.pause(1)
            else:
                delay = self.delay(row.table)
                log.info("a deadline was refused", table=row.table, kind=row.kind, reason=refusal.reason, again=delay)
        except Exception:
            metrics.FAULTS.labels("deadline").inc()
            log.exception("a deadline broke", table=row.table, kind=row.kind, again=self.delay(row.table))
        else:
            self.delays.pop(row.table, None)

    def delay(self, table: str) -> float:
        """Leave a failing table alone for a while, each time longer. Returns the seconds."""
        seconds, _ = self.delays.get(table, (0.5, 0.0))
        seconds = min(2 * seconds, LONGEST_DELAY)
        self.delays[table] = seconds, time.monotonic() + seconds
        return seconds

    async def do(self, row: Deadline) -> None:
        table = await self.find(row.table)
        if table is not None and row.kind == "away":
            await self.away(table, int(row.key))
        elif table is not None and row.kind == "choice":
            await self.time_up(table)
        elif table is not None and row.kind == "claim":
            await self.grant(table)
        elif table is not None and row.kind == "deal":
            await self.call_off(table)
        elif table is not None and row.kind == "long_away":
            await self.end_rest(table)
        if table is None or self.is_done(table.picture, row.kind):
            await self.store.drop_deadline(row)

    def is_done(self, picture: Picture, kind: str) -> bool:
        """Whether the table waits for nothing more of this kind. The row of an absence is set anew when needed."""
        awaited = {
            "choice": picture.ends_at,
            "claim": picture.claim,
            "deal": picture.dealing,
            "long_away": picture.rest_ends,
        }
        return kind == "away" or awaited[kind] is None

    async def grant(self, table: OpenTable) -> None:
        claim = table.picture.claim
        if claim is not None and claim.at <= clock.now():
            await self.act(table, "", do.Grant(claim.seat))

    async def call_off(self, table: OpenTable) -> None:
        dealing = table.picture.dealing
        if dealing is not None and dealing <= clock.now():
            await self.act(table, "", do.CallOff())

    async def end_rest(self, table: OpenTable) -> None:
        for n, seat in enumerate(table.sitting.seats):
            if seat.resting and seat.rests_until <= clock.now():
                await self.about_absence(table, do.LongAway(n))

    async def away(self, table: OpenTable, seat: int) -> None:
        table.watched.discard(seat)
        seats = table.picture.card.seats
        if seat >= len(seats) or table.present(seat) or seats[seat].away or seats[seat].kind != "person":
            return
        await self.about_absence(table, do.Away(seat))

    async def about_absence(self, table: OpenTable, action: Action) -> None:
        try:
            await self.act(table, "", action)
        except Refusal as refusal:
            if refusal.reason != "no_such_seat":  # its person is back
                raise

    async def time_up(self, table: OpenTable) -> None:
        """Complete all answers: a seat's lifted card is played if that uses nothing up, bots choose the rest."""
        picture = table.picture
        if picture.ends_at is None or picture.ends_at > clock.now():
            return
        lifted = await self.store.lifted(table.id, picture.round)
        for seat in range(len(picture.card.seats)):
            await self.fill(table, seat, picture.round, lifted.get(seat))

    async def fill(self, table: OpenTable, seat: int, round: int, lifted: str | None) -> None:
        """Play for this seat until it has handed in."""
        try:
            while (picture := table.picture).round == round and picture.waits_for(seat):
                if lifted is not None and picture.own(seat) is not None and lifted in picture.frugal(seat):
                    await self.act(table, "", do.PlayFor(seat, round, lifted, "time"))
                else:
                    await self.bot_moves(table, seat)
                lifted = None
        except Refusal as refusal:
            if refusal.reason not in OVERTAKEN:
                raise
