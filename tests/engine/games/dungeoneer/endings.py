"""The ways in which Dungeoneer can end and be varied; and recording a game for each.

    python -m tests.engine.games.dungeoneer.endings

plays until every kind of game without a recorded one has it, and writes those to `corpus/`. Games that the rules would
now play otherwise must be removed first.
"""

from pathlib import Path
from random import Random

from msgspec import Struct

from engine.bots import at_random, choose_move
from engine.games.dungeoneer import game
from engine.games.dungeoneer.bot import hero
from engine.steps import Event, Result
from engine.table import Table
from engine.testing.moves import deal, secret
from tests.engine.games.recording import record_missing

CORPUS = Path(__file__).parent / "corpus"


class Kind(Struct, frozen=True):
    """Who plays what, and what decides it."""

    seats: int
    why: str
    options: dict[str, str]

    @property
    def name(self) -> str:
        words = {"yes": "{}", "no": "no_{}"}
        chosen = [words[value].format(key) for key, value in self.options.items() if value in words]
        return "-".join([str(self.seats), self.why, *chosen])


KINDS = [
    *(Kind(seats, why, {}) for seats in (2, 3, 4) for why in ("quests", "last_hero")),
    *(Kind(seats, "rounds", {"last_round": "20"}) for seats in (2, 3, 4)),
    *(Kind(1, why, {"last_round": "20"}) for why in ("won", "lost", "defeated")),
    Kind(1, "won", {"harder": "yes", "limited": "yes", "dodge": "yes", "chosen_heroes": "yes"}),
    Kind(3, "quests", {"whole_map": "yes", "resurrection": "yes", "optional": "yes", "fresh": "yes"}),
    Kind(3, "quests", {"impartial": "yes", "fall_ap": "yes", "chosen_heroes": "yes", "decks": "two"}),
    Kind(4, "quests", {"late_speed": "no"}),
    Kind(2, "quests", {"impersonal": "yes", "limited": "yes", "dodge": "yes", "last_round": "60"}),
]


def why(result: Result) -> str:
    return result.standings[0].why


def played(kind: Kind, seed: int) -> list[Event] | None:
    """By bots of the game with some luck mixed in; where nobody shall win, mostly by defaults."""
    table, events = Table.begin(game, kind.seats, deal(kind.seats, seed), kind.options)
    luck = Random(seed)
    while not table.over:
        seat = luck.choice(table.waits)
        if kind.why in ("rounds", "lost"):
            word = table.default(seat) if luck.random() < 0.8 else choose_move(table, seat, at_random, luck)
        else:
            word = choose_move(table, seat, hero if luck.random() < 0.9 else at_random, luck)
        events += table.play(seat, word, table.round, secret(luck))
    (result,) = [event for event in events if isinstance(event, Result)]
    return events if why(result) == kind.why else None


if __name__ == "__main__":
    record_missing(CORPUS, KINDS, played)
