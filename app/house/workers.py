"""Workers hear of each other's commits: Postgres NOTIFY, on a connection of its own."""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import asyncpg

from app.logs import get
from app.store.connect import SECONDS, address, dsn

if TYPE_CHECKING:
    from app.house.house import House

log = get("news")
CHANNEL = "facedown"
SLOWEST = 5.0  # seconds between tries to connect again
ASK_SECONDS = 15.0  # how often a silent connection is asked whether it still lives


class News:
    def __init__(self, house: "House") -> None:
        self.house = house
        self.connection: Any = None
        self.lost = asyncio.Event()
        self.tasks: set[asyncio.Task[None]] = set()
        self.reading: dict[str, int] = {}  # tables being caught up, and how far they must go

    async def connect(self) -> None:
        """Nothing where there is but one process."""
        if not self.house.store.postgres:
            return
        url = dsn(address(self.house.settings))
        self.connection = connection = await asyncpg.connect(url, timeout=SECONDS, command_timeout=SECONDS)
        self.lost.clear()
        connection.add_termination_listener(lambda _: self.lost.set())
        try:
            await connection.add_listener(CHANNEL, self.heard)
        except BaseException:
            await self.disconnect()
            raise

    async def run(self) -> None:
        """Connects again whenever the connection is lost, and then catches up: nobody repeats what was missed."""
        if not self.house.store.postgres:
            return
        pause = 0.1
        while not self.house.closing.is_set():
            if self.connection is None:
                try:
                    await self.connect()
                except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
                    await self.house.pause(pause)
                    pause = min(SLOWEST, pause * 2)
                    continue
                log.info("hearing of other workers again")
                pause = 0.1
                self.catch_up_all(doubt=True)  # perhaps it is another server now, which knows less
            await self.watch()
        await self.disconnect()
        while self.tasks:
            await asyncio.wait(self.tasks)

    async def watch(self) -> None:
        """Until the connection is lost."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.lost.wait(), ASK_SECONDS)
        if self.house.closing.is_set():
            return
        try:
            await self.connection.execute("SELECT 1")
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
            log.warning("not hearing of other workers")
            await self.disconnect()

    def stop(self) -> None:
        """The house closes: `run` ends when what was heard is read."""
        self.lost.set()

    async def disconnect(self) -> None:
        connection, self.connection = self.connection, None
        if connection is not None:
            try:
                await connection.close(timeout=1)
            except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
                connection.terminate()

    def heard(self, connection: Any, pid: int, channel: str, payload: Any) -> None:
        words = str(payload).split()
        if not words or words[0] == self.house.worker:
            return
        for word in words[1:]:
            if word == "*":
                self.catch_up_all()
            elif word.startswith("?"):
                if (found := self.house.lives.get(word[1:])) is not None:
                    self.house.presence.asked_for(found)
            else:
                table, _, seq = word.partition(":")
                self.catch_up(table, int(seq) if seq.isdecimal() else 0)

    def catch_up_all(self, doubt: bool = False) -> None:
        for live in list(self.house.lives.values()):
            if doubt:
                self.house.journal.doubt(live)
            self.catch_up(live.id)
            self.house.presence.asked_for(live)

    def catch_up(self, table: str, seq: int = 0) -> None:
        """One reading at a time for a table; what is heard meanwhile is read after it."""
        live = self.house.lives.get(table)
        if live is None or (seq and seq <= live.seq):
            return
        if table in self.reading:
            self.reading[table] = max(self.reading[table], seq)
            return
        self.reading[table] = seq
        task = asyncio.create_task(self.read(table))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def read(self, table: str) -> None:
        try:
            while (live := self.house.lives.get(table)) is not None:
                wanted = self.reading[table]
                await self.house.catch_up(live, wanted or None)
                if live.unsure or self.reading[table] <= max(live.seq, wanted):
                    return
        finally:
            del self.reading[table]
