"""Writes and chores as rows, sorted by their keys."""

from app.store.batch import COLUMNS, batch_of
from app.store.rows import Chores, Write
from tests.app.store.making import entry, opening, shot


def test_nothing_to_write_is_nothing() -> None:
    assert batch_of([], Chores()) == {}
    assert list(batch_of([Write("t1", [entry(2)])], Chores())) == ["entries"]


def test_each_kind_has_its_rows() -> None:
    writes = [
        Write("t2", [entry(2)], shot(2), deadlines={"choice": 9.0}),
        Write("t1", [entry(3), entry(4)], deadlines={"choice": None}),
        opening("t3"),
    ]
    away = {("t2", 1): 8.0, ("t1", 10): 7.0, ("t1", 2): 7.0, ("t2", 0): None}
    lifted = {("t2", 0): (3, "4"), ("t1", 1): None}
    batch = batch_of(writes, Chores(away, lifted))
    assert list(batch) == list(COLUMNS)
    assert [row[:2] for row in batch["entries"]] == [("t1", 3), ("t1", 4), ("t2", 2), ("t3", 1)]
    assert [row[0] for row in batch["openings"]] == ["t3"]
    assert [(row[0], row[-1]) for row in batch["snapshots"]] == [(2, "t2")]
    assert batch["set_deadlines"] == [
        ("t1", "away", "10", 7.0),
        ("t1", "away", "2", 7.0),
        ("t2", "away", "1", 8.0),
        ("t2", "choice", "", 9.0),
    ]
    assert batch["drop_deadlines"] == [("t1", "choice", ""), ("t2", "away", "0")]
    assert batch["set_lifted"] == [("t2", 0, 3, "4")]
    assert batch["drop_lifted"] == [("t1", 1)]
    for kind, rows in batch.items():
        assert {len(row) for row in rows} == {len(COLUMNS[kind])}


def test_the_last_change_of_a_timer_counts() -> None:
    writes = [Write("t1", [entry(2)], deadlines={"choice": 5.0}), Write("t1", [entry(3)], deadlines={"choice": None})]
    batch = batch_of(writes, Chores())
    assert "set_deadlines" not in batch and batch["drop_deadlines"] == [("t1", "choice", "")]
