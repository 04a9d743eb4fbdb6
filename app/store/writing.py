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
        self.postgres = postgres
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
        self.insert_log = self.insert("moves", LOG)
        self.insert_table = self.insert("tables", TABLE)
        self.update_table = self.update("tables", SNAPSHOT)

    def hot(self, writes: Sequence[Write]) -> Iterator[tuple[str, Any]]:
        """Log lines first: their key decides."""
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
        for statement, rows in (
            (self.insert_log, log),
            (self.insert_table, opened),
            (self.update_table, snapshots),
        ):
            if rows:
                yield statement, tuple(list(column) for column in zip(*rows, strict=True)) if self.postgres else rows

    def insert(self, table: str, columns: Sequence[str]) -> str:
        into = f"INSERT INTO {table} ({', '.join(columns)})"
        if self.postgres:
            return f"{into} SELECT * FROM {arrays(columns)}"
        return f"{into} VALUES ({', '.join('?' * len(columns))})"

    def update(self, table: str, columns: Sequence[str]) -> str:
        """By the last of the columns."""
        *changed, key = columns
        if self.postgres:
            new = ", ".join(f"{name} = new.{name}" for name in changed)
            rows = f"{arrays(columns)} AS new ({', '.join(columns)})"
            return f"UPDATE {table} SET {new} FROM {rows} WHERE {table}.{key} = new.{key}"
        return f"UPDATE {table} SET {', '.join(f'{name} = ?' for name in changed)} WHERE {key} = ?"

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


def arrays(columns: Sequence[str]) -> str:
    """Postgres takes a whole batch as one array a column."""
    types = [TYPES.get(name, "text") for name in columns]
    return f"unnest({', '.join(f'${n}::{type}[]' for n, type in enumerate(types, 1))})"


DROP_AWAY = delete(s.deadlines).where(
    s.deadlines.c.table_id == bindparam("table"), s.deadlines.c.kind == "away", s.deadlines.c.key == bindparam("seat")
)
DROP_CHOICE = delete(s.deadlines).where(s.deadlines.c.table_id == bindparam("table"), s.deadlines.c.kind == "choice")
DROP_LIFTED = delete(s.lifted).where(
    s.lifted.c.table_id == bindparam("table"), s.lifted.c.seat == bindparam("seat_number")
)
