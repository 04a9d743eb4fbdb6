"""Follows the commits of other processes, through LISTEN and NOTIFY on a dedicated Postgres connection."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

import asyncpg

from app import metrics
from app.house.open_table import OpenTable
from app.house.supervisor import Loop
from app.logs import get
from app.store.connect import TIMEOUT

log = get("workers")
CHANNEL = "facedown"
SLOWEST = 5.0  # longest pause between attempts to reconnect, in seconds
CHECK_SECONDS = 15.0  # how often the connection is checked
LOST = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)


class Workers:
    def __init__(
        self,
        worker: str,
        dsn: str,
        tables: Mapping[str, OpenTable],
        catch_up: Callable[[OpenTable, int | None], Awaitable[None]],
        mark_unsure: Callable[[OpenTable], None],
        claim_seats: Callable[[OpenTable], None],
        pause: Callable[[float], Awaitable[bool]],
    ) -> None:
        """`worker` is the name of this process; `dsn` is empty if there are no others. `tables` are those in memory.
        `claim_seats(table)` is called if another process has set deadlines for seats that may have a socket here."""
        self.worker = worker
        self.dsn = dsn
        self.tables = tables
        self.catch_up = catch_up
        self.mark_unsure = mark_unsure
        self.claim_seats = claim_seats
        self.pause = pause
        self.closing = False
        self.connection: Any = None
        self.lost = asyncio.Event()
        self.echo = asyncio.Event()  # this process has received its own notification
        self.tasks: set[asyncio.Task[None]] = set()
        self.reading: dict[str, int] = {}  # tables being read -> the number of the last entry that must be read

    @property
    def hears(self) -> bool:
        return not self.dsn or self.connection is not None

    async def connect(self) -> None:
        """Listen for notifications, if there can be other processes."""
        if not self.dsn:
            return
        self.connection = connection = await asyncpg.connect(self.dsn, timeout=TIMEOUT, command_timeout=TIMEOUT)
        self.lost.clear()
        connection.add_termination_listener(lambda _: self.lost.set())
        try:
            await connection.add_listener(CHANNEL, self.heard)
        except BaseException:
            await self.disconnect()
            raise

    async def run(self, loop: Loop) -> None:
        """Reconnect whenever the connection is lost, then read all tables: missed notifications are not repeated."""
        pause = 0.1
        while not self.closing:
            if self.connection is None:
                try:
                    with loop.iteration():
                        await self.connect()
                except LOST:
                    await self.pause(pause)
                    pause = min(SLOWEST, pause * 2)
                    continue
                log.info("hearing of other processes again")
                pause = 0.1
                self.catch_up_all(unsure=True)  # after a failover the database may have lost entries
            with loop.iteration():
                await self.watch()
        await self.disconnect()
        while self.tasks:
            await asyncio.wait(self.tasks)

    async def watch(self) -> None:
        """Wait CHECK_SECONDS or until the connection is lost. Then notify this process itself; if that does not arrive,
        disconnect: the connection may be alive but not listening any more, for example behind a pooler."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.lost.wait(), CHECK_SECONDS)
        if self.closing:
            return
        try:
            self.echo.clear()
            await self.connection.execute("SELECT pg_notify($1, $2)", CHANNEL, self.worker)
            await asyncio.wait_for(self.echo.wait(), TIMEOUT)
        except LOST:
            log.warning("not hearing of other processes")
            await self.disconnect()

    def stop(self) -> None:
        """Make `run` end after the tables being read."""
        self.closing = True
        self.lost.set()

    async def disconnect(self) -> None:
        connection, self.connection = self.connection, None
        if connection is not None:
            try:
                await connection.close(timeout=1)
            except LOST:
                connection.terminate()

    def heard(self, connection: Any, pid: int, channel: str, payload: Any) -> None:
        worker, *words = str(payload).split() or [""]
        if worker == self.worker:
            self.echo.set()
            return
        for word in words:
            try:
                self.follow(word)
            except Exception:
                metrics.FAULTS.labels("hear").inc()
                log.exception("a notification could not be handled", word=word)

    def follow(self, word: str) -> None:
        if word == "*":
            self.catch_up_all()
        elif word.startswith("?"):
            if (found := self.tables.get(word[1:])) is not None:
                self.claim_seats(found)
        else:
            table, _, seq = word.partition(":")
            self.catch_up_later(table, int(seq) if seq.isdecimal() else 0)

    def catch_up_all(self, unsure: bool = False) -> None:
        for table in list(self.tables.values()):
            if unsure:
                self.mark_unsure(table)
            self.catch_up_later(table.id)
            self.claim_seats(table)

    def catch_up_later(self, id: str, seq: int = 0) -> None:
        """Read a table up to this entry. There is one task per table; it continues with notifications that arrive
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
                if table.unsure or self.reading[id] <= max(table.seq, wanted):
                    return
        except Exception:
            metrics.FAULTS.labels("catch up").inc()
            log.exception("a table could not be caught up", table=id)
            if (table := self.tables.get(id)) is not None:
                self.mark_unsure(table)
        finally:
            del self.reading[id]
