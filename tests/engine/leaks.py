"""Asked of one whole game: does anything that a viewer is sent depend on what it cannot know?"""

from random import Random
from typing import Any

from msgspec import Struct

from engine.chance import Chance
from engine.proof import canonical
from engine.table import Table
from tests.engine.play import step

TRIES = 20  # of dealing anew by chance until something has changed


def views(table: Table, viewer: int | None) -> bytes:
    return canonical([table.shared(), table.own(viewer) if viewer is not None else None])


def parts(private: Any) -> dict[str, bytes]:
    """What a seat is told in private: field by field where it has fields."""
    if isinstance(private, Struct):
        return {name: canonical(getattr(private, name)) for name in private.__struct_fields__}
    return {"": canonical(private)}


def changes(one: list[dict[str, bytes]], other: list[dict[str, bytes]]) -> set[str]:
    """The parts in which these differ, pair by pair."""
    pairs = zip(one, other, strict=True)
    return {name for a, b in pairs for name in {*a, *b} if a.get(name) != b.get(name)}


def check_views(table: Table, luck: Random) -> None:
    """Plays to the end at random. Whatever a viewer cannot know is shuffled before each move, and must change no byte
    of its views. That shows nothing where `shuffle_unknown` leaves all as it is: so wherever `private` tells seats
    different things, `shuffle_unknown` must have changed for the public, and for some seat, what others are told."""
    apart: set[str] = set()
    changed: dict[bool, set[str]] = {True: set(), False: set()}  # by whether it was shuffled for the public
    while not table.over:
        private = [parts(table.game.private(table.state, seat)) for seat in range(table.seats)]
        now = changes(private[1:], private[:-1])
        apart |= now
        for viewer in (None, *range(table.seats)) if now - changed[False] else (None, luck.randrange(table.seats)):
            for _ in range(TRIES):
                changed[viewer is None] |= check_viewer(table, viewer, private, luck)
                if now <= changed[viewer is None]:
                    break
        step(table, luck)
    for public, shown in changed.items():
        assert apart <= shown, lying(table.game.key, apart - shown, "None" if public else "seat")


def check_viewer(table: Table, viewer: int | None, private: list[dict[str, bytes]], luck: Random) -> set[str]:
    """The parts of `private` that were changed for others than the viewer."""
    other = Table.restore(table.save())  # it remembers nothing that was offered before
    table.game.shuffle_unknown(other.state, viewer, Chance(luck.randbytes(32).hex()))
    who = "the public" if viewer is None else f"seat {viewer}"
    assert views(other, viewer) == views(table, viewer), (
        f"{table.game.key}: what {who} is sent depends on what it cannot know. Take it out of that view, or let "
        "`shuffle_unknown` leave as it is what this viewer does know."
    )
    return changes([parts(table.game.private(other.state, seat)) for seat in range(table.seats)], private)


def lying(key: str, names: set[str], viewer: str) -> str:
    where = "`private`" if names == {""} else " and ".join(f"`{name}` of `private`" for name in sorted(names))
    return (
        f"{key}: {where} is not the same for all seats, but `shuffle_unknown(state, {viewer}, chance)` never changed "
        "it for any other, so nobody can tell whether it leaks. Let `shuffle_unknown` randomise whatever the viewer "
        "cannot know; what everybody may know belongs in `public`."
    )
