"""A seat of a running game that somebody new takes: what is sent before and after the next reveal."""

import re
from collections.abc import Callable

import pytest

from app.table import actions as do
from tests.app.tables import Clock, until
from tests.app.web.conftest import Guest, Web

Guests = Callable[..., Guest]
pytestmark = pytest.mark.usefixtures("small_games")


@pytest.mark.parametrize("claimed", [False, True])
async def test_a_host_with_a_second_browser_sees_nothing_of_a_freed_seat(
    web: Web, guest: Guests, claimed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bo, cy, eve = guest("Ada"), guest("Bo"), guest("Cy"), guest("Eve")
    path = await ada.open("raiders")
    for one in (bo, cy):
        await one.sit(path)
    await ada.say(path, do="options", options={"play": "sealed"})
    await ada.act(path, do="start")
    laid = (await bo.view(path))["own"]["moves"][0]
    assert (await bo.play(path, laid)).status_code == 200
    table = await web.open_table(path)
    if claimed:  # Bo is away for long
        await let_claim(web, path, 1, monkeypatch)
        await eve.act(path, do="claim", seat=1, name="Eve")
        await ada.act(path, do="agree")
        web.site.house.deadlines.note(0.0)
        await until(table, lambda: table.picture.card.seats[1].newcomer)
    else:
        await ada.act(path, do="free", seat=1)
        assert (await eve.sit(path, seat="1")).status_code == 303
    assert "Back to your table" in await eve.page("/")
    view = await eve.view(path)
    assert view["own"] is None and view["table"]["seats"][1]["newcomer"]
    assert view["shared"]["waits"] == [0, 2], "what Bo has laid stays"
    for page in ("", "/hand"):
        text = await eve.page(path + page)
        assert "A bot plays your seat until the next reveal" in text and 'name="move"' not in text
    told = re.sub("<[^>]+>", "", await ada.page(path))
    assert "Eve takes the seat of Bo. A bot plays it until the next reveal." in told
    for action in ({"do": "undo", "round": 1}, {"do": "play", "round": 1, "move": laid}):
        refused = await eve.say(path, **action)
        assert (refused.status_code, refused.json()["error"]["reason"]) == (409, "newcomer")
    async with eve.socket(path) as browser, eve.socket(path, "as=json") as program:
        assert (await program.json())["own"] is None
        await browser.text()
        await eve.say(path, do="lift", round=1, move=laid)
        for one in (ada, cy):
            assert (await one.play(path)).status_code == 200
        await browser.until(lambda text: 'id="f-own"' in text and 'name="move"' in text)
        while (own := (await program.json()).get("own")) is None:
            pass
        assert laid not in own["moves"] and not own["ready"]
    assert (await eve.play(path)).status_code == 200
    shown = (await eve.view(path))["table"]["seats"][1]
    assert not shown["newcomer"] and shown["bot"] == ""


async def let_claim(web: Web, path: str, seat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The person of this seat has been away for so long that others may ask for it; they get it soon."""
    house, table = web.site.house, await web.open_table(path)
    monkeypatch.setattr("app.table.claims.GRACE", 0.2)
    with monkeypatch.context() as patch:
        patch.setattr("app.table.seats.REST", 0.0)
        await house.act(table, "", do.Away(seat))
        await house.act(table, "", do.LongAway(seat))


@pytest.mark.parametrize("revealed", [False, True])
async def test_who_comes_back_sees_the_own_hand_at_once_and_the_other_nothing_of_it(
    web: Web, guest: Guests, revealed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bo, eve = guest("Ada"), guest("Bo"), guest("Eve")
    path = await ada.open("raiders")
    await bo.sit(path)
    await ada.say(path, do="options", options={"play": "sealed"})
    await ada.act(path, do="start")
    table = await web.open_table(path)
    await let_claim(web, path, 1, monkeypatch)
    await eve.act(path, do="claim", seat=1, name="Eve")
    assert "Eve asks for the seat of" in await ada.page(path) and 'id="agree"' in await ada.page(path)
    await ada.act(path, do="agree")
    await until(table, lambda: table.picture.card.seats[1].newcomer)
    if revealed:
        await ada.play(path)
        await until(table, lambda: not table.picture.card.seats[1].newcomer)
    page = await bo.page(path)
    assert "the table has given your seat to Eve" in page and 'name="move"' not in page
    assert "Back to your table" in await bo.page("/")
    async with eve.socket(path, "as=json") as other, eve.socket(path) as others_page:
        assert ((await other.json())["own"] is not None) == revealed
        await others_page.text()
        async with bo.socket(path) as browser, bo.socket(path, "as=json") as program:
            await browser.until(lambda text: 'id="f-own"' in text and "hand watching" not in text)
            while (seen := (await program.json()).get("own")) is None:
                pass
            assert seen["seat"] == 1 and "private" in seen
            if revealed:
                while (await other.json()).get("own", 0) is not None:
                    pass
            await others_page.until(lambda text: "hand watching" in text)
        assert (await eve.view(path))["own"] is None and 'name="move"' not in await eve.page(path + "/hand")
        assert (await eve.play_blind(path)).status_code == 403
    assert "Bo is back and has the seat again that Eve was given." in re.sub("<[^>]+>", "", await ada.page(path))


async def test_a_program_comes_back_by_acting(web: Web, guest: Guests, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bo, eve = guest("Ada"), guest("Bo"), guest("Eve")
    path = await ada.open("raiders")
    await bo.sit(path)
    await ada.act(path, do="start")
    await let_claim(web, path, 1, monkeypatch)
    await eve.act(path, do="claim", seat=1, name="Eve")
    await ada.act(path, do="agree")
    table = await web.open_table(path)
    await until(table, lambda: table.picture.card.seats[1].newcomer)
    assert (await bo.view(path))["own"] is None, "who only looks takes nothing"
    assert (await bo.say(path, do="here")).status_code == 200
    assert (await bo.view(path))["own"] is not None and (await bo.say(path, do="here")).status_code == 200


async def test_who_gives_up_before_the_reveal_watches_again(web: Web, guest: Guests) -> None:
    ada, eve = guest("Ada"), guest("Eve")
    path = await ada.open("raiders", bots="1")
    joined = await eve.http.post(f"{path}/join", json={"name": "Eve", "seat": 2})
    assert joined.status_code == 201 and joined.json()["seat"] == 2
    eve.http.headers["authorization"] = f"Bearer {joined.json()['bearer']}"
    assert (await eve.view(path))["own"] is None
    assert (await eve.say(path, do="leave")).status_code == 200
    seat = (await ada.view(path))["table"]["seats"][2]
    assert seat["kind"] == "bot" and seat["left"] and not seat["newcomer"]


async def test_time_runs_out_for_who_objects_every_minute(
    web: Web, guest: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)
    ada, bo = guest("Ada"), guest("Bo")
    path = await ada.open("counting")
    await bo.sit(path)
    await ada.act(path, do="start")
    table = await web.open_table(path)
    assert "Does not answer: Ada" in await bo.page(path) and "data-remaining" not in await bo.page(path)
    await bo.act(path, do="standin", seat=0)
    await ada.act(path, do="object")
    assert "Still does not answer: Ada" in await bo.page(path)
    assert (await bo.view(path))["remaining"] is None and (await bo.view(path))["table"]["seats"][0]["reminded"]
    async with ada.socket(path) as browser:
        await browser.text()
        await bo.act(path, do="standin", seat=0)
        await browser.until(lambda text: "You were asked for again: this choice ends in two minutes." in text)
    assert 100 < (await ada.view(path))["remaining"] <= 120 and "data-remaining" in await ada.page(path)
    assert (await ada.say(path, do="object")).status_code == 409
    clock.jump(121, web.site.house)
    await until(table, lambda: table.picture.waits_for(1))
    told = re.sub("<[^>]+>", "", await bo.page(path))
    assert "The time ran out. Played for Ada" in told and (await bo.view(path))["remaining"] is None
