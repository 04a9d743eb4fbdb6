"""The ways in which Paper Dungeons can end and be varied; and recording a game for each.

    python -m tests.engine.games.scrawl.endings

plays until every kind of game without a recorded one has it, and writes those to `corpus/`. Games that the rules would
now play otherwise must be removed first.
"""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

from msgspec import Struct

from engine.games.scrawl import game
from engine.games.scrawl.facts import LINES, ChapterDone, ScrawlResult
from engine.games.scrawl.rules import decide
from engine.steps import Event
from engine.table import Table
from engine.testing.moves import deal, secret
from tests.engine.games.recording import record_missing

CORPUS = Path(__file__).parent / "corpus"


class Kind(Struct, frozen=True):
    """Who plays what, and what decides it. Between them they have every choice of every option, for one team and for
    several where both may have it, and every way to win, in one dungeon and in a campaign."""

    seats: int
    options: dict[str, str]
    why: str

    @property
    def name(self) -> str:
        return "-".join([*self.options.values(), str(self.seats), self.why])


def kind(seats: int, why: str, **options: str) -> Kind:
    return Kind(seats, game.choose_options(options, seats), why)


KINDS = [
    kind(3, "glory"),
    kind(2, "rooms", gems="vanish"),
    kind(2, "shared", missions="no"),
    kind(2, "glory", campaign="legends"),
    kind(2, "rooms", campaign="hamunaptra", gems="vanish"),
    kind(2, "shared", campaign="tower", missions="no"),
    kind(1, "glory"),
    kind(1, "glory", campaign="kingdom", missions="no"),
]


def ways() -> set[str]:
    """What may decide, from the scoring of all small enough ends."""
    return {why(decide(past)) for seats in (1, 2) for past in small_ends(seats)}


def small_ends(seats: int) -> Iterator[list[ChapterDone]]:
    for scores in product(product((1, 2), (1, 2)), repeat=seats):
        totals, rooms = zip(*scores, strict=True)
        lines = tuple(dict.fromkeys(LINES, 0) | {"F": total, "M": total} for total in totals)
        yield [ChapterDone("A", totals, rooms, lines, ("O01",) * seats)]


def why(result: ScrawlResult) -> str:
    return result.standings[0].why


def played(kind: Kind, seed: int) -> list[Event] | None:
    """At random; where teams must come out equal, they mostly take what comes by default."""
    table, events = Table.begin(game, kind.seats, deal(kind.seats, seed), kind.options)
    luck = Random(seed)
    idle = 0 if kind.why == "glory" else luck.choice((0.5, 0.9, 0.98))
    while not table.over:
        seat = luck.choice(table.waits)
        word = table.default(seat) if luck.random() < idle else luck.choice(table.moves(seat))
        events += table.play(seat, word, table.round, secret(luck))
    (result,) = [event for event in events if isinstance(event, ScrawlResult)]
    return events if why(result) == kind.why else None


if __name__ == "__main__":
    record_missing(CORPUS, KINDS, played)
