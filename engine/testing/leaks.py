"""Checks in a whole game that nothing that a viewer is sent, and no ask, depends on what it cannot know."""

from random import Random
from typing import Any

from msgspec import Struct

from engine.chance import Chance
from engine.drafts import only_answer
from engine.proof import canonical
from engine.table import Table
from engine.testing.failed import CheckFailed
from engine.testing.moves import LONGEST_GAME, move_at_random

TRIES = 20  # number of times that `shuffle_unknown` is called until it changes something


def views(table: Table, viewer: int | None) -> bytes:
    return canonical([table.shared(), table.own(viewer) if viewer is not None else None])


def parts(private: Any) -> dict[str, bytes]:
    """A private view in parts: its fields, if it has fields."""
    if isinstance(private, Struct):
        return {name: canonical(getattr(private, name)) for name in private.__struct_fields__}
    return {"": canonical(private)}


def changes(one: list[dict[str, bytes]], other: list[dict[str, bytes]]) -> set[str]:
    """The parts that differ between these views, pair by pair."""
    pairs = zip(one, other, strict=True)
    return {name for a, b in pairs for name in {*a, *b} if a.get(name) != b.get(name)}


def check_leaks(table: Table, luck: Random) -> None:
    """Play to the end at random. Before each move, whatever a viewer cannot know is randomised, the random stream
    included; this must change no byte of its views. It would show nothing if `shuffle_unknown` left all as it is: so
    wherever `private` differs between seats, `shuffle_unknown` must have changed for the public, and for some seat,
    what others are told."""
    apart: set[str] = set()
    changed: dict[bool, set[str]] = {True: set(), False: set()}  # by whether it was shuffled for the public
    for _ in range(LONGEST_GAME):
        if table.over:
            break
        private = [parts(table.game.private(table.state, seat)) for seat in range(table.seats)]
        now = changes(private[1:], private[:-1])
        apart |= now
        for viewer in (None, *range(table.seats)) if now - changed[False] else (None, luck.randrange(table.seats)):
            for _ in range(TRIES):
                changed[viewer is None] |= check_viewer(table, viewer, private, luck)
                if now <= changed[viewer is None]:
                    break
        move_at_random(table, luck)
    for public, shown in changed.items():
        if missing := apart - shown:
            raise CheckFailed(unchanged(missing, "None" if public else "seat"))


def check_viewer(table: Table, viewer: int | None, private: list[dict[str, bytes]], luck: Random) -> set[str]:
    """Check one viewer. Returns the parts of the other seats' private views that were changed."""
    other = Table.restore(table.save(), table.game)  # without caches
    table.game.shuffle_unknown(other.state, viewer, Chance(luck.randbytes(32).hex()))
    other.state.chance = Chance(luck.randbytes(32).hex())
    if views(other, viewer) != views(table, viewer):
        who = "the public" if viewer is None else f"seat {viewer}"
        raise CheckFailed(
            f"what {who} is sent depends on what it cannot know. Take it out of that view, or let `shuffle_unknown` "
            "leave as it is what this viewer does know."
        )
    if viewer is None:
        check_ask(table, other)
    return changes([parts(table.game.private(other.state, seat)) for seat in range(table.seats)], private)


def check_ask(table: Table, other: Table) -> None:
    """Whom a table asks, in which scope, and whether it asks at all follows from what everybody knows: it is the same
    at another table that everybody takes for this one."""
    ask = table.ask
    assert ask is not None
    name, state = type(ask).__name__, other.state
    if (who := sorted(ask.who(state))) != table.asked:
        raise CheckFailed(depends(f"`who` of {name}", f"it returns {table.asked} here, but could return {who}"))
    if (scope := ask.scope(state)) != table.scope:
        raise CheckFailed(depends(f"`scope` of {name}", f"it returns {table.scope!r} here, but could return {scope!r}"))
    if ask.forced and not ask.hush and len(who) == 1 and not table.drafts:
        words = only_answer(ask, state, who[0], ask.options(state, who[0], ()))
        if words is not None:
            raise CheckFailed(
                depends(
                    f"whether {name} asks, with `forced`,",
                    f"seat {who[0]} has a choice here, but could have only {' '.join(words)!r}",
                )
            )


def depends(what: str, how: str) -> str:
    return f"{what} depends on what the public cannot know: {how}, and everybody would see which it is."


def unchanged(names: set[str], viewer: str) -> str:
    where = "`private`" if names == {""} else " and ".join(f"`{name}` of `private`" for name in sorted(names))
    return (
        f"{where} is not the same for all seats, but `shuffle_unknown(state, {viewer}, chance)` never changed it for "
        "any other, so nobody can tell whether it leaks. Let `shuffle_unknown` randomise whatever the viewer cannot "
        "know; what everybody may know belongs in `public`."
    )
