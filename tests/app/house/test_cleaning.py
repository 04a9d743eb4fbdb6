"""Old tables are deleted, but by no clock alone: one that is wrong deletes nothing."""

import asyncio
import json
from dataclasses import dataclass

import pytest

from app.house.cleaning import CLEAN_SECONDS, DAY, FAR, LOBBY_DAYS, Cleaning, confirm_clock
from app.house.house import House
from app.store.rows import Down
from tests.app.conftest import Logged, StartHouse
from tests.app.tables import seated

KEEP = 60


@dataclass
class Times:
    """A system clock and the time that passes, as the test wants them."""

    wall: float
    steady: float = 1000.0

    def pass_time(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds


class Cleaner:
    """The cleaning of one process."""

    def __init__(self, house: House, times: Times, worker: str = "one") -> None:
        self.gone: list[str] = []
        self.times = times
        closing = house.supervisor.closing.is_set
        args = house.store, worker, KEEP, self.gone.append, closing, lambda: times.wall, lambda: times.steady
        self.cleaning = Cleaning(*args)

    async def run(self, seconds: float) -> None:
        """As housekeeping does it, but with larger steps."""
        for _ in range(int(seconds / CLEAN_SECONDS)):
            self.times.pass_time(CLEAN_SECONDS)
            await self.cleaning.look()
            await self.cleaning.clean()


async def used(house: House, table: str, at: float) -> None:
    async with house.store.begin() as connection:
        await connection.exec_driver_sql(f"UPDATE tables SET touched = {at} WHERE id = '{table}'")


@pytest.fixture
async def aged(start_house: StartHouse) -> tuple[House, Times, str, str]:
    """A house, the times, a table that is due, and one that was just used."""
    house = await start_house(keep_days=0)
    old, new = await seated(house, "dark", 2), await seated(house, "dark", 2)
    times = Times(await house.store.newest())
    await used(house, old.id, times.wall - (KEEP + 1) * DAY)
    return house, times, old.id, new.id


Aged = tuple[House, Times, str, str]


def events(logged: Logged) -> list[str]:
    return [json.loads(line)["event"] for line in logged.lines]


async def test_what_is_due_is_marked_and_deleted_after_a_day_of_running_time(
    aged: Aged, start_house: StartHouse, logged: Logged
) -> None:
    house, times, old, new = aged
    table = await house.by_id(old)
    assert table is not None
    await house.device_link(table, "bo")
    token, code = table.picture.token, table.picture.card.code
    cleaner = Cleaner(house, times)
    await cleaner.cleaning.begin()
    assert json.loads(logged.lines[-1])["count"] == 1 and not logged.troubles()
    await cleaner.run(DAY / 2)
    times.pass_time(2 * DAY)  # the server is off
    cleaner = Cleaner(house, times, "after a restart")
    await cleaner.run(DAY / 2)
    assert cleaner.gone == [] and await house.store.by_id(old) is not None
    await cleaner.run(3 * CLEAN_SECONDS)
    assert cleaner.gone == [old] and await house.store.by_id(old) is None
    assert events(logged).count("old tables will be deleted in a day") == 1
    house.drop(old)
    assert await house.by_token(token) is None and await house.by_code(code) is None
    assert await house.store.since(old, 0) is None and await house.store.by_id(new) is not None


async def test_a_table_that_never_leaves_the_lobby_is_not_kept_as_long(aged: Aged) -> None:
    house, times, old, new = aged
    lobby = await seated(house, "dark", 2, start=False)
    for table in (lobby.id, new):
        await used(house, table, times.wall - (LOBBY_DAYS + 1) * DAY)
    await used(house, old, times.wall)
    cleaner = Cleaner(house, times)
    await cleaner.run(DAY + 3 * CLEAN_SECONDS)
    assert cleaner.gone == [lobby.id]


async def test_a_table_that_is_used_again_loses_its_mark(aged: Aged) -> None:
    house, times, old, _ = aged
    cleaner = Cleaner(house, times)
    await cleaner.run(DAY / 2)
    await used(house, old, times.wall)
    await cleaner.run(2 * DAY)
    await used(house, old, times.wall - (KEEP + 1) * DAY)
    await cleaner.run(DAY / 2)
    assert cleaner.gone == []
    await cleaner.run(DAY)
    assert cleaner.gone == [old]


async def test_a_server_that_starts_with_a_clock_far_ahead_deletes_nothing(aged: Aged, logged: Logged) -> None:
    house, times, old, new = aged
    times.wall += 200 * DAY
    cleaner = Cleaner(house, times)
    await cleaner.cleaning.begin()
    assert logged.troubles() == ["the clock is far beyond the newest entry"]
    await cleaner.run(3 * DAY)
    assert cleaner.gone == [], "nobody plays, so nothing says that the clock is right"
    await used(house, new, times.wall)  # somebody plays; that alone proves nothing
    cleaner = Cleaner(house, times, "after a restart")
    await cleaner.run(CLEAN_SECONDS)
    times.wall -= 200 * DAY  # the clock is put right
    await cleaner.run(CLEAN_SECONDS)
    assert logged.troubles()[1:] == ["the clock has jumped"]
    await used(house, old, times.wall - DAY)
    await cleaner.run(3 * DAY)
    assert cleaner.gone == []


async def test_a_clock_that_jumps_stops_the_cleaning_for_a_day(aged: Aged, logged: Logged) -> None:
    house, times, old, new = aged
    cleaner = Cleaner(house, times)
    await cleaner.run(2 * CLEAN_SECONDS)
    times.wall += 2 * 3600
    await cleaner.run(CLEAN_SECONDS)
    assert logged.troubles() == ["the clock has jumped"]
    await cleaner.run(DAY - 2 * CLEAN_SECONDS)
    assert cleaner.gone == [], "marked for a day, but the clock is in doubt"
    await cleaner.run(2 * CLEAN_SECONDS)
    assert cleaner.gone == [old] and await house.store.by_id(new) is not None


async def test_an_operator_confirms_the_clock(aged: Aged, logged: Logged, monkeypatch: pytest.MonkeyPatch) -> None:
    house, times, old, new = aged
    times.wall += FAR + DAY  # a long holiday
    cleaner = Cleaner(house, times)
    await cleaner.cleaning.begin()
    monkeypatch.setattr("app.house.cleaning.time.time", lambda: times.wall)
    await confirm_clock(house.store)
    await cleaner.run(DAY + 3 * CLEAN_SECONDS)
    assert cleaner.gone == [old] and await house.store.by_id(new) is not None
    cleaner = Cleaner(house, times)
    await cleaner.cleaning.begin()
    assert len(logged.troubles()) == 1


async def test_the_running_time_of_several_processes_is_counted_once(aged: Aged) -> None:
    house, times, old, _ = aged
    several = [Cleaner(house, times, worker) for worker in ("one", "two", "three")]
    for _ in range(int(DAY / CLEAN_SECONDS) - 2):
        times.pass_time(CLEAN_SECONDS)
        await asyncio.gather(*[cleaner.cleaning.clean() for cleaner in several])
    assert not any(cleaner.gone for cleaner in several)
    counting = next(cleaner for cleaner in several if cleaner.cleaning.next)
    others = [cleaner for cleaner in several if cleaner is not counting]
    for cleaner in others:  # the first of them goes on if the one that counted has gone
        await cleaner.run(6 * CLEAN_SECONDS)
    assert [old] in [cleaner.gone for cleaner in others]


async def test_a_house_that_closes_deletes_no_further_tables(aged: Aged, monkeypatch: pytest.MonkeyPatch) -> None:
    house, times, old, _ = aged
    cleaner, asked = Cleaner(house, times), 0

    async def forget(before: float, lobby: float, since: float) -> list[str]:
        nonlocal asked
        asked += 1
        house.supervisor.close()
        return [old]

    monkeypatch.setattr(house.store, "forget", forget)
    await cleaner.run(2 * CLEAN_SECONDS)
    assert asked == 1 and cleaner.gone == [old]


async def test_without_a_database_it_tries_again(aged: Aged, logged: Logged, monkeypatch: pytest.MonkeyPatch) -> None:
    house, times, _, _ = aged
    cleaner = Cleaner(house, times)

    async def down(*_: object) -> str:
        raise Down("gone")

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "value", down)
        times.wall += DAY
        await cleaner.run(CLEAN_SECONDS)
    assert logged.troubles() == ["old tables could not be deleted"]
    await cleaner.run(CLEAN_SECONDS)
    assert logged.troubles()[1:] == ["the clock has jumped"]


async def test_nothing_is_deleted_while_a_game_cannot_be_loaded(
    aged: Aged, logged: Logged, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, times, old, _ = aged
    cleaner = Cleaner(house, times)
    with monkeypatch.context() as patch:
        patch.setattr("app.house.cleaning.left_out", lambda: {"dark": "a typo"})
        await cleaner.run(3 * DAY)
    assert cleaner.gone == [] and set(logged.troubles()) == {"old tables are kept, since a game could not be loaded"}
    await cleaner.run(2 * DAY)
    assert cleaner.gone == [old]
