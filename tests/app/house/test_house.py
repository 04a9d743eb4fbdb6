"""Opening and finding tables, readiness, links, keys, and deletion of old tables."""

import asyncio
import resource
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import update

from app import clock
from app.house.house import House
from app.refusals import Refusal
from app.store.schema import tables
from app.table import actions as do
from app.table.codes import CYRILLIC
from tests.app.conftest import Logged, StartHouse, starter
from tests.app.tables import PEOPLE, Gate, again, play_out, refused, seated, soon, state, wait_for_rows
from tests.engine.tiny import Hide
from tests.support.postgres import Postgres

# finding --------------------------------------------------------------------------------------------------------------


async def test_a_table_is_found_by_its_link_and_by_its_code(house: House) -> None:
    open_table = await house.open("ada", "dark", "Ada")
    saved = open_table.sitting.saved
    assert await house.by_token(saved.token) is open_table
    assert await house.by_code(saved.code) is open_table
    assert await house.by_code(f" {saved.code[:3].lower()}-{saved.code[3:]} ") is open_table
    back = {latin: cyrillic for cyrillic, latin in CYRILLIC.items()}
    assert await house.by_code(saved.code.translate(back)) is open_table
    assert len(saved.token) >= 16 and saved.code not in saved.token
    for nothing in ("", "x", saved.token[:-1], saved.code):
        assert await house.by_token(nothing) is None
    for nothing in ("", "AAAAAA" if saved.code != "AAAAAA" else "CCCCCC", saved.token):
        assert await house.by_code(nothing) is None


async def test_an_unknown_game_is_refused(house: House) -> None:
    with pytest.raises(Refusal, match="unknown_game"):
        await house.open("ada", "whist", "Ada")


async def test_a_code_that_is_taken_is_drawn_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["CACACA", "CACACA", "ACACAC"])
    monkeypatch.setattr("app.table.codes.new_code", lambda: next(drawn))
    first, second = await house.open("ada", "dark", "Ada"), await house.open("bo", "dark", "Bo")
    assert (first.sitting.saved.code, second.sitting.saved.code) == ("CACACA", "ACACAC")


async def test_concurrent_lookups_of_a_cold_table_load_it_once(start_house: StartHouse) -> None:
    house = await start_house()
    token = (await seated(house)).sitting.saved.token
    await house.stop()
    house = await start_house()
    lives = await asyncio.gather(*[house.by_token(token) for _ in range(10)])
    assert len({id(open_table) for open_table in lives}) == 1


async def test_an_unused_table_leaves_memory(start_house: StartHouse) -> None:
    house = await start_house(sleep_seconds=0.0)
    open_table = await seated(house)
    token, before = open_table.sitting.saved.token, state(open_table)
    with open_table.subscribe():
        sleeper = await house.open("bo", "dark", "Bo")
        asleep = sleeper.id
        del sleeper
        await soon(lambda: asleep not in house.tables)
        assert open_table in house.awake
    id = open_table.id
    del open_table
    await soon(lambda: id not in house.tables)
    found = await house.by_token(token)
    assert found is not None and state(found) == before


async def test_a_game_that_is_not_installed_any_more(
    start_house: StartHouse, tiny: dict[str, Any], logged: Logged
) -> None:
    house = await start_house()
    token = (await seated(house)).sitting.saved.token
    await house.stop()
    gone = tiny.pop("dark")
    house = await start_house()
    for _ in range(3):
        with pytest.raises(Refusal, match="unknown_game"):
            await house.by_token(token)
    assert logged.troubles() == ["a table of a game that is not there"]
    tiny["dark"] = gone
    assert await house.by_token(token) is not None


