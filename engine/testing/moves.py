"""Tables in tests, and moves on them. Every choice and every secret comes from a seed of the test's own."""

import hashlib
from collections.abc import Iterator
from random import Random
from typing import Any

from engine.game import Game
from engine.proof import Deal
from engine.steps import By, Event
from engine.table import Table
from engine.testing.failed import CheckFailed

SECRET = "5a" * 16
TRIES = 1000  # to find a seat at random that has a move
LONGEST_GAME = 50_000  # moves, counting each word of a draft


def deal(seats: int, seed: int = 1) -> Deal:
    return Deal(hashlib.sha256(str(seed).encode()).hexdigest(), tuple(f"{seat:02x}" for seat in range(seats)))


def secret(luck: Random) -> str:
    return luck.randbytes(16).hex()


def new_table(game: Game, seats: int, seed: int = 1, **options: str) -> Table:
    """A new table; the same seed gives the same cards. Options that are left out have their default."""
    return Table.begin(game, seats, deal(seats, seed), options)[0]


def table_at(game: Game, state: Any, seats: int, seed: int = 1, **options: str) -> Table:
    """A table in this position: the first step of the state's agenda is carried out next."""
    chosen = game.choose_options(options, seats)
    return Table.at(game, state, seats=seats, options=chosen, deal=deal(seats, seed))[0]


def make_moves(table: Table, seat: int, *words: str, by: By = "player") -> list[Any]:
    """This seat makes these moves, one after another; returns what happened. Raises `MoveError` if one is not legal."""
    events: list[Any] = []
    for word in words:
        events += table.play(seat, word, table.round, SECRET, by)
    return events


def play_defaults(table: Table, *seats: int) -> list[Any]:
    """The default is played for these seats (none: for all that are asked), to the end of this round."""
    events: list[Any] = []
    round = table.round
    for seat in seats or tuple(table.waits):
        while table.round == round and seat in table.waits:
            events += make_moves(table, seat, table.default(seat), by="time")
    return events


def move_at_random(table: Table, luck: Random) -> list[Event]:
    """A word by a seat, both at random; now and then an any-time move, or a word or a step taken back."""
    for _ in range(TRIES):
        seat = luck.randrange(table.seats)
        if table.drafts.get(seat) and luck.random() < 0.1:
            table.undo(seat, table.round)
            return []
        if (back := table.back(seat)) and back.steps and luck.random() < 0.1:
            return table.step_back(seat, table.round)
        words = table.anytime(seat) if luck.random() < 0.1 else table.moves(seat)
        if words:
            return table.play(seat, luck.choice(words), table.round, secret(luck))
    raise CheckFailed(f"the table waits for {table.waits}, but `options` offers them nothing")


def play_at_random(table: Table, luck: Random) -> Iterator[list[Event]]:
    """Play to the end and yield what each move made happen."""
    for _ in range(LONGEST_GAME):
        if table.over:
            return
        yield move_at_random(table, luck)
    raise CheckFailed(f"the game has not ended after {LONGEST_GAME} moves")


def whole_log(game: Game, seats: int, seed: int = 1, **options: str) -> list[Event]:
    """All events of a game that was played at random."""
    table, events = Table.begin(game, seats, deal(seats, seed), options)
    for happened in play_at_random(table, Random(seed)):
        events += happened
    return events
