"""Absence: a closed socket alone does not free a seat."""

from collections.abc import Callable

import pytest

from app.house.house import House
from app.house.open_table import OpenTable
from app.table import actions as do
from tests.app.conftest import Logged, StartHouse
from tests.app.tables import Clock, again, kinds, rows, seated, soon, state, until, wait_for_rows


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


ALMOST = 40  # of the 60 seconds until a seat is away; a slow machine may need the rest


def away(open_table: OpenTable) -> Callable[[], bool]:
    return lambda: open_table.sitting.seats[1].away


async def missed(house: House, *expected: str) -> None:
    """Wait until exactly these seats have a deadline."""
    await wait_for_rows(house, *[("away", seat) for seat in expected])


async def test_a_seat_without_a_connection_is_away_after_a_while_and_back_with_one(house: House, clock: Clock) -> None:
    open_table = await seated(house, "dark", 2)
    for person in ("ada", "bo"):
        house.presence.socket_opened(open_table, person)
    await missed(house)
    house.presence.socket_closed(open_table, "bo")
    await missed(house, "1")
    clock.jump(ALMOST, house)
    assert not open_table.sitting.seats[1].away
    clock.jump(61 - ALMOST, house)
    await until(open_table, away(open_table))
    assert not open_table.sitting.seats[0].away and open_table.sitting.seat_of("bo") == 1
    await house.act(open_table, "ada", do.StandIn(1))
    assert open_table.sitting.seats[1].bot
    house.presence.socket_opened(open_table, "bo")
    await until(open_table, lambda: not open_table.sitting.seats[1].away)
    assert not open_table.sitting.seats[1].bot
    assert state(await again(house, open_table)) == state(open_table)
    await missed(house)


async def test_reloading_a_page_does_not_mark_away(house: House, clock: Clock) -> None:
    open_table = await seated(house, "dark", 2)
    for person in ("ada", "bo"):
        house.presence.socket_opened(open_table, person)
    house.presence.socket_closed(open_table, "bo")
    await missed(house, "1")
    clock.jump(ALMOST, house)
    house.presence.socket_opened(open_table, "bo")
    await missed(house)
    clock.jump(ALMOST, house)
    assert "Away" not in await kinds(house, open_table)


async def test_one_device_of_several_is_enough(house: House, clock: Clock) -> None:
    open_table = await seated(house, "dark", 2)
    await house.redeem(await house.device_link(open_table, "bo"), "bo's phone")
    for person in ("ada", "bo", "bo", "bo's phone"):
        house.presence.socket_opened(open_table, person)
    for person in ("bo", "bo"):
        house.presence.socket_closed(open_table, person)
    await missed(house)
    house.presence.socket_closed(open_table, "bo's phone")
    await missed(house, "1")


async def test_acting_marks_present_without_a_connection(house: House, clock: Clock) -> None:
    open_table = await seated(house, "dark", 2)
    await missed(house, "0", "1")
    clock.jump(61, house)
    await until(open_table, lambda: all(seat.away for seat in open_table.sitting.seats))
    done = await house.act(open_table, "bo", do.Play(1, "walk"), "m1")
    assert not open_table.sitting.seats[1].away and done.seq == open_table.seq
    assert (await house.act(open_table, "bo", do.Play(1, "walk"), "m1")).doubled
    assert (await kinds(house, open_table))[-2:] == ["Back", "Play"]


async def test_a_host_who_is_gone_passes_hosting_on_in_the_lobby_too(house: House, clock: Clock) -> None:
    open_table = await seated(house, "dark", 3, start=False)
    for person in ("bo", "cy"):
        house.presence.socket_opened(open_table, person)
    await missed(house, "0")
    clock.jump(61, house)
    await until(open_table, lambda: open_table.sitting.seats[0].away)
    assert open_table.sitting.is_host("bo")
    house.presence.socket_opened(open_table, "ada")
    await until(open_table, lambda: not open_table.sitting.seats[0].away)
    assert open_table.sitting.is_host("bo")


