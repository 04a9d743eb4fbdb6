"""What goes to the store and what comes back, without a word of SQL."""

from dataclasses import dataclass, field


class Down(Exception):
    """The database cannot be reached; whether a commit under way was done is not known."""


class Conflict(Exception):
    """Somebody else wrote this entry of this table, or this message of this person, before."""


class Bad(Exception):
    """The database does not take this row; the others are not to suffer for it."""


@dataclass(slots=True)
class Line:
    """A row of the log."""

    seq: int
    version: int
    at: float
    person: str
    client_id: str
    secret: str
    action: str  # JSON
    events: str | None  # JSON


@dataclass(slots=True)
class Snapshot:
    """A sitting after entry `seq`, and what is looked for without reading it."""

    seq: int
    began: int
    phase: str
    saved: str  # JSON
    at: float


@dataclass(slots=True)
class Opening:
    token: str
    code: str
    game: str


@dataclass(slots=True)
class Write:
    """All that one table hands in at once: done whole or not at all."""

    table: str
    lines: list[Line]
    snapshot: Snapshot | None = None
    opening: Opening | None = None  # of a new table
    choice: bool = False  # whether the deadline of the choice changes, to
    ends_at: float | None = None


@dataclass(slots=True)
class Chores:
    """Small things that are no part of the log; the last word about each counts."""

    away: dict[tuple[str, int], float | None] = field(default_factory=dict)  # table, seat -> when; None: never mind
    lifted: dict[tuple[str, int], tuple[int, str] | None] = field(default_factory=dict)  # -> round, move

    def __bool__(self) -> bool:
        return bool(self.away or self.lifted)


@dataclass(slots=True)
class Kept:
    """A table as it lies in the store: its newest snapshot and the lines that are asked for besides."""

    table: str
    snapshot: Snapshot
    lines: list[Line]


@dataclass(slots=True, frozen=True)
class Deadline:
    table: str
    kind: str
    key: str
    at: float
