"""The servers of a campaign and their database."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random

from app.settings import Settings
from app.store.store import Store
from app.web.people import People
from tests.chaos.told import Wrong
from tests.support.network import Network
from tests.support.postgres import Postgres, StoppablePostgres
from tests.support.server import Server

KEY = "the key of a campaign, of 32 characters"
SETTINGS = {
    "SECRET_KEY": KEY,
    "LOG_FORMAT": "json",
    "LOG_LEVEL": "warning",
    "BOT_PAUSE": "0.01",
    "AWAY_SECONDS": "10",
    "SLEEP_SECONDS": "5",
    "LIMIT_SOCKETS": "1000",
}
# What a server may say in its log while its database or another process is being disturbed.
EXPECTED = {
    "the database is away",
    "the database cannot be reached",
    "deadlines cannot be read",
    "logouts cannot be read",
    "a worker has ended or hangs",
    "not hearing of other processes",
    "waiting for the database",
    "a deadline was refused",
    "many commits conflict: route by table",
}


class Cluster:
    """One server, perhaps with several workers, or two that share tables; on SQLite or on a Postgres of its own."""

    def __init__(self, folder: Path, processes: int, postgres: StoppablePostgres | None, workers: int = 1) -> None:
        self.postgres = postgres
        self.folder = folder
        settings = {**SETTINGS, "DATABASE_URL": postgres.url if postgres else "", "WORKERS": str(workers)}
        self.settings = Settings(database_url=postgres.url if postgres else "", data_dir=str(folder))
        self.servers = [Server(folder, None, (), **settings) for _ in range(processes)]
        self.people = People(KEY)
        self.luck = Random()
        self.networks: list[Network] = []  # one before each server, if clients shall have bad connections

    def port(self) -> int:
        """Where clients reach any of the servers, perhaps one that is down."""
        if self.networks:
            return self.luck.choice(self.networks).port
        return self.luck.choice(self.servers).port

    async def start(self) -> None:
        await asyncio.gather(*(asyncio.to_thread(server.start) for server in self.servers if server.process is None))

    async def stop(self) -> None:
        await asyncio.gather(*(asyncio.to_thread(server.stop) for server in self.servers if server.process))

    def kill(self) -> None:
        for server in self.servers:
            server.kill()

    async def ready(self) -> bool:
        answers = await asyncio.gather(*(asyncio.to_thread(server.get, "/readyz") for server in self.servers))
        return all(status == 200 for status, _ in answers)

    @asynccontextmanager
    async def store(self) -> AsyncIterator[Store]:
        """The database, as another program reads it."""
        store = await Store.open(self.settings)
        try:
            yield store
        finally:
            await store.close()

    def said(self) -> Counter[str]:
        """The warnings and errors in the logs, with their numbers. Raises Wrong if one was not to be expected."""
        found: Counter[str] = Counter()
        for server in self.servers:
            for line in server.log.read_text("utf-8", "replace").splitlines():
                if line.startswith("{"):
                    said = json.loads(line)
                    if said["level"] not in ("info", "debug"):
                        found[said["event"]] += 1
                        if said["event"] not in EXPECTED:
                            raise Wrong(f"a server said: {line}")
                elif "Traceback" in line:
                    raise Wrong(f"a server broke:\n{server.tail(200)}")
        return found


@asynccontextmanager
async def cluster_of(
    kind: str, folder: Path, server: Postgres | None = None, networks: bool = False
) -> AsyncIterator[Cluster]:
    """`kind` is "sqlite", "postgres", "two": two servers on one Postgres, or "four": one with four workers."""
    if kind == "sqlite":
        cluster = Cluster(folder, 1, None)
    else:
        assert server is not None
        cluster = Cluster(folder, 2 if kind == "two" else 1, StoppablePostgres(server), 4 if kind == "four" else 1)
    async with AsyncExitStack() as stack:
        stack.callback(cluster.kill)
        if networks:
            between = [Network("127.0.0.1", one.port) for one in cluster.servers]
            cluster.networks = [await stack.enter_async_context(network) for network in between]
        yield cluster
