"""Campaigns that look for leaks: `python -m tests.spy pace --games 500`, `python -m tests.spy leaks --minutes 30`.

`pace` plays whole games in virtual time and prints how far the pause before an answer tells what the answer is.
`leaks` plays games on a server and compares everything that viewers are sent with what they would be sent if all that
they cannot know were different.
"""

import argparse
import asyncio
import math
from collections.abc import Iterator

from engine.game import games
from tests.spy.leaks import spy
from tests.spy.pace import Paced, correlations, paced_game

SURE = 4.0  # standard errors


def pace(keys: list[str], number: int, thinks: float) -> Iterator[str]:
    """A line for each game and kind of pause. Raises SystemExit if a pause tells something."""
    told = []
    yield "| game | pause before an answer of | games | answers | r with words | r with choices | r with the default |"
    yield "|---|---|---|---|---|---|---|"
    for key in keys:
        paced: list[Paced] = []
        thoughts: dict[str, float] = {}
        for seed in range(number):
            table = paced_game(key, seed, 1 + seed % 4, thinks, thoughts)
            paced += table.paced
            if table.told:
                told.append(f"{key} {seed}: a hand-in in a window was seen")
        found = correlations(paced)
        for kind in sorted({one.kind for one in paced}):
            row = [found[f"{kind}: {name}"] for name in ("words", "ways", "default")]
            told += [f"{key}, {kind}: r = {r:.3f}" for r, answers in row if abs(r) > SURE / math.sqrt(answers)]
            yield f"| {key} | {kind} | {number} | {row[0][1]} | {' | '.join(f'{r:+.3f}' for r, _ in row)} |"
    if told:
        raise SystemExit("\n".join(told))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["pace", "leaks"])
    parser.add_argument("--games", type=int, default=500, help="of each kind")
    parser.add_argument("--minutes", type=float, default=60.0, help="leaks: at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", action="append", choices=list(games()))
    parser.add_argument("--thinks", type=float, default=0.0, help="pace: seconds that a bot thinks about each word")
    given = parser.parse_args()
    keys = given.game or list(games())
    if given.what == "leaks":
        counts = asyncio.run(spy(keys, given.games, given.minutes, given.seed))
        print("\n".join(f"{counts[name]} {name}" for name in sorted(counts)))
        return
    for line in pace(keys, given.games, given.thinks):
        print(line, flush=True)


if __name__ == "__main__":
    main()
