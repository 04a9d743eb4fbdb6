"""What happens after a conflict with another process, a commit with an unknown outcome, or a lost database.

The log is authoritative. A table that may differ from it is reloaded, and its waiting actions are submitted again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from typing import Any

from app import metrics
from app.house.commit import CarryOut, busy, fault, reading
from app.house.open_table import Done, OpenTable, Pending
from app.house.supervisor import Loop
from app.logs import get
from app.refusals import Reason
from app.store.rows import Down, StoredEntry
from app.store.store import Store

log = get("recovery")
MOST_TRIES = 20
RETRY_SECONDS = 0.2
LONGEST_READ = 15.0  # seconds; after it the database counts as down


class Recovery:
    def __init__(
        self,
        store: Store,
        submit: Callable[[OpenTable, Pending], None],
        carry_out: CarryOut,
        end: Callable[[OpenTable], None],
        tell_reached: Callable[[OpenTable], None],
    ) -> None:
        """`end` is called for a table that is found deleted, `tell_reached` for one that may have entries of this
        process of which nobody was told."""
        self.store = store
        self.end = end
        self.submit = submit
        self.carry_out = carry_out
        self.tell_reached = tell_reached
        self.trouble = ""  # why the last commit failed; "" if it succeeded
        self.troubled = asyncio.Event()
        self.unsure: set[OpenTable] = set()
        self.tasks: dict[asyncio.Task[None], Sequence[Pending]] = {}  # with the actions that each must reply to
        self.closing = False

    def start(self, table: OpenTable, work: Coroutine[Any, Any, None], owed: Sequence[Pending]) -> None:
        """Run `work` in the background. If it raises, the `owed` actions are refused."""

        async def guarded() -> None:
            try:
                await work
            except Exception:
                fault("recover", table)
                for pending in owed:
                    pending.refuse("broken", table.version)
            except asyncio.CancelledError:
                for pending in owed:
                    pending.refuse("store_down", table.version)
                raise

        task = asyncio.create_task(guarded())
        self.tasks[task] = owed
        task.add_done_callback(self.tasks.pop)

    async def stop(self, longest: float) -> None:
        """Wait `longest` seconds at most for what is being recovered."""
        self.closing = True
        self.troubled.set()
        if self.tasks:
            _, hanging = await asyncio.wait(self.tasks, timeout=longest)
            for task in hanging:
                task.cancel()

    def owed(self) -> Iterator[Pending]:
        """The actions that wait for a reply from these tasks."""
        return (pending for owed in self.tasks.values() for pending in owed if not pending.reply.done())

    # after a refusal ------------------------------------------------------------------------------------------------

    def look_up_later(self, table: OpenTable, pending: Pending, reason: Reason) -> None:
        """Like `look_up`, in the background. To be called while the commit that refused the action holds the lock."""
        self.start(table, self.look_up(table, pending, reason, table.seq), [pending])

    async def look_up(self, table: OpenTable, pending: Pending, reason: Reason, seq: int) -> None:
        """Reply to an action that was refused after entry `seq`, unless the refusal was wrong: another process may have
        accepted the same message before, or the sender may have seen an entry that this process has not read yet."""
        try:
            if await self.reply_from_log(table, pending):
                return
            behind = self.store.postgres and await limited(self.store.seq(table.id)) > seq
        except Down as error:
            self.failed(error)
            reason, behind = "store_down", False
        if behind and pending.tries < MOST_TRIES:
            await self.recover(table, [pending])
        else:
            pending.refuse(reason, table.version)

    async def reply_from_log(self, table: OpenTable, pending: Pending) -> bool:
        """If this message is in the log, give the action its reply from there. Returns whether it is."""
        if not pending.id:
            return False
        row = await limited(self.store.by_message(table.id, pending.person, pending.id))
        if row is not None:
            pending.accept(Done.of(row).again())
        return row is not None

    # reloading ------------------------------------------------------------------------------------------------------

    def recover_later(self, table: OpenTable, owed: Sequence[Pending]) -> None:
        self.start(table, self.recover(table, owed), owed)

    async def recover(self, table: OpenTable, owed: Sequence[Pending]) -> None:
        """Reload the table from the log, then submit these actions again, unless they are in it."""
        try:
            async with reading(table):
                await self.read_anew(table)
            again = [pending for pending in owed if not await self.reply_from_log(table, pending)]
        except Down as error:
            self.mark_unsure(table)
            self.failed(error)
            for pending in [*owed, *table.inbox]:
                pending.refuse("store_down", table.version)
            table.inbox = []
            return
        for pending in again:
            pending.tries += 1
            if pending.tries < MOST_TRIES:
                self.submit(table, pending)
            else:
                pending.refuse("store_down", table.version)

    async def catch_up(self, table: OpenTable, seq: int | None = None) -> None:
        """Read entries of another process. `seq`: the number of its last entry, if known."""
        try:
            async with reading(table):
                if seq is None or seq > table.seq or table.unsure:
                    await self.read_anew(table)
        except Down as error:
            self.mark_unsure(table)
            self.failed(error)

    def follow(self, table: OpenTable, entries: Sequence[StoredEntry]) -> bool:
        """Add entries that another process has just committed. Returns False if the table must be read instead."""
        new = [entry for entry in entries if entry.seq > table.seq]
        if not new:
            return True
        if busy(table) or table.unsure or new[0].seq != table.seq + 1 or not table.follow(new):
            return False
        table.notify()
        self.carry_out(table, table.sitting.ongoing_effects(), False)
        return True

    async def read_anew(self, table: OpenTable) -> None:
        """To be called inside of `reading`."""
        changed = unsure = table.unsure
        if stored := await limited(self.store.since(table.id, table.seq)):
            table.take_in(stored)
            changed = True
        elif table.unsure and await limited(self.store.seq(table.id)) < table.seq:
            whole = await limited(self.store.by_id(table.id))
            if whole is None:
                self.lose(table, [])
                return
            log.error("the database has forgotten what it had stored", table=table.id)
            table.read(whole)
        table.unsure = False
        self.unsure.discard(table)
        if unsure:
            self.tell_reached(table)
        if changed:
            table.notify()
            self.carry_out(table, table.sitting.ongoing_effects(), False)

    def lose(self, table: OpenTable, owed: Sequence[Pending]) -> None:
        """To be called if the table is not in the database any more: these actions and those that wait are refused, and
        whoever looks at it is told."""
        for pending in [*owed, *table.inbox]:
            pending.refuse("table_gone", table.version)
        table.inbox, table.unsure = [], False
        self.unsure.discard(table)
        if not table.gone:
            log.error("a table was deleted from the database", table=table.id)
            self.end(table)

    # mending --------------------------------------------------------------------------------------------------------

    def mark_unsure(self, table: OpenTable) -> None:
        """To be called if the table may differ from the log, or was not published: `run` reloads it."""
        table.unsure = True
        self.unsure.add(table)
        self.troubled.set()

    def failed(self, error: Exception) -> None:
        if not isinstance(error, Down):
            metrics.FAULTS.labels("commit").inc()
            log.error("the store broke", exc_info=error)
        elif not self.trouble:
            log.error("the database is away", reason=str(error))
        self.trouble = str(error) or type(error).__name__
        self.troubled.set()

    async def run(self, loop: Loop) -> None:
        """Mending: after a failed commit, try to write until that succeeds; then reload the unsure tables."""
        while not self.closing:
            # If an iteration raised an exception, some tables are still unsure: the loop mends them before it waits.
            if not self.trouble and not self.unsure:
                loop.rest()
                await self.troubled.wait()
            self.troubled.clear()
            while (self.trouble or self.unsure) and not self.closing:
                with loop.iteration():
                    await self.mend()
                await asyncio.sleep(RETRY_SECONDS)

    async def mend(self) -> None:
        try:
            await limited(self.store.probe())
        except Down:
            return
        if self.trouble:
            self.trouble = ""
            log.info("the database is back")
        for table in list(self.unsure):
            if self.trouble or self.closing:
                return
            try:
                await self.catch_up(table, table.seq)
            except Exception:
                # Not retried here: the table is reloaded before its next action, and by the check of idle tables.
                fault("recover", table)
                self.unsure.discard(table)


async def limited(work: Awaitable[Any]) -> Any:
    """Wait at most LONGEST_READ, then raise `Down`."""
    try:
        async with asyncio.timeout(LONGEST_READ):
            return await work
    except TimeoutError:
        raise Down("the database takes too long") from None
