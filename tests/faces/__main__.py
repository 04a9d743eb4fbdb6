"""Renders the pages of random games, in every position: `python -m tests.faces --games 300`.

What cannot be rendered is told with the command that repeats its game; the program then fails.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Hashable

from app.testing import check_pages
from engine.game import games
from engine.testing import CheckFailed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=300, help="of each kind")
    parser.add_argument("--minutes", type=float, default=60.0, help="at most")
    parser.add_argument("--seed", type=int, default=1, help="of the first game; the others count up")
    parser.add_argument("--game", action="append", choices=list(games()))
    parser.add_argument("--most", type=int, help="positions of each game, new kinds of them first; otherwise all")
    given = parser.parse_args()
    keys = given.game or list(games())
    played, positions, failed = Counter[str](), Counter[str](), Counter[str]()
    seen: dict[str, set[Hashable]] = {key: set() for key in keys}
    end = time.monotonic() + 60 * given.minutes
    for seed in range(given.seed, given.seed + given.games):
        for key in keys if time.monotonic() < end else ():
            played[key] += 1
            try:
                positions[key] += check_pages(games()[key], seed, given.most, seen[key])
            except CheckFailed as error:
                failed[key] += 1
                print(f"{error}\n  python -m tests.faces --game {key} --seed {seed} --games 1", flush=True)
    print("| game | games | positions | kinds | games with a page that cannot be rendered |\n|---|---|---|---|---|")
    for key in keys:
        print(f"| {key} | {played[key]} | {positions[key]} | {len(seen[key])} | {failed[key]} |")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
