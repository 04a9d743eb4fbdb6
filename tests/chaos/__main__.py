"""`make chaos`, or `python -m tests.chaos --kind two --count 200 --minutes 15`: kills servers and disturbs their
database while people play at tables, and checks that nothing is lost, nothing is done twice and no table stops."""

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.chaos.campaign import Campaign
from tests.chaos.cluster import cluster_of
from tests.chaos.faults import FAULTS, FOUR, KILLS, NETWORK, POSTGRES, SQLITE, TWO, choose
from tests.chaos.told import Wrong
from tests.support.postgres import start_postgres

GROUPS = {"all": [fault.name for fault in FAULTS], "kills": KILLS, "network": NETWORK}
DISK = "96m"  # size of the file system for SQLite


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Root can mount a small file system, which a campaign may fill."""
    mounted = os.geteuid() == 0 and not subprocess.call(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(folder)], stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        if mounted:
            subprocess.call(["umount", str(folder)])


async def run_campaign(kind: str, names: list[str], args: argparse.Namespace) -> Campaign:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="facedown-chaos-")))
        if kind == SQLITE:
            stack.enter_context(small_disk(folder))
        server = None if kind == SQLITE else stack.enter_context(start_postgres())
        faults = choose(names, kind, folder)
        networks = any(fault.network for fault in faults)
        async with cluster_of(kind, folder, server, networks) as cluster:
            campaign = Campaign(cluster, args.seed, args.tables, lambda line: print(f"  {line}", flush=True))
            campaign.longest_absence = args.catch_up
            until = time.monotonic() + args.minutes * 60
            try:
                await campaign.run(faults, args.count, until)
            except Wrong:
                for one in cluster.servers:
                    print(one.tail(30), file=sys.stderr)
                raise
            return campaign


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.chaos")
    parser.add_argument("--kind", choices=[SQLITE, POSTGRES, TWO, FOUR], help="one of them; otherwise all, one by one")
    parser.add_argument("--faults", choices=sorted(GROUPS), default="all")
    parser.add_argument("--only", action="append", help="a fault by its name; may be repeated")
    parser.add_argument("--count", type=int, default=30, help="faults of each kind of cluster")
    parser.add_argument("--minutes", type=float, default=5, help="after this time no more faults are begun")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--catch-up", type=float, default=5, help="seconds in which all are to catch up with the table")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that servers and disks are cleared away
    names = args.only or GROUPS[args.faults]
    for kind in [args.kind] if args.kind else [SQLITE, POSTGRES, TWO, FOUR]:
        begun = time.monotonic()
        campaign = asyncio.run(run_campaign(kind, names, args))
        print(f"{kind}: {campaign.done.total()} faults in {time.monotonic() - begun:.0f} s, nothing lost")
        if campaign.slowest:
            print(f"{campaign.slowest:8.1f} s, at most, until everybody had caught up")
        for name, times in sorted(campaign.done.items()):
            print(f"{times:8} {name}")
        for name, times in sorted(campaign.counts.items()):
            print(f"{times:8} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
