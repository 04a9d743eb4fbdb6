"""Takes a table from one server to another, as a file with everything that is stored of it."""

import msgspec
from msgspec import Struct

from app import clock
from app.house.trial import try_table
from app.store.rows import Chores, Conflict, Opening, Snapshot, StoredEntry, StoredTable, Write
from app.store.store import Store
from app.table import codes
from app.table.saved import SavedSitting

FORMAT = 1
LINK_SECONDS = 7 * 86400


class TableFile(Struct, frozen=True, forbid_unknown_fields=True):
    facedown_table: int  # the format's version
    id: str
    snapshot: Snapshot
    entries: list[StoredEntry]  # all, from the first


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


async def import_table(store: Store, data: bytes) -> tuple[SavedSitting, dict[str, str]]:
    """Store the table. Returns its sitting, and for each person who sits there a one-time token with which this person
    takes the seat: the other server's cookies mean nothing here."""
    try:
        found = msgspec.json.decode(data, type=TableFile)
        saved = msgspec.json.decode(found.snapshot.saved, type=SavedSitting)
    except (msgspec.DecodeError, UnicodeError):
        raise NotTaken("this is no file of `facedown export`") from None
    if found.facedown_table != FORMAT:
        raise NotTaken("the file is of another version of this program")
    whole = [entry.seq for entry in found.entries] == list(range(1, len(found.entries) + 1))
    known = codes.is_token(saved.token) and codes.fold(saved.code) == saved.code
    if not (whole and known and found.snapshot.seq <= len(found.entries)):
        raise NotTaken("the file is damaged")
    shown = [entry for entry in found.entries if entry.seq > found.snapshot.seq or of_running_game(entry, found)]
    trial = try_table(StoredTable(found.id, found.snapshot, shown))
    if trial.stops:
        raise NotTaken(f"the table would not go on here: {trial.stops}")
    write = Write(found.id, found.entries, found.snapshot, Opening(saved.token, saved.code, saved.game))
    write.deadlines = {"choice": saved.ends_at, "deal": saved.dealing}
    if saved.claim:
        write.deadlines["claim"] = saved.claim.at
    try:
        await store.commit([write], Chores())
    except Conflict:
        raise NotTaken("this table is there already") from None
    links = {}
    for n, seat in enumerate(saved.seats):
        if seat.person:
            links[seat.name] = token = codes.new_token()
            await store.add_link(codes.digest(token), found.id, n, clock.now() + LINK_SECONDS)
    return saved, links


def of_running_game(entry: StoredEntry, found: TableFile) -> bool:
    return bool(found.snapshot.began and entry.seq >= found.snapshot.began and entry.events)
