"""Follows the commits of other processes on the same database, and tells them of ours.

Only who has a table in memory is told of it, and a process that nobody else shares a table with sends nothing. Whoever
loads a table says so, and those who have it, too, answer: from then on both tell each other. What is told comes after
the commit, and may be lost with a process: the others read what they shared with it once it is gone.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress

from app import metrics
from app.house.notices import Notice, Outbox, encoded, read_commit, read_notice
from app.house.open_table import OpenTable
from app.house.supervisor import Loop
from app.logs import get
from app.store.channel import FRESH, LOST, Channel
from app.store.connect import TIMEOUT
from app.store.rows import StoredEntry

log = get("workers")
SLOWEST = 5.0  # longest pause between attempts to reconnect, in seconds
RENEW_SECONDS = 2.0  # how often a process says that it is there
CHECK_SECONDS = 15.0  # how often it is checked that notices arrive


class Workers:
    def __init__(
        self,
        name: str,
        channel: Channel | None,
        tables: Mapping[str, OpenTable],
        catch_up: Callable[[OpenTable, int | None], Awaitable[None]],
        follow: Callable[[OpenTable, Sequence[StoredEntry]], bool],
        mark_unsure: Callable[[OpenTable], None],
        claim_seats: Callable[[OpenTable], None],
        let_go: Callable[[OpenTable], bool],
        pause: Callable[[float], Awaitable[bool]],
    ) -> None:
        """`name` of this process; without a `channel` there are no others. `tables` are those in memory.
        `claim_seats(table)` is called if another process has set deadlines for seats that may have a socket here.
        `let_go(table)` marks it as left, if nobody needs it here, and returns whether it did."""
        self.name = name
        self.channel = channel
        self.tables = tables
        self.catch_up = catch_up
        self.follow = follow
        self.mark_unsure = mark_unsure
        self.claim_seats = claim_seats
        self.let_go = let_go
        self.pause = pause
        self.closing = False
        self.others: set[str] = set()
        self.heard_of: set[str] = set()  # since the others were last asked for
        self.outboxes: dict[str, Outbox] = {}  # by process; "" for all
        self.untold: dict[str, int] = {}  # tables with commits that could not be told, and their last entries
        self.renewed = 0.0  # monotonic
        self.checked = 0.0
        self.lost = asyncio.Event()
        self.echo = asyncio.Event()  # this process has received its own notice
        self.tasks: set[asyncio.Task[None]] = set()
        self.sending: asyncio.Task[None] | None = None
        self.reading: dict[str, int] = {}  # tables being read -> the number of the last entry that must be read

    @property
    def hears(self) -> bool:
        return self.channel is None or self.channel.open

    # being there ----------------------------------------------------------------------------------------------------

    async def connect(self) -> None:
        """Be known to the other processes, if there can be any. Raises one of LOST."""
        if self.channel is None:
            return
        self.lost.clear()
        self.heard_of.clear()
        found = await self.channel.connect(self.hear, self.lost.set)
        self.know(found)
        self.renewed = self.checked = time.monotonic()
        everybody = self.outbox("")
        everybody.joins = True
        everybody.holds = {**self.untold, **{table.id: table.seq for table in self.tables.values() if not table.left}}
        self.untold.clear()
        await self.flush()

    async def run(self, loop: Loop) -> None:
        """Reconnect whenever the connection is lost, then read all tables: missed notices are not repeated."""
        assert self.channel is not None
        pause = 0.1
        while not self.closing:
            if not self.channel.open:
                try:
                    with loop.iteration():
                        await self.connect()
                except LOST:
                    await self.pause(pause)
                    pause = min(SLOWEST, pause * 2)
                    continue
                log.info("hearing of other processes again")
                pause = 0.1
                self.catch_up_all()  # after a failover the database may have lost entries
            with loop.iteration():
                await self.watch()
        while self.reading:
            await asyncio.wait(self.tasks)

    async def watch(self) -> None:
        """Wait RENEW_SECONDS or until the connection is lost. Then say that this process is there."""
        assert self.channel is not None
        with suppress(TimeoutError):
            await asyncio.wait_for(self.lost.wait(), RENEW_SECONDS)
        if self.closing:
            return
        try:
            if self.lost.is_set():
                raise ConnectionError("the connection was closed")
            if time.monotonic() - self.renewed > FRESH:
                raise TimeoutError("the others have given this process up")
            self.heard_of.clear()
            now = time.monotonic()
            found = await self.channel.renew()
            self.renewed = now
            self.know(found)
            self.take_back()
            if now - self.checked > CHECK_SECONDS:
                await self.check()
        except LOST:
            log.warning("not hearing of other processes")
            await self.channel.disconnect()

    async def check(self) -> None:
        """Send a notice to this process itself. Raises TimeoutError if it does not arrive: the connection may be alive
        but not listening any more, for example behind a pooler."""
        assert self.channel is not None
        self.echo.clear()
        await self.channel.send([(self.name, encoded(Notice(self.name)))])
        await asyncio.wait_for(self.echo.wait(), TIMEOUT)
        self.checked = time.monotonic()

    def know(self, found: set[str]) -> None:
        """These are the others, and those heard of meanwhile. Those who are gone may not have told what they committed
        last."""
        gone, self.others = self.others - found - self.heard_of, found | self.heard_of
        for table in list(self.tables.values()):
            if gone & table.holders:
                table.holders -= gone
                self.catch_up_later(table.id)

    def take_back(self) -> None:
        """Tables that were left while somebody was about to listen to them here."""
        for table in list(self.tables.values()):
            if table.left and table.listeners:
                table.left = False
                self.announce(table)
                self.catch_up_later(table.id)

    def stop(self) -> None:
        """Make `run` end after the tables being read."""
        self.closing = True
        self.lost.set()

    async def leave(self) -> None:
        """To be called after the last commit: tell of it, then disconnect."""
        if self.channel is not None and self.channel.open:
            with suppress(*LOST):
                await self.flush()
                await self.channel.leave()
            await self.channel.disconnect()

    # telling --------------------------------------------------------------------------------------------------------

    def announce(self, table: OpenTable) -> bool:
        """To be called when a table was loaded. Returns whether there are others who may have it, too."""
        if self.others:
            self.outbox("").holds[table.id] = table.seq
        return bool(self.others)

    def tell(self, table: OpenTable, entries: Sequence[StoredEntry]) -> None:
        """To be called after a commit, when this state of the table is public."""
        if table.left:
            table.left = False
            self.announce(table)
        for process in table.holders:
            self.outbox(process).commits.append((table.id, entries))

    def tell_reached(self, table: OpenTable) -> None:
        """The same if it is not known what was committed."""
        for process in table.holders:
            self.outbox(process).reached[table.id] = table.seq

    def ask(self, id: str) -> None:
        """Deadlines were set for seats without a socket here: ask the others for sockets."""
        if (table := self.tables.get(id)) is not None:
            for process in table.holders:
                self.outbox(process).asks[id] = None

    def outbox(self, process: str) -> Outbox:
        """What this process is told next, soon: all that is put in by then is one transaction."""
        if self.sending is None:
            self.sending = asyncio.create_task(self.send())
            self.tasks.add(self.sending)
            self.sending.add_done_callback(self.tasks.discard)
        if process not in self.outboxes:
            self.outboxes[process] = Outbox()
        return self.outboxes[process]

    async def send(self) -> None:
        try:
            await self.flush()
        except LOST:
            self.lost.set()  # `run` connects again, and says how far the tables are
        except Exception:
            metrics.FAULTS.labels("tell").inc()
            log.exception("other processes could not be told")
        finally:
            self.sending = None
            if self.outboxes:
                self.outbox("")

    async def flush(self) -> None:
        """Raises one of LOST."""
        assert self.channel is not None
        outboxes, self.outboxes = self.outboxes, {}
        try:
            notices = [(to, text) for to, outbox in outboxes.items() for text in outbox.texts(self.name)]
            if notices:
                await self.channel.send(notices)
                metrics.NOTICES.inc(len(notices))
        except BaseException:
            for outbox in outboxes.values():
                self.untold.update(outbox.tables())
            raise

    # hearing --------------------------------------------------------------------------------------------------------

    def hear(self, text: str) -> None:
        try:
            notice = read_notice(text)
            if notice.by == self.name:
                self.echo.set()
                return
            self.others.add(notice.by)
            self.heard_of.add(notice.by)
            self.handle(notice)
        except Exception:
            metrics.FAULTS.labels("hear").inc()
            log.exception("a notice could not be handled")

    def handle(self, notice: Notice) -> None:
        by = notice.by
        for id, seq in notice.holds:
            if (table := self.tables.get(id)) is not None and not table.left:
                self.shares(table, by)
                self.outbox(by).too[id] = table.seq
                self.catch_up_later(id, seq)
        for id, seq in notice.too:
            if (table := self.needed(by, id)) is not None:
                self.shares(table, by)
                if seq < table.seq:
                    self.outbox(by).reached[id] = table.seq
                self.catch_up_later(id, seq)
        for id, seq in notice.reached:
            if self.needed(by, id) is not None:
                self.catch_up_later(id, seq)
        for said in notice.commits:
            id, entries = read_commit(said)
            if (table := self.needed(by, id)) is not None:
                self.shares(table, by)
                if self.follow(table, entries):
                    metrics.FOLLOWED.labels("told").inc()
                else:
                    self.catch_up_later(id, entries[-1].seq)
        for id in notice.lacks:
            if (table := self.tables.get(id)) is not None:
                table.holders.discard(by)
        for id in notice.asks:
            if (table := self.needed(by, id)) is not None:
                self.claim_seats(table)

    def shares(self, table: OpenTable, by: str) -> None:
        """Another process has this table, too. It may have sockets of seats that seemed to be away before that was
        known."""
        if by not in table.holders:
            table.holders.add(by)
            if table.watched:
                self.outbox(by).asks[table.id] = None

    def needed(self, by: str, id: str) -> OpenTable | None:
        """The table of which another process tells. If nobody needs it here, that process need not tell of it any
        more."""
        table = self.tables.get(id)
        if table is None or table.left or self.let_go(table):
            self.outbox(by).lacks[id] = None
            return None
        return table

    # reading --------------------------------------------------------------------------------------------------------

    def catch_up_all(self) -> None:
        for table in [table for table in self.tables.values() if not table.left]:
            self.mark_unsure(table)
            self.catch_up_later(table.id)
            self.claim_seats(table)

    def catch_up_later(self, id: str, seq: int = 0) -> None:
        """Read a table up to this entry. There is one task per table; it continues with notices that arrive
        meanwhile."""
        table = self.tables.get(id)
        if table is None or (seq and seq <= table.seq):
            return
        if id in self.reading:
            self.reading[id] = max(self.reading[id], seq)
            return
        self.reading[id] = seq
        task = asyncio.create_task(self.read(id))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def read(self, id: str) -> None:
        try:
            while (table := self.tables.get(id)) is not None:
                wanted = self.reading[id]
                await self.catch_up(table, wanted or None)
                metrics.FOLLOWED.labels("read").inc()
                if table.unsure or self.reading[id] <= max(table.seq, wanted):
                    return
        except Exception:
            metrics.FAULTS.labels("catch up").inc()
            log.exception("a table could not be caught up", table=id)
            if (table := self.tables.get(id)) is not None:
                self.mark_unsure(table)
        finally:
            del self.reading[id]
