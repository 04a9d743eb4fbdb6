"""How the game may end in the last room, exact over all cards that could be played."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Literal

from msgspec import Struct

from engine import Result
from engine.games.raiders import rooms
from engine.games.raiders.cards import FLOORS, ROOMS
from engine.games.raiders.ending import final_scoring
from engine.games.raiders.facts import Fight, Public, Purse, RaiderSeen
from engine.games.raiders.modes import mode_of
from engine.games.raiders.others import FLED, could_play, seen_room

End = Literal["wins", "shares", "loses", "out"]
OUT = ("most_wounds", "stone", "dead")  # reasons for a place


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
    found: dict[bool, set[End]] = {True: set(), False: set()}
    for falls, result in results(public, seat, card):
        found[falls].add(end_of(result, seat))
    falling, standing = found[True], found[False]
    return Finish(tuple(sorted(falling | standing)), tuple(sorted(falling)), tuple(sorted(standing)))


class Score(Struct, frozen=True):
    """What somebody has at the end."""

    coins: int
    wounds: int


Case = tuple[tuple[int, ...], tuple[tuple[int, str], ...], tuple[Score, ...]]  # winners, who is out and why, by seat


class Prospect(Struct, frozen=True):
    """How the game ends if the boss falls, or if it does not, or in both cases. `wins` and `out` list the seats for
    which that is certain, `may_win` and `may_be_out` those for which it is possible."""

    if_it_falls: bool | None  # the cases in which the monster falls, or does not; None: all, since that cannot vary
    wins: tuple[int, ...]
    may_win: tuple[int, ...]
    out: tuple[int, ...]
    may_be_out: tuple[int, ...]
    by_wounds: bool  # whoever is out has the most wounds
    forced: bool  # nobody has a choice left
    scores: tuple[Score | None, ...]  # by seat; None: it depends on the cards


def prospects(public: Public) -> tuple[Prospect, ...]:
    """First the cases in which the monster falls. Empty before the last room and after it, and for a player alone."""
    if public.over or not is_last(public) or len(public.raiders) == 1:
        return ()
    found: dict[bool, set[Case]] = {True: set(), False: set()}
    for falls, result in results(public):
        gone = tuple((one.seat, one.why) for one in result.standings if one.why in OUT)
        ranked = sorted(result.standings, key=lambda one: one.seat)
        scores = tuple(Score(one.score["coins"], one.score["wounds"]) for one in ranked)
        found[falls].add((result.winners, gone, scores))
    both = all(found.values())
    forced = all(len(could_lay(raider, public)) == 1 for raider in public.raiders)
    return tuple(prospect(cases, falls if both else None, forced) for falls, cases in found.items() if cases)


def prospect(cases: set[Case], if_it_falls: bool | None, forced: bool) -> Prospect:
    winners = [set(won) for won, _, _ in cases]
    gone = [{seat for seat, _ in out} for _, out, _ in cases]
    wins, out = set.intersection(*winners), set.intersection(*gone)
    return Prospect(
        if_it_falls=if_it_falls,
        wins=tuple(sorted(wins)),
        may_win=tuple(sorted(set.union(*winners) - wins)),
        out=tuple(sorted(out)),
        may_be_out=tuple(sorted(set.union(*gone) - out)),
        by_wounds=all(why == "most_wounds" for _, out, _ in cases for _, why in out),
        forced=forced,
        scores=tuple(each[0] if len(set(each)) == 1 else None for each in zip(*(s for _, _, s in cases), strict=True)),
    )


def results(public: Public, seat: int | None = None, card: str = "") -> Iterator[tuple[bool, Result]]:
    """The game's result for each combination of cards that could be played, and whether a monster falls. The card of
    one seat may be given."""
    mode, room = mode_of(public.edition, len(public.raiders)), seen_room(public)
    choices = [(card,) if raider.seat == seat else could_lay(raider, public) for raider in public.raiders]
    for plays in product(*choices):
        outcome, changes = rooms.resolve(mode, room, plays, public.raiders, public.supply, public.drawn)
        purses = [after(raider, changes.get(raider.seat)) for raider in public.raiders]
        yield isinstance(outcome, Fight) and outcome.beaten, final_scoring(mode, purses)


def could_lay(raider: RaiderSeen, public: Public) -> Sequence[str | None]:
    """A card for each value that this raider could play."""
    if not raider.alive:
        return (None,)
    return ["flee" if value == FLED else str(value) for value in could_play(raider, seen_room(public))]


def end_of(result: Result, seat: int) -> End:
    if seat in result.winners:
        return "wins" if len(result.winners) == 1 else "shares"
    mine = next(standing for standing in result.standings if standing.seat == seat)
    return "out" if mine.why in OUT else "loses"


def after(raider: RaiderSeen, change: rooms.Change | None) -> Purse:
    if change is None:
        return Purse(raider.coins, raider.wounds, raider.alive, {})
    return Purse(raider.coins + change.coins, raider.wounds + change.wounds, raider.alive and not change.out, {})
