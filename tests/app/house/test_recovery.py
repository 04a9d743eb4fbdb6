"""Recovery: the log is authoritative, and every action gets a reply."""

import asyncio
from typing import Any

import pytest
from prometheus_client import REGISTRY
from sqlalchemy import text

from app.house.commit import reading
from app.house.house import House
from app.house.open_table import Pending, encode_action
from app.refusals import Refusal
from app.store.rows import Down
from app.table import actions as do
from tests.app.conftest import Logged, StartHouse
from tests.app.tables import Gate, again, hand_in, refused, seated, soon, state, until


@pytest.mark.parametrize("done", [False, True], ids=["not done", "done, but nobody heard"])
async def test_a_commit_that_fails_is_refused_and_the_log_decides_later(house: House, done: bool) -> None:
    open_table = await seated(house, "dark", 2)
    before = state(open_table)
    gate = Gate(house)
    gate.fails_after = done
    gate.failing = lambda writes: Down("gone")
    with pytest.raises(Refusal, match="store_down"):
        await house.act(open_table, "ada", do.Play(1, "walk"), "m1")
    with pytest.raises(Refusal, match="store_down"):
        await house.open("bo", "dark", "Bo")
    gate.failing = lambda writes: None
    if done:
        await until(open_table, lambda: state(open_table) != before)  # without any action
    again_done = await house.act(open_table, "ada", do.Play(1, "walk"), "m1")
    assert again_done.doubled is done
    await hand_in(house, open_table, "ada")
    await hand_in(house, open_table, "bo")
    assert open_table.history.reveal.after > 0 and state(await again(house, open_table)) == state(open_table)


async def test_the_house_survives_an_unexpected_error_of_the_store(house: House) -> None:
    open_table = await seated(house, "dark", 2)
    gate = Gate(house)
    gate.failing = lambda writes: KeyError("a bug")
    assert await refused(house, open_table, "ada", do.Play(1, "walk")) == "store_down"
    gate.failing = lambda writes: None
    await house.act(open_table, "ada", do.Play(1, "walk"))


async def test_a_table_whose_rows_are_deleted_ends_at_once(house: House, logged: Logged) -> None:
    open_table, other = await seated(house, "dark", 3), await seated(house, "dark", 2)
    told = open_table.subscribe()
    async with house.store.begin() as connection:
        for name, column in (("moves", "table_id"), ("tables", "id")):
            await connection.execute(text(f"DELETE FROM {name} WHERE {column} = :id"), {"id": open_table.id})
    for person in ("ada", "bo"):
        await hand_in(house, open_table, person)  # what nobody sees yet is not stored with the table
    with told:
        hidden = [house.submit(open_table, "cy", do.Play(1, word)) for word in ("walk", "north")]
        hidden.append(house.submit(other, "ada", do.Play(1, "walk")))
        gone = await asyncio.gather(*hidden, return_exceptions=True)
        assert [getattr(one, "reason", "done") for one in gone] == ["table_gone", "table_gone", "done"]
        await told.changed()
    assert open_table.gone and not house.in_memory(open_table.id) and open_table not in house.awake
    assert await refused(house, open_table, "ada", do.Undo(1)) == "table_gone"
    assert await house.by_token(open_table.picture.token) is None
    assert logged.troubles() == ["a table was deleted from the database"] and not house.problems()


async def test_a_deleted_table_that_was_in_doubt_ends_too(house: House, logged: Logged) -> None:
    open_table, gate = await seated(house, "dark", 2), Gate(house)
    async with house.store.begin() as connection:
        for name, column in (("moves", "table_id"), ("tables", "id")):
            await connection.execute(text(f"DELETE FROM {name} WHERE {column} = :id"), {"id": open_table.id})
    gate.failing = lambda writes: Down("gone")
    assert await refused(house, open_table, "ada", do.Play(1, "walk")) == "store_down"
    gate.failing = lambda writes: None
    await until(open_table, lambda: open_table.gone)
    assert logged.troubles().count("a table was deleted from the database") == 1


