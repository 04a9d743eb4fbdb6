"""`make bench`: starts Postgres and the released server, plays games, and prints a table of measurements.

`--only` selects figures by name. If PEERS is set, other servers are measured too (see README.md).
"""

import argparse
import asyncio
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import uvloop

from bench import peers
from bench.load import open_tables
from bench.machine import LOAD_CORES, SERVER_CORES, pin
from bench.players import Counts
from bench.server import Server, database
from tests.support.postgres import Postgres

Row = tuple[str, str, str]
MOST_BY_OTHERS = 0.12  # cores that something else may use before figures cannot be trusted
MEMORY: dict[str, dict[str, bool]] = {
    "JSON": {"json": True},
    "HTML": {"json": False},
    "HTML compressed": {"json": False, "deflate": True},
}


class Bench:
    def __init__(self, postgres: Postgres, folder: Path, repeats: int, seconds: float) -> None:
        self.postgres = postgres
        self.folder = folder
        self.repeats = repeats
        self.seconds = seconds

    def server(self, name: str = "", **settings: str) -> Server:
        server = Server(self.postgres, self.folder, name, **settings)
        server.cores = SERVER_CORES
        return server

    def load(self, server: Server, *arguments: str) -> dict[str, Any]:
        assert self.postgres.process is not None
        pids = ["--server", str(server.pid), "--database", str(self.postgres.process.pid)]
        command = [sys.executable, "-m", "bench.load", "--port", str(server.port), *pids, *arguments]
        done = subprocess.run(command, stdout=subprocess.PIPE, timeout=180, check=True)
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def repeated(self, server: Server, *arguments: str) -> list[dict[str, Any]]:
        return [self.load(server, "--seconds", str(self.seconds), *arguments) for _ in range(self.repeats)]

    # figures --------------------------------------------------------------------------------------------------------

    def json(self) -> Iterator[Row]:
        with self.server() as server:
            yield row("JSON, rounds per CPU-second, durable", self.repeated(server, "--tables", "100"))
        with self.server(BENCH_PROGRAM="bench.forgetful") as server:
            yield row("JSON, a journal that keeps nothing", self.repeated(server, "--tables", "100"))

    def html(self) -> Iterator[Row]:
        with self.server() as server:
            yield row("HTML, rounds per CPU-second, durable", self.repeated(server, "--tables", "100", "--html"))
            deflated = self.repeated(server, "--tables", "100", "--html", "--deflate")
            yield row("HTML compressed, as browsers ask for it", deflated)

    def timers(self) -> Iterator[Row]:
        ways = {
            "JSON, no timers": ("--tables", "100"),
            "JSON, one table in ten has a timer": ("--tables", "100", "--timers", "10"),
            "JSON, ten tables, all with timers": ("--tables", "10", "--timers", "1"),
        }
        runs: dict[str, list[dict[str, Any]]] = {name: [] for name in ways}
        with self.server() as server:
            for _ in range(self.repeats):  # interleaved, as in `growth`
                for name, told in ways.items():
                    runs[name].append(self.load(server, "--seconds", str(self.seconds), *told))
        for name, found in runs.items():
            yield row(name, found)

    def alone(self) -> Iterator[Row]:
        for name, more in (("JSON", []), ("HTML", ["--html"])):
            with self.server() as server:
                runs = self.repeated(server, "--tables", "1", *more)
                p50, p99 = (statistics.median(run[p] for run in runs) for p in ("p50", "p99"))
                yield (
                    f"last move to reveal, one table alone, {name}",
                    f"p50 {p50:.1f} ms, p99 {p99:.1f} ms",
                    beside(runs),
                )

    def paced(self) -> Iterator[Row]:
        for name, tables, more in (("JSON", (1000, 1500, 1700, 2000), []), ("HTML", (500, 700, 1000), ["--html"])):
            for number in tables:
                with self.server() as server:
                    run = self.load(server, "--tables", str(number), "--pace", "1", "--warm", "14", *more)
                text = f"p99 {run['p99']:.0f} ms, {run['late']} rounds late"
                yield f"{number} tables at a round a second, {name}", text, beside([run])

    def memory(self) -> Iterator[Row]:
        for name, how in MEMORY.items():
            with self.server(SLEEP_SECONDS="2") as server:
                awake, asleep = uvloop.run(memory_of(server, 300, **how))
                yield f"memory of a live table with its four sockets, {name}", f"{awake / 1000:.0f} kB", ""
                yield (
                    f"memory of a table that sleeps, {name}",
                    f"{asleep / 1000:.0f} kB",
                    "",
                )

    def start(self) -> Iterator[Row]:
        with self.server() as server:
            server.stop()
            times = []
            for _ in range(self.repeats):
                server.start()
                times.append(server.started)
                server.stop()
            server.start()
            yield "start of the process to ready", f"{statistics.median(times):.2f} s", ""

    def restart(self) -> Iterator[Row]:
        with self.server() as server:
            seconds, refused = uvloop.run(restarted(server, 1000))
            yield (
                "restart with 4,000 clients: all have a full view",
                f"{seconds:.1f} s",
                f"{refused} tries before it was up",
            )

    def growth(self) -> Iterator[Row]:
        ways = {"100": (), "1000": ("--warm", "20", "--seconds", "15")}  # 1000 tables need longer to warm up
        runs: dict[str, list[dict[str, Any]]] = {tables: [] for tables in ways}
        for _ in range(self.repeats):  # interleaved, because the speed of the machine changes from minute to minute
            for tables, more in ways.items():
                with self.server() as server:
                    runs[tables].append(self.load(server, "--seconds", str(self.seconds), "--tables", tables, *more))
        for tables, found in runs.items():
            yield row(f"JSON, {tables} tables", found)
        with self.server() as server:
            yield row("JSON, an empty database", self.repeated(server, "--tables", "100"))
            finished(self.postgres, server.database, 100_000)
            yield row("JSON, 100,000 finished tables in the database", self.repeated(server, "--tables", "100"))


