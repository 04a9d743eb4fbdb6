"""Commits the actions of all tables of this process in batches: it checks them, stores them in one transaction with one
fsync, and publishes the results. Actions that arrive meanwhile wait for the next batch.
"""

import asyncio
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from itertools import islice
from typing import Protocol

from app import metrics
from app.house.commit import MOST_ENTRIES, CarryOut, Commit, busy, fault, reading
from app.house.conflicts import Conflicts
from app.house.open_table import OpenTable, Pending
from app.house.recovery import Recovery
from app.house.supervisor import Loop
from app.logs import get
from app.store.rows import Bad, Chores, Conflict, Down, Gone, StoredEntry, Write
from app.store.store import Store

log = get("journal")
MOST_TABLES = 64  # in one batch, to limit memory: the old and the new state of each are held. The others wait
LONGEST_COMMIT = 15.0  # seconds; after it the outcome counts as unknown
RETRY_SECONDS = 0.2

PendingOpening = tuple[Write, "asyncio.Future[None]"]
CheckedCommit = tuple[Commit, Write]


class Others(Protocol):
    """The other processes on this database."""

    def tell(self, table: OpenTable, entries: Sequence[StoredEntry]) -> None:
        """Tell who has this table of a commit."""

    def tell_reached(self, table: OpenTable) -> None:
        """Tell who has this table how far it is, if it is not known what was committed."""

    def ask(self, id: str) -> None:
        """Ask who has this table for sockets of seats that seem to be away."""


