"""The load generator, which runs as a separate process: `python -m bench.load --port … --tables 100 --seconds 5`.

Tables play whole games without a pause (`--pace 0`), or begin `--pace` rounds per second each, evenly staggered.
Prints the measurements as one JSON object.
"""

import argparse
import asyncio
import gc
import json
import time
from collections.abc import Sequence
from random import Random
from typing import Any

import uvloop

from bench.machine import busy_seconds, cpu_seconds
from bench.players import Counts, Table
from bench.wire import Http

TOGETHER = 16  # tables that are opened concurrently
TIMER = 60  # seconds; long enough never to run out


async def open_tables(
    port: int | Sequence[int], how_many: int, counts: Counts, timers: int = 0, **how: Any
) -> list[Table]:
    """Open tables and connect their players; each table stays at one of the ports. `timers=n`: every n-th table has a
    timer; 0: none."""
    ports = [port] if isinstance(port, int) else port
    timer = [TIMER if timers and n % timers == 0 else 0 for n in range(how_many)]
    tables = [
        Table(ports[n % len(ports)], counts=counts, luck=Random(n), timer=timer[n], **how) for n in range(how_many)
    ]
    waiting = iter(tables)

    async def work() -> None:
        connections = {port: Http(port) for port in ports}
        for table in waiting:
            await table.sit(connections[table.port])
        for http in connections.values():
            http.close()

    await asyncio.gather(*(work() for _ in range(min(TOGETHER, how_many))))
    return tables


class Pace:
    """Starts `rate` rounds per second at each table, with the tables evenly staggered."""

    def __init__(self, rate: float, tables: Sequence[Table]) -> None:
        self.every = 1 / rate
        self.loop = asyncio.get_running_loop()
        begin = self.loop.time() + 0.1
        self.due = {table: begin + self.every * n / len(tables) for n, table in enumerate(tables)}

    def __call__(self, table: Table) -> None:
        now = self.loop.time()
        due = self.due[table]
        # A late table keeps its slot. Otherwise tables that were late together would stay in step.
        self.due[table] = due + self.every * (1 + max(0, now - due) // self.every)
        if due <= now:
            table.counts.late += 1
            table.play(due=time.perf_counter() - (now - due))
        else:
            self.loop.call_at(due, table.play)


async def measure(args: argparse.Namespace) -> dict[str, Any]:
    warming, counts = Counts(), Counts()
    how = {"json": not args.html, "deflate": args.deflate}
    tables = await open_tables(args.port, args.tables, warming, args.timers, **how)
    pace = Pace(args.pace, tables) if args.pace else None
    for table in tables:
        table.pace = pace
        table.begin()
    await asyncio.sleep(args.warm)
    await played(warming, args.rounds * args.tables, tables)
    gc.collect()
    gc.freeze()
    for table in tables:
        table.counts = counts
    wire = wire_bytes(tables)
    before = time.perf_counter(), *cpus(args), time.process_time()
    await asyncio.sleep(args.seconds)
    await played(counts, args.rounds * args.tables, tables)
    after = time.perf_counter(), *cpus(args), time.process_time()
    seconds, server, database, proxy, machine, mine = (b - a for a, b in zip(before, after, strict=True))
    wire = wire_bytes(tables) - wire
    broken = sum(table.broken for table in tables)
    for table in tables:
        table.close()
    rounds = max(1, counts.rounds)
    times = sorted(counts.latencies)
    return {
        "tables": args.tables,
        "rounds": counts.rounds / seconds,
        "per_cpu_second": counts.rounds / max(0.01, server + database),
        "p50": 1000 * times[len(times) // 2] if times else None,
        "p99": 1000 * times[int(len(times) * 0.99)] if times else None,
        "server": server / seconds,
        "database": database / seconds,
        "proxy": proxy / seconds,
        "generator": mine / seconds,
        "others": (machine - server - database - proxy - mine) / seconds,
        "bytes": counts.bytes / rounds,
        "wire": wire / rounds,
        "messages": counts.messages / rounds,
        "asks": counts.asks / rounds,
        "games": counts.games,
        "late": counts.late,
        "broken": broken,
        "errors": counts.errors[:3],
    }


async def played(counts: Counts, rounds: int, tables: Sequence[Table]) -> None:
    """Wait until so many rounds were played, in case that the machine is busy; or a minute."""
    end = time.monotonic() + 60
    while counts.rounds < rounds and time.monotonic() < end and not all(table.broken for table in tables):
        await asyncio.sleep(0.1)


def cpus(args: argparse.Namespace) -> tuple[float, float, float, float]:
    server, database, proxy = (sum(map(cpu_seconds, pids)) for pids in (args.server, args.database, args.proxy))
    return server, database, proxy, busy_seconds()


def wire_bytes(tables: Sequence[Table]) -> int:
    return sum(player.socket.wire_bytes for table in tables for player in table.players if player.socket)


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    found.add_argument("--port", type=int, nargs="+", required=True, help="tables take turns if there are several")
    found.add_argument("--tables", type=int, default=100)
    found.add_argument("--seconds", type=float, default=5)
    found.add_argument("--warm", type=float, default=2)
    found.add_argument("--rounds", type=int, default=0, help="for each table, at least: to warm up, and to be measured")
    found.add_argument("--pace", type=float, default=0, help="rounds per second and table; 0: as fast as possible")
    found.add_argument("--timers", type=int, default=0, help="every n-th table has a timer; 0: none")
    found.add_argument("--html", action="store_true", help="receive HTML fragments, as browsers do, instead of JSON")
    found.add_argument("--deflate", action="store_true", help="ask for compression, as browsers do")
    found.add_argument("--server", type=int, nargs="*", default=[], help="process ids of servers, to measure their CPU")
    found.add_argument("--database", type=int, nargs="*", default=[])
    found.add_argument("--proxy", type=int, nargs="*", default=[])
    return found


if __name__ == "__main__":
    print(json.dumps(uvloop.run(measure(parser().parse_args()))))
