"""Runs pytest while its processes are stopped for a moment, now and then, as on a machine that others use, too.

A test that goes red under it depends on the speed of the machine: `make stalls PYTEST=tests/app`. Linux only.
"""

import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from os import kill
from pathlib import Path

STALLS = (0.3, 0.4, 0.6, 0.8, 1.0, 1.5)  # seconds
PAUSES = (0.1, 1.2)  # seconds between two stalls, at least and at most
SHARE = 0.25  # of the processes that are stopped at once
ALL = 0.3  # how often all of them are stopped


def family(ancestor: int) -> list[int]:
    """This process and its descendants."""
    children: dict[int, list[int]] = defaultdict(list)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            children[int(stat.read_text().rpartition(")")[2].split()[1])].append(int(stat.parent.name))
    found = [ancestor]
    for process in found:
        found += children[process]
    return found


def stall(processes: Sequence[int]) -> None:
    """Stop these processes for a moment."""
    try:
        send(processes, signal.SIGSTOP)
        time.sleep(random.choice(STALLS))
    finally:
        send(processes, signal.SIGCONT)


def send(processes: Sequence[int], what: signal.Signals) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            kill(process, what)


def main(arguments: Sequence[str]) -> int:
    tests = subprocess.Popen([sys.executable, "-m", "pytest", *arguments])
    while tests.poll() is None:
        processes = family(tests.pid)
        if random.random() > ALL:
            processes = random.sample(processes, max(1, round(len(processes) * SHARE)))
        stall(processes)
        time.sleep(random.uniform(*PAUSES))
    return tests.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
