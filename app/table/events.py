"""The events of the running game, as the bytes that were committed: they take a quarter of the room of decoded ones."""

from collections.abc import Iterator, Sequence
from typing import Any, overload

import msgspec
from msgspec import Raw

Event = dict[str, Any]  # as JSON knows it
decode = msgspec.json.Decoder(Event).decode
read_raw = msgspec.json.Decoder(list[Raw]).decode
PLAYED_OUT = ('[{"kind":"began"', '[{"kind":"revealed"')  # how the JSON of events begins that pages play out


class Events(Sequence[Event]):
    """Some events of one game: those after version `after` up to version `version`. It never changes, while events are
    added behind it. Each event is decoded when somebody looks at it, with its version; nothing decoded outlives this
    object."""

    __slots__ = ("after", "decoded", "kept", "version")

    def __init__(self, kept: list[Raw], version: int, after: int = 0) -> None:
        self.kept = kept
        self.after = after
        self.version = version
        self.decoded: dict[int, Event] = {}

    def again(self) -> "Events":
        """The same events, with nothing decoded yet."""
        return Events(self.kept, self.version, self.after)

    def raw(self, after: int = 0) -> list[Raw]:
        """The encoded events after this version."""
        return self.kept[max(after, self.after) : self.version]

    def __len__(self) -> int:
        return self.version - self.after

    def __iter__(self) -> Iterator[Event]:
        return map(self.event, range(self.after, self.version))

    @overload
    def __getitem__(self, at: int) -> Event: ...
    @overload
    def __getitem__(self, at: slice) -> list[Event]: ...
    def __getitem__(self, at: int | slice) -> Event | list[Event]:
        found = range(self.after, self.version)[at]
        return self.event(found) if isinstance(found, int) else [self.event(n) for n in found]

    def event(self, n: int) -> Event:
        found = self.decoded.get(n)
        if found is None:
            found = self.decoded[n] = decode(self.kept[n])
            found["version"] = n + 1
        return found


class History:
    """All events of the running game: event i has version i + 1. A value: to add events makes another history."""

    __slots__ = ("all", "kept", "reveal", "version")

    def __init__(self, kept: list[Raw] | None = None, last_reveal: int = 0) -> None:
        self.kept = [] if kept is None else kept  # of all histories of one game; the last may be uncommitted
        self.version = len(self.kept)
        self.all = Events(self.kept, self.version)
        self.reveal = Events(self.kept, self.version, last_reveal)  # the newest that pages play out, and what followed

    def add(self, told: str) -> "History":
        """With the events of one more entry, a JSON array."""
        del self.kept[self.version :]  # left behind by a commit that failed
        self.kept.extend(read_raw(told))
        return History(self.kept, self.version if told.startswith(PLAYED_OUT) else self.reveal.after)
