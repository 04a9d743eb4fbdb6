"""What the others at the table could still play: who holds what is known, what they choose is not."""

from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from engine.games.raiders import rooms
from engine.games.raiders.facts import Public, RaiderSeen, RoomFacts
from engine.games.raiders.rooms import VALUE

FLED = VALUE["flee"]
Values = tuple[int, ...]  # what all the others have or could play, the lowest first


def seen_room(public: Public) -> RoomFacts:
    room = public.rooms[public.place - 1].room
    assert room is not None
    return room


def could_play(raider: RaiderSeen, room: RoomFacts) -> Values:
    """The values of the final cards that this raider may have here; a ball leads to any of them. See R-22, R-62."""
    if raider.play is not None:
        return (VALUE[raider.play],)
    values = {VALUE[card] for card in raider.hand}
    if can_use(raider.items, room):
        values.add(5)
    if can_flee(raider, room):
        values.add(FLED)
    return tuple(sorted(values))


def can_use(items: Mapping[str, int], room: RoomFacts) -> str | None:
    """R-22 The item that counts 5 here, if it is held."""
    item = "key" if room.kind == "treasure" else "sword" if room.kind in ("monster", "boss") else None
    return item if item and items[item] else None


def can_flee(raider: RaiderSeen, room: RoomFacts) -> bool:
    """R-62"""
    return bool(room.flee) and (bool(raider.items[str(room.flee)]) or (room.flee == "ball" and raider.passed))


@lru_cache(4096)
def all_values(choices: tuple[Values, ...]) -> tuple[Values, ...]:
    """Every combination of one value from each, as multisets: who of the others played which makes no difference."""
    if not choices:
        return ((),)
    *others, last = choices
    found = {tuple(sorted((*values, value))) for values in all_values(tuple(others)) for value in last}
    return tuple(sorted(found))


@lru_cache(4096)
def rankings(choices: tuple[Values, ...], value: int) -> tuple[Values, ...]:
    """One combination for each place that a value may come to: below so many different ones, beside so many equals."""
    found = {
        (len(set(values[bisect_right(values, value) :])), values.count(value)): values for values in all_values(choices)
    }
    return tuple(found.values())


class Crowd(NamedTuple):
    """Who stands in a fight: the others, and what clashes when the player's own value is counted in."""

    others: Values
    total: int
    low: int | None
    high: int | None


@lru_cache(4096)
def crowds(choices: tuple[Values, ...], own: int) -> tuple[Crowd, ...]:
    """Enough of the combinations, without those who flee, to show all that may happen to one's own value among them.
    That follows from the sum and from whether others are below it, equal and above: so the least and the most sum for
    each such company and, as to who draws an attack away, the least sum with each value."""
    least: dict[tuple[bool, ...], Values] = {}
    most: dict[tuple[bool, ...], Values] = {}
    least_with: dict[int, Values] = {}
    for values in sorted(all_values(choices), key=sum):
        others = values[values.count(FLED) :]
        company = (others[0] < own, own in others, others[-1] > own) if others else ()
        least.setdefault(company, others)
        most[company] = others
        for value in others:
            least_with.setdefault(value, others)
    return tuple([crowd(own, others) for others in {*least.values(), *most.values(), *least_with.values()}])


def crowd(own: int, others: Values) -> Crowd:
    values = (own, *others) if own else others
    return Crowd(others, sum(values), *rooms.span(values))


def counted(room: RoomFacts, value: int) -> int:
    return room.fives if room.fives and value == 5 else value


def extremes(choices: tuple[Values, ...], by: str) -> Values:
    """What the highest of one value each may be, or the lowest: whatever is not sure to be beaten."""
    if by == "lowest":
        bound = min([values[-1] for values in choices])
        return tuple(sorted({v for values in choices for v in values if v <= bound}))
    bound = max([values[0] for values in choices])
    return tuple(sorted({v for values in choices for v in values if v >= bound}))
