"""What pages, API and sockets share."""

from collections.abc import Callable
from random import Random

import pytest

from app.refusals import Refusal
from app.store.rows import Down
from app.table import actions as do
from app.web.limits import AddressLimit, Limit
from app.web.site import Site, is_local
from app.web.templates import Templates
from tests.app.conftest import StartHouse
from tests.app.tables import hand_in, play_out, seated
from tests.app.web.conftest import Guest, Web


@pytest.mark.parametrize("host", ["localhost", "cards.localhost", "127.0.0.1", "127.1.2.3", "::1"])
def test_a_loopback_address_is_local(host: str) -> None:
    assert is_local(host)


@pytest.mark.parametrize("host", ["", "cards.example.org", "localhost.example.org", "192.168.1.2", "::2"])
def test_others_are_not(host: str) -> None:
    assert not is_local(host)


async def test_a_client_that_knows_of_more_is_not_told_less(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes from another process, whose notification has not arrived here."""
    here, there = await start_worker(), await start_worker()
    monkeypatch.setattr(there.workers, "catch_up_later", lambda *_: None)
    open_table = await seated(here, "dark", 2)
    other = await there.by_token(open_table.picture.token)
    assert other is not None
    await hand_in(here, open_table, "ada")
    await hand_in(here, open_table, "bo")
    site = Site(there.settings, there, Templates())
    assert other.version < open_table.version
    await site.read_up_to(other, open_table.version)
    assert other.version == open_table.version
    await hand_in(here, open_table, "ada")
    await hand_in(here, open_table, "bo")

    async def down(*_: object) -> None:
        raise Down("gone")

    with monkeypatch.context() as patch:
        patch.setattr(there.store, "since", down)
        with pytest.raises(Refusal, match="store_down"):
            await site.read_up_to(other, open_table.version)
    await site.read_up_to(other, open_table.version + 1000)  # nobody has been told so much
    assert other.version == open_table.version
    await play_out(here, open_table, Random(1))
    await here.act(open_table, "ada", do.Rematch())
    await site.read_up_to(other, open_table.version)  # 0, less than in the last game
    assert other.picture.card == open_table.picture.card


async def test_actions_that_lead_to_nothing_are_limited(web: Web, guest: Callable[..., Guest]) -> None:
    """Accepted actions are stored for ever. Those that cause an event do not count, but steps back do."""
    web.site.limits.fruitless = Limit(6, 0.001)
    ada, bo = guest("Ada"), guest("Bo")
    table = await ada.open()
    for one in (bo, guest("Cy")):
        await one.sit(table)
    await ada.act(table, do="start")
    assert (await ada.say(table, do="play", round=99, move="1")).status_code == 409
    view = await ada.view(table)
    for n in range(30):
        do = {"do": "play", "move": view["own"]["moves"][0]} if n % 2 == 0 else {"do": "undo"}
        answer = await ada.say(table, round=view["shared"]["round"], **do)
        if answer.status_code == 429:
            break
    assert answer.status_code == 429
    other = await ada.open("tomb")
    assert (await ada.say(other, do="ready")).status_code == 200, "only this table"
    await bo.sit(other)
    await ada.act(other, do="start")
    await play_and_step_back(ada, bo, other)


async def test_answers_that_are_handed_in_are_not_limited(web: Web, guest: Callable[..., Guest]) -> None:
    """Programs may play fast: others see that a seat has handed in."""
    web.site.limits.fruitless = Limit(2, 0.001)
    ada, bo, cy = everybody = [guest(name) for name in ("Ada", "Bo", "Cy")]
    table = await ada.open()
    for one in (bo, cy):
        await one.sit(table)
    await ada.act(table, do="start")
    for _ in range(12):
        one = everybody[(await ada.view(table))["shared"]["waits"][0]]
        view = await one.view(table)
        answer = await one.say(table, do="play", round=view["shared"]["round"], move=view["own"]["moves"][0])
        assert answer.status_code == 200, answer.text


async def test_seats_without_a_cookie_are_limited_by_address_and_by_table(
    web: Web, guest: Callable[..., Guest]
) -> None:
    """Who takes a seat and leaves it is another person each time."""
    web.site.limits.arrivals = AddressLimit(6, 0.001)
    ada = guest("Ada")
    table, other = await ada.open(), await ada.open()
    assert [await stay_shortly(guest, table, n) for n in range(7)] == [303] * 6 + [429]
    assert await stay_shortly(guest, other, 7) == 429, "the same address"
    joined = await guest("Program").http.post(f"{table}/join", json={"name": "Program"})
    assert joined.status_code == 429
    web.site.limits.arrivals = AddressLimit(1000, 1)
    web.site.limits.arrivals_table = Limit(2, 0.001)
    assert [await stay_shortly(guest, table, n) for n in range(3)] == [303, 303, 429]
    assert await stay_shortly(guest, other, 3) == 303, "only this table"
    assert (await ada.act(table, do="name", name="Ada II")).status_code == 303, "who is there goes on"


async def stay_shortly(guest: Callable[..., Guest], table: str, n: int) -> int:
    """Somebody without a cookie takes a seat and leaves it. Returns the first status."""
    one = guest(f"Somebody {n}")
    answer = await one.sit(table)
    if answer.status_code == 303:
        assert (await one.act(table, do="leave")).status_code == 303
    return answer.status_code


@pytest.mark.parametrize("which", ["fruitless_table", "fruitless_address"])
async def test_actions_that_lead_to_nothing_are_limited_for_all_together(
    web: Web, guest: Callable[..., Guest], which: str
) -> None:
    ada, bo = guest("Ada"), guest("Bo")
    table = await ada.open()
    await bo.sit(table)
    setattr(web.site.limits, which, Limit(4, 0.001) if which == "fruitless_table" else AddressLimit(4, 0.001))
    said = [(await one.say(table, do="ready", ready=n % 2 == 0)).status_code for n in range(4) for one in (ada, bo)]
    assert said == [200] * 4 + [429] * 4
    other = await ada.open()
    assert (await ada.say(other, do="ready")).status_code == (200 if which == "fruitless_table" else 429)


async def test_new_names_are_limited_and_told_together(
    web: Web, guest: Callable[..., Guest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.house.open_table.CALM", 1e6)  # until the test says so
    ada, bo = guest("Ada"), guest("Bo")
    path = await ada.open()
    await bo.sit(path)
    table = await web.open_table(path)
    async with bo.socket(path, "face=lobby") as line:
        await line.text()
        answers = [(await ada.act(path, do="name", name=f"Ada {n}")).status_code for n in range(7)]
        assert answers == [303] * 5 + [429] * 2
        assert "Ada 0" in await line.text()
        assert table.later is not None
        table.later.cancel()
        table.notify_late()
        text = await line.text()
        assert "Ada 4" in text and "Ada 1" not in text
        await ada.act(path, do="ready")
        await line.until(lambda text: "ready" in text)
    assert (await bo.act(path, do="name", name="Bob")).status_code == 303, "only this person"


async def play_and_step_back(ada: Guest, bo: Guest, table: str) -> None:
    """Until that is limited."""
    for _ in range(200):
        for one in (ada, bo):
            view = await one.view(table)
            own, round = view["own"], view["shared"]["round"]
            if own["back"] and own["back"]["steps"]:
                answer = await one.say(table, do="stepback", round=round)
            elif own["moves"]:
                answer = await one.say(table, do="play", round=round, move=own["moves"][0])
            else:
                continue
            if answer.status_code == 429:
                return
    raise AssertionError("steps back are not limited")


async def test_pages_under_ever_new_addresses_are_limited(guest: Callable[..., Guest]) -> None:
    ada = guest("Ada")
    table = await ada.open()
    seen = [(await ada.http.get(table, headers={"host": f"10.0.0.{n}"})).status_code for n in range(30)]
    assert seen == sorted(seen) and set(seen) == {200, 429}
    assert (await ada.http.get(table, headers={"host": "10.0.0.1"})).status_code == 200, "known by now"


@pytest.mark.parametrize("game", ["raiders", "scrawl", "tomb", "dungeoneer"])
async def test_the_rules_can_be_read_in_the_lobby(guest: Callable[..., Guest], game: str) -> None:
    ada = guest("Ada")
    page = await ada.http.get(f"{await ada.open(game)}/rules")
    assert page.status_code == 200 and "<h1" in page.text
