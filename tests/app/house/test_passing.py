"""Windows: the table passes for whoever need not be asked, and obeys standing orders."""

import re

import pytest

from app.house.house import House
from app.house.open_table import OpenTable
from app.table import actions as do
from engine.proof import canonical
from tests.app.conftest import StartHouse
from tests.app.tables import seated, until


async def in_a_window(house: House, shields: list[int], monkeypatch: pytest.MonkeyPatch) -> OpenTable:
    """Ada has hit Bo; these shields are held."""
    monkeypatch.setattr(house.bot_runner, "wait", lambda table, seat: 0.0)
    open_table = await seated(house, "window", len(shields), start=False)
    await house.act(open_table, "ada", do.Start())
    assert open_table.sitting.table is not None
    open_table.sitting.table.state.shields = shields
    await house.act(open_table, "ada", do.Play(open_table.picture.round, "hit 1"))
    return open_table


async def test_the_table_passes_for_whom_a_window_need_not_disturb_as_if_by_hand(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs, versions = [], []
    for by_hand in (False, True):
        open_table = await in_a_window(house, [0, 1, int(by_hand)], monkeypatch)
        if by_hand:
            await house.act(open_table, "cy", do.Play(open_table.picture.round, "pass"))
        await until(open_table, lambda open_table=open_table: not open_table.picture.waits_for(2))  # type: ignore[misc]
        assert open_table.picture.waits_for(1)  # has a shield and is asked
        await house.act(open_table, "bo", do.Play(open_table.picture.round, "shield"))
        logs.append(re.sub("[0-9a-f]{32,}", "…", canonical(open_table.history.all.raw()).decode()))
        versions.append(open_table.version)
    assert logs[0] == logs[1] and versions[0] == versions[1]
    assert "shield" in logs[0]


async def test_an_order_takes_effect_in_the_open_window(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    open_table = await in_a_window(house, [0, 1, 1], monkeypatch)
    round = open_table.picture.round
    await house.act(open_table, "bo", do.Order("never", scope=True))
    await until(open_table, lambda: not open_table.picture.waits_for(1))
    await house.act(open_table, "bo", do.Undo(round))  # now he decides himself
    house.look_after(open_table)
    assert not house.bot_runner.running(open_table) and open_table.picture.waits_for(1)
    await house.act(open_table, "bo", do.Play(round, "shield"))
    await house.act(open_table, "cy", do.Play(round, "pass"))
    revealed = open_table.history.reveal.again()[0]
    assert revealed["answers"][0]["words"] == ["shield"] and "by" not in revealed["answers"][0]


async def test_passes_and_orders_go_on_after_a_restart(
    start_house: StartHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.house.bot_runner.OTHERS_FIRST", 0.0)
    house = await start_house(bot_pause=100.0)
    monkeypatch.setattr("app.house.bot_runner.SPREAD", 0.0)
    open_table = await seated(house, "window", 3)
    token = open_table.sitting.saved.token
    for person in ("bo", "cy"):
        await house.act(open_table, person, do.Order("never"))
    await house.act(open_table, "ada", do.Play(1, "hit 1"))
    assert open_table.sitting.spared() == (1, 2) and house.bot_runner.wait(open_table, 1) >= 100.0
    await house.stop()
    house = await start_house()
    again = await house.by_token(token)
    assert again is not None
    await until(again, lambda: again.picture.round == 3)
    assert again.sitting.table is not None
    assert [again.sitting.table.order(seat) for seat in range(3)] == ["always", "never", "never"]
