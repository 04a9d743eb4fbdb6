"""`python -m tests.chaos.soak --minutes 60 --tables 300`: programs play at many tables for long, without faults.

The memory of the server must stay the same from the second quarter of the time to the last one. When all tables sleep,
no socket, table or thread may be left, and the log may hold no error and no warning of something that was not closed.
Memory is compared only after half an hour or more: games must have ended, and closed sockets must have been collected.
"""

import argparse
import asyncio
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.machine import memory
from engine.game import games
from tests.chaos.campaign import Campaign
from tests.chaos.cluster import Cluster, cluster_of
from tests.chaos.told import Wrong
from tests.support.server import Server

SAMPLES = 40
LONG = 1800  # seconds
MOST_GROWTH = 1.1  # of memory, from the second quarter to the last
PATIENT = 30.0  # seconds that a client waits for a reply: with many tables on a busy machine all are slow
LONGEST_SLEEP = 120  # seconds until all tables sleep
NOT_CLOSED = re.compile("ResourceWarning|was destroyed|never retrieved|never awaited|unclosed")
GAUGE = re.compile(r"^facedown_(tables_awake|sockets)(?:{.*})? (\S+)$", re.MULTILINE)


def measured(server: Server) -> tuple[int, int, int]:
    """Memory in bytes, open files, threads."""
    assert server.process is not None
    pid = server.process.pid
    here = Path(f"/proc/{pid}")
    return memory(pid), len(list((here / "fd").iterdir())), len(list((here / "task").iterdir()))


def in_use(server: Server) -> float:
    """Tables in memory and open sockets, from /metrics."""
    return sum(float(value) for _, value in GAUGE.findall(server.get("/metrics")[1]))


class Soak(Campaign):
    async def soak(self, seconds: float, pace: float) -> None:
        """Raises Wrong."""
        self.pace, self.long = pace, seconds >= LONG
        self.longest_reply = PATIENT  # otherwise slow connections are taken for dead and made anew
        await self.cluster.start()
        (server,) = self.cluster.servers
        before, samples = measured(server), []
        async with self.cluster.store() as store:
            self.slots = [asyncio.create_task(self.slot(n, store)) for n in range(self.tables)]
            for _ in range(SAMPLES):
                await asyncio.sleep(seconds / SAMPLES)
                self.look()
                samples.append(measured(server))
                self.say(f"{self.line(samples[-1])}, {self.progress()}")
            await self.end()
        until = time.monotonic() + LONGEST_SLEEP
        while in_use(server):
            if time.monotonic() > until:
                raise Wrong(f"{in_use(server):.0f} tables and sockets are left")
            await asyncio.sleep(1)
        after = measured(server)
        self.say(f"asleep: {self.line(after)}; at the start: {self.line(before)}")
        await self.cluster.stop()
        self.check(samples, before, after)

    def line(self, sample: tuple[int, int, int]) -> str:
        return f"{sample[0] / 1e6:.0f} MB, {sample[1]} files, {sample[2]} threads"

    def progress(self) -> str:
        ended, going = self.counts["tables that ended"], list(self.scripts.values())
        events = sum(max(player.newest[1] for player in script.players) for script in going)
        return f"{ended} tables ended, {events} events at {len(going)} others"

    def check(
        self, samples: list[tuple[int, int, int]], before: tuple[int, int, int], after: tuple[int, int, int]
    ) -> None:
        second, last = (statistics.median(sample[0] for sample in part) for part in (samples[10:20], samples[30:]))
        if self.long and last > second * MOST_GROWTH:
            raise Wrong(f"memory grew from {second / 1e6:.0f} to {last / 1e6:.0f} MB")
        for what, there, now in zip(("files", "threads"), before[1:], after[1:], strict=True):
            if now > there + 12:  # connections and threads of the database stay open
                raise Wrong(f"{now} {what} are open, {there} at the start")
        said = self.cluster.said()
        text = self.cluster.servers[0].log.read_text()
        if said or (found := NOT_CLOSED.search(text)):
            raise Wrong(f"the log says: {dict(said) or found}")


async def run(args: argparse.Namespace, say: Callable[[str], None]) -> Soak:
    with tempfile.TemporaryDirectory(prefix="facedown-soak-") as folder:
        async with cluster_of("sqlite", Path(folder)) as cluster:
            warn(cluster)
            soak = Soak(cluster, args.seed, args.tables, say, args.game or ())
            await soak.soak(args.minutes * 60, args.pace)
            return soak


def warn(cluster: Cluster) -> None:
    """Let the server warn of what is not closed."""
    for server in cluster.servers:
        server.settings["PYTHONWARNINGS"] = "default::ResourceWarning,default::RuntimeWarning"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.chaos.soak")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--pace", type=float, default=4.0, help="the longest pause of a player, in seconds")
    parser.add_argument("--game", action="append", choices=list(games()), help="may be repeated; otherwise all")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    begun = time.monotonic()
    soak = asyncio.run(run(args, lambda line: print(f"  {time.monotonic() - begun:5.0f} s {line}", flush=True)))
    for name, times in sorted(soak.counts.items()):
        print(f"{times:8} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