@pytest.mark.parametrize("legal", [True, False], ids=["fits", "does not fit"])
async def test_a_table_begun_under_older_rules_goes_on(
    start_house: StartHouse, tiny: dict[str, Any], monkeypatch: pytest.MonkeyPatch, legal: bool
) -> None:
    house = await start_house()
    open_table = await seated(house, "dark", 2)
    await house.act(open_table, "ada", do.Play(1, "hide"))
    await house.act(open_table, "bo", do.Play(1, "walk"))
    token, version = open_table.sitting.saved.token, open_table.version
    await house.stop()
    tiny["dark"] = replace(tiny["dark"], rules=2)
    words = ["walk", "hide", "fly"] if legal else ["walk", "fly"]
    monkeypatch.setattr(Hide, "options", lambda self, g, seat, draft: ["north"] if draft else words)
    house = await start_house()
    open_table = await house.by_token(token)
    assert open_table.sitting.table is not None and open_table.version == version
    assert open_table.sitting.table.drafts == ({0: ("hide",), 1: ("walk",)} if legal else {1: ("walk",)})
    await play_out(house, open_table, Random(1))
    assert open_table.sitting.phase == "over" and state(await again(house, open_table)) == state(open_table)


async def test_a_table_that_cannot_be_read_says_so(house: House) -> None:
    open_table = await seated(house, "dark", 2)
    async with house.store.begin() as connection:
        await connection.execute(update(tables).values(saved='{"token": 1}'))
    house.drop(open_table.id)
    with pytest.raises(Refusal, match="broken"):
        await house.by_token(open_table.sitting.saved.token)


async def test_a_table_that_breaks_while_it_is_loaded_is_found_when_the_cause_is_gone(
    house: House, tiny: dict[str, Any], logged: Logged
) -> None:
    open_table, dark = await seated(house, "dark", 2), tiny["dark"]
    token, before = open_table.picture.token, state(open_table)
    house.drop(open_table.id)

    def broken(*_: Any) -> None:
        raise ZeroDivisionError

    tiny["dark"] = replace(dark, public=broken)
    with pytest.raises(Refusal, match="broken"):
        await house.by_token(token)
    assert logged.troubles() == ["a table broke"] and token not in logged.lines[-1]
    tiny["dark"] = dark
    found = await house.by_token(token)
    assert found is not None and state(found) == before


# actions --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["x" * 65, "\x00", "ä", "a\nb", "\ud800"])
async def test_malformed_ids(house: House, id: str) -> None:
    open_table = await house.open("ada", "dark", "Ada")
    assert await refused(house, open_table, "ada", do.Lock(), id) == "malformed"


async def test_malformed_and_huge_actions(house: House) -> None:
    open_table = await house.open("ada", "dark", "Ada")
    assert await refused(house, open_table, "ada", do.Name("\ud800")) == "malformed"
    assert await refused(house, open_table, "ada", do.Name("x" * 10_000)) == "too_big"
    await house.act(open_table, "bo", do.Sit("\x00B\x00o" + "ё" * 500))
    assert open_table.sitting.seats[1].name == "Bo" + "ё" * 22
    assert state(await again(house, open_table)) == state(open_table)


# readiness ------------------------------------------------------------------------------------------------------------


@contextmanager
def full_disk(url: str) -> Iterator[None]:
    """Limit the size of all files of this process to that of the write-ahead log, to which every commit appends."""
    log = Path(url.partition(":///")[2] + "-wal")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def read_only(postgres: Postgres, url: str) -> Iterator[None]:
    """As after a failover: Postgres accepts reads but no writes."""
    name = url.rpartition("/")[2]
    lose = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
    postgres.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    postgres.execute(lose)
    try:
        yield
    finally:
        postgres.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only; {lose}")


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
async def test_while_nothing_can_be_stored_the_server_is_not_ready(
    tiny: object, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, logged: Logged, database: str
) -> None:
    url = request.getfixturevalue(f"{database}_url")
    async with AsyncExitStack() as stack:
        house = await starter(stack, url)()
        open_table = await seated(house, "dark", 2)
        await wait_for_rows(house, ("away", "0"), ("away", "1"))
        before, mend, tries = state(open_table), house.recovery.mend, 0

        async def counted() -> None:
            nonlocal tries
            await mend()
            tries += 1

        monkeypatch.setattr(house.recovery, "mend", counted)
        full = full_disk(url) if database == "sqlite" else read_only(request.getfixturevalue("postgres"), url)
        with full:
            assert await refused(house, open_table, "ada", do.Play(1, "walk"), "a") == "store_down"
            await soon(lambda: tries > 3)
            assert "the last commit failed" in house.problems()  # although reads succeed
            await house.store.ping()
            assert await house.by_token("no such table") is None
            assert await refused(house, open_table, "ada", do.Play(1, "walk"), "a") == "store_down"
            with pytest.raises(Refusal, match="store_down"):
                await house.open("cy", "dark", "Cy")
            assert state(open_table) == before
        await soon(lambda: not house.problems())
        assert logged.troubles().count("the database is away") == 1
        assert not (await house.act(open_table, "ada", do.Play(1, "walk"), "a")).doubled
        assert state(await again(house, open_table)) == state(open_table)


