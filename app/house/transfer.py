"""Takes a table from one server to another, as a file with everything that is stored of it."""

import re
from dataclasses import replace
from typing import NamedTuple

import msgspec
from msgspec import Struct

from app import clock
from app.house.commit import snapshot_of
from app.house.rebuild import LONGEST_REBUILD, Differs, NotRebuilt, rebuild
from app.house.trial import try_table
from app.store.rows import Chores, Conflict, Opening, Snapshot, StoredEntry, StoredTable, Write
from app.store.store import Store
from app.table import codes
from app.table.names import clean
from app.table.saved import SavedSitting
from app.table.seats import rest_ends
from engine.proof import canonical

FORMAT = 1
LINK_SECONDS = 7 * 86400
MOST_BYTES = 32_000_000  # of a file; a long game has less than one million
ID = re.compile("[0-9a-f]{24}")
SECRET = re.compile("[0-9a-f]{64}")


class TableFile(Struct, frozen=True, forbid_unknown_fields=True):
    facedown_table: int  # the format's version
    id: str
    snapshot: Snapshot
    entries: list[StoredEntry]  # all, from the first


class Invitation(NamedTuple):
    """A person who sits at an imported table."""

    name: str
    token: str  # one-time


class NotTaken(Exception):
    """A table cannot be exported or imported; the text says why."""


async def export_table(store: Store, which: str) -> bytes:
    """The file of the table with this token or code, or of the link that ends in the token."""
    last = which.rstrip("/").rpartition("/")[2]
    stored = await store.by_token(last) if codes.is_token(last) else await store.by_code(codes.fold(last))
    whole = await store.since(stored.table, 0) if stored else None
    if whole is None:
        raise NotTaken(f"there is no table {which}")
    return msgspec.json.encode(TableFile(FORMAT, whole.table, whole.snapshot, whole.entries))


async def import_table(store: Store, data: bytes, unchecked: bool = False) -> tuple[SavedSitting, list[Invitation]]:
    """Store the table. Returns its sitting, and for each person who sits there a one-time token with which this person
    takes the seat: the other server's cookies mean nothing here.

    The sitting is rebuilt from the log, and a file whose snapshot or events say something else is refused. With
    `unchecked`, what cannot be rebuilt is taken from the snapshot."""
    found = read_file(data)
    snapshot, entries = found.snapshot, found.entries
    try:
        sitting, entries = rebuild(snapshot, entries, LONGEST_REBUILD)
        snapshot = snapshot_of(sitting)
    except Differs as error:
        raise NotTaken(f"the file is not what its log says, as this program reads it: {error}") from None
    except NotRebuilt as error:
        if not unchecked:
            raise NotTaken(f"the table cannot be rebuilt from its log by this program: {error}") from None
        snapshot = with_clean_names(snapshot)
    saved = saved_of(snapshot)
    if not (codes.is_token(saved.token) and codes.fold(saved.code) == saved.code):
        raise NotTaken("the file is damaged")
    shown = [entry for entry in entries if entry.seq > snapshot.seq or of_running_game(entry, snapshot)]
    trial = try_table(StoredTable(found.id, snapshot, shown))
    if trial.stops:
        raise NotTaken(f"the table would not go on here: {trial.stops}")
    write = Write(found.id, entries, replace(snapshot, at=clock.now()), Opening(saved.token, saved.code, saved.game))
    write.deadlines = {"choice": saved.ends_at, "deal": saved.dealing, "long_away": rest_ends(saved.seats)}
    if saved.claim:
        write.deadlines["claim"] = saved.claim.at
    try:
        await store.commit([write], Chores())
    except Conflict:
        raise NotTaken("this table is there already") from None
    invitations = []
    for n, seat in enumerate(saved.seats):
        if seat.person:
            invitations.append(Invitation(seat.name, codes.new_token()))
            await store.add_link(codes.digest(invitations[-1].token), found.id, n, clock.now() + LINK_SECONDS)
    return saved, invitations


def read_file(data: bytes) -> TableFile:
    """The file, as far as it can be one without looking at what the entries say."""
    if len(data) > MOST_BYTES:
        raise NotTaken(f"the file is larger than {MOST_BYTES // 1_000_000} MB")
    try:
        found = msgspec.json.decode(data, type=TableFile)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise NotTaken("this is no file of `facedown export`") from None
    if found.facedown_table != FORMAT:
        raise NotTaken("the file is of another version of this program")
    last = clock.now() + 86400
    whole = [entry.seq for entry in found.entries] == list(range(1, len(found.entries) + 1))
    sound = all(SECRET.fullmatch(entry.secret) and entry.at < last for entry in found.entries)
    if not (whole and sound and ID.fullmatch(found.id) and 0 < found.snapshot.seq <= len(found.entries)):
        raise NotTaken("the file is damaged")
    saved_of(found.snapshot)
    return found


def saved_of(snapshot: Snapshot) -> SavedSitting:
    try:
        return msgspec.json.decode(snapshot.saved, type=SavedSitting)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise NotTaken("this is no file of `facedown export`") from None


def with_clean_names(snapshot: Snapshot) -> Snapshot:
    saved = saved_of(snapshot)
    for n, seat in enumerate(saved.seats, 1):
        if seat.name:
            seat.name = clean(seat.name) or str(n)
    return replace(snapshot, saved=canonical(saved).decode())


def of_running_game(entry: StoredEntry, snapshot: Snapshot) -> bool:
    return bool(snapshot.began and entry.seq >= snapshot.began and entry.events)
