"""JSON for programs: the views that pages are made from, and their changes."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct

from app.table.picture import Picture, own_state
from app.web.render_cache import Key, RenderCache

Plain = dict[str, Any]  # a view as plain JSON data, independent of live state

# Objects that are sent field by field, with the nested ones. All others are sent whole, except lists of objects.
BY_FIELD: dict[str, Any] = {"table": {}, "shared": {"public": {}}, "own": {}}
LISTS = (list, tuple)

encode = msgspec.json.encode


def plain(part: Any) -> Any:
    return msgspec.to_builtins(part, str_keys=True)


class JsonChange(Struct, frozen=True):
    """What changed for everybody: the fields, and the complete message for clients whose own view did not change."""

    fields: Mapping[str, Raw]
    text: str
    now: Plain  # what everybody sees after it


class Sent(Struct, frozen=True):
    """The view that a client was sent last: what everybody sees, at this revision, and its own view."""

    revision: int = -1
    common: Plain = {}
    own: Any = None


class JsonView:
    """A picture of a table as JSON."""

    def __init__(self, cache: RenderCache, table: str, picture: Picture) -> None:
        self.cache = cache
        self.table = table
        self.picture = picture

    def key(self, part: str, revision: int, viewer: Any = None) -> Key:
        return self.table, revision, part, "", viewer

    def common(self) -> Plain:
        """What everybody may see."""
        return self.cache.get(self.key("json common", self.picture.ready_revision), self.make_common)

    def make_common(self) -> Plain:
        picture = self.picture
        return {
            "version": picture.version,
            "phase": picture.card.phase,
            "plays": picture.card.plays,
            "table": self.cache.get(self.key("json table", picture.seats_revision), lambda: plain(picture.card)),
            "shared": self.shared(),
        }

    def shared(self) -> Plain | None:
        """The shared view. Between two events only `waits` and `digests` change."""
        shared, without_answers = self.picture.shared, self.picture.shared_without_answers
        if shared is None or without_answers is None:
            return None
        key = self.key("json shared", self.picture.events_revision)
        found: Plain = self.cache.get(key, lambda: plain(without_answers))
        return found | {"waits": shared.waits, "digests": plain(shared.digests)}

    def own(self, seat: int | None) -> Any:
        """The own view of a seat; the same object until it changes."""
        own = self.picture.own(seat)
        if own is None:
            return None
        key = self.key("json own", self.picture.events_revision, (seat, own_state(own)))
        return self.cache.get(key, lambda: plain(own))

    def whole(self, seat: int | None) -> Plain:
        """Everything that this seat may see."""
        return {**self.common(), "own": self.own(seat)}

    def encoded(self, seat: int | None, remaining: float | None, after: int | None = None) -> bytes:
        """Everything that this seat may see now, and the events after version `after`."""
        found: Plain = {**self.whole(seat), "remaining": rounded(remaining)}
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
            fields = {name: Raw(encode(part)) for name, part in changed_fields(common, sent.common, BY_FIELD).items()}
            text = encode(fields | {"version": self.picture.version}).decode() if fields else ""
            return JsonChange(fields, text, common)

        return self.cache.get(self.key("json change", self.picture.ready_revision, sent.revision), make)

    def since(self, sent: Sent, seat: int | None) -> tuple[Mapping[str, Any], str, Sent]:
        """The fields that changed for this seat, the encoded message if it can be shared between clients (else ""), and
        what the client has been sent then."""
        change, own = self.change(sent), self.own(seat)
        now = Sent(self.picture.ready_revision, change.now, own)
        if sent.common and (own is sent.own or own == sent.own):
            return change.fields, change.text, now
        both = own is not None and sent.own is not None
        return {**change.fields, "own": changed_fields(own, sent.own, BY_FIELD["own"]) if both else own}, "", now


def changed_fields(new: Plain, old: Plain, by_field: Mapping[str, Any]) -> Plain:
    """The fields that changed; None for fields that are gone."""
    found: Plain = {} if old.keys() <= new.keys() else dict.fromkeys(old.keys() - new.keys())
    for name, value in new.items():
        before = old.get(name, Raw)
        if value is before or value == before:
            continue
        if name in by_field and type(value) is dict and type(before) is dict:
            found[name] = changed_fields(value, before, by_field[name])
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


def rounded(remaining: float | None) -> float | None:
    return None if remaining is None else round(remaining, 1)
