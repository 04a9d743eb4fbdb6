"""Soak test: `python -m bench.soak --minutes 30` plays random games of every installed game until the time is over.

Tables are saved and restored at random moments, views must not depend on hidden information, and every log must
verify. The first failure stops the run and prints the seed that repeats it.
"""

import argparse
import sys
import time
from collections import Counter
from random import Random
from typing import Any

import msgspec

from engine.chance import Chance
from engine.game import Game, games
from engine.proof import Deal, canonical
from engine.saved_table import SavedTable
from engine.table import Table
from engine.verify import export, verify

NOW_AND_THEN = 0.02


def hexes(luck: Random, bytes: int) -> str:
    return luck.randbytes(bytes).hex()


def choices(game: Game, seats: int, luck: Random) -> dict[str, str]:
    """Random options; choices that do not fit are replaced by the default."""
    return game.choose_options({option.key: luck.choice(option.choices).value for option in game.options}, seats)


def again(table: Table) -> Table:
    """The same table, restored from what would be stored."""
    return Table.restore(msgspec.json.decode(msgspec.json.encode(table.save()), type=SavedTable))


def seen(table: Table, seat: int | None) -> bytes:
    """Everything that this viewer is shown. Digests are removed, because nonces change them."""
    shared: dict[str, Any] = msgspec.to_builtins(table.shared())
    shared["digests"] = dict.fromkeys(shared["digests"])
    return canonical([shared, table.own(seat) if seat is not None else None])


def check_secrets(table: Table, seat: int | None, luck: Random) -> None:
    other = again(table)
    table.game.shuffle_unknown(other.state, seat, Chance(hexes(luck, 32)))
    if seen(table, seat) != seen(other, seat):
        raise AssertionError(f"what viewer {seat} sees depends on what it cannot know")


def play(game: Game, number: int) -> str:
    """Play one game and return a description of its settings. Raises AssertionError if a check fails."""
    luck = Random(number)
    seats = luck.choice(game.seats)
    options = choices(game, seats, luck)
    deal = Deal(hexes(luck, 32), tuple(hexes(luck, 8) for _ in range(seats)))
    table, events = Table.begin(game, seats, deal, options)
    while not table.over:
        if luck.random() < NOW_AND_THEN:
            check_secrets(table, luck.choice([None, *range(seats)]), luck)
            table = again(table)
        seat = luck.choice(table.waits)
        if table.drafts.get(seat) and luck.random() < 0.05:
            table.undo(seat, table.round)
            continue
        words = table.moves(seat)
        if (extra := table.anytime(seat)) and luck.random() < 0.05:
            words = extra
        if not words:
            raise AssertionError(f"seat {seat} is waited for and has nothing to do")
        events += table.play(seat, luck.choice(words), table.round, hexes(luck, 16))
    report = verify(export(events, []))
    if not (report.holds and report.finished):
        raise AssertionError(report.say())
    return " ".join([game.key, f"seats={seats}", *(f"{key}={value}" for key, value in options.items())])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m bench.soak")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=0, help="seed of the first pass; each further pass adds 1")
    chosen = parser.parse_args()
    until, number, played = time.monotonic() + chosen.minutes * 60, chosen.seed, Counter[str]()
    while time.monotonic() < until:
        for game in games().values():
            try:
                played[play(game, number)] += 1
            except Exception:
                print(
                    f"{game.key}: game {number} does not hold; again: python -m bench.soak --seed {number}",
                    file=sys.stderr,
                )
                raise
        number += 1
    for setting, times in sorted(played.items()):
        print(f"{times:6} {setting}")
    print(f"{played.total()} games held")
    return 0


if __name__ == "__main__":
    sys.exit(main())
