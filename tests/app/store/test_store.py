"""Both databases: a commit is stored completely or not at all, and keys decide conflicts."""

import asyncio
from typing import Any

import pytest

from app.settings import Settings
from app.store.rows import Chores, Conflict, Down, Write
from app.store.store import Store
from tests.app.store.conftest import OpenStore
from tests.app.store.making import entry, held, log, opening, shot
from tests.support.ports import free_port

Held = dict[str, list[tuple[Any, ...]]]
BEFORE: Held = {
    "log": [("t1", 1), ("t2", 1)],
    "tables": [("t1", 1), ("t2", 1)],
    "deadlines": [
        ("t1", "away", "0", 6.0),
        ("t1", "away", "1", 6.0),
        ("t1", "choice", "", 5.0),
        ("t2", "away", "0", 6.0),
    ],
    "lifted": [("t1", 0, 1, "4"), ("t1", 2, 1, "4"), ("t2", 0, 1, "4")],
}


@pytest.fixture
async def filled(store: Store) -> Store:
    """Two tables with `away` deadlines and lifted cards; the first has a timer."""
    first = opening("t1")
    first.deadlines["choice"] = 5.0
    lifted: Any = {("t1", 0): (1, "4"), ("t1", 2): (1, "4"), ("t2", 0): (1, "4")}
    await store.commit([first, opening("t2")], Chores({("t1", 0): 6.0, ("t1", 1): 6.0, ("t2", 0): 6.0}, lifted))
    return store


def whole() -> tuple[list[Write], Chores]:
    """All kinds of changes at once, with everything that a new table can have."""
    new = opening("t3")
    new.deadlines["choice"] = 7.0
    old = Write("t1", [entry(2), entry(3)], shot(3), deadlines={"choice": None})
    running = Write("t2", [entry(2)], deadlines={"choice": 8.0})
    away = {("t1", 0): None, ("t2", 1): 9.0, ("t3", 2): 9.0}
    lifted = {("t1", 0): None, ("t1", 1): (2, "5"), ("t3", 0): (1, "6")}
    return [new, old, running], Chores(away, lifted)


AFTER: Held = {
    "log": [("t1", 1), ("t1", 2), ("t1", 3), ("t2", 1), ("t2", 2), ("t3", 1)],
    "tables": [("t1", 3), ("t2", 1), ("t3", 1)],
    "deadlines": [
        ("t1", "away", "1", 6.0),
        ("t2", "away", "0", 6.0),
        ("t2", "away", "1", 9.0),
        ("t2", "choice", "", 8.0),
        ("t3", "away", "2", 9.0),
        ("t3", "choice", "", 7.0),
    ],
    "lifted": [("t1", 1, 2, "5"), ("t1", 2, 1, "4"), ("t2", 0, 1, "4"), ("t3", 0, 1, "6")],
}


def changed(table: str = "", gone: tuple[Any, ...] = (), new: tuple[Any, ...] = ()) -> Held:
    """The initial rows, with one removed and another added."""
    return {name: sorted({*rows} - {gone} | ({new} - {()})) if name == table else rows for name, rows in BEFORE.items()}


TIMER = ("t1", "choice", "", 5.0)
AWAY = ("t1", "away", "0", 6.0)
CARD = ("t1", 0, 1, "4")


