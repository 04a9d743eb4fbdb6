"""Teams in any position, and what they say, for the tests of Paper Dungeons."""

from collections.abc import Iterable, Sequence
from copy import copy
from random import Random
from typing import Any, TypeVar

from engine.games.scrawl import game, position, sheet
from engine.games.scrawl.cards import board
from engine.games.scrawl.drafts import Outing, outing
from engine.games.scrawl.facts import Sheet
from engine.games.scrawl.rules import Scrawl
from engine.games.scrawl.team import Due
from engine.steps import Event
from engine.table import Table
from engine.testing.moves import deal, secret

luck = Random(0)

E = TypeVar("E", bound=Event)

DICE = ("W", "M", "clover", "W", "R", "boots")  # three white, three black


def out(where: Sheet | None = None, dice: Iterable[str] = DICE, dungeon: str = "A", due: Iterable[Due] = ()) -> Outing:
    """A team about to use its first die."""
    where = copy(where or sheet())
    where.black = where.black or ("W", "C")
    return outing(board(dungeon), where, dice, due)


def at(*path: str, **fields: Any) -> Sheet:
    """A sheet of a team that has walked this path, without anything having happened on it."""
    return sheet(path=path, **fields)


def say(now: Outing, *words: str) -> Outing:
    """Each word must be offered."""
    for word in words:
        assert word in now.words(), f"{word} is not in {now.words()}"
        now.say(word)
    return now


def said(words: Iterable[str], **where: Any) -> Sheet:
    return say(out(**where), *words).sheet


def walk(start: Sheet | None, *rooms: str, face: str = "boots", dungeon: str = "A") -> Outing:
    """A move with one die through these rooms."""
    dice = ("W", "W", "W", face, "W", "W")
    return say(out(start, dice, dungeon), "move 3", *(f"step {room}" for room in rooms))


def left(now: Outing) -> int | None:
    """Steps of the open move."""
    return now.walk.left if now.walk else None


def rooms_ahead(now: Outing) -> set[str]:
    return {word.removeprefix("step ") for word in now.words() if word.startswith("step ")}


def sit(state: Scrawl) -> Table:
    options = game.choose_options({}, state.seats)
    return Table.at(game, state, seats=state.seats, options=options, deal=deal(state.seats))[0]


def sitting(*sheets: Sheet, **where: Any) -> Table:
    return sit(position(*sheets, **where))


def begun(state: Scrawl) -> tuple[Table, list[Event]]:
    options = game.choose_options({}, state.seats)
    return Table.at(game, state, seats=state.seats, options=options, deal=deal(state.seats))


def play(table: Table, seat: int, *words: str) -> list[Event]:
    told: list[Event] = []
    for word in words:
        told += table.play(seat, word, table.round, secret(luck))
    return told


def idle(table: Table, *seats: int) -> list[Event]:
    """These seats (all that are asked) let defaults choose, to the end of this ask."""
    told: list[Event] = []
    for seat in seats or tuple(table.waits):
        round = table.round
        while not table.over and table.round == round and seat in table.waits:
            told += play(table, seat, table.default(seat))
    return told


def only(events: Sequence[Event], kind: type[E]) -> E:
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


def none_of(events: Sequence[Event], kind: type[Event]) -> bool:
    return not any(isinstance(event, kind) for event in events)


def state_of(table: Table) -> Scrawl:
    state: Scrawl = table.state
    return state
