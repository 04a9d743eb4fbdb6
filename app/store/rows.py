"""The data that callers exchange with the store; no SQL."""

from dataclasses import dataclass, field


class Down(Exception):
    """The database cannot be reached; the outcome of a commit in progress is unknown."""


class Conflict(Exception):
    """The table's log already has this entry, or this message of this person."""


class Gone(Conflict):
    """The table is not in the database any more."""


class Bad(Exception):
    """The database rejects this row; other tables' rows may still be stored."""


class Newer(Bad):
    """A newer version has written this database; the text names both."""


@dataclass(slots=True)
class StoredEntry:
    """An entry as the log has it, with its events."""

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
    """A sitting after entry `seq`, and the columns that queries need."""

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
    """One table's part of a commit: stored completely or not at all."""

    table: str
    entries: list[StoredEntry]
    snapshot: Snapshot | None = None
    opening: Opening | None = None  # set for a new table
    deadlines: dict[str, float | None] = field(default_factory=dict)  # changes: kind -> when; None: delete


@dataclass(slots=True)
class Chores:
    """Small changes outside the log; for each key the last value counts."""

    away: dict[tuple[str, int], float | None] = field(default_factory=dict)  # table, seat -> when; None: delete
    lifted: dict[tuple[str, int], tuple[int, str] | None] = field(default_factory=dict)  # -> round, move

    def __bool__(self) -> bool:
        return bool(self.away or self.lifted)


@dataclass(slots=True)
class StoredTable:
    """A stored table: its newest snapshot and the requested entries."""

    table: str
    snapshot: Snapshot
    entries: list[StoredEntry]


@dataclass(slots=True, frozen=True)
class Deadline:
    table: str
    kind: str
    key: str
    at: float
