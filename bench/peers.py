"""Compares other game servers with this one, using their load generator: `PEERS=<folder> python -m bench.peers`.

The folder is an installed copy of the peers: their servers, `run.py` and `loadgen/`. Each repeat runs every server
once, so that all are measured under the same conditions.
"""

import argparse
import importlib.util
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bench.machine import SERVER_CORES
from bench.server import Server, database

HERE = Path(__file__).parent
PEERS = ("colyseus", "bgio-memory", "bgio-postgres", "fastapi-pg-uvicorn", "raw-uvicorn")


def theirs(folder: Path) -> Any:
    spec = importlib.util.spec_from_file_location("peers_run", folder / "run.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("peers", nargs="*", default=PEERS)
    args = parser.parse_args()
    if "PEERS" not in os.environ:
        sys.exit("Set PEERS to the set-up copy of the peers.")
    print(table(Path(os.environ["PEERS"]), args.peers, args.repeats, args.seconds))


def table(folder: Path, peers: tuple[str, ...], repeats: int, seconds: float) -> str:
    run = theirs(folder)
    run.quiet = lambda limit=0: None
    shutil.copy(HERE / "adapter.js", folder / "loadgen" / "adapters" / "facedown.js")
    found: dict[str, list[dict[str, Any]]] = {}
    with database(SERVER_CORES) as postgres:
        assert postgres.process is not None
        run.CASES["facedown"] = {"adapter": "facedown", "port": 0, "pg": True}
        server = Server(postgres, Path(tempfile.mkdtemp()))
        server.cores = SERVER_CORES
        with server:
            run.CASES["facedown"]["port"] = server.port
            pgpid = run.pgpid
            for _ in range(repeats):
                for name in peers:
                    case = run.CASES[name]
                    process = run.start(name)
                    try:
                        rooms, games = case.get("closed", 100), case.get("games", 0)
                        one = run.load(name, process, "closed", rooms, 1.2, seconds, tag="bench", games=games)
                    finally:
                        run.stop(process)
                    found.setdefault(name, []).append(one)
                run.pgpid = lambda: postgres.process.pid
                mine = SimpleNamespace(pid=server.pid)
                found.setdefault("facedown", []).append(run.load("facedown", mine, "closed", 100, 1.2, seconds))
                run.pgpid = pgpid
    return "\n".join(
        ["| server | rounds per CPU-second | least to most | others' CPU |", "|---|---|---|---|", *rows(found)]
    )


def rows(found: dict[str, list[dict[str, Any]]]) -> list[str]:
    made = []
    for name, runs in found.items():
        good = [one for one in runs if one.get("rounds_s")]
        rates = [one["rounds_s"] / max(0.05, one["srv_cpu"] + (one.get("srv2_cpu") or 0)) for one in good]
        if rates:
            others = statistics.median(one["other_cpu"] for one in good)
            spread = f"{min(rates):,.0f} to {max(rates):,.0f}"
            made.append(f"| {name} | {statistics.median(rates):,.0f} | {spread} | {others:.2f} |")
        else:
            made.append(f"| {name} | {runs[0].get('fatal', 'nothing')} | | |")
    return made


if __name__ == "__main__":
    main()
