"""Rebuilds a table from the entries of its log alone, and compares what is stored of it."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from app.house.open_table import encode_sitting, read_action
from app.refusals import Refusal
from app.store.rows import Snapshot, StoredEntry
from app.table import actions as do
from app.table.sitting import Sitting
from engine.game import UnknownGame
from engine.proof import canonical

LONGEST_REBUILD = 20.0  # seconds

# Times at which pages will have told something: how long they take may change with every version.
TOLD = {"ends_at", "ended_at", "shown_at"}


class NotRebuilt(Exception):
    """These entries build no table with this program; the text says why."""


class Differs(Exception):
    """The entries build another table than the stored one; the text says where."""


def rebuild(snapshot: Snapshot, entries: Sequence[StoredEntry], seconds: float) -> tuple[Sitting, list[StoredEntry]]:
    """The sitting after all entries, which begin with the first, and the entries with the events that they give. Raises
    NotRebuilt, also after this many seconds, and Differs if the events or the snapshot that are stored say something
    else."""
    until = time.monotonic() + seconds
    sitting: Sitting | None = None
    rows = []
    for number, row in enumerate(entries, 1):
        if time.monotonic() > until:
            raise NotRebuilt(f"it takes longer than {seconds:g} seconds")
        if row.seq != number or (sitting is not None and row.at < sitting.saved.at):
            raise Differs(f"entry {number} is out of order")
        sitting, events = follow(sitting, row)
        ours, stored = decoded(events), decoded(row.events)
        need_same_rules(ours, stored)
        if sitting.version != row.version or not contains(ours, stored):
            raise Differs(f"entry {number} has other events")
        rows.append(replace(row, events=events))
        if number == snapshot.seq:
            compare(snapshot, sitting)
    if sitting is None or not 0 < snapshot.seq <= sitting.seq:
        raise Differs("entries are missing")
    return sitting, rows


def follow(sitting: Sitting | None, row: StoredEntry) -> tuple[Sitting, str | None]:
    """The sitting after this entry, and the events as they are stored."""
    try:
        entry = do.Entry(row.person, read_action(row.action), row.secret, row.at)
        if sitting is None:
            if not isinstance(entry.action, do.Open):
                raise NotRebuilt("the first entry opens no table")
            return Sitting.open(entry), None
        change = sitting.apply(entry)
    except UnknownGame as error:
        raise NotRebuilt(str(error)) from None
    except Refusal as refusal:
        raise NotRebuilt(f"entry {row.seq} is refused: {refusal.reason}") from None
    except NotRebuilt:
        raise
    except Exception as error:
        raise NotRebuilt(f"entry {row.seq} breaks: {type(error).__name__}") from None
    return change.sitting, canonical(change.events).decode() if change.events else None


def need_same_rules(ours: Any, stored: Any) -> None:
    """Raises NotRebuilt if a game begins with these events that would begin otherwise today."""
    match ours, stored:
        case [{"kind": "began"} as here, *_], [{"kind": "began"} as there, *_]:
            if here["rules"] != there.get("rules"):
                raise NotRebuilt(f"a game was played by version {there.get('rules')} of its rules")
            if here["options"] != there.get("options"):
                raise NotRebuilt("a game was played with other options than it has today")


def compare(snapshot: Snapshot, sitting: Sitting) -> None:
    """Raises Differs if the snapshot is not of this sitting."""
    stored, ours = decoded(snapshot.saved), decoded(encode_sitting(sitting))
    found = [name for name in stored if name not in TOLD and not contains(ours.get(name), stored[name])]
    if not found and (snapshot.phase, snapshot.began) != (sitting.phase, sitting.saved.began):
        found = ["phase"]
    if found:
        raise Differs(f"the snapshot has another {', '.join(found)}")


def decoded(json: str | bytes | None) -> Any:
    try:
        return json and msgspec.json.decode(json)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Differs("it is damaged") from None


def contains(ours: Any, stored: Any) -> bool:
    """Whether all that is stored is ours. What an earlier version did not store yet may be missing."""
    if isinstance(ours, dict) and isinstance(stored, dict):
        return all(name in ours and contains(ours[name], value) for name, value in stored.items())
    if isinstance(ours, list) and isinstance(stored, list) and len(ours) == len(stored):
        return all(map(contains, ours, stored))
    return type(ours) is type(stored) and bool(ours == stored)
