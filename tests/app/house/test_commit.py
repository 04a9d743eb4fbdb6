"""One change of one table: checking actions, and making rows of them."""

import asyncio
from typing import Any, cast

import pytest

from app import clock
from app.house.house import House
from app.refusals import Refusal
from app.table import actions as do
from app.table.sitting import HANDLERS, Sitting
from tests.app.conftest import StartHouse
from tests.app.tables import Gate, again, hand_in, refused, seated, state


async def test_long_drafting_is_put_into_snapshots_too(house: House) -> None:
    open_table = await seated(house, "dark", 2)
    for _ in range(60):
        await house.act(open_table, "ada", do.Play(1, "walk"))
        await house.act(open_table, "ada", do.Undo(1))
    stored = await house.store.by_id(open_table.id)
    assert stored is not None and open_table.seq - stored.snapshot.seq < 41
    assert state(await again(house, open_table)) == state(open_table)


async def test_events_are_numbered_and_the_last_reveal_is_known(house: House) -> None:
    open_table = await seated(house, "dark", 2)
    assert open_table.history.reveal.after == 0 and open_table.picture.events[0]["kind"] == "began"
    before = open_table.version
    await hand_in(house, open_table, "ada")
    assert open_table.version == before
    await hand_in(house, open_table, "bo")
    assert open_table.history.reveal.after == before and open_table.picture.events[before]["kind"] == "revealed"
    version = open_table.version
    done = await house.act(open_table, "ada", do.Play(2, "lamp"))
    assert open_table.history.reveal.after == before and done.version == open_table.version > version
    lit = open_table.picture.events[version:]
    assert lit[0]["kind"] == "any_time"
    assert [event["version"] for event in lit] == [*range(version + 1, done.version + 1)]


# duplicates, stale and malformed messages -----------------------------------------------------------------------------


async def test_a_message_sent_twice_counts_once(start_house: StartHouse) -> None:
    house = await start_house()
    open_table = await seated(house, "dark", 2)
    first = await house.act(open_table, "ada", do.Play(1, "walk"), "m1")
    second = await house.act(open_table, "ada", do.Play(1, "walk"), "m1")
    assert second.doubled and not first.doubled and second.seq == first.seq
    await hand_in(house, open_table, "ada")
    # Ids belong to a person: the same id of another one is no duplicate.
    await house.act(open_table, "bo", do.Play(1, "walk"), "m1")
    done = await house.act(open_table, "bo", do.Play(1, "south"), "m2")
    stale = await house.act(open_table, "ada", do.Play(1, "walk"), "m1")
    assert stale.doubled and stale.seq == first.seq
    token = open_table.sitting.saved.token
    await house.stop()
    house = await start_house()
    found = await house.by_token(token)
    assert found is not None
    before = state(found)
    # before the snapshot, and refused if sent now; after it; and one that would be accepted again
    assert await house.act(found, "ada", do.Play(1, "walk"), "m1") == stale
    assert await house.act(found, "bo", do.Play(1, "south"), "m2") == done.again()
    await house.act(found, "ada", do.Play(2, "walk"), "m3")
    found.replies.clear()
    assert (await house.act(found, "ada", do.Play(2, "walk"), "m3")).doubled
    await house.act(found, "ada", do.Lock(), "m4")
    await house.act(found, "ada", do.Lock(False), "m5")
    found.replies.clear()
    assert (await house.act(found, "ada", do.Lock(), "m4")).doubled
    assert not found.sitting.saved.locked and state(await again(house, found)) == state(found) != before


async def test_doubles_that_come_together(house: House) -> None:
    open_table = await seated(house, "dark", 2)
    seq = open_table.seq
    done = await asyncio.gather(*[house.act(open_table, "ada", do.Play(1, "walk"), "m1") for _ in range(5)])
    assert sorted(one.doubled for one in done) == [False, True, True, True, True]
    assert {one.seq for one in done} == {seq + 1} and open_table.seq == seq + 1
    twice = [house.act(open_table, "ada", do.Play(1, "hide"), "m2") for _ in range(2)]
    answers = await asyncio.gather(*twice, return_exceptions=True)
    assert [type(one) for one in answers] == [Refusal, Refusal]


async def test_a_double_is_answered_after_the_first_sender_disconnected(house: House) -> None:
    open_table, gate = await seated(house, "dark", 2), Gate(house)
    gate.open.clear()
    held = house.submit(open_table, "bo", do.Play(1, "walk"))
    await gate.came.wait()  # the next two are in one commit
    first = asyncio.create_task(house.act(open_table, "ada", do.Play(1, "walk"), "m1"))
    second = asyncio.create_task(house.act(open_table, "ada", do.Play(1, "walk"), "m1"))
    await asyncio.sleep(0)
    first.cancel()
    gate.open.set()
    await held
    assert (await second).doubled and first.cancelled()


async def test_a_refusal_names_the_version_and_changes_nothing(house: House) -> None:
    open_table = await seated(house, "dark", 2)
    for person, action in [
        ("ada", do.Play(0, "walk")),
        ("ada", do.Play(1, "fly")),
        ("cy", do.Play(1, "walk")),
        ("bo", do.Lock()),
        ("ada", do.Rematch()),
        ("", do.Away(7)),
    ]:
        await refused(house, open_table, person, action)
        with pytest.raises(Refusal) as refusal:
            await house.act(open_table, person, action, "id")
        assert refusal.value.version == open_table.version > 0


async def test_a_clock_that_goes_back_a_little(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    open_table = await seated(house, "dark", 2)
    at = open_table.sitting.saved.at
    monkeypatch.setattr(clock, "now", lambda: at - 30)
    await house.act(open_table, "ada", do.Play(1, "walk"))
    assert open_table.sitting.saved.at == at
    stored = await house.store.by_id(open_table.id)
    assert stored is not None and stored.entries[-1].at == at


async def test_a_game_that_breaks_changes_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    open_table = await seated(house, "dark", 2, start=False)

    def half_done(sitting: Sitting, *_: Any) -> None:
        sitting.seats[0].name = "half done"
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setitem(HANDLERS, cast(Any, do.Ready), half_done)
        asks = [house.act(open_table, "bo", do.Name("Bob")), house.act(open_table, "ada", do.Ready())]
        asks.append(house.act(open_table, "ada", do.Lock()))
        done = await asyncio.gather(*asks, return_exceptions=True)
    assert [getattr(one, "reason", "") for one in done] == ["", "broken", ""]
    assert [seat.name for seat in open_table.sitting.seats[:2]] == ["Ada", "Bob"] and open_table.sitting.saved.locked
    assert state(await again(house, open_table)) == state(open_table)
