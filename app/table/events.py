"""The events of the running game, encoded as they were committed: decoded they would take four times the memory."""

from collections.abc import Iterator, Sequence
from typing import Any, overload

import msgspec
from msgspec import Raw, Struct

JsonEvent = dict[str, Any]
Gap = tuple[int, int]  # events that do not count: the first, and the one after the last
decode = msgspec.json.Decoder(JsonEvent).decode
read_raw = msgspec.json.Decoder(list[Raw]).decode


class Events(Sequence[JsonEvent]):
    """The events of one game after version `after` up to `version`, without those of steps that were taken back.
    Immutable, although later events are added to the list that it shares. An event is decoded on first access and
    cached in this object; a field `version` is added."""

    __slots__ = ("after", "decoded", "encoded", "gaps", "numbers", "version")

    def __init__(
        self,
        encoded: list[Raw],
        version: int,
        after: int = 0,
        gaps: tuple[Gap, ...] = (),
        decoded: dict[int, JsonEvent] | None = None,
    ) -> None:
        self.encoded = encoded
        self.after = after
        self.version = version
        self.gaps = gaps
        self.numbers = between_gaps(after, version, gaps)
        self.decoded: dict[int, JsonEvent] = {} if decoded is None else decoded

    def again(self, other: "Events | None" = None) -> "Events":
        """The same events with an empty cache, or with the cache of other events of the same game."""
        return Events(self.encoded, self.version, self.after, self.gaps, other.decoded if other is not None else None)

    def raw(self, after: int = 0) -> list[Raw]:
        """All encoded events after this version, also those that do not count."""
        return self.encoded[max(after, self.after) : self.version]

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[JsonEvent]:
        return map(self.event, self.numbers)

    @overload
    def __getitem__(self, at: int) -> JsonEvent: ...
    @overload
    def __getitem__(self, at: slice) -> list[JsonEvent]: ...
    def __getitem__(self, at: int | slice) -> JsonEvent | list[JsonEvent]:
        found = self.numbers[at]
        return self.event(found) if isinstance(found, int) else [self.event(n) for n in found]

    def event(self, n: int) -> JsonEvent:
        found = self.decoded.get(n)
        if found is None:
            found = self.decoded[n] = decode(self.encoded[n])
            found["version"] = n + 1
        return found


def between_gaps(after: int, version: int, gaps: tuple[Gap, ...]) -> Sequence[int]:
    """The numbers of the events that count."""
    numbers: list[int] = []
    for start, end in gaps:
        numbers += range(after, start)
        after = max(after, end)
    return [*numbers, *range(after, version)] if numbers else range(after, version)


class Head(Struct):
    """What tells where an entry's events belong: the fields of the first one, if it has them."""

    kind: str
    round: int = 0
    scope: str = ""
    taken: int = 0


read_head = msgspec.json.Decoder(Head).decode


class History:
    """All events of the running game: event i has version i + 1. Immutable: `add` returns another history.

    `reveal` has the events that pages tell: those of the newest scope, or the newest reveal that stands alone (at first
    how the game began), and all later ones.
    """

    __slots__ = ("all", "encoded", "gaps", "reveal", "rounds", "scope", "version")

    def __init__(
        self,
        encoded: list[Raw] | None = None,
        last_reveal: int = 0,
        scope: str = "",
        rounds: tuple[tuple[int, int], ...] = (),
        gaps: tuple[Gap, ...] = (),
    ) -> None:
        # One list for all histories of a game. Events after `version` belong to a later history, or were not committed.
        self.encoded = [] if encoded is None else encoded
        self.version = len(self.encoded)
        self.scope = scope  # of the newest reveal
        self.rounds = rounds  # of this scope: each round's number, and that of its first event
        self.gaps = gaps
        self.all = Events(self.encoded, self.version, 0, gaps)
        self.reveal = Events(self.encoded, self.version, last_reveal, gaps)

    def add(self, events_json: str) -> "History":
        """This history and the events of one more entry, a JSON array."""
        del self.encoded[self.version :]  # events of a commit that failed
        new = read_raw(events_json)
        self.encoded.extend(new)
        head, after = read_head(new[0]), self.reveal.after
        scope, rounds, gaps = self.scope, self.rounds, self.gaps
        if head.kind in ("began", "revealed"):
            if not head.scope or head.scope != scope:
                scope, after, rounds = head.scope, self.version, ()
            rounds = (*rounds, (head.round, self.version))
        elif head.kind == "stepped_back":
            start = next(start for round, start in rounds if round == head.taken)
            rounds = tuple(one for one in rounds if one[1] < start)
            gaps = (*(gap for gap in gaps if gap[0] < start), (start, self.version))
        return History(self.encoded, after, scope, rounds, gaps)
