"""JSON for programs: the views that pages are made from, and their changes.

Views are immutable, also what lies in them: differences are found by comparing the views themselves, and only what
changed is turned into JSON.
"""

from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass
from functools import cache
from typing import Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import asdict, astuple

from app.table.picture import Card, Picture
from app.web.render_cache import Key, RenderCache
from engine.views import Own, Shared

Fields = dict[str, Any]  # the fields of a view by their names in JSON; the values are still objects

# Objects that are sent field by field, with the nested ones. All others are sent whole, except lists of objects.
BY_FIELD: dict[str, Any] = {"table": {}, "shared": {"public": {}}, "own": {}}
LISTS = (list, tuple)

encode = msgspec.json.encode


class Common(Struct, frozen=True):
    """What everybody may see."""

    version: int
    phase: str
    plays: int
    table: Card
    shared: Shared | None


class JsonChange(Struct, frozen=True):
    """What changed for everybody: the fields, and the complete message for clients whose own view did not change."""

    fields: Mapping[str, Raw]
    text: str
    now: Common  # what everybody sees after it


class Sent(Struct, frozen=True):
    """The view that a client was sent last: what everybody sees, at this revision, and its own view."""

    revision: int = -1
    common: Common | None = None
    own: Own | None = None


class JsonView:
    """A picture of a table as JSON."""

    def __init__(self, cache: RenderCache, table: str, picture: Picture) -> None:
        self.cache = cache
        self.table = table
        self.picture = picture

    def common(self) -> Common:
        picture = self.picture
        return Common(picture.version, picture.card.phase, picture.card.plays, picture.card, picture.shared)

    def whole(self, seat: int | None) -> tuple[Common, Own | None]:
        """Everything that this seat may see."""
        return self.common(), self.picture.own(seat)

    def encoded(self, seat: int | None, remaining: float | None, after: int | None = None) -> bytes:
        """Everything that this seat may see now, and the events after version `after`."""
        common, own = self.whole(seat)
        found: Fields = {**json_fields(common), "own": own, "remaining": rounded(remaining)}
        if after is not None:
            found["events"] = self.events(after)
        return encode(found)

    def events(self, after: int) -> list[Raw]:
        """The events after a version; none if the game is not that far, as after a rematch."""
        return self.picture.events.raw(after)

    def change(self, sent: Sent) -> JsonChange:
        """Computed and encoded once for all clients that were sent the same view before."""

        def make() -> JsonChange:
            common = self.common()
            changed = json_fields(common) if sent.common is None else changed_fields(common, sent.common, BY_FIELD)
            fields = {name: Raw(encode(part)) for name, part in changed.items()}
            text = encode(fields | {"version": self.picture.version}).decode() if fields else ""
            return JsonChange(fields, text, common)

        key: Key = (self.table, self.picture.ready_revision, "json change", "", sent.revision)
        return self.cache.get(key, make)

    def since(self, sent: Sent, seat: int | None) -> tuple[Mapping[str, Any], str, Sent]:
        """The fields that changed for this seat, the encoded message if it can be shared between clients (else ""), and
        what the client has been sent then."""
        change, own, before = self.change(sent), self.picture.own(seat), sent.own
        now = Sent(self.picture.ready_revision, change.now, own)
        if sent.common is not None and (own is before or own == before):
            return change.fields, change.text, now
        both = own is not None and before is not None
        return {**change.fields, "own": changed_fields(own, before, BY_FIELD["own"]) if both else own}, "", now


def changed_fields(new: Any, old: Any, by_field: Mapping[str, Any]) -> Fields:
    """The fields that changed between two objects; None for fields that are gone."""
    found: Fields = {}
    for name, value, before in pairs(new, old):
        if value is before or value == before:
            continue
        if name in by_field and is_object(value) and is_object(before):
            found[name] = changed_fields(value, before, by_field[name])
        else:
            rows = by_place(value, before) if type(value) in LISTS else None
            found[name] = value if rows is None else rows
    return found


def by_place(new: Any, old: Any) -> dict[str, Fields] | None:
    """The changed fields of changed objects, by index in the list. None if this cannot express the change: different
    lengths, other types or keys, or elements that are not objects."""
    if type(old) not in LISTS or len(new) != len(old):
        return None
    found = {}
    for place, (row, before) in enumerate(zip(new, old, strict=True)):
        if row is before or row == before:
            continue
        if not (is_object(row) and is_object(before) and same_names(row, before)):
            return None
        found[str(place)] = {name: value for name, value, then in pairs(row, before) if value != then}
    return found


def same_names(new: Any, old: Any) -> bool:
    return alike(new, old) or json_fields(new).keys() == json_fields(old).keys()


def pairs(new: Any, old: Any) -> Iterable[tuple[str, Any, Any]]:
    """The name and both values of each field that one of two objects has; None where a new object has none."""
    if alike(new, old):
        return zip(type(new).__struct_fields__, astuple(new), astuple(old), strict=True)
    now, then = json_fields(new), json_fields(old)
    return [(name, now.get(name), then.get(name, Raw)) for name in then.keys() | now.keys()]


def alike(new: Any, old: Any) -> bool:
    """Whether both are structs of one type whose fields can be compared one by one."""
    kind = type(new)
    return kind is type(old) and issubclass(kind, Struct) and is_plain(kind)


def is_object(part: Any) -> bool:
    """Whether this becomes an object in JSON."""
    return isinstance(part, (Struct, dict)) or is_dataclass(part)


def json_fields(part: Any) -> Fields:
    """The fields of an object, by their names in JSON."""
    if isinstance(part, Struct) and is_plain(type(part)):
        return asdict(part)
    found: Fields = part if type(part) is dict else msgspec.to_builtins(part, str_keys=True)
    return found


@cache
def is_plain(struct: type[Struct]) -> bool:
    """Whether JSON has all fields of this type under their own names, and nothing else."""
    how = struct.__struct_config__
    return how.tag is None and not how.omit_defaults and struct.__struct_fields__ == struct.__struct_encode_fields__


def rounded(remaining: float | None) -> float | None:
    return None if remaining is None else round(remaining, 1)
