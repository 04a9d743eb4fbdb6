"""Many tables: `python -m tests.stuck --tables 500` prints how they ended, and fails at the first that does not end."""

import argparse
from collections import Counter

from engine.game import games
from tests.stuck.fuzz import fuzz

KINDS = ("seated", "with the link", "stranger")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--game", action="append", choices=list(games()))
    given = parser.parse_args()
    print("| game | tables | ended by a player | ended by somebody with the link | no seat for a stranger |")
    print("|---|---|---|---|---|")
    for key in given.game or games():
        ends = Counter(fuzz(key, seed) for seed in range(given.tables))
        print(f"| {key} | {given.tables} | {' | '.join(str(ends[kind]) for kind in KINDS)} |", flush=True)


if __name__ == "__main__":
    main()
