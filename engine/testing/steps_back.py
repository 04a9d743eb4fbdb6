"""Checks in a whole game that steps can be taken back, except those that have shown their player something hidden."""

from random import Random
from typing import Any

from msgspec.structs import replace

from engine.chance import Chance
from engine.proof import canonical
from engine.steps import Event
from engine.table import Table
from engine.testing.failed import CheckFailed
from engine.testing.game_settings import GameSetting
from engine.testing.leaks import views
from engine.testing.moves import LONGEST_GAME, move_at_random, secret
from engine.testing.requirements import read_back

OFTEN = 0.3  # how often a position is checked


def check_stepping_back(setting: GameSetting, seed: int) -> None:
    """After any number of steps back, also after a restart, the table is as it was before them. If a seat can take an
    answer back, the answer must have shown it nothing that depends on hidden information."""
    table, _ = setting.begin(seed)
    luck = Random(seed)
    positions: dict[int, bytes] = {}  # before the last word of each round
    for _ in range(LONGEST_GAME):
        if table.over:
            return
        if table.scope:
            positions[table.round] = position(table)
        if table.trail and luck.random() < OFTEN:
            go_back(table, positions, luck)
        if table.scope and len(table.asked) == 1 and not table.drafts and luck.random() < OFTEN:
            answer_in_two_worlds(table, luck)
        else:
            move_at_random(table, luck)


def position(table: Table) -> bytes:
    """Everything that a step back must restore, as bytes. Drafts are left out."""
    ask, state, game = table.ask, table.state, table.game
    shared = replace(table.shared(), version=0, round=0, waits=None, digests={})
    options = [ask.options(state, seat, ()) for seat in table.asked] if ask else []
    return canonical([state, shared, options, [game.private(state, seat) for seat in range(table.seats)]])


def go_back(table: Table, positions: dict[int, bytes], luck: Random) -> None:
    """Take back some steps on a table that was saved and read back."""
    for seat in range(table.seats):
        back = table.back(seat)
        if back is None or not back.steps:
            continue
        other, events = read_back(table), list[Any]()
        for _ in range(luck.randint(1, back.steps)):
            events = other.step_back(seat, other.round)
        if position(other) != positions[events[0].taken]:
            raise CheckFailed(
                f"after seat {seat} has stepped back to round {events[0].taken}, the table is not as it was then. All "
                "that the rules change must be a field of the state."
            )


def answer_in_two_worlds(table: Table, luck: Random) -> None:
    """The only asked seat answers at random, here and on a table where what it cannot know is different."""
    (seat,) = table.asked
    other = read_back(table)
    table.game.shuffle_unknown(other.state, seat, Chance(luck.randbytes(32).hex()))
    asks, round, happened = type(table.ask).__name__, table.round, list[Event]()
    while table.round == round:
        word, key = luck.choice(table.moves(seat)), secret(luck)
        happened = table.play(seat, word, round, key)
        elsewhere = other.play(seat, word, round, key)
    back = table.back(seat)
    if back is None or not back.steps:
        return
    if canonical(happened) != canonical(elsewhere) or views(table, seat) != views(other, seat):
        raise CheckFailed(
            f"seat {seat} can take back its answer to {asks}, although it has learnt from it what it could not know. "
            "The game must call `uncover` when something hidden comes to light."
        )