@pytest.mark.parametrize(
    ("write", "chores", "after"),
    [
        (Write("t1", [entry(2)]), Chores(), changed("log", new=("t1", 2))),
        (Write("t1", [], shot(9)), Chores(), changed("tables", ("t1", 1), ("t1", 9))),
        (opening("t3"), Chores(), {**changed("log", new=("t3", 1)), "tables": [("t1", 1), ("t2", 1), ("t3", 1)]}),
        (Write("t2", [], deadlines={"choice": 8.0}), Chores(), changed("deadlines", new=("t2", "choice", "", 8.0))),
        (Write("t1", [], deadlines={"choice": 8.0}), Chores(), changed("deadlines", TIMER, ("t1", "choice", "", 8.0))),
        (Write("t1", [], deadlines={"choice": None}), Chores(), changed("deadlines", TIMER)),
        (None, Chores(away={("t1", 10): 8.0}), changed("deadlines", new=("t1", "away", "10", 8.0))),
        (None, Chores(away={("t1", 0): 8.0}), BEFORE),
        (None, Chores(away={("t1", 0): None}), changed("deadlines", AWAY)),
        (None, Chores(away={("gone", 0): None}), BEFORE),
        (None, Chores(lifted={("t1", 1): (2, "5")}), changed("lifted", new=("t1", 1, 2, "5"))),
        (None, Chores(lifted={("t1", 0): (2, "5")}), changed("lifted", CARD, ("t1", 0, 2, "5"))),
        (None, Chores(lifted={("t1", 0): None}), changed("lifted", CARD)),
        (None, Chores(lifted={("gone", 0): None}), BEFORE),
    ],
    ids=[
        "entry",
        "snapshot",
        "opening",
        "timer",
        "timer again",
        "timer dropped",
        "away",
        "away: the first counts",
        "here",
        "here where nobody is",
        "lifted",
        "lifted again",
        "laid",
        "laid where nobody is",
    ],
)
async def test_each_kind_of_change_alone(filled: Store, write: Write | None, chores: Chores, after: Held) -> None:
    assert await held(filled) == BEFORE
    await filled.commit([write] if write else [], chores)
    assert await held(filled) == after


async def test_every_kind_of_change_at_once(filled: Store) -> None:
    await filled.commit(*whole())
    assert await held(filled) == AFTER


@pytest.mark.parametrize(
    ("table", "lines"),
    [("t1", [entry(1)]), ("t2", [entry(2, id="m1"), entry(3, id="m1")])],
    ids=["same entry", "same message"],
)
async def test_a_conflict_leaves_nothing_behind(filled: Store, table: str, lines: list[Any]) -> None:
    writes, chores = whole()
    writes.append(Write(table, lines))
    with pytest.raises(Conflict):
        await filled.commit(writes, chores)
    assert await held(filled) == BEFORE
    await filled.commit(*whole())
    assert await held(filled) == AFTER


async def test_a_code_that_is_taken_leaves_nothing_behind(filled: Store) -> None:
    with pytest.raises(Conflict):
        await filled.commit([opening("t4", "CODE t1")], Chores(away={("t1", 5): 1.0}))
    assert await held(filled) == BEFORE


@pytest.mark.parametrize(
    "gone", [Chores(away={("gone", 0): 1.0}), Chores(lifted={("gone", 0): (1, "4")})], ids=["away", "lifted"]
)
async def test_chores_of_a_table_that_is_gone_are_a_conflict(filled: Store, gone: Chores) -> None:
    writes, chores = whole()
    with pytest.raises(Conflict):
        await filled.commit(writes, Chores({**chores.away, **gone.away}, {**chores.lifted, **gone.lifted}))
    assert await held(filled) == BEFORE


async def test_a_timer_of_a_table_that_is_gone_is_a_conflict(filled: Store) -> None:
    with pytest.raises(Conflict):
        await filled.commit([Write("gone", [entry(2)], deadlines={"choice": 5.0})], Chores())
    assert await held(filled) == BEFORE


async def test_the_same_message_is_written_once(store: Store) -> None:
    await store.commit([opening()], Chores())
    await store.commit([Write("t1", [entry(2, id="m1"), entry(3, "bo", "m1"), entry(4), entry(5)])], Chores())
    with pytest.raises(Conflict):
        await store.commit([Write("t1", [entry(6, id="m1")])], Chores())
    found = await store.by_message("t1", "bo", "m1")
    assert found is not None and found.seq == 3
    assert await store.by_message("t1", "bo", "m2") is None