async def test_watching_gives_no_seat(house: House) -> None:
    open_table = await seated(house, "dark", 2)
    for person in ("ada", "bo"):
        house.presence.socket_opened(open_table, person)
    house.presence.socket_opened(open_table, "di")
    house.presence.socket_opened(open_table, "")
    house.presence.socket_closed(open_table, "di")
    house.presence.socket_closed(open_table, "")
    await missed(house)


async def test_a_seat_that_was_left_is_not_marked_away(house: House) -> None:
    open_table = await seated(house, "dark", 3, start=False)
    await missed(house, "0", "1", "2")
    await house.act(open_table, "cy", do.Leave())
    await house.act(open_table, "ada", do.Free(1))
    await missed(house, "0")


async def test_after_a_start_everybody_has_the_whole_while_to_come_back(start_house: StartHouse, clock: Clock) -> None:
    house = await start_house()
    open_table = await seated(house, "dark", 2)
    for person in ("ada", "bo"):
        house.presence.socket_opened(open_table, person)
    for person in ("ada", "bo"):
        house.presence.socket_closed(open_table, person)
    token = open_table.sitting.saved.token
    await house.stop()
    clock.jump(3600)
    house = await start_house()
    assert await rows(house) == [("away", "0"), ("away", "1")]
    clock.jump(ALMOST, house)
    open_table = await house.by_token(token)
    house.presence.socket_opened(open_table, "ada")
    await missed(house, "1")
    clock.jump(61 - ALMOST, house)
    await until(open_table, away(open_table))
    assert not open_table.sitting.seats[0].away


async def test_after_loading_absent_seats_are_marked_away(start_house: StartHouse, clock: Clock) -> None:
    """After a crash no deadlines were set for the people who were connected."""
    house = await start_house()
    open_table = await seated(house, "dark", 2)
    for person in ("ada", "bo"):
        house.presence.socket_opened(open_table, person)
    await missed(house)
    house.drop(open_table.id)
    fresh = await house.by_id(open_table.id)
    assert fresh is not None
    house.presence.socket_opened(fresh, "ada")
    await missed(house, "1")
    clock.jump(61, house)
    await until(fresh, away(fresh))


# idle tables ----------------------------------------------------------------------------------------------------------


async def test_recovery_marks_present_seats_as_back(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    open_table = await seated(house, "dark", 2)
    house.presence.socket_opened(open_table, "bo")

    async def dies(*_: object) -> None:
        return

    with monkeypatch.context() as patch:
        patch.setattr(house.presence, "bring_back", dies)
        await house.act(open_table, "", do.Away(1))
        await soon(lambda: not house.presence.returning)
    assert open_table.sitting.seats[1].away
    assert house.presence.audit(house.presence.audit({})) == {open_table.id: open_table.seq}
    await until(open_table, lambda: not open_table.sitting.seats[1].away)


async def test_a_table_that_cannot_be_looked_after_keeps_no_other_from_it(
    house: House, monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    tables = [await seated(house, "dark", 2) for _ in range(3)]
    seen = []

    def look_after(table: OpenTable) -> None:
        if table is tables[1]:
            raise ZeroDivisionError
        seen.append(table)

    monkeypatch.setattr(house.presence, "look_after", look_after)
    still = house.presence.audit({})
    assert not seen and house.presence.audit(still) == still
    assert set(seen) == {tables[0], tables[2]} and logged.troubles() == ["a table broke"]
    await house.act(tables[0], "ada", do.Lock())
    seen.clear()
    house.presence.audit(still)
    assert seen == [tables[2]], "something has happened at the first"


async def test_a_table_in_doubt_is_read_when_it_is_looked_after(house: House) -> None:
    open_table = await seated(house, "dark", 2)
    open_table.unsure = True  # and mending does not retry it
    house.look_after(open_table)
    await soon(lambda: not open_table.unsure)
