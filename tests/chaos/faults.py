"""The faults of a campaign. Each is done to a running cluster, and everything works again when it returns."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import asyncpg

from bench.machine import tree
from tests.support.postgres import plain
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.chaos.campaign import Campaign

SQLITE, POSTGRES, TWO, FOUR = "sqlite", "postgres", "two", "four"
ON_POSTGRES = POSTGRES, TWO, FOUR
MOMENTS = ("any", "lobby", "drafting", "sealing", "revealing", "bots")
ASLEEP = 0.4  # of the players, when devices are suspended
LONGEST_START = 2.5  # seconds within which a server that starts is killed
AT_RANDOM = "pid <> pg_backend_pid() AND datname = current_database() AND random() < 0.5"
LISTENERS = "datname = current_database() AND application_name = 'facedown, listening'"


@dataclass(frozen=True)
class Fault:
    name: str
    do: Callable[["Campaign"], Awaitable[None]]
    kinds: tuple[str, ...] = (SQLITE, *ON_POSTGRES)  # of clusters
    network: bool = False


# processes ------------------------------------------------------------------------------------------------------------


def killed(moment: str) -> Callable[["Campaign"], Awaitable[None]]:
    async def kill(campaign: "Campaign") -> None:
        server = victim(campaign)
        await campaign.wait_for(moment)
        server.kill()
        await begin(server)

    return kill


async def killed_while_starting(campaign: "Campaign") -> None:
    server = victim(campaign)
    server.kill()
    starting = asyncio.create_task(asyncio.to_thread(server.start))
    await asyncio.sleep(campaign.luck.uniform(0, LONGEST_START))
    if server.process is not None:
        with suppress(ProcessLookupError):
            os.killpg(server.process.pid, signal.SIGKILL)
    with suppress(AssertionError):  # it stopped instead of starting
        await starting
    server.kill()
    await begin(server)


async def all_killed(campaign: "Campaign") -> None:
    campaign.cluster.kill()
    await campaign.cluster.start()


async def stopped(campaign: "Campaign") -> None:
    server = victim(campaign)
    await asyncio.to_thread(server.stop, 40)
    await begin(server)


async def frozen(campaign: "Campaign") -> None:
    """The process does nothing for some seconds, as on a machine that was suspended."""
    process = victim(campaign).process
    assert process is not None
    process.send_signal(signal.SIGSTOP)
    await asyncio.sleep(campaign.luck.uniform(0.5, 3))
    process.send_signal(signal.SIGCONT)


async def worker_killed(campaign: "Campaign") -> None:
    """Its server starts another one."""
    worker = campaign.luck.choice(workers(campaign))
    await campaign.wait_for("any")
    with suppress(ProcessLookupError):
        os.kill(worker, signal.SIGKILL)
    while worker in workers(campaign):
        await asyncio.sleep(0.1)
    await asyncio.sleep(campaign.luck.uniform(0, 3))  # the new one may come after the next fault, too


async def worker_frozen(campaign: "Campaign") -> None:
    worker = campaign.luck.choice(workers(campaign))
    with suppress(ProcessLookupError):
        os.kill(worker, signal.SIGSTOP)
        await asyncio.sleep(campaign.luck.uniform(0.5, 12))  # after eight seconds the others give it up
        os.kill(worker, signal.SIGCONT)


def workers(campaign: "Campaign") -> list[int]:
    (server,) = campaign.cluster.servers
    assert server.process is not None
    found = tree(server.process.pid)[1:]
    return [pid for pid in found if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def victim(campaign: "Campaign") -> Server:
    return campaign.luck.choice(campaign.cluster.servers)


async def begin(server: Server) -> None:
    await asyncio.to_thread(server.start)


# the database ---------------------------------------------------------------------------------------------------------


def postgres_restarted(how: int) -> Callable[["Campaign"], Awaitable[None]]:
    async def restart(campaign: "Campaign") -> None:
        assert campaign.cluster.postgres is not None
        await asyncio.to_thread(campaign.cluster.postgres.stop, how)
        await asyncio.sleep(campaign.luck.uniform(0, 2))
        await asyncio.to_thread(campaign.cluster.postgres.start)

    return restart


async def connected(campaign: "Campaign") -> "asyncpg.Connection[asyncpg.Record]":
    assert campaign.cluster.postgres is not None
    return await asyncpg.connect(plain(campaign.cluster.postgres.url))


def terminated(which: str) -> Callable[["Campaign"], Awaitable[None]]:
    async def terminate(campaign: "Campaign") -> None:
        connection = await connected(campaign)
        for _ in range(campaign.luck.randint(1, 4)):
            await connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {which}")
            await asyncio.sleep(campaign.luck.uniform(0, 0.3))
        await connection.close()

    return terminate


async def locked(campaign: "Campaign") -> None:
    connection = await connected(campaign)
    async with connection.transaction():
        await connection.execute("LOCK TABLE moves, tables IN ACCESS EXCLUSIVE MODE")
        await asyncio.sleep(5)
    await connection.close()


async def read_only(campaign: "Campaign") -> None:
    """As a replica is, after a failover to the wrong one."""
    connection = await connected(campaign)
    name = await connection.fetchval("SELECT quote_ident(current_database())")
    await connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    everybody = "pid <> pg_backend_pid() AND datname = current_database()"
    await connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {everybody}")
    await asyncio.sleep(2)
    await connection.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    await connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {everybody}")
    await connection.close()


async def disk_full(campaign: "Campaign") -> None:
    """Fill the file system of the database for some seconds. Only where that is a small one of its own."""
    folder = campaign.cluster.folder
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(65536))
    with filler.open("ab", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(64))
    await asyncio.sleep(2)
    filler.unlink()


async def file_held(campaign: "Campaign") -> None:
    """Another program holds the SQLite file for 5 seconds."""
    async with campaign.cluster.store() as store, store.begin():
        await asyncio.sleep(5)


# the network ----------------------------------------------------------------------------------------------------------


async def connections_cut(campaign: "Campaign") -> None:
    for _ in range(campaign.luck.randint(1, 5)):
        for network in campaign.cluster.networks:
            network.cut()
        await asyncio.sleep(campaign.luck.uniform(0, 0.5))


async def half_open(campaign: "Campaign") -> None:
    for network in campaign.cluster.networks:
        network.leave_half_open()
    await asyncio.sleep(campaign.luck.uniform(0, 2))


async def held_up(campaign: "Campaign") -> None:
    """As when all phones are suspended for some seconds."""
    for network in campaign.cluster.networks:
        network.passing.clear()
    await asyncio.sleep(campaign.luck.uniform(1, 5))
    for network in campaign.cluster.networks:
        network.passing.set()


async def slow(campaign: "Campaign") -> None:
    for network in campaign.cluster.networks:
        network.delay = campaign.luck.uniform(0.05, 0.5)
    await asyncio.sleep(3)
    for network in campaign.cluster.networks:
        network.delay = 0.0


async def overtaken(campaign: "Campaign") -> None:
    """Messages arrive in another order than they were sent, and some after later ones of the same player, who has
    another connection by then."""
    for network in campaign.cluster.networks:
        network.delay, network.jitter = 0.5, 1.5
    await asyncio.sleep(1)
    for network in campaign.cluster.networks:
        network.cut_clients()
        network.delay = 0.0
    await asyncio.sleep(1.5)
    for network in campaign.cluster.networks:
        network.jitter = 0.0


async def suspended(campaign: "Campaign") -> None:
    """Some of the players' devices do nothing for 20 s, and close nothing."""
    players = [player for script in campaign.scripts.values() for player in script.players]
    sleeping = [player for player in players if player.connected and campaign.luck.random() < ASLEEP]
    for player in sleeping:
        player.suspend()
    await asyncio.sleep(20)
    for player in sleeping:
        player.resume()


