"""What the other players could still play. Their hands are known, their choices are not."""

from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from engine.games.raiders import rooms
from engine.games.raiders.cards import FLOORS, ROOMS
from engine.games.raiders.facts import Public, RaiderSeen, RoomFacts
from engine.games.raiders.rooms import VALUE

FLED = VALUE["flee"]
Values = tuple[int, ...]  # card values in ascending order


def seen_room(public: Public) -> RoomFacts:
    room = public.rooms[public.place - 1].room
    assert room is not None
    return room


def could_play(raider: RaiderSeen, room: RoomFacts) -> Values:
    """The possible values of this raider's final card here. After a ball any of them can follow. See R-22, R-62."""
    if raider.play is not None:
        return (VALUE[raider.play],)
    values = {VALUE[card] for card in raider.hand}
    if can_use(raider.items, room):
        values.add(5)
    if can_flee(raider, room):
        values.add(FLED)
    return tuple(sorted(values))


def can_use(items: Mapping[str, int], room: RoomFacts) -> str | None:
    """R-22 The item that counts as 5 here, if the raider holds it."""
    item = "key" if room.kind == "treasure" else "sword" if room.kind in ("monster", "boss") else None
    return item if item and items[item] else None


def can_flee(raider: RaiderSeen, room: RoomFacts) -> bool:
    """R-62 Whether this raider can flee from the boss."""
    return bool(room.flee) and (bool(raider.items[str(room.flee)]) or (room.flee == "ball" and raider.passed))


def is_last(public: Public) -> bool:
    return (public.floor, public.place) == (FLOORS, ROOMS)


def settled(public: Public) -> bool:
    """Whether nobody has a choice left that matters in this room: its outcome follows from what everybody sees."""
    room = seen_room(public)
    return all(len(could_play(raider, room)) == 1 for raider in public.raiders if raider.alive)


@lru_cache(4096)
def all_values(choices: tuple[Values, ...]) -> tuple[Values, ...]:
    """Every combination of one value from each, as sorted multisets: it does not matter who played which value."""
    if not choices:
        return ((),)
    *others, last = choices
    found = {tuple(sorted((*values, value))) for values in all_values(tuple(others)) for value in last}
    return tuple(sorted(found))


@lru_cache(4096)
def rankings(choices: tuple[Values, ...], value: int) -> tuple[Values, ...]:
    """One combination for each possible rank of a value: number of distinct higher values and number of equals."""
    found = {
        (len(set(values[bisect_right(values, value) :])), values.count(value)): values for values in all_values(choices)
    }
    return tuple(found.values())


class Crowd(NamedTuple):
    """One combination in a fight: the others' values, and the sum, lowest and highest including the player's own."""

    others: Values
    total: int
    low: int | None
    high: int | None


@lru_cache(4096)
def crowds(choices: tuple[Values, ...], own: int) -> tuple[Crowd, ...]:
    """Enough combinations, without fleeing players, to cover everything that can happen to the player's own value.

    The outcome depends on the sum and on whether others are below, equal and above. So for each such pattern the least
    and the greatest sum are kept, and for each value the combination with the least sum, for `saved_by`.
    """
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
    """The values that can be the highest (or the lowest) when each plays one of its values."""
    if by == "lowest":
        bound = min([values[-1] for values in choices])
        return tuple(sorted({v for values in choices for v in values if v <= bound}))
    bound = max([values[0] for values in choices])
    return tuple(sorted({v for values in choices for v in values if v >= bound}))