async def test_deadlines_are_put_off_and_dropped(store: Store) -> None:
    await store.commit([opening()], Chores(away={("t1", 0): 5.0, ("t1", 1): 7.0}))
    assert [row.key for row in await store.due(6.0)] == ["0"]
    await store.postpone(8.0, 0.0)
    assert [row.at for row in await store.due(10.0)] == [8.0, 8.0]
    row = next(row for row in await store.due(10.0) if row.key == "0")
    await store.drop_deadline(row)
    await store.commit([], Chores(away={("t1", 1): None}))
    assert await store.due(10.0) == []


# two stores on one database -------------------------------------------------------------------------------------------


async def test_the_same_entry_is_written_once_by_whoever_is_first(
    store: Store, open_store: OpenStore, database_url: str
) -> None:
    await store.commit([opening()], Chores())
    other = await open_store(database_url)
    for seq in range(2, 12):
        tries = [(store if n % 2 else other).commit([Write("t1", [entry(seq, f"p{n}")])], Chores()) for n in range(6)]
        done = await asyncio.gather(*tries, return_exceptions=True)
        assert sorted(type(one).__name__ for one in done) == ["Conflict"] * 5 + ["NoneType"]
    assert await log(store) == list(range(1, 12))


async def test_stores_that_write_for_the_same_tables_do_not_stop_each_other(
    store: Store, open_store: OpenStore, database_url: str
) -> None:
    tables = [f"t{n}" for n in range(5)]
    await store.commit([opening(table) for table in tables], Chores())
    other = await open_store(database_url)

    async def write(store: Store, away: int, order: list[str]) -> None:
        for at in range(1, 11):
            timers = [Write(table, [], shot(at), deadlines={"choice": float(at)}) for table in order]
            chores = Chores()
            for table in order:
                chores.away[table, away], chores.lifted[table, 0] = float(at), (at, "4")
            await store.commit(timers, chores)

    await asyncio.gather(write(store, 1, tables), write(other, 2, tables[::-1]))
    expected = [(table, kind, key, at) for table in tables for kind, key, at in
                (("away", "1", 1.0), ("away", "2", 1.0), ("choice", "", 10.0))]  # fmt: skip
    assert (await held(store))["deadlines"] == expected
    assert (await held(store))["lifted"] == [(table, 0, 10, "4") for table in tables]


# failures -------------------------------------------------------------------------------------------------------------


async def test_a_probe_writes_and_can_be_repeated(store: Store) -> None:
    await store.probe()
    first = await store.key("probe", "nothing")
    await store.probe()
    assert float(await store.key("probe", "nothing")) > float(first)


async def test_a_commit_that_is_cancelled_disturbs_no_other(filled: Store) -> None:
    commits = [asyncio.create_task(filled.commit([Write("t2", [entry(seq)])], Chores())) for seq in range(2, 8)]
    await asyncio.sleep(0)
    for commit in commits[:3]:
        commit.cancel()
    done = await asyncio.gather(*commits, return_exceptions=True)
    assert [type(one).__name__ for one in done] == ["CancelledError"] * 3 + ["NoneType"] * 3
    assert {*await log(filled, "t2")} - {2} == {1, 5, 6, 7}  # the first one was being stored
    await filled.commit([Write("t1", [entry(2)])], Chores())
    assert await log(filled) == [1, 2]


async def test_a_closed_store_can_be_closed_again(filled: Store) -> None:
    await filled.close()
    await filled.close()


def unreachable(tmp_path: Any) -> list[str]:
    (tmp_path / "file").write_text("not a folder")
    (tmp_path / "notes.txt").write_text("not a database, but long enough to be looked at as if it were one" * 20)
    return [
        f"postgresql://someone:passphrase@127.0.0.1:{free_port()}/facedown",
        f"sqlite:///{tmp_path}/file/facedown.sqlite3",
        f"sqlite:///{tmp_path}/notes.txt",
    ]


async def test_a_database_that_cannot_be_reached_is_named_in_one_line(tmp_path: Any) -> None:
    for url in unreachable(tmp_path):
        with pytest.raises(Down) as down:
            await Store.open(Settings(database_url=url))
        place, _, reason = str(down.value).partition(": ")
        assert place == url.replace("someone:passphrase@", "")
        assert reason and "\n" not in reason and "passphrase" not in reason
