"""The events of the running game, encoded as they were committed: decoded they would take four times the memory."""

from collections.abc import Iterator, Sequence
from typing import Any, overload

import msgspec
from msgspec import Raw

JsonEvent = dict[str, Any]
decode = msgspec.json.Decoder(JsonEvent).decode
read_raw = msgspec.json.Decoder(list[Raw]).decode
PLAYED_OUT = ('[{"kind":"began"', '[{"kind":"revealed"')  # the first bytes of an entry's events that pages animate


class Events(Sequence[JsonEvent]):
    """The events of one game after version `after` up to `version`. Immutable, although later events are added to the
    list that it shares. An event is decoded on first access and cached in this object; a field `version` is added."""

    __slots__ = ("after", "decoded", "encoded", "version")

    def __init__(
        self, encoded: list[Raw], version: int, after: int = 0, decoded: dict[int, JsonEvent] | None = None
    ) -> None:
        self.encoded = encoded
        self.after = after
        self.version = version
        self.decoded: dict[int, JsonEvent] = {} if decoded is None else decoded

    def again(self, other: "Events | None" = None) -> "Events":
        """The same events with an empty cache, or with the cache of other events of the same game."""
        return Events(self.encoded, self.version, self.after, other.decoded if other is not None else None)

    def raw(self, after: int = 0) -> list[Raw]:
        """The encoded events after this version."""
        return self.encoded[max(after, self.after) : self.version]

    def __len__(self) -> int:
        return self.version - self.after

    def __iter__(self) -> Iterator[JsonEvent]:
        return map(self.event, range(self.after, self.version))

    @overload
    def __getitem__(self, at: int) -> JsonEvent: ...
    @overload
    def __getitem__(self, at: slice) -> list[JsonEvent]: ...
    def __getitem__(self, at: int | slice) -> JsonEvent | list[JsonEvent]:
        found = range(self.after, self.version)[at]
        return self.event(found) if isinstance(found, int) else [self.event(n) for n in found]

    def event(self, n: int) -> JsonEvent:
        found = self.decoded.get(n)
        if found is None:
            found = self.decoded[n] = decode(self.encoded[n])
            found["version"] = n + 1
        return found


class History:
    """All events of the running game: event i has version i + 1. Immutable: `add` returns another history."""

    __slots__ = ("all", "encoded", "reveal", "version")

    def __init__(self, encoded: list[Raw] | None = None, last_reveal: int = 0) -> None:
        # One list for all histories of a game. Events after `version` belong to a later history, or were not committed.
        self.encoded = [] if encoded is None else encoded
        self.version = len(self.encoded)
        self.all = Events(self.encoded, self.version)
        self.reveal = Events(
            self.encoded, self.version, last_reveal
        )  # the last events that pages animate, and all later

    def add(self, events_json: str) -> "History":
        """This history and the events of one more entry, a JSON array."""
        del self.encoded[self.version :]  # events of a commit that failed
        self.encoded.extend(read_raw(events_json))
        return History(self.encoded, self.version if events_json.startswith(PLAYED_OUT) else self.reveal.after)