async def test_while_an_action_waits_for_long_the_server_is_not_ready(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.house.house.LONGEST_WAIT", 0.05)
    open_table, gate = await seated(house, "dark", 2), Gate(house)
    gate.open.clear()

    def waits() -> bool:
        return any(problem.startswith("an action has waited for ") for problem in house.problems())

    first = house.submit(open_table, "ada", do.Play(1, "walk"))  # is being stored
    await gate.came.wait()
    await soon(waits)
    second = house.submit(open_table, "bo", do.Play(1, "walk"))  # waits for the next batch
    gate.open.set()
    await asyncio.gather(first, second)
    await soon(lambda: not house.problems())


async def test_an_action_that_is_looked_up_waits_too(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.house.house.LONGEST_WAIT", 0.05)
    open_table, gone, by_message = await seated(house, "dark", 2), asyncio.Event(), house.store.by_message

    async def slow(*what: str) -> Any:
        await gone.wait()
        return await by_message(*what)

    monkeypatch.setattr(house.store, "by_message", slow)
    answer = house.submit(open_table, "ada", do.Play(1, "fly"), "a")
    await soon(lambda: any(problem.startswith("an action has waited for ") for problem in house.problems()))
    gone.set()
    with pytest.raises(Refusal, match="not_legal"):
        await answer
    await soon(lambda: not house.problems())


async def test_a_server_that_stops_is_not_ready(start_house: StartHouse) -> None:
    house = await start_house()
    assert house.problems() == []
    await house.stop()
    assert house.problems() == ["the server is stopping"]


# one-time links, keys, old tables -------------------------------------------------------------------------------------


async def test_a_one_time_link_gives_a_second_device_the_same_seat_once(house: House) -> None:
    open_table = await seated(house, "dark", 2)
    token = await house.device_link(open_table, "bo")
    assert len(token) >= 16
    assert await house.redeem(token, "bo's phone") is open_table
    assert open_table.sitting.seat_of("bo's phone") == 1
    for person in ("bo's phone", "cy"):
        with pytest.raises(Refusal, match="link_spent"):
            await house.redeem(token, person)
    with pytest.raises(Refusal, match="link_spent"):
        await house.redeem("no such token", "cy")
    with pytest.raises(Refusal, match="no_seat"):
        await house.device_link(open_table, "cy")
    with pytest.raises(Refusal, match="held_another"):
        await house.redeem(await house.device_link(open_table, "bo"), "ada")


async def test_a_link_spent_twice_at_once_works_once(house: House) -> None:
    open_table = await seated(house, "dark", 2)
    token = await house.device_link(open_table, "bo")
    done = await asyncio.gather(*[house.redeem(token, person) for person in PEOPLE[2:]], return_exceptions=True)
    assert sorted(getattr(one, "reason", "") for one in done) == ["", "link_spent", "link_spent"]


async def test_a_link_runs_out(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    open_table = await seated(house, "dark", 2)
    token = await house.device_link(open_table, "bo")
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + 601)
    with pytest.raises(Refusal, match="link_spent"):
        await house.redeem(token, "cy")


async def test_the_key_is_made_once_or_set(start_house: StartHouse) -> None:
    house = await start_house()
    key = house.secret_key
    await house.stop()
    assert (await start_house()).secret_key == key and len(key) >= 32
    assert (await start_house(secret_key="mine")).secret_key == "mine"
