"""What processes tell each other about tables, as JSON that fits into a notification."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct

from app.store.channel import LIMIT
from app.store.rows import StoredEntry

EntryRow = tuple[int, int, float, str, str, str, str, str | None]
Place = tuple[str, int]  # a table and the number of its last entry
MANY = 100  # tables in one notice
T = TypeVar("T")


class Notice(Struct, omit_defaults=True):
    by: str  # the process that sends it
    joins: bool = False  # it listens from now on
    holds: list[Place] = []  # it has these tables in memory; whoever has them, too, answers
    too: list[Place] = []  # the answer
    lacks: list[str] = []  # it does not have these in memory, and need not be told of them
    commits: list[msgspec.Raw] = []  # of these tables it has committed these entries
    reached: list[Place] = []  # the same, without the entries
    asks: list[str] = []  # of these tables, seats seem to be away: who has a socket of theirs?


class Outbox:
    """What one process is to be told, or all."""

    def __init__(self) -> None:
        self.joins = False
        self.holds: dict[str, int] = {}
        self.too: dict[str, int] = {}
        self.lacks: dict[str, None] = {}
        self.commits: list[tuple[str, Sequence[StoredEntry]]] = []
        self.reached: dict[str, int] = {}
        self.asks: dict[str, None] = {}

    def tables(self) -> Iterator[Place]:
        """The tables of which it says something new."""
        yield from self.reached.items()
        for table, entries in self.commits:
            yield table, entries[-1].seq

    def texts(self, by: str) -> Iterator[str]:
        """As notices, each not longer than LIMIT."""
        commits: list[bytes] = []
        reached = dict(self.reached)
        for table, entries in self.commits:
            said = encode_commit(table, entries)
            if len(said) > LIMIT - 100:
                reached[table] = entries[-1].seq
            else:
                commits.append(said)
        if self.joins:
            yield encoded(Notice(by, joins=True))
        for places in in_parts(list(self.holds.items())):
            yield encoded(Notice(by, holds=places))
        for places in in_parts(list(self.too.items())):
            yield encoded(Notice(by, too=places))
        for tables in in_parts(list(self.lacks)):
            yield encoded(Notice(by, lacks=tables))
        for part in packed(commits):
            yield encoded(Notice(by, commits=[msgspec.Raw(one) for one in part]))
        for places in in_parts(list(reached.items())):
            yield encoded(Notice(by, reached=places))
        for tables in in_parts(list(self.asks)):
            yield encoded(Notice(by, asks=tables))


def in_parts(whole: list[T]) -> Iterator[list[T]]:
    return (whole[at : at + MANY] for at in range(0, len(whole), MANY))


def packed(texts: list[bytes]) -> Iterator[list[bytes]]:
    """As many together as fit into a notice."""
    part: list[bytes] = []
    size = 0
    for text in texts:
        if part and size + len(text) + 1 > LIMIT - 100:
            yield part
            part, size = [], 0
        part.append(text)
        size += len(text) + 1
    if part:
        yield part


def encoded(notice: Notice) -> str:
    return msgspec.json.encode(notice).decode()


read_notice = msgspec.json.Decoder(Notice).decode
read_rows = msgspec.json.Decoder(tuple[str, list[EntryRow]]).decode


def encode_commit(table: str, entries: Sequence[StoredEntry]) -> bytes:
    rows = [(e.seq, e.version, e.at, e.person, e.client_id, e.secret, e.action, e.events) for e in entries]
    return msgspec.json.encode((table, rows))


def read_commit(said: msgspec.Raw) -> tuple[str, list[StoredEntry]]:
    table, rows = read_rows(said)
    return table, [StoredEntry(*row) for row in rows]
