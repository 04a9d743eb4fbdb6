"""Playing whole games in tests: every choice and every secret comes from a seed of the test's own."""

import hashlib
from collections.abc import Iterator
from random import Random

from engine.game import Game
from engine.proof import Deal, canonical
from engine.steps import Event
from engine.table import Table


def deal(seats: int, seed: int = 1) -> Deal:
    return Deal(hashlib.sha256(str(seed).encode()).hexdigest(), tuple(f"{seat:02x}" for seat in range(seats)))


def begin(game: Game, seats: int, seed: int = 1, **options: str) -> Table:
    return Table.begin(game, seats, deal(seats, seed), options)[0]


def secret(luck: Random) -> str:
    return luck.randbytes(16).hex()


def told(events: list[Event]) -> list[bytes]:
    return [canonical(event) for event in events]


def wander(table: Table, luck: Random) -> Iterator[list[Event]]:
    """Plays to the end at random: in any order of seats, with take-backs and any-time moves; what each move told."""
    while not table.over:
        seat = luck.randrange(table.seats)
        if table.drafts.get(seat) and luck.random() < 0.2:
            table.undo(seat, table.round)
            yield []
            continue
        words = table.moves(seat) or table.anytime(seat)
        if table.anytime(seat) and luck.random() < 0.1:
            words = table.anytime(seat)
        if words:
            yield table.play(seat, luck.choice(words), table.round, secret(luck))


def step(table: Table, luck: Random) -> list[Event]:
    """One word at random, by a seat at random; now and then an any-time move, or a word taken back."""
    while True:
        seat = luck.randrange(table.seats)
        if table.drafts.get(seat) and luck.random() < 0.1:
            table.undo(seat, table.round)
            return []
        words = table.anytime(seat) if luck.random() < 0.1 else table.moves(seat)
        if words:
            return table.play(seat, luck.choice(words), table.round, secret(luck))


def whole_log(game: Game, seats: int, seed: int = 1, **options: str) -> list[Event]:
    table, events = Table.begin(game, seats, deal(seats, seed), options)
    for more in wander(table, Random(seed)):
        events += more
    return events