class Journal:
    def __init__(
        self,
        store: Store,
        others: Callable[[], Others],
        carry_out: CarryOut,
        due: Callable[[float | None], None],
        end: Callable[[OpenTable], None],
    ) -> None:
        """`due(at)` is called for each deadline that was stored, `end` for each table that is found deleted."""
        self.store = store
        self.others = others
        self.carry_out = carry_out
        self.due = due
        self.recovery = Recovery(store, self.submit, carry_out, end, lambda table: others().tell_reached(table))
        self.conflicts = Conflicts()
        self.waiting: dict[OpenTable, None] = {}
        self.delayed: set[OpenTable] = set()  # tables with waiting actions that are being reloaded
        self.openings: list[PendingOpening] = []
        self.chores = Chores()
        self.wake = asyncio.Event()
        self.closing = False
        self.oldest: float | None = None  # arrival of the oldest action of the current batch, monotonic

    # submitting ---------------------------------------------------------------------------------------------------

    def submit(self, table: OpenTable, pending: Pending) -> None:
        table.inbox.append(pending)
        self.poke(table)

    def poke(self, table: OpenTable) -> None:
        self.waiting[table] = None
        self.wake.set()

    async def open(self, write: Write) -> None:
        """Store a new table. Raises the store's exceptions."""
        done = asyncio.get_running_loop().create_future()
        self.openings.append((write, done))
        self.wake.set()
        await done

    def note_away(self, table: OpenTable, seat: int, at: float | None) -> None:
        """Store the time at which this seat becomes away; None: delete it."""
        self.chores.away[table.id, seat] = at
        self.wake.set()

    def note_lifted(self, table: OpenTable, seat: int, round: int, move: str | None) -> None:
        self.chores.lifted[table.id, seat] = (round, move) if move is not None else None
        self.wake.set()

    def waiting_since(self) -> float | None:
        """Arrival of the oldest action without a reply, monotonic."""
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
                    await asyncio.wait(self.recovery.tasks)  # they may submit actions again
                    continue
                loop.rest()
                await self.wake.wait()
            elif self.closing and self.recovery.trouble and not (self.waiting or self.openings):
                return  # only chores are left, and they can be lost: the next process finds them out again
            self.wake.clear()
            with loop.iteration():
                await self.commit_batch()

    def stop(self) -> None:
        """Make `run` end when all submitted actions have a reply."""
        self.closing = True
        self.wake.set()

    def close(self) -> None:
        """Refuse the remaining actions, if `run` was cancelled."""
        for table in (*self.waiting, *self.delayed):
            for pending in table.inbox:
                pending.refuse("store_down", table.version)
            table.inbox = []
        for _, done in self.openings:
            finish(done, Down("the house is closed"))

    async def commit_batch(self) -> None:
        openings, self.openings = self.openings, []
        chores, self.chores = self.chores, Chores()
        checked: list[CheckedCommit] = []
        async with AsyncExitStack() as held:
            try:
                await self.check(held, checked)
                if checked or openings or chores.away or chores.lifted:
                    await self.store_all(checked, openings, chores)
            except BaseException as error:
                # Not expected. The outcome of the commit is unknown.
                self.put_back(chores)
                for commit, _ in checked:
                    self.outcome_unknown(commit)
                for _, done in openings:
                    finish(done, Down(type(error).__name__))
                raise
            finally:
                self.oldest = None

    async def check(self, held: AsyncExitStack, checked: list[CheckedCommit]) -> None:
        """Check the actions of all waiting tables. `held` keeps their locks until the end of the batch."""
        tables = self.ready()
        self.oldest = min([table.inbox[0].since for table in tables], default=None)
        commits = []
        for table in tables:
            commits.append(await held.enter_async_context(Commit(table)))
            del self.waiting[table]
        # After all locks: while one is waited for, more actions may arrive.
        secrets = new_secrets(sum([MOST_ENTRIES * len(commit.owed) for commit in commits]))
        for commit in commits:
            try:
                write = commit.check(secrets)
            except Exception:
                fault("check", commit.table)
                continue
            if write is not None:
                checked.append((commit, write))
            elif commit.refused:
                self.refuse_or_look_up(commit)

    def ready(self) -> list[OpenTable]:
        """The tables for this batch, longest waiting first. Those being reloaded are submitted again later, and unsure
        ones are reloaded first."""
        tables = []
        for table in list(islice(self.waiting, MOST_TABLES)):
            if table.gone:
                self.recovery.lose(table, [])
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
        """Submit the table's actions after it has been reloaded."""

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

    # storing and publishing -----------------------------------------------------------------------------------------

    async def store_all(
        self, checked: Sequence[CheckedCommit], openings: Sequence[PendingOpening], chores: Chores
    ) -> None:
        writes = [write for _, write in checked] + [write for write, _ in openings]
        started = time.perf_counter()
        try:
            await self.commit(writes, chores)
        except (Conflict, Bad):
            await self.one_by_one(checked, openings, chores, sure=True)
        except Exception as error:
            self.recovery.failed(error)
            if not isinstance(error, Down) and len(writes) > 1:
                await self.one_by_one(checked, openings, chores, sure=False)
                return
            self.put_back(chores)
            for commit, _ in checked:
                self.outcome_unknown(commit)
            for _, done in openings:
                finish(done, error)
            if chores:
                await asyncio.sleep(RETRY_SECONDS)
        else:
            metrics.COMMIT.observe(time.perf_counter() - started)
            self.conflicts.committed(len(checked))
            metrics.ENTRIES.inc(sum([len(write.entries) for write in writes]))
            for commit, write in checked:
                self.publish(commit, write)
            for _, done in openings:
                finish(done)
            self.stored(chores)

    async def commit(self, writes: Sequence[Write], chores: Chores) -> None:
        """Raises Conflict or Bad (nothing was stored) or another exception (outcome unknown)."""
        try:
            async with asyncio.timeout(LONGEST_COMMIT):
                await self.store.commit(writes, chores)
        except TimeoutError:
            raise Down("a commit takes too long") from None
        self.recovery.trouble = ""

    def publish(self, commit: Commit, write: Write) -> None:
        try:
            commit.publish(write, self.carry_out)
            self.others().tell(commit.table, write.entries)
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
        for (table, _), at in chores.away.items():
            self.due(at)
            if at is not None:
                self.others().ask(table)

    # after a batch failed -------------------------------------------------------------------------------------------

    async def one_by_one(
        self, checked: Sequence[CheckedCommit], openings: Sequence[PendingOpening], chores: Chores, sure: bool
    ) -> None:
        """Commit the tables of a failed batch separately, so that a bad row affects only its own table. `sure`: nothing
        of the batch was stored."""
        down: Down | None = None  # once set, no more commits are tried

        async def alone(writes: Sequence[Write], chores: Chores) -> Exception | None:
            """The reason why it was not stored; None if it was."""
            nonlocal down
            try:
                if down is None:
                    await self.commit(writes, chores)
            except (Conflict, Bad) as error:
                return error
            except Exception as error:
                self.recovery.failed(error)
                if not isinstance(error, Down):
                    return error
                down = error
            return down

        for commit, write in checked:
            match await alone([write], Chores()):
                case None:
                    self.publish(commit, write)
                case Gone():
                    self.recovery.lose(commit.table, commit.hand_over())
                case Conflict() if sure:
                    self.conflicts.met()
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
                    log.info("a chore was dropped", reason=str(gone))  # its table was deleted
                case _:
                    self.put_back(chore)

    def put_back(self, chores: Chores) -> None:
        """Put chores back for the next batch, except those that were replaced meanwhile."""
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


def new_secrets(count: int) -> Iterator[str]:
    """Secrets for this number of entries, read from the system at once, which is faster. None are kept for later: after
    a fork, two processes would use the same."""
    found = os.urandom(32 * count).hex()
    return iter([found[at : at + 64] for at in range(0, len(found), 64)])
