"""Setting up tables and laying cards, for the tests of Raiders."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, TypeVar

from msgspec import UNSET

from engine.games.raiders import facts, game
from engine.games.raiders.positions import Place, position
from engine.games.raiders.rules import Raiders
from engine.steps import Event
from engine.table import Table
from engine.testing.moves import deal, secret

luck = Random(0)

NO_ITEMS = dict.fromkeys(facts.ITEMS, 0)

E = TypeVar("E", bound=Event)


def raider(coins: int = 5, wounds: int = 2, **items: int) -> Place:
    """With all five power cards in hand."""
    return Place(coins=coins, wounds=wounds, hand="12345", items=items)


def sit(state: Raiders) -> Table:
    options = {"edition": state.edition}
    if len(state.raiders) > 1:
        options["play"] = state.play
    return Table.at(game, state, seats=len(state.raiders), options=options, deal=deal(len(state.raiders)))[0]


def at(room: str | Mapping[int, str], raiders: int | Sequence[Place] = 4, **where: Any) -> Table:
    """A table where this room has just been entered; by default everyone holds all five power cards."""
    if isinstance(raiders, int):
        raiders = [raider() for _ in range(raiders)]
    return sit(position(raiders, rooms=room, **where))


def before_boss(boss: str, raiders: int | Sequence[Place] = 4, **where: Any) -> Table:
    return at(boss, raiders, floor=5, place=5, **where)


def first(room: str | Mapping[int, str], raiders: int | Sequence[Place] = 4, **where: Any) -> Table:
    """The same in the first edition; two play a duel, one plays alone."""
    return at(room, raiders, edition="first", **where)


def lay(table: Table, *cards: str) -> list[Event]:
    """Those whom the table asks lay these cards, in seat order, or in open play one after another."""
    told: list[Event] = []
    for card in cards:
        told += table.play(table.waits[0], card, table.round, secret(luck))
    return told


def lay_by(table: Table, cards: Mapping[int, str]) -> list[Event]:
    told: list[Event] = []
    for seat, card in cards.items():
        told += table.play(seat, card, table.round, secret(luck))
    return told


def light(table: Table, seat: int) -> list[Event]:
    return table.play(seat, "torch", table.round, secret(luck))


def only(events: Sequence[Event], kind: type[E]) -> E:
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


def done(table: Table, *cards: str) -> facts.Room:
    return only(lay(table, *cards), facts.Room)


def coins(room: facts.Room) -> list[int]:
    """What each gained in this room."""
    return [after.coins - before.coins for before, after in zip(room.before, room.after, strict=True)]


def wounds(room: facts.Room) -> list[int]:
    return [after.wounds - before.wounds for before, after in zip(room.before, room.after, strict=True)]


def gained(room: facts.Room) -> list[list[str]]:
    """The items that each has more of."""
    return [
        [item for item in facts.ITEMS for _ in range(after.items[item] - before.items[item])]
        for before, after in zip(room.before, room.after, strict=True)
    ]


def out(room: facts.Room) -> list[int]:
    return [seat for seat, after in enumerate(room.after) if not after.alive]


def fight(room: facts.Room) -> facts.Fight:
    assert isinstance(room.outcome, facts.Fight)
    return room.outcome


def state_of(table: Table) -> Raiders:
    state: Raiders = table.state
    return state


def trapped(room: facts.Room) -> facts.Trapped:
    assert isinstance(room.outcome, facts.Trapped)
    return room.outcome


def facts_of(room: facts.RoomFacts) -> dict[str, Any]:
    return {name: value for name in room.__struct_fields__ if (value := getattr(room, name)) is not UNSET}
