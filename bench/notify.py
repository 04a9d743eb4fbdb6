"""What notifications cost Postgres: pgbench with one inserted row a commit. `python -m bench.notify`

Each client is the journal of one process. Measured are commits without notifications, with one inside of the
transaction, and with notifications as `app/store/channel.py` sends them: on another connection of each process, in
transactions that wait for no disk, one after another. These notify without a pause, as if all that is committed
meanwhile had to be told: a process sends everything that waits in one transaction, and goes on committing.
"""

import argparse
import os
import re
import statistics
import subprocess
import tempfile
from pathlib import Path

from bench.server import database
from tests.support.postgres import Postgres, find_binaries

COMMIT = "INSERT INTO lines (text) VALUES (repeat('x', 300))"
NOTIFY = "SELECT pg_notify('bench', repeat('x', 500))"
AFTERWARDS = f"BEGIN \\; SET LOCAL synchronous_commit = off \\; {NOTIFY} \\; COMMIT;\n"
WAYS = {"none": f"{COMMIT};\n", "inside": f"WITH done AS ({COMMIT}) {NOTIFY};\n", "beside": f"{COMMIT};\n"}
RATE = re.compile(r"tps = ([0-9.]+)")


def program(name: str, postgres: Postgres) -> list[str]:
    url = postgres.admin
    return [str(find_binaries() / name), "-h", str(url.host), "-p", str(url.port), "-U", str(url.username)]


def started(postgres: Postgres, name: str, script: Path, clients: int, seconds: int) -> "subprocess.Popen[str]":
    how = ["-n", "-f", str(script), "-c", str(clients), "-j", "2", "-T", str(seconds)]
    command = [*program("pgbench", postgres), *how, name]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def rate(pgbench: "subprocess.Popen[str]") -> float:
    found = RATE.search(pgbench.communicate()[0])
    assert found is not None
    return float(found[1])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.notify", description=__doc__)
    parser.add_argument("--clients", type=int, nargs="*", default=[16, 32])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=5)
    args = parser.parse_args()
    rates: dict[tuple[int, str], list[float]] = {(clients, way): [] for clients in args.clients for way in WAYS}
    notices: list[float] = []
    with database() as postgres, tempfile.TemporaryDirectory() as folder:
        name = postgres.create()
        create = "CREATE TABLE lines (id bigserial PRIMARY KEY, text text)"
        subprocess.run([*program("psql", postgres), "-q", "-c", create, name], check=True)
        for way, text in {**WAYS, "afterwards": AFTERWARDS}.items():
            Path(folder, way).write_text(text)
        for _ in range(args.repeats):  # interleaved
            for clients, way in rates:
                ours = started(postgres, name, Path(folder, way), clients, args.seconds)
                if way == "beside":
                    notices.append(rate(started(postgres, name, Path(folder, "afterwards"), clients, args.seconds)))
                rates[clients, way].append(rate(ours))
    print(f"Load of the machine at the end: {os.getloadavg()[0]:.1f}\n")
    print("| clients | notifications | commits a second (least to most) | of those without |")
    print("|---|---|---|---|")
    for (clients, way), found in rates.items():
        share = statistics.median(one / none for one, none in zip(found, rates[clients, "none"], strict=True))
        print(
            f"| {clients} | {way} | **{statistics.median(found):,.0f}** ({min(found):,.0f} to {max(found):,.0f}) |"
            f" {100 * share:.0f} % |"
        )
    print(f"\nNotifications beside the commits: {min(notices):,.0f} to {max(notices):,.0f} a second.")


if __name__ == "__main__":
    main()
