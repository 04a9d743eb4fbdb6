"""JSON for programs: the views that pages are made from, and their changes."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct

from app.web.showing import Showing, encode
from engine.views import Own

Plain = dict[str, Any]  # a view as plain JSON data, independent of live state

# Objects that are sent field by field, with the nested ones. All others are sent whole, except lists of objects.
BY_FIELD: dict[str, Any] = {"table": {}, "shared": {"public": {}}, "own": {}}
LISTS = (list, tuple)


def plain(part: Any) -> Any:
    return msgspec.to_builtins(part, str_keys=True)


def common(showing: Showing) -> Plain:
    """What everybody may see, computed once per showing."""
    found: Plain | None = showing.fragments.get("common")
    if found is None:
        found = showing.fragments["common"] = {
            "version": showing.version,
            "phase": showing.card.phase,
            "plays": showing.card.plays,
            "table": kept(showing.seated, "plain card", showing.card),
            "shared": shared(showing),
        }
    return found


def shared(showing: Showing) -> Plain | None:
    """The shared view. Between two events only `waits` and `digests` change."""
    if showing.shared is None or showing.shared_without_answers is None:
        return None
    found: Plain = kept(showing.still, "plain shared", showing.shared_without_answers)
    return found | {"waits": showing.shared.waits, "digests": plain(showing.shared.digests)}


def own(showing: Showing, seat: int | None) -> Any:
    """The own view of a seat; the same object until it changes."""
    found = showing.picture.own(seat)
    last: tuple[Own, Plain] | None = showing.still.get(("plain own", seat))
    if found is None:
        return None
    if last is None or last[0] is not found:
        last = showing.still["plain own", seat] = found, plain(found)
    return last[1]


def kept(cache: dict[Any, Any], key: str, part: Struct) -> Any:
    if key not in cache:
        cache[key] = plain(part)
    return cache[key]


def all_of(showing: Showing, seat: int | None) -> Plain:
    """Everything that this seat may see."""
    return {**common(showing), "own": own(showing, seat)}


def changed(new: Plain, old: Plain, by_field: Mapping[str, Any]) -> Plain:
    """The fields that changed; None for fields that are gone."""
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
    """The changed fields of changed objects, by index in the list. None if this cannot express the change: different
    lengths, other keys, or elements that are not objects."""
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


class Told(Struct, frozen=True):
    """What a client was sent last: the common view and its own."""

    common: Plain = {}
    mine: Any = None


class News(Struct, frozen=True):
    """What changed for everybody: the fields, and the complete message for clients whose own view did not change."""

    fields: Mapping[str, Raw]
    text: str
    before: Plain  # the previous view; referenced so that its id() is not reused


def shared_news(showing: Showing, before: Plain) -> News:
    """Computed and encoded once for all clients that were sent the same view before."""
    key = ("news", id(before))
    found: News | None = showing.fragments.get(key)
    if found is None:
        fields = {name: Raw(encode(part)) for name, part in changed(common(showing), before, BY_FIELD).items()}
        text = encode(fields | {"version": showing.version}).decode() if fields else ""
        found = showing.fragments[key] = News(fields, text, before)
    return found


def news(showing: Showing, seat: int | None, told: Told) -> tuple[Mapping[str, Any], str, Told]:
    """The fields that changed for this seat, the encoded message if it can be shared between clients (else ""), and the
    new Told."""
    found, mine = shared_news(showing, told.common), own(showing, seat)
    now = Told(common(showing), mine)
    if told.common and (mine is told.mine or mine == told.mine):
        return found.fields, found.text, now
    both = mine is not None and told.mine is not None
    return {**found.fields, "own": changed(mine, told.mine, BY_FIELD["own"]) if both else mine}, "", now


def view(showing: Showing, seat: int | None, remaining: float | None, after: int | None = None) -> bytes:
    """Everything that this seat may see now, and the events after version `after`."""
    found: Plain = {**all_of(showing, seat), "remaining": rounded(remaining)}
    if after is not None:
        found["events"] = events(showing, after)
    return encode(found)


def events(showing: Showing, after: int) -> list[Raw]:
    """The events after a version; all of them if the version is from an earlier, longer game."""
    told = showing.picture.events
    return told.raw(after if after <= len(told) else 0)


def rounded(remaining: float | None) -> float | None:
    return None if remaining is None else round(remaining, 1)
