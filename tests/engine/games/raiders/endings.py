"""Every way that a game of Raiders can end, worked out from the rules' own code; and recording a game for each.

    python -m tests.engine.games.raiders.endings

plays at random until every way without a recorded game has one, and writes those to `corpus/`. Games that the rules
would now play otherwise must be removed first.
"""

import sys
from collections.abc import Iterator
from itertools import combinations_with_replacement, count, product
from pathlib import Path
from random import Random

from engine.games.raiders import facts, game
from engine.games.raiders.ending import final_scoring, is_over
from engine.games.raiders.facts import Purse
from engine.games.raiders.modes import Mode, mode_of
from engine.steps import Event, Result
from engine.table import Table
from engine.testing import deal, play_at_random
from engine.verify import export
from tests.engine.games.raiders.settings import ALL, Setting

CORPUS = Path(__file__).parent / "corpus"
WON = ("most_coins", "fewer_wounds", "shared", "survivor")


def ways() -> set[str]:
    """What may decide and who may be out, from the scoring of all small enough purses."""
    return {
        name(mode, final_scoring(mode, raiders), early)
        for mode, raiders in small_ends()
        for early in ({True, False} if is_over(mode, raiders) else {False})
    }


def small_ends() -> Iterator[tuple[Mode, list[Purse]]]:
    """Two kinds of coins and three of wounds make every difference that scoring knows."""
    for edition, players in dict.fromkeys((options["edition"], seats) for seats, options in ALL):
        mode = mode_of(edition, players)
        kinds = [Purse(coins, wounds, True, {}) for coins, wounds in product((1, 2), (1, 2, 3))]
        if mode.deadly or any(room.stone for room in mode.facts.values()):
            kinds.append(Purse(1, mode.deadly or 1, False, {}))
        for raiders in combinations_with_replacement(kinds, players):
            yield mode, list(raiders)


def name(mode: Mode, result: Result, early: bool) -> str:
    """The mode, what decided, who was out for what, and whether there were rooms left."""
    whys = [standing.why for standing in result.standings]
    won = next((why for why in whys if why in WON), "nobody")
    out = sorted({why for why in whys if why in ("most_wounds", "stone", "dead")})
    return "-".join([mode.name, won, *out, *(["early"] if early else [])])


def way_of(events: list[Event]) -> str:
    (result,) = [event for event in events if isinstance(event, Result)]
    rooms = [event for event in events if isinstance(event, facts.Room)]
    (began,) = [event for event in events if type(event).__name__ == "Began"]
    mode = mode_of(began.options["edition"], began.seats)  # type: ignore[attr-defined]
    return name(mode, result, len(rooms) < 25)


def played(setting: Setting, seed: int) -> list[Event]:
    seats, options = setting
    table, events = Table.begin(game, seats, deal(seats, seed), options)
    for told in play_at_random(table, Random(seed)):
        events += told
    return events


def record() -> None:
    CORPUS.mkdir(exist_ok=True)
    missing = ways() - {file.stem for file in CORPUS.glob("*.jsonl")}
    for seed in count():
        if not missing:
            return
        modes = {way.partition("-")[0] for way in missing}
        for setting in ALL:
            if mode_of(setting[1]["edition"], setting[0]).name in modes:
                events = played(setting, seed)
                if (way := way_of(events)) in missing:
                    missing.remove(way)
                    names = [f"Seat {seat}" for seat in range(setting[0])]
                    (CORPUS / f"{way}.jsonl").write_bytes(b"".join(export(events, names)))
                    print(way, seed, len(missing), file=sys.stderr)


if __name__ == "__main__":
    record()
