"""A simulation of many processes on one Postgres, with measured costs: `python -m bench.scaling`

Tables are spread by rendezvous hashing, as in `app/handover.py`. Some are played at the pace of people, the others
sleep; every second some fall asleep and others wake. Then a process dies, is started again, and a whole machine dies.
Prints the load of the processes and of Postgres in each phase. Costs are CPU seconds, measured by bench.many,
bench.follower and `python -m bench`; docs/scaling.md says on which machine.
"""

import argparse
import heapq
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from app.handover import owner_of

# CPU seconds of one process or of Postgres.
ASK = 0.0030  # server: an ask of four HTML players, with its commits, views and sockets
COMMIT = 0.00015  # Postgres: one hand-in that is committed alone
LOAD, LOAD_DATABASE = 0.0020, 0.0006  # a table that wakes: server, Postgres
OPEN = 0.0040  # server: a page and a socket that connects again
RENEW, RENEW_DATABASE = 0.0002, 0.0005  # a process says that it is there
DUE, DUE_DATABASE = 0.000015, 0.000004  # a deadline that is read
HANDS = 4  # commits of an ask
SOCKETS = 4  # of a table
PACE = (12.0, 40.0)  # seconds between two asks
TIMERS = 0.3  # of the tables have a timer, so each of their asks has a deadline
LOOK_AHEAD = 10.0  # seconds between two reads of the deadlines; at most MOST_DUE rows
MOST_DUE = 500


@dataclass
class Phase:
    """What happened in some seconds."""

    name: str
    seconds: int
    busy: defaultdict[int, float]  # CPU seconds by process
    commits: int = 0
    database: float = 0.0
    woken: int = 0
    moved: int = 0
    worst: float = 0.0  # seconds until the fullest process has served all who came at once


class World:
    def __init__(self, processes: int, tables: int, active: int, luck: Random) -> None:
        self.luck = luck
        self.alive = set(range(processes))
        self.tables = tables
        self.owners: dict[int, int] = {}  # of active tables
        self.asks: list[tuple[float, int]] = []  # a heap: when, and at which table
        self.now = 0.0
        while len(self.owners) < active:
            self.wake(luck.randrange(tables))

    def owner(self, table: int) -> int:
        return owner_of(table.to_bytes(8, "big"), iter(self.alive))

    def wake(self, table: int) -> None:
        if table not in self.owners:
            self.owners[table] = self.owner(table)
            heapq.heappush(self.asks, (self.now + self.luck.uniform(0, PACE[1]), table))

    def play(self, phase: Phase, change: int) -> None:
        """Some seconds, in each of which `change` tables fall asleep and as many wake."""
        for _ in range(phase.seconds):
            self.now += 1
            for table in self.luck.sample(list(self.owners), change):
                del self.owners[table]
            for _ in range(change):
                table = self.luck.randrange(self.tables)
                self.wake(table)
                phase.busy[self.owners[table]] += LOAD + SOCKETS * OPEN
                phase.database += LOAD_DATABASE
                phase.woken += 1
            timed = 0.0
            while self.asks and self.asks[0][0] <= self.now:
                _, table = heapq.heappop(self.asks)
                if (owner := self.owners.get(table)) is None:
                    continue
                phase.busy[owner] += ASK
                phase.commits += HANDS
                phase.database += HANDS * COMMIT
                timed += TIMERS
                heapq.heappush(self.asks, (self.now + self.luck.uniform(*PACE), table))
            self.background(phase, timed)

    def background(self, phase: Phase, timed: float) -> None:
        """What every process does besides, in a second: it is there, and reads the next deadlines of all."""
        due = min(MOST_DUE, timed * LOOK_AHEAD) / LOOK_AHEAD
        for process in self.alive:
            phase.busy[process] += RENEW / 2 + due * DUE
            phase.database += RENEW_DATABASE / 2 + due * DUE_DATABASE

    def change(self, phase: Phase, alive: set[int]) -> None:
        """Processes die or come: their tables move, and all their sockets connect again at once."""
        self.alive = alive
        came: Counter[int] = Counter()
        for table, before in self.owners.items():
            # Of those that stay, only tables whose new process is one that came move.
            now = self.owner(table)
            if now != before:
                self.owners[table] = now
                came[now] += 1
        for process, tables in came.items():
            phase.busy[process] += tables * (LOAD + SOCKETS * OPEN)
            phase.database += tables * LOAD_DATABASE
        phase.moved = came.total()
        phase.worst = max(came.values(), default=0) * (LOAD + SOCKETS * OPEN)


def phases(args: argparse.Namespace) -> Iterator[Phase]:
    luck = Random(args.seed)
    world = World(args.processes, args.tables, args.active, luck)
    everybody = set(world.alive)
    world.play(Phase("", 60, defaultdict(float)), args.change)  # until all tables are in step with nobody
    for name, alive in (
        ("everybody is there", everybody),
        ("a process has died", everybody - {0}),
        ("it is there again", everybody),
        ("a machine has died", everybody - set(range(args.machine))),
    ):
        phase = Phase(name, args.seconds, defaultdict(float))
        if alive != world.alive:
            world.change(phase, alive)
        world.play(phase, args.change)
        yield phase


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.scaling", description=__doc__)
    parser.add_argument("--processes", type=int, default=100)
    parser.add_argument("--machine", type=int, default=10, help="processes of one machine")
    parser.add_argument("--tables", type=int, default=1_000_000)
    parser.add_argument("--active", type=int, default=20_000, help="tables that are being played")
    parser.add_argument("--change", type=int, default=20, help="tables that wake in a second, and fall asleep")
    parser.add_argument("--seconds", type=int, default=30, help="of each phase")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print("| | a process's core, mean (most) | commits a second | Postgres, cores | tables moved | back after |")
    print("|---|---|---|---|---|---|")
    for phase in phases(args):
        shares = [100 * busy / phase.seconds for busy in phase.busy.values()]
        print(
            f"| {phase.name} | {statistics.mean(shares):.0f} % ({max(shares):.0f} %)"
            f" | {phase.commits / phase.seconds:,.0f} | {phase.database / phase.seconds:.2f}"
            f" | {phase.moved:,} | {phase.worst:.1f} s |"
        )


if __name__ == "__main__":
    main()
