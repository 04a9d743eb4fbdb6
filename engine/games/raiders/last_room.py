"""How the game may end for a player who lays a card in the last room, exact over all cards the others could play."""

from collections.abc import Sequence
from itertools import product
from typing import Literal

from msgspec import Struct

from engine.games.raiders import rooms
from engine.games.raiders.cards import FLOORS, ROOMS
from engine.games.raiders.ending import final_scoring
from engine.games.raiders.facts import Fight, Public, Purse, RaiderSeen
from engine.games.raiders.modes import Mode, mode_of
from engine.games.raiders.others import FLED, could_play, seen_room

End = Literal["wins", "shares", "loses", "out"]


class Finish(Struct, frozen=True):
    """The player's possible ends: all, those if the monster falls, and the others. In other rooms nothing falls."""

    ends: tuple[End, ...]
    if_it_falls: tuple[End, ...]
    if_not: tuple[End, ...]


def is_last(public: Public) -> bool:
    return (public.floor, public.place) == (FLOORS, ROOMS)


def finish(public: Public, seat: int, card: str) -> Finish | None:
    """None before the last room, and for a player alone, who has nobody to be compared with."""
    if not is_last(public) or len(public.raiders) == 1:
        return None
    mode, room = mode_of(public.edition, len(public.raiders)), seen_room(public)
    choices = [(card,) if raider.seat == seat else could_lay(raider, public) for raider in public.raiders]
    found: dict[bool, set[End]] = {True: set(), False: set()}
    for plays in product(*choices):
        outcome, changes = rooms.resolve(mode, room, plays, public.raiders, public.supply, public.drawn)
        falls = isinstance(outcome, Fight) and outcome.beaten
        found[falls].add(end_of(mode, public.raiders, changes, seat))
    falling, standing = found[True], found[False]
    return Finish(tuple(sorted(falling | standing)), tuple(sorted(falling)), tuple(sorted(standing)))


def could_lay(raider: RaiderSeen, public: Public) -> Sequence[str | None]:
    """A card for each value that this raider could play."""
    if not raider.alive:
        return (None,)
    return ["flee" if value == FLED else str(value) for value in could_play(raider, seen_room(public))]


def end_of(mode: Mode, raiders: Sequence[RaiderSeen], changes: rooms.Changes, seat: int) -> End:
    purses = [after(raider, changes.get(raider.seat)) for raider in raiders]
    result = final_scoring(mode, purses)
    if seat in result.winners:
        return "wins" if len(result.winners) == 1 else "shares"
    mine = next(standing for standing in result.standings if standing.seat == seat)
    return "out" if mine.why in ("most_wounds", "stone", "dead") else "loses"


def after(raider: RaiderSeen, change: rooms.Change | None) -> Purse:
    if change is None:
        return Purse(raider.coins, raider.wounds, raider.alive, {})
    return Purse(raider.coins + change.coins, raider.wounds + change.wounds, raider.alive and not change.out, {})
