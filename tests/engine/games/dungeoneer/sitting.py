"""Tables in any position, and what is done at them, for the tests of Dungeoneer."""

from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

from engine.games.dungeoneer import game, position
from engine.games.dungeoneer.rules import Dungeoneer
from engine.games.dungeoneer.state import Delver
from engine.steps import Event
from engine.table import Table
from engine.testing.moves import deal, secret

luck = Random(0)

E = TypeVar("E", bound=Event)


def sit(*players: dict[str, Any], **where: Any) -> Table:
    """A table in this position, with two players if no others are given."""
    return at_state(position(players or ({}, {}), **where))


def at_state(state: Dungeoneer) -> Table:
    seats = len(state.delvers)
    return Table.at(game, state, seats=seats, options=game.choose_options({}, seats), deal=deal(seats))[0]


def begun(state: Dungeoneer) -> tuple[Table, list[Event]]:
    seats = len(state.delvers)
    return Table.at(game, state, seats=seats, options=game.choose_options({}, seats), deal=deal(seats))


def do(table: Table, seat: int, *words: str) -> list[Event]:
    """This seat says these words. Windows in which it cannot say the next one are passed by everybody before."""
    told: list[Event] = []
    for word in words:
        while word not in table.moves(seat) and table.ask and table.ask.hush:
            told += pass_window(table)
        assert word in table.moves(seat), f"{word!r} is not in {table.moves(seat)} of {type(table.ask).__name__}"
        told += table.play(seat, word, table.round, secret(luck))
    return told


def pass_window(table: Table) -> list[Event]:
    told: list[Event] = []
    round = table.round
    for seat in list(table.waits):
        if table.round == round and not table.over:
            told += table.play(seat, table.default(seat), table.round, secret(luck))
    return told


def quiet(table: Table) -> list[Event]:
    """Everybody passes until something else is asked."""
    told: list[Event] = []
    while table.ask and table.ask.hush:
        told += pass_window(table)
    return told


def until(table: Table, name: str) -> list[Event]:
    """Everybody passes until this is asked."""
    told: list[Event] = []
    while asks(table) != name:
        assert table.ask and table.ask.hush, f"{asks(table)} is asked"
        told += pass_window(table)
    return told


def act(table: Table, seat: int, *words: str) -> list[Event]:
    """Say these words; then everybody passes."""
    return [*do(table, seat, *words), *quiet(table)]


def idle(table: Table, *, until: str = "") -> list[Event]:
    """Defaults are played until this step asks, or to the end of the game."""
    told: list[Event] = []
    while table.ask and type(table.ask).__name__ != until:
        told += pass_window(table)
    return told


def asks(table: Table) -> str:
    return type(table.ask).__name__ if table.ask else ""


def found(events: Sequence[Any], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def only(events: Sequence[Any], kind: type[E]) -> E:
    (one,) = found(events, kind)
    return one


def state(table: Table) -> Dungeoneer:
    state: Dungeoneer = table.state
    return state


def hero(table: Table, seat: int = 0) -> Delver:
    return state(table).delvers[seat]


def words(table: Table, seat: int, start: str = "") -> list[str]:
    """What the seat may say that begins so."""
    return [word for word in table.moves(seat) if word.startswith(start)]