# mending --------------------------------------------------------------------------------------------------------------


def counted() -> float:
    return REGISTRY.get_sample_value("facedown_faults_total", {"stage": "recover"}) or 0.0


async def test_a_table_that_cannot_be_read_keeps_no_other_in_doubt(
    house: House, monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    tables = [await seated(house, "dark", 2) for _ in range(5)]
    bad, since, before = tables[2], house.store.since, counted()

    async def broken(id: str, seq: int) -> Any:
        if id == bad.id:
            raise ZeroDivisionError
        return await since(id, seq)

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "since", broken)
        for table in tables:
            house.recovery.mark_unsure(table)
        await soon(lambda: not house.recovery.unsure)
        assert [table.unsure for table in tables] == [False, False, True, False, False]
        assert logged.troubles() == ["a table broke"] and counted() - before == 1  # not repeatedly
        assert not house.problems()
    await house.act(bad, "ada", do.Lock())
    assert not bad.unsure and state(await again(house, bad)) == state(bad)


async def test_when_the_database_goes_away_while_tables_are_mended_it_is_not_asked_for_each(
    house: House, monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    tables = [await seated(house, "dark", 2) for _ in range(5)]
    asked, since = 0, house.store.since
    probed = asyncio.Event()

    async def away(*_: Any) -> None:
        nonlocal asked
        asked += 1
        raise Down("gone")

    async def probe() -> None:
        if asked:
            probed.set()
            raise Down("gone")

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "since", away)
        patch.setattr(house.store, "probe", probe)
        for table in tables:
            house.recovery.mark_unsure(table)
        await probed.wait()
        assert asked == 1 and house.problems() == ["the last commit failed"]
    assert house.store.since == since
    await soon(lambda: not house.problems() and not any(table.unsure for table in tables))
    assert logged.troubles() == ["the database is away"]


# stopping -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hanging", ["commit", "since", "by_message"])
async def test_a_house_stops_though_the_store_hangs_and_everybody_is_answered(
    start_house: StartHouse, monkeypatch: pytest.MonkeyPatch, hanging: str
) -> None:
    house = await start_house()
    lives = [await seated(house, "dark", 2) for _ in range(2)]
    monkeypatch.setattr("app.house.journal.LONGEST_COMMIT", 1.0)
    monkeypatch.setattr("app.house.recovery.LONGEST_READ", 1.0)

    async def hang(*_: Any) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(house.store, hanging, hang)
    if hanging == "since":
        house.recovery.mark_unsure(lives[0])
    opening = asyncio.create_task(house.open("cy", "dark", "Cy"))
    await asyncio.sleep(0)
    asks = [house.submit(lives[0], "ada", do.Play(1, "walk"), "a")]
    asks.append(house.submit(lives[1], "ada", do.Play(1, "fly"), "a"))
    await house.stop()
    answers = await asyncio.gather(*asks, opening, return_exceptions=True)
    reasons = [answer.reason if isinstance(answer, Refusal) else "" for answer in answers]
    assert (
        reasons
        == {
            "commit": ["store_down", "not_legal", "store_down"],
            "since": ["store_down", "not_legal", ""],
            "by_message": ["", "store_down", ""],
        }[hanging]
    )


async def test_a_house_stops_though_a_table_is_never_let_go(
    start_house: StartHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.house.supervisor.LONGEST_END", 0.2)
    house = await start_house()
    open_table = await seated(house, "dark", 2)
    async with reading(open_table):
        answers = [house.submit(open_table, "ada", do.Play(1, "walk"), "a")]
        house.recovery.recover_later(open_table, owed := [pending("bo", do.Play(1, "walk"))])
        await house.stop()
    answers += [one.reply for one in owed]
    for answer in answers:
        with pytest.raises(Refusal, match="store_down"):
            await answer


def pending(person: str, action: do.Action) -> Pending:
    return Pending(person, action, "", encode_action(action), asyncio.Future(), 0.0)
