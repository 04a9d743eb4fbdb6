"""CPU and memory use of processes and of the machine, from /proc; which cores processes may use."""

import os
from collections.abc import Iterable
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")
# The load generator has a core of its own; the server and its database share the others.
FIRST, *OTHERS = ALL_CORES = sorted(os.sched_getaffinity(0))
LOAD_CORES, SERVER_CORES = {FIRST}, set(OTHERS or [FIRST])


def tree(pid: int) -> list[int]:
    """A process and all its descendants."""
    found = [pid]
    for one in found:
        try:
            tasks = list(Path(f"/proc/{one}/task").iterdir())
        except OSError:  # it has ended meanwhile
            continue
        for task in tasks:
            try:
                found += [int(child) for child in (task / "children").read_text().split()]
            except OSError:
                continue
    return found


def cpu_seconds(pid: int) -> float:
    """CPU seconds of a process tree, including children that have ended."""
    total = 0
    for one in tree(pid):
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(int(field) for field in fields[11:15])
    return total / TICK


def memory(pid: int) -> int:
    """Private memory of a process tree, in bytes."""
    total = 0
    for one in tree(pid):
        try:
            text = Path(f"/proc/{one}/smaps_rollup").read_text()
        except OSError:
            continue
        rows = dict(line.split(":", 1) for line in text.splitlines()[1:])
        total += sum(int(rows[name].split()[0]) for name in ("Private_Clean", "Private_Dirty"))
    return total * 1024


def pin(pid: int, cores: Iterable[int]) -> None:
    """Keep a process tree on these cores. Processes and threads that it starts later stay there, too."""
    for one in tree(pid):
        for task in Path(f"/proc/{one}/task").iterdir():
            try:
                os.sched_setaffinity(int(task.name), cores)
            except ProcessLookupError:
                continue


def busy_seconds() -> float:
    """Busy CPU seconds of all cores, by all processes."""
    fields = [int(field) for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    return (fields[0] + fields[1] + fields[2] + fields[5] + fields[6]) / TICK
