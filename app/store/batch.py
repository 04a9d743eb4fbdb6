"""The rows of a commit, grouped by kind of change; the same for both databases."""

from collections.abc import Sequence
from typing import Any

from app.store.rows import Chores, Write

Row = tuple[Any, ...]
Batch = dict[str, list[Row]]  # only the kinds that have rows, in the order of COLUMNS

COLUMNS = {
    "entries": ("table_id", "seq", "version", "at", "person", "client_id", "secret", "action", "events"),
    "openings": ("id", "token", "code", "game", "phase", "seq", "began", "saved", "touched"),
    "snapshots": ("seq", "began", "phase", "saved", "touched", "id"),
    "set_deadlines": ("table_id", "kind", "key", "at"),
    "drop_deadlines": ("table_id", "kind", "key"),
    "set_lifted": ("table_id", "seat", "round", "move"),
    "drop_lifted": ("table_id", "seat"),
}


def batch_of(writes: Sequence[Write], chores: Chores) -> Batch:
    """Rows are sorted by key: all workers lock them in the same order, which prevents deadlocks."""
    writes = sorted(writes, key=lambda write: write.table)
    found = {**table_rows(writes), **deadline_rows(writes, chores), **lifted_rows(chores)}
    return {kind: rows for kind in COLUMNS if (rows := found[kind])}


def table_rows(writes: Sequence[Write]) -> Batch:
    entries: list[Row] = []
    openings: list[Row] = []
    snapshots: list[Row] = []
    for w in writes:
        for e in w.entries:
            entries.append((w.table, e.seq, e.version, e.at, e.person, e.client_id, e.secret, e.action, e.events))
        if (shot := w.snapshot) is None:
            continue
        if (new := w.opening) is not None:
            name = (w.table, new.token, new.code, new.game)
            openings.append((*name, shot.phase, shot.seq, shot.began, shot.saved, shot.at))
        else:
            snapshots.append((shot.seq, shot.began, shot.phase, shot.saved, shot.at, w.table))
    return {"entries": entries, "openings": openings, "snapshots": snapshots}


def deadline_rows(writes: Sequence[Write], chores: Chores) -> Batch:
    found: dict[tuple[str, str, str], float | None] = {
        (w.table, kind, ""): at for w in writes for kind, at in w.deadlines.items()
    }
    found |= {(table, "away", str(seat)): at for (table, seat), at in chores.away.items()}
    return {
        "set_deadlines": sorted((*key, at) for key, at in found.items() if at is not None),
        "drop_deadlines": sorted(key for key, at in found.items() if at is None),
    }


def lifted_rows(chores: Chores) -> Batch:
    return {
        "set_lifted": sorted((*key, *held) for key, held in chores.lifted.items() if held is not None),
        "drop_lifted": sorted(key for key, held in chores.lifted.items() if held is None),
    }
