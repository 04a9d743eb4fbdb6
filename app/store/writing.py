"""The statements of a commit. Log and snapshots are the hot ones: plain SQL and whole batches in one statement."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import bindparam, delete
from sqlalchemy.dialects import postgresql, sqlite

from app.store import schema as s
from app.store.rows import Chores, Write

LOG = ("table_id", "seq", "version", "at", "person", "client_id", "secret", "action", "events")
TABLE = ("id", "token", "code", "game", "phase", "seq", "began", "saved", "touched")
SNAPSHOT = ("seq", "began", "phase", "saved", "touched", "id")
TYPES = {"seq": "int", "version": "int", "began": "int", "at": "float8", "touched": "float8"}  # the others are text

Small = tuple[Any, list[dict[str, Any]]]


class Writing:
    def __init__(self, postgres: bool) -> None:
        insert: Any = postgresql.insert if postgres else sqlite.insert
        deadline, lifted = insert(s.deadlines), insert(s.lifted)
        self.add_away = deadline.on_conflict_do_nothing()  # the first worker that missed a seat counts
        self.set_deadline = deadline.on_conflict_do_update(
            index_elements=["table_id", "kind", "key"], set_={"at": deadline.excluded.at}
        )
        self.set_lifted = lifted.on_conflict_do_update(
            index_elements=["table_id", "seat"], set_={"round": lifted.excluded.round, "move": lifted.excluded.move}
        )
        self.add_key = insert(s.keys).on_conflict_do_nothing()

    def whole(self, writes: Sequence[Write], news: str) -> tuple[str, list[Any]]:
        """Postgres takes it all, and the news to other workers, as one statement: an array a column."""
        batches = zip(self.batches(writes), (LOG, TABLE, SNAPSHOT), strict=True)
        return WHOLE, [*(column for rows, names in batches for column in columns(rows, len(names))), news]

    def one_by_one(self, writes: Sequence[Write]) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
        """SQLite takes a batch at a time. Log lines first: their key decides."""
        statements = insert("moves", LOG), insert("tables", TABLE), update("tables", SNAPSHOT)
        for statement, rows in zip(statements, self.batches(writes), strict=True):
            if rows:
                yield statement, rows

    def batches(self, writes: Sequence[Write]) -> tuple[list[tuple[Any, ...]], ...]:
        """Rows of the log, of new tables, and newer snapshots."""
        log: list[tuple[Any, ...]] = []
        opened: list[tuple[Any, ...]] = []
        snapshots: list[tuple[Any, ...]] = []
        for w in writes:
            for e in w.lines:
                log.append((w.table, e.seq, e.version, e.at, e.person, e.client_id, e.secret, e.action, e.events))
            if (shot := w.snapshot) is None:
                continue
            if (new := w.opening) is not None:
                name = (w.table, new.token, new.code, new.game)
                opened.append((*name, shot.phase, shot.seq, shot.began, shot.saved, shot.at))
            else:
                snapshots.append((shot.seq, shot.began, shot.phase, shot.saved, shot.at, w.table))
        return log, opened, snapshots

    def choices(self, writes: Sequence[Write]) -> list[Small]:
        changed = [write for write in writes if write.choice]
        running = [(write.table, write.ends_at) for write in changed if write.ends_at is not None]
        return [
            (self.set_deadline, [{"table_id": table, "kind": "choice", "key": "", "at": at} for table, at in running]),
            (DROP_CHOICE, [{"table": write.table} for write in changed if write.ends_at is None]),
        ]

    def chores(self, chores: Chores) -> list[Small]:
        away = [(*at, when) for at, when in sorted(chores.away.items())]
        lifted = [(*at, what) for at, what in sorted(chores.lifted.items())]
        missed = [{"table_id": t, "kind": "away", "key": str(n), "at": at} for t, n, at in away if at is not None]
        held = [{"table_id": t, "seat": n, "round": what[0], "move": what[1]} for t, n, what in lifted if what]
        return [
            (self.add_away, missed),
            (DROP_AWAY, [{"table": t, "seat": str(n)} for t, n, at in away if at is None]),
            (self.set_lifted, held),
            (DROP_LIFTED, [{"table": t, "seat_number": n} for t, n, what in lifted if not what]),
        ]


def columns(rows: Sequence[tuple[Any, ...]], count: int) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(count)]


def insert(table: str, names: Sequence[str]) -> str:
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"


def update(table: str, names: Sequence[str]) -> str:
    """By the last of the columns."""
    *changed, key = names
    return f"UPDATE {table} SET {', '.join(f'{name} = ?' for name in changed)} WHERE {key} = ?"


def arrays(names: Sequence[str], first: int) -> str:
    """A batch as one array a column, the first of which is the argument of that number."""
    types = [TYPES.get(name, "text") for name in names]
    return f"unnest({', '.join(f'${n}::{type}[]' for n, type in enumerate(types, first))})"


def whole() -> str:
    """A statement with three batches and the news as its arguments; of a batch that is empty nothing is done."""
    table, snapshot, news = 1 + len(LOG), 1 + len(LOG) + len(TABLE), 1 + len(LOG) + len(TABLE) + len(SNAPSHOT)
    *changed, key = SNAPSHOT
    return f"""
        WITH
        log AS (INSERT INTO moves ({", ".join(LOG)}) SELECT * FROM {arrays(LOG, 1)}),
        opened AS (INSERT INTO tables ({", ".join(TABLE)}) SELECT * FROM {arrays(TABLE, table)}),
        shot AS (
            UPDATE tables SET {", ".join(f"{name} = new.{name}" for name in changed)}
            FROM {arrays(SNAPSHOT, snapshot)} AS new ({", ".join(SNAPSHOT)}) WHERE tables.{key} = new.{key}
        )
        SELECT pg_notify('facedown', ${news}) WHERE ${news} <> ''
    """


WHOLE = whole()
DROP_AWAY = delete(s.deadlines).where(
    s.deadlines.c.table_id == bindparam("table"), s.deadlines.c.kind == "away", s.deadlines.c.key == bindparam("seat")
)
DROP_CHOICE = delete(s.deadlines).where(s.deadlines.c.table_id == bindparam("table"), s.deadlines.c.kind == "choice")
DROP_LIFTED = delete(s.lifted).where(
    s.lifted.c.table_id == bindparam("table"), s.lifted.c.seat == bindparam("seat_number")
)
