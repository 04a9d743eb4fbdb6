"""JSON for programs: the same views that the pages are made of, and what has changed of them."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct

from app.web.showing import Showing, encode

Plain = dict[str, Any]  # a view as JSON knows it; no part of it is the live state's own
Told = tuple[Plain, Any]  # what everybody may see, and what one seat sees besides

# What is told field by field, and what again within it. All else is told whole, but for lists of objects.
BY_FIELD: dict[str, Any] = {"table": {}, "shared": {"public": {}}, "own": {}}
NOTHING: Told = ({}, None)
LISTS = (list, tuple)


def plain(part: Any) -> Any:
    return msgspec.to_builtins(part, str_keys=True)


def common(showing: Showing) -> Plain:
    """What everybody may see."""
    found: Plain | None = showing.fragments.get("common")
    if found is None:
        found = showing.fragments["common"] = {
            "version": showing.version,
            "phase": showing.card.phase,
            "plays": showing.card.plays,
            "table": kept(showing, "plain card", showing.card),
            "shared": shared(showing),
        }
    return found


def shared(showing: Showing) -> Plain | None:
    if showing.shared is None:
        return None
    found: Plain = plain(msgspec.structs.replace(showing.shared, public=None))
    found["public"] = kept(showing, "plain public", showing.shared.public)
    return found


def own(showing: Showing, seat: int | None) -> Any:
    """What this seat sees besides."""
    return kept(showing, ("plain own", showing.hand(seat)), showing.own(seat))


def kept(showing: Showing, key: Any, part: Struct | None) -> Any:
    if key not in showing.still:
        showing.still[key] = plain(part)
    return showing.still[key]


def all_of(showing: Showing, seat: int | None) -> Plain:
    """All that this seat may see."""
    return {**common(showing), "own": own(showing, seat)}


def changed(new: Plain, old: Plain, by_field: Mapping[str, Any]) -> Plain:
    """The fields that are not as they were; null for those that are gone."""
    found: Plain = {} if old.keys() <= new.keys() else dict.fromkeys(old.keys() - new.keys())
    for name, value in new.items():
        before = old.get(name, Raw)
        if value is before or value == before:
            continue
        if name in by_field and type(value) is dict and type(before) is dict:
            found[name] = changed(value, before, by_field[name])
        else:
            rows = by_place(value, before)
            found[name] = value if rows is None else rows
    return found


def by_place(new: Any, old: Any) -> dict[str, Plain] | None:
    """Of the objects in two lists those that are not as they were, with the fields that are not; None where the lists
    are not as long, or hold anything else."""
    if type(new) not in LISTS or type(old) not in LISTS or len(new) != len(old):
        return None
    found = {}
    for place, (row, before) in enumerate(zip(new, old, strict=True)):
        if type(row) is not dict or type(before) is not dict:
            return None
        if row != before:
            if row.keys() != before.keys():
                return None
            found[str(place)] = {name: value for name, value in row.items() if value != before[name]}
    return found


def news(showing: Showing, seat: int | None, told: Told) -> tuple[Plain, Told]:
    """What changed for this seat since it was told that; and what is told now. What changed for everybody is found and
    encoded once for all who were told the same before."""
    everybody, mine = told
    now = common(showing), own(showing, seat)
    key = ("changed", id(everybody))
    if key not in showing.fragments:
        parts = {name: Raw(encode(part)) for name, part in changed(now[0], everybody, BY_FIELD).items()}
        showing.fragments[key] = (parts, everybody)  # kept: its id must stay its own
    found: Plain = {**showing.fragments[key][0]}
    if not everybody:
        found["own"] = now[1]
    elif now[1] != mine:
        both = now[1] is not None and mine is not None
        found["own"] = changed(now[1], mine, BY_FIELD["own"]) if both else now[1]
    return found, now


def view(showing: Showing, seat: int | None, remaining: float | None, after: int | None = None) -> bytes:
    """All that this seat may see now, and the events after version `after`."""
    found: Plain = {**all_of(showing, seat), "remaining": rounded(remaining)}
    if after is not None:
        found["events"] = events(showing, after)
    return encode(found)


def events(showing: Showing, after: int) -> list[Raw]:
    """Those after a version; all of them for who comes from an earlier game, which had more."""
    told = showing.picture.events
    return told.raw(after if after <= len(told) else 0)


def rounded(remaining: float | None) -> float | None:
    return None if remaining is None else round(remaining, 1)
