"""Playing whole games in tests: all choices and secrets come from a seed of the test."""

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
    """Play at random to the end: in any order of seats, with take-backs and any-time moves. Yields the events of each
    move."""
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
    """One random action of a random seat: mostly a word, sometimes an any-time move or a take-back."""
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
