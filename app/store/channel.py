"""How processes on one Postgres hear of each other: a connection that listens, and a row for each process.

A process is there as long as Postgres has its listening connection and its row is fresh. Notices are sent on the same
connection, in transactions of their own that wait for no disk: Postgres lets no other process commit a notification
while one is being written.
"""

import asyncio
import hashlib
import hmac
from collections.abc import Callable, Sequence
from typing import Any

import asyncpg
from sqlalchemy import URL

from app.store.connect import TIMEOUT, dsn
from app.store.errors import FAILURES

EVERYBODY = "facedown"
LISTENS = "facedown, listening"  # the name of these connections in Postgres
FRESH = 8.0  # seconds after which a process whose row is not renewed counts as gone
LIMIT = 7900  # bytes of a notice; Postgres takes less than 8000
NOW = "extract(epoch FROM clock_timestamp())::float8"
RENEW = f"""
    WITH own AS (
        INSERT INTO processes (name, pid, seen) VALUES ($1, pg_backend_pid(), {NOW})
        ON CONFLICT (name) DO UPDATE SET pid = excluded.pid, seen = excluded.seen
    ), old AS (DELETE FROM processes WHERE name <> $1 AND seen < {NOW} - 3600)
    SELECT name FROM processes AS p
    WHERE name <> $1 AND seen > {NOW} - {FRESH} AND EXISTS (SELECT FROM pg_stat_activity AS a WHERE a.pid = p.pid)
"""
SEND = "SELECT pg_notify(channel, text) FROM unnest($1::text[], $2::text[]) AS sent (channel, text)"
LOST = (*FAILURES, asyncpg.InternalClientError)


class Channel:
    def __init__(self, url: URL, name: str, secret: str) -> None:
        """`name` of this process. Others are told something by channels that only who knows `secret` can hear: what
        tables are told contains sealed cards."""
        self.dsn = dsn(url)
        self.name = name
        self.secret = secret.encode()
        self.lock = asyncio.Lock()
        self.connection: Any = None

    @property
    def open(self) -> bool:
        return self.connection is not None

    def of(self, process: str) -> str:
        """The channel of this process; of all if it is ""."""
        if not process:
            return EVERYBODY
        return f"{EVERYBODY}_{hmac.new(self.secret, process.encode(), hashlib.sha256).hexdigest()[:40]}"

    async def connect(self, hear: Callable[[str], None], lost: Callable[[], None]) -> set[str]:
        """Listen; `hear(notice)` is called from then on, and `lost` when the connection is closed. Returns the names of
        the other processes. Raises one of LOST."""
        connection = await asyncpg.connect(
            self.dsn,
            timeout=TIMEOUT,
            command_timeout=TIMEOUT,
            server_settings={"application_name": LISTENS, "synchronous_commit": "off"},
        )
        self.connection = connection
        connection.add_termination_listener(lambda _: lost() if self.connection is connection else None)
        try:
            for channel in (EVERYBODY, self.of(self.name)):
                await connection.add_listener(channel, lambda _, pid, channel, text: hear(str(text)))
            return await self.renew()
        except BaseException:
            await self.disconnect()
            raise

    async def renew(self) -> set[str]:
        """Say that this process is there. Returns the names of the others."""
        return {row[0] for row in await self.run(RENEW, self.name)}

    async def send(self, notices: Sequence[tuple[str, str]]) -> None:
        """Send notices, each to a process by its name or, without one, to all."""
        channels, texts = [self.of(to) for to, _ in notices], [text for _, text in notices]
        await self.run(SEND, channels, texts)

    async def leave(self) -> None:
        """Say that this process is gone."""
        await self.run("DELETE FROM processes WHERE name = $1", self.name)

    async def run(self, statement: str, *arguments: Any) -> Any:
        async with self.lock:
            if self.connection is None:
                raise ConnectionError("not connected")
            return await self.connection.fetch(statement, *arguments)

    async def disconnect(self) -> None:
        connection, self.connection = self.connection, None
        if connection is not None:
            try:
                await connection.close(timeout=1)
            except LOST:
                connection.terminate()
