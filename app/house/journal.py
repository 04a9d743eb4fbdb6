"""The one way into the log. What all tables of this process have been handed is checked, stored in one transaction with
one fsync, and only then told. What comes in meanwhile waits for the next batch.
"""

import asyncio
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from itertools import islice

from app import metrics
from app.house.commit import CarryOut, Commit, busy, fault, reading
from app.house.open_table import OpenTable, Pending
from app.house.recovery import Recovery
from app.house.supervisor import Loop
from app.logs import get
from app.store.rows import Bad, Chores, Conflict, Down, Write
from app.store.store import Store

log = get("journal")
MOST_TABLES = 64  # in one batch; old and new state of each are in memory at once. The others wait for the next batch
MOST_ENTRIES = 2  # of one action: whoever acts while away comes back first
LONGEST_COMMIT = 15.0  # seconds; what became of a commit that takes longer is unknown
RETRY_SECONDS = 0.2
NOTIFICATION_LIMIT = 7000  # bytes; Postgres takes 8000

PendingOpening = tuple[Write, "asyncio.Future[None]"]
CheckedCommit = tuple[Commit, Write]


class Journal:
    def __init__(self, store: Store, worker: str, carry_out: CarryOut, due: Callable[[float | None], None]) -> None:
        """`worker` names this process to the others. `due(at)`: a deadline was stored."""
        self.store = store
        self.worker = worker
        self.carry_out = carry_out
        self.due = due
        self.recovery = Recovery(store, self.submit, carry_out)
        self.waiting: dict[OpenTable, None] = {}
        self.delayed: set[OpenTable] = set()  # they wait, but are being read anew
        self.openings: list[PendingOpening] = []
        self.chores = Chores()
        self.presence: set[str] = set()  # tables of which other processes may have sockets
        self.wake = asyncio.Event()
        self.closing = False
        self.oldest: float | None = None  # when the oldest action of the batch under way came in, monotonic

    # handing in ---------------------------------------------------------------------------------------------------

    def submit(self, table: OpenTable, pending: Pending) -> None:
        table.inbox.append(pending)
        self.poke(table)

    def poke(self, table: OpenTable) -> None:
        self.waiting[table] = None
        self.wake.set()

    async def open(self, write: Write) -> None:
        """A new table's first entry. Raises what the store raises."""
        done = asyncio.get_running_loop().create_future()
        self.openings.append((write, done))
        self.wake.set()
        await done

    def note_away(self, table: OpenTable, seat: int, at: float | None) -> None:
        """This seat's deadline to come back; None: somebody is there."""
        self.chores.away[table.id, seat] = at
        if at is not None:
            self.presence.add(table.id)
        self.wake.set()

    def note_lifted(self, table: OpenTable, seat: int, round: int, move: str | None) -> None:
        self.chores.lifted[table.id, seat] = (round, move) if move is not None else None
        self.wake.set()

    def waiting_since(self) -> float | None:
        """When the oldest action came in that has no answer yet, monotonic."""
        times = [table.inbox[0].since for table in (*self.waiting, *self.delayed) if table.inbox]
        times += [pending.since for pending in self.recovery.owed()]
        if self.oldest is not None:
            times.append(self.oldest)
        return min(times, default=None)

    # the loop -----------------------------------------------------------------------------------------------------

    async def run(self, loop: Loop) -> None:
        while True:
            if not (self.waiting or self.openings or self.chores.away or self.chores.lifted):
                if self.closing and not self.recovery.tasks:
                    return
                if self.closing:
                    await asyncio.wait(self.recovery.tasks)  # they may hand in again what they were given
                    continue
                loop.rest()
                await self.wake.wait()
            elif self.closing and self.recovery.trouble and not (self.waiting or self.openings):
                return  # chores are left, which can be found out again
            self.wake.clear()
            with loop.iteration():
                await self.commit_batch()

    def stop(self) -> None:
        """`run` ends when everything that was handed in is answered."""
        self.closing = True
        self.wake.set()

    def close(self) -> None:
        """Refuse what is left where `run` was ended before its time."""
        for table in (*self.waiting, *self.delayed):
            for pending in table.inbox:
                pending.refuse("store_down", table.version)
            table.inbox = []
        for _, done in self.openings:
            finish(done, Down("the house is closed"))

    async def commit_batch(self) -> None:
        openings, self.openings = self.openings, []
        chores, self.chores = self.chores, Chores()
        presence, self.presence = self.presence, set()
        checked: list[CheckedCommit] = []
        async with AsyncExitStack() as held:
            try:
                await self.check(held, checked)
                if checked or openings or chores.away or chores.lifted:
                    await self.store_all(checked, openings, chores, presence)
            except BaseException as error:
                # Nothing is known to raise here. What became of the commit is unknown.
                self.keep(chores)
                self.presence |= presence
                for commit, _ in checked:
                    self.outcome_unknown(commit)
                for _, done in openings:
                    finish(done, Down(type(error).__name__))
                raise
            finally:
                self.oldest = None

    async def check(self, held: AsyncExitStack, checked: list[CheckedCommit]) -> None:
        """Take every table that waits, and check what it was handed. `held` keeps their locks until all is told."""
        tables = self.ready()
        secrets = drawn(sum([MOST_ENTRIES * len(table.inbox) for table in tables]))
        self.oldest = min([table.inbox[0].since for table in tables], default=None)
        for table in tables:
            commit = await held.enter_async_context(Commit(table, secrets))
            del self.waiting[table]
            try:
                write = commit.check()
            except Exception:
                fault("check", table)
                continue
            if write is not None:
                checked.append((commit, write))
            elif commit.refused:
                self.refuse_or_look_up(commit)

    def ready(self) -> list[OpenTable]:
        """Of the tables that have waited longest, those that nobody reads anew just now."""
        tables = []
        for table in list(islice(self.waiting, MOST_TABLES)):
            if table.inbox and not table.unsure and not busy(table):
                tables.append(table)
                continue
            del self.waiting[table]
            if busy(table):
                self.submit_later(table)
            elif table.unsure:
                owed, table.inbox = table.inbox, []
                self.recovery.recover_later(table, owed)
        return tables

    def submit_later(self, table: OpenTable) -> None:
        """When it has been read."""

        async def wait() -> None:
            async with reading(table):
                self.delayed.discard(table)
            self.poke(table)

        if table not in self.delayed:
            self.delayed.add(table)
            self.recovery.start(table, wait(), [])

    def refuse_or_look_up(self, commit: Commit) -> None:
        for pending, reason in commit.hand_over_refused():
            if pending.id or self.store.postgres:
                self.recovery.look_up_later(commit.table, pending, reason)
            else:
                pending.refuse(reason, commit.table.version)

    # store and tell -------------------------------------------------------------------------------------------------

    async def store_all(
        self, checked: Sequence[CheckedCommit], openings: Sequence[PendingOpening], chores: Chores, presence: set[str]
    ) -> None:
        writes = [write for _, write in checked] + [write for write, _ in openings]
        began = time.perf_counter()
        try:
            await self.commit(writes, chores, self.notification(checked, presence))
        except (Conflict, Bad):
            self.presence |= presence
            await self.one_by_one(checked, openings, chores, sure=True)
        except Exception as error:
            self.recovery.failed(error)
            self.presence |= presence
            if not isinstance(error, Down) and len(writes) > 1:
                await self.one_by_one(checked, openings, chores, sure=False)
                return
            self.keep(chores)
            for commit, _ in checked:
                self.outcome_unknown(commit)
            for _, done in openings:
                finish(done, error)
            if chores:
                await asyncio.sleep(RETRY_SECONDS)
        else:
            metrics.COMMIT.observe(time.perf_counter() - began)
            metrics.ENTRIES.inc(sum([len(write.entries) for write in writes]))
            for commit, write in checked:
                self.publish(commit, write)
            for _, done in openings:
                finish(done)
            self.stored(chores)

    async def commit(self, writes: Sequence[Write], chores: Chores, notification: str = "") -> None:
        """Raises Conflict or Bad (nothing was done) or something else (nobody knows)."""
        try:
            async with asyncio.timeout(LONGEST_COMMIT):
                await self.store.commit(writes, chores, notification)
        except TimeoutError:
            raise Down("a commit takes too long") from None
        self.recovery.trouble = ""

    def publish(self, commit: Commit, write: Write) -> None:
        try:
            commit.publish(write, self.carry_out)
        except Exception:
            fault("publish", commit.table)
            commit.accept()
            self.recovery.mark_unsure(commit.table)
        if commit.refused:
            self.refuse_or_look_up(commit)

    def outcome_unknown(self, commit: Commit) -> None:
        self.recovery.mark_unsure(commit.table)
        commit.close("store_down")

    def stored(self, chores: Chores) -> None:
        for at in chores.away.values():
            self.due(at)

    def notification(self, checked: Sequence[CheckedCommit], presence: set[str]) -> str:
        """What other processes are told: `worker table:seq table:seq … ?table`."""
        words = [f"{write.table}:{write.entries[-1].seq}" for _, write in checked]
        words += [f"?{table}" for table in presence]
        if not words or not self.store.postgres:
            return ""
        text = " ".join([self.worker, *words])
        return text if len(text) < NOTIFICATION_LIMIT else f"{self.worker} *"

    # when the batch is not taken ------------------------------------------------------------------------------------

    async def one_by_one(
        self, checked: Sequence[CheckedCommit], openings: Sequence[PendingOpening], chores: Chores, sure: bool
    ) -> None:
        """One row stands in the way; only its own table is to suffer for it. `sure`: of the batch nothing was done."""
        away: Down | None = None  # then nothing more is tried

        async def alone(writes: Sequence[Write], chores: Chores, notification: str = "") -> Exception | None:
            """Why it was not stored; None if it was."""
            nonlocal away
            try:
                if away is None:
                    await self.commit(writes, chores, notification)
            except (Conflict, Bad) as error:
                return error
            except Exception as error:
                self.recovery.failed(error)
                if not isinstance(error, Down):
                    return error
                away = error
            return away

        for commit, write in checked:
            match await alone([write], Chores(), self.notification([(commit, write)], set())):
                case None:
                    self.publish(commit, write)
                case Conflict() if sure:
                    self.recovery.recover_later(commit.table, commit.hand_over())
                case Bad() as bad:
                    not_taken(write, bad)
                    commit.close()
                case _:
                    self.outcome_unknown(commit)
        for write, done in openings:
            error = await alone([write], Chores())
            if isinstance(error, Bad):
                not_taken(write, error)
            finish(done, error)
        one = [Chores(away={key: at}) for key, at in chores.away.items()]
        one += [Chores(lifted={key: what}) for key, what in chores.lifted.items()]
        for chore in one:
            match await alone([], chore):
                case None:
                    self.stored(chore)
                case Conflict() | Bad() as gone:
                    log.info("a chore was dropped", reason=str(gone))  # with its table
                case _:
                    self.keep(chore)

    def keep(self, chores: Chores) -> None:
        """For the next time; what came meanwhile is newer."""
        self.chores.away = {**chores.away, **self.chores.away}
        self.chores.lifted = {**chores.lifted, **self.chores.lifted}


def finish(done: "asyncio.Future[None]", error: Exception | None = None) -> None:
    if done.done():
        return
    if error is not None:
        done.set_exception(error)
    else:
        done.set_result(None)


def not_taken(write: Write, bad: Bad) -> None:
    metrics.FAULTS.labels("commit").inc()
    log.error("a row was not taken", table=write.table, reason=str(bad))


def drawn(count: int) -> Iterator[str]:
    """The secrets of that many entries. To ask the system for many at a time costs hardly more than for one; none is
    left for another time, which after a fork might be two."""
    found = os.urandom(32 * count).hex()
    return iter([found[at : at + 64] for at in range(0, len(found), 64)])
