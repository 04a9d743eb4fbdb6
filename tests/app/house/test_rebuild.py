"""Tables rebuilt from their logs alone."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from app.house.rebuild import Differs, NotRebuilt, contains, rebuild
from app.store.rows import Snapshot, StoredEntry
from tests.support.packages import ROOT

SNAPSHOT = "SELECT id, seq, began, phase, saved, touched FROM tables"
ENTRIES = """SELECT seq, version, at, person, client_id, secret, action, events FROM moves
WHERE table_id = ? ORDER BY seq"""


def stored() -> Iterator[tuple[Snapshot, list[StoredEntry]]]:
    """All tables of the databases of earlier versions."""
    for file in sorted((ROOT / "tests" / "fixtures").glob("database-*.sql")):
        with closing(sqlite3.connect(":memory:")) as database:
            database.executescript(file.read_text("utf-8"))
            for id, *snapshot in database.execute(SNAPSHOT):
                yield Snapshot(*snapshot), [StoredEntry(*row) for row in database.execute(ENTRIES, (id,))]


def test_tables_of_earlier_versions_are_rebuilt_if_the_rules_are_the_same() -> None:
    rebuilt = 0
    for snapshot, entries in stored():
        try:
            sitting, rows = rebuild(snapshot, entries, 60)
        except NotRebuilt as error:
            assert "was played" in str(error)
            continue
        rebuilt += 1
        assert sitting.seq == len(rows) == len(entries)

    assert rebuilt


def test_a_log_that_ends_before_the_snapshot_lacks_entries() -> None:
    snapshot, entries = next((one, rows) for one, rows in stored() if one.seq == len(rows))
    with pytest.raises(Differs, match="entries are missing"):
        rebuild(snapshot, entries[:-1], 60)
    with pytest.raises(Differs, match="out of order"):
        rebuild(snapshot, entries[1:], 60)


def test_only_what_is_stored_must_be_the_same() -> None:
    ours = {"a": [1, {"b": 2}], "later": 3}
    assert contains(ours, {"a": [1, {}]}) and contains(ours, ours)
    for other in ({"c": 1}, {"a": [1]}, {"a": [True, {}]}, {"a": [1, {"b": 3}]}, {"a": None}):
        assert not contains(ours, other)
