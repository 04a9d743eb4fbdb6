"""The ways in which Rodents and Tombs can end; and recording a game for each.

    python -m tests.engine.games.tomb.endings

plays until every kind of game without a recorded one has it, and writes those to `corpus/`. Games that the rules would
now play otherwise must be removed first.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random

from msgspec import Struct

from engine.games.tomb import game
from engine.games.tomb.effects import Hire, Open
from engine.steps import Event, Move
from engine.table import Table
from engine.testing.moves import deal, secret
from tests.engine.games.recording import record_missing

CORPUS = Path(__file__).parent / "corpus"


class Kind(Struct, frozen=True):
    """Who plays with which rules, and what ends it."""

    seats: int
    secret_entrance: str  # "" with three players
    ended: str

    @property
    def name(self) -> str:
        module = "-secret" if self.secret_entrance == "on" else ""
        return f"{self.seats}{module}-{self.ended}"

    @property
    def options(self) -> dict[str, str]:
        wanted = {"secret_entrance": self.secret_entrance} if self.secret_entrance else {}
        return game.choose_options(wanted, self.seats)


WAYS = ("glory", "helpers", "rooms", "turns")
KINDS = [Kind(seats, secret, ended) for seats, secret in ((2, "off"), (2, "on"), (3, "")) for ended in WAYS]


def kind_of(table: Table) -> Kind:
    return Kind(table.seats, table.options.get("secret_entrance", ""), table.state.result.ended)


def played(kind: Kind, seed: int) -> list[Event] | None:
    """A game by players who go for this end, otherwise at random."""
    table, events = Table.begin(game, kind.seats, deal(kind.seats, seed), kind.options)
    luck = Random(seed)
    choose = PLAYERS[kind.ended]
    while not table.over:
        seat = table.waits[0]
        events += table.play(seat, choose(table, seat, luck), table.round, secret(luck))
    return events if kind_of(table) == kind else None


def at_random(table: Table, seat: int, luck: Random) -> Move:
    return luck.choice(table.moves(seat))


def by_default(table: Table, seat: int, luck: Random) -> Move:
    return table.default(seat)


def keen(step: type) -> Callable[[Table, int, Random], Move]:
    """Takes every chance to do this, and never spends glory."""

    def choose(table: Table, seat: int, luck: Random) -> Move:
        moves = table.moves(seat)
        if type(getattr(table.ask, "step", None)) is step:
            return next((move for move in moves if move != "skip"), moves[0])
        if step is Open and moves[-1] == "skip" and "gain" not in moves[0]:
            return "skip"  # nothing that brings glory otherwise
        return luck.choice(moves)

    return choose


PLAYERS = {"glory": at_random, "helpers": keen(Hire), "rooms": keen(Open), "turns": by_default}


if __name__ == "__main__":
    record_missing(CORPUS, KINDS, played)