async def memory_of(server: Server, tables: int, **how: bool) -> tuple[float, float]:
    """Bytes per table: the increase while tables are in the middle of a game, and what remains of a sleeping table.

    The second figure comes from a second wave of tables, because Python keeps and reuses the memory of the first.
    """
    await wave(server, 20, **how)
    before = server.memory
    awake = await wave(server, tables, **how)
    first = server.memory
    await wave(server, tables, **how)
    return (awake - before) / tables, (server.memory - first) / tables


async def wave(server: Server, tables: int, **how: bool) -> int:
    """Let tables play twelve asks, disconnect, and wait until they sleep. Returns the memory before the disconnect."""
    opened = await open_tables(server.port, tables, Counts(), stop_after=12, **how)
    for table in opened:
        table.begin()
    await asyncio.wait_for(asyncio.gather(*(table.done.wait() for table in opened)), 170)
    awake = server.memory
    for table in opened:
        table.close()
    await asyncio.sleep(6)
    return awake


async def restarted(server: Server, tables: int) -> tuple[float, int]:
    opened = await open_tables(server.port, tables, Counts(), json=True)
    for table in opened:
        table.begin()
        table.stopping = True
    players = [player for table in opened for player in table.players]
    await asyncio.to_thread(server.stop)
    began, refused = time.monotonic(), 0
    starting = asyncio.create_task(asyncio.to_thread(server.start))

    async def back(player: Any) -> None:
        nonlocal refused
        while True:
            try:
                await player.open()
                await asyncio.wait_for(player.heard.wait(), 10)
                return
            except (OSError, TimeoutError):
                refused += 1
                await asyncio.sleep(0.5 + Random().random() / 2)

    await asyncio.gather(*(back(player) for player in players))
    seconds = time.monotonic() - began
    await starting
    for table in opened:
        table.close()
    return seconds, refused


def finished(postgres: Postgres, database: str, count: int) -> None:
    """Insert copies of a finished table, each with the last lines of its log."""
    url = postgres.url(database).replace("+asyncpg", "")
    moves = "SELECT * FROM moves WHERE table_id = (SELECT id FROM t) ORDER BY seq DESC LIMIT 8"
    fill = f"""
        WITH t AS (SELECT * FROM tables ORDER BY seq DESC LIMIT 1), n AS (SELECT generate_series(1, {count}) AS n),
        m AS ({moves}), lines AS (
            INSERT INTO moves SELECT 'old' || n, seq, version, at, person, '', secret, action, events FROM m, n
        )
        INSERT INTO tables SELECT 'old' || n, 'old' || n, 'old' || n, game, 'over', seq, began, saved, touched FROM t, n
    """

    async def run() -> None:
        import asyncpg

        connection = await asyncpg.connect(url)
        await connection.execute(fill)
        await connection.execute("ANALYZE")
        await connection.close()

    asyncio.run(run())


# The table ----------------------------------------------------------------------------------------------------------


def row(name: str, runs: list[dict[str, Any]]) -> Row:
    rates = [run["per_cpu_second"] for run in runs]
    kilobytes = statistics.median(run["bytes"] for run in runs) / 1000
    wire = statistics.median(run["wire"] for run in runs) / 1000
    size = f"{kilobytes:.1f} kB a round" if wire > kilobytes else f"{wire:.1f} kB a round on the wire"
    faults = sum(run["broken"] + len(run["errors"]) for run in runs)
    text = f"**{statistics.median(rates):,.0f}** ({min(rates):,.0f} to {max(rates):,.0f}); {size}"
    return name, text + (f"; {faults} FAULTS" if faults else ""), beside(runs)


def beside(runs: list[dict[str, Any]]) -> str:
    """The CPU that each part used, in cores, and whether something else disturbed the measurement."""
    parts = ("server", "database", "generator", "others")
    used = {part: statistics.median(run[part] for run in runs) for part in parts}
    text = ", ".join(f"{part} {cores:.2f}" for part, cores in used.items())
    return text + (" (DISTURBED)" if used["others"] > MOST_BY_OTHERS else "")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    figures = ("json", "html", "timers", "alone", "paced", "memory", "start", "restart", "growth")
    parser.add_argument("--only", nargs="*", default=figures, choices=figures)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--write", type=Path, help="also write the table to this file")
    args = parser.parse_args()
    pin(os.getpid(), LOAD_CORES)
    lines = [f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}", ""]
    lines += ["| figure | here | CPU in cores while it was measured |", "|---|---|---|"]
    print("\n".join(lines), flush=True)
    with database(SERVER_CORES) as postgres, tempfile.TemporaryDirectory() as folder:
        bench = Bench(postgres, Path(folder), args.repeats, args.seconds)
        for figure in args.only:
            take: Callable[[], Iterator[Row]] = getattr(bench, figure)
            for found in take():
                lines.append(f"| {' | '.join(found)} |")
                print(lines[-1], flush=True)
    if "PEERS" in os.environ:
        lines += ["", peers.table(Path(os.environ["PEERS"]), peers.PEERS, args.repeats, args.seconds)]
        print("\n".join(lines[-2:]))
    if args.write:
        args.write.write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