async def doubled(campaign: "Campaign") -> None:
    """The server gets every connection, and so every message, twice."""
    for network in campaign.cluster.networks:
        network.doubles = True
        network.cut()
    await asyncio.sleep(3)
    for network in campaign.cluster.networks:
        network.doubles = False
        network.cut()


FAULTS = [
    *(Fault(f"killed, {moment}", killed(moment)) for moment in MOMENTS),
    Fault("killed while starting", killed_while_starting),
    Fault("both killed", all_killed, (TWO,)),
    Fault("a worker killed", worker_killed, (FOUR,)),
    Fault("a worker frozen", worker_frozen, (FOUR,)),
    Fault("stopped", stopped),
    Fault("frozen", frozen),
    Fault("Postgres restarted", postgres_restarted(signal.SIGINT), ON_POSTGRES),
    Fault("Postgres crashed", postgres_restarted(signal.SIGQUIT), ON_POSTGRES),
    Fault("backends terminated", terminated(AT_RANDOM), ON_POSTGRES),
    Fault("listeners terminated", terminated(LISTENERS), ON_POSTGRES),
    Fault("log locked for 5 s", locked, ON_POSTGRES),
    Fault("database read-only", read_only, ON_POSTGRES),
    Fault("disk full", disk_full, (SQLITE,)),
    Fault("file held for 5 s", file_held, (SQLITE,)),
    Fault("connections cut", connections_cut, network=True),
    Fault("connections half-open", half_open, network=True),
    Fault("data held up", held_up, network=True),
    Fault("network slow", slow, network=True),
    Fault("connections doubled", doubled, network=True),
    Fault("messages overtaken", overtaken, network=True),
    Fault("devices suspended for 20 s", suspended, network=True),
]
NETWORK = [fault.name for fault in FAULTS if fault.network]
KILLS = [fault.name for fault in FAULTS if "killed" in fault.name]


def small(folder: os.PathLike[str]) -> bool:
    """Whether this file system can be filled without harm."""
    found = os.statvfs(folder)
    return found.f_blocks * found.f_frsize <= 2**28


def choose(names: list[str], kind: str, folder: os.PathLike[str]) -> list[Fault]:
    return [
        fault
        for fault in FAULTS
        if fault.name in names and kind in fault.kinds and (fault.do is not disk_full or small(folder))
    ]


def sequence(faults: list[Fault], luck: Random) -> list[Fault]:
    """All of them, in random order."""
    return luck.sample(faults, len(faults))
