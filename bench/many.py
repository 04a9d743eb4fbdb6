"""One process, several workers, several servers: what a round costs. `python -m bench.many`

Tables play in a closed loop; the cost is the CPU of all servers and of Postgres, without the proxy. All ways are
measured once in each repeat, since the speed of the machine changes from minute to minute. Prints a table.
"""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.proxies import proxy_before
from bench.server import Server, database, opener
from tests.support.postgres import Postgres

COUNTED = re.compile(r"^facedown_(conflicts|entries|notices|connections_handed_over)_total ([0-9.e+]+)$", re.MULTILINE)
FOLLOWED = re.compile(r"^facedown_followed_total{.*} ([0-9.e+]+)$", re.MULTILINE)
WORKER = re.compile(r'^facedown_loop_up{loop="journal"(?:,pid="([0-9]+)")?}', re.MULTILINE)
FACES = {"JSON": [], "HTML": ["--html"]}


@dataclass(frozen=True)
class Way:
    name: str
    servers: int = 1
    workers: int = 1
    proxy: str = ""  # without one, each table stays at one of the servers
    checkout: str = ""  # another one than this


WAYS = {
    "one": Way("1 process"),
    "two": Way("`WORKERS=2`", workers=2),
    "four": Way("`WORKERS=4`", workers=4),
    "separate2": Way("2 servers, a table at one", servers=2),
    "separate4": Way("4 servers, a table at one", servers=4),
    "nginx": Way("2 servers behind nginx", servers=2, proxy="nginx"),
    "caddy": Way("2 servers behind Caddy", servers=2, proxy="caddy"),
}
BEFORE = "before"


@contextmanager
def running(way: Way, postgres: Postgres, folder: Path) -> Iterator[tuple[list[Server], list[str]]]:
    """The servers, and what the load generator is told of them."""
    with ExitStack() as stack:
        settings = {"WORKERS": str(way.workers), "TRUSTED_PROXIES": "127.0.0.1" if way.proxy else ""}
        if way.checkout:
            settings["BENCH_CHECKOUT"] = way.checkout
        servers = [Server(postgres, folder, **settings)]
        servers += [Server(postgres, folder, servers[0].database, **settings) for _ in range(1, way.servers)]
        for server in servers:
            stack.enter_context(server)
            while len(set(WORKER.findall(scraped(server)))) < way.workers:
                time.sleep(0.1)
        time.sleep(1)  # until they know each other
        ports, proxies = [server.port for server in servers], []
        if way.proxy:
            port, pid = stack.enter_context(proxy_before(way.proxy, ports, folder / way.proxy))
            ports, proxies = [port], [str(pid)]
        assert postgres.process is not None
        told = ["--port", *map(str, ports), "--server", *(str(server.pid) for server in servers)]
        yield servers, [*told, "--database", str(postgres.process.pid), "--proxy", *proxies]


def scraped(server: Server) -> str:
    with opener.open(f"http://127.0.0.1:{server.port}/metrics", timeout=10) as answer:
        return str(answer.read().decode())


def counted(servers: list[Server]) -> dict[str, float]:
    found = dict.fromkeys(("conflicts", "entries", "notices", "connections_handed_over", "followed"), 0.0)
    for text in map(scraped, servers):
        for name, value in COUNTED.findall(text):
            found[name] += float(value)
        found["followed"] += sum(map(float, FOLLOWED.findall(text)))
    return found


def load(told: list[str], *arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.load", *told, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, timeout=600, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def measured(args: argparse.Namespace) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The runs of each face and way."""
    runs: dict[tuple[str, str], list[dict[str, Any]]] = {(face, way): [] for face in args.faces for way in args.ways}
    how = ["--tables", str(args.tables), "--seconds", str(args.seconds), "--warm", str(args.warm)]
    how += ["--rounds", str(args.rounds)]
    with database() as postgres, tempfile.TemporaryDirectory() as folder:
        for repeat in range(args.repeats):
            for name in args.ways:
                with running(WAYS[name], postgres, Path(folder)) as (servers, told):
                    for face in args.faces:
                        before = counted(servers)
                        run = load(told, *how, *FACES[face])
                        run |= {name: value - before[name] for name, value in counted(servers).items()}
                        run["load"] = os.getloadavg()[0]
                        runs[face, name].append(run)
                        print(f"{repeat + 1}: {face}, {name}: {run['per_cpu_second']:.0f}", file=sys.stderr, flush=True)
    return runs


def middle(runs: list[dict[str, Any]], figure: str) -> float:
    return statistics.median(run[figure] or 0.0 for run in runs)


def rows(runs: dict[tuple[str, str], list[dict[str, Any]]]) -> Iterator[str]:
    yield (
        "| | rounds per CPU-second (least to most) | cost of a round | of it Postgres | rounds a second | p99"
        " | conflicts | followed | proxy | others' CPU |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for (face, way), found in runs.items():
        rates = [run["per_cpu_second"] for run in found]
        # Each run is compared with that of one process in the same repeat.
        alone = [run["per_cpu_second"] for run in runs.get((face, "one"), found)]
        cost = statistics.median(one / rate for one, rate in zip(alone, rates, strict=True))
        entries = max(1.0, sum(run["entries"] for run in found))
        database = middle(found, "database")
        share = 100 * database / max(0.01, middle(found, "server") + database)
        faults = sum(run["broken"] + len(run["errors"]) for run in found)
        yield (
            f"| {face}, {WAYS[way].name} | **{statistics.median(rates):,.0f}** ({min(rates):,.0f} to {max(rates):,.0f})"
            f" | {cost:.2f} | {share:.0f} % | {middle(found, 'rounds'):,.0f} | {middle(found, 'p99'):.0f} ms"
            f" | {100 * sum(run['conflicts'] for run in found) / entries:.3f} %"
            f" | {100 * sum(run['followed'] for run in found) / entries:.1f} %"
            f" | {middle(found, 'proxy'):.2f} | {middle(found, 'others'):.2f} |"
            + (f" {faults} FAULTS" if faults else "")
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.many", description=__doc__)
    parser.add_argument("--ways", nargs="*", default=list(WAYS), choices=list(WAYS))
    parser.add_argument("--faces", nargs="*", default=list(FACES), choices=list(FACES))
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=20, help="of each table, at least")
    parser.add_argument("--warm", type=float, default=7, help="seconds; tables leave the process that opened them in 5")
    parser.add_argument("--before", metavar="FOLDER", help="also measure one process of this other checkout")
    parser.add_argument("--write", type=Path, help="also write the table to this file")
    args = parser.parse_args()
    if args.before:
        WAYS[BEFORE] = Way(f"1 process of {args.before}", checkout=args.before)
        args.ways = [*args.ways, BEFORE]
    begun = os.getloadavg()[0]
    runs = measured(args)
    lines = [f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; {args.tables} tables."]
    loads = [run["load"] for found in runs.values() for run in found]
    lines += [f"Load of the machine: {begun:.1f} before, {min(loads):.1f} to {max(loads):.1f} meanwhile.", ""]
    text = "\n".join([*lines, *rows(runs)])
    print(text)
    if args.write:
        args.write.write_text(text + "\n")


if __name__ == "__main__":
    main()
