"""Pages and their forms: who sees which page, what a post does, and that GET changes nothing."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.web.files import fingerprint, static_file
from app.web.icons import PICTURES, drawn_pictures
from app.web.people import COOKIE, People
from app.web.templates import Templates
from engine.game import games
from tests.app.conftest import Logged
from tests.app.tables import until
from tests.app.web.conftest import Guest, Web
from tests.engine import tiny

Guests = Callable[..., Guest]


async def started(guest: Guests, count: int = 3) -> tuple[str, list[Guest]]:
    people = [guest(name) for name in ("Ada", "Bo", "Cy", "Di", "Eve")[:count]]
    table = await people[0].open()
    for one in people[1:]:
        assert (await one.sit(table)).status_code == 303
    assert (await people[0].act(table, do="start")).status_code == 303
    return table, people


async def test_from_the_first_page_to_a_game(guest: Guests) -> None:
    ada, bo = guest("Ada"), guest("Bo")
    assert "Raiders" in await ada.page("/")
    table = await ada.open()
    assert re.fullmatch(r"/t/[\w-]{22}", table)
    assert 'id="f-lobby"' in await ada.page(table)
    view = await ada.view(table)
    assert 'name="do" value="sit"' in await bo.page(table)
    found = await bo.http.post("/join", data={"code": view["table"]["code"].lower()})
    assert (found.status_code, found.headers["location"]) == (303, table)
    sat = await bo.sit(table)
    assert (sat.status_code, sat.headers["location"]) == (303, table)
    assert "Bo" in await ada.page(table)
    await ada.act(table, do="addbot")
    await ada.act(table, do="start")
    for one in (ada, bo):
        page = await one.page(table)
        assert 'id="f-own"' in page
        assert 'data-phase="playing"' in page


async def test_the_first_page_shows_each_game_with_its_picture(guest: Guests) -> None:
    page = await guest("Ada").page("/")
    listed = [game for game in games().values() if game.listed]
    for game in listed:
        assert static_file(f"games/{game.key}/{game.picture}")
        drawn = f'.svg?v={fingerprint(PICTURES, 0)}#{game.key}"'
        assert (drawn if game.key in drawn_pictures() else f"/static/games/{game.key}/{game.picture}?v=") in page
    assert listed and page.count('class="card picture"') == len(listed)


async def test_a_game_against_bots_needs_no_name(guest: Guests) -> None:
    somebody = guest("")
    view = await somebody.view(await somebody.open(bots="1"))
    assert view["table"]["seats"][0]["name"] == "Guest"
    named = guest("Ada")
    view = await named.view(await named.open(bots="1", name=" "))
    assert view["table"]["seats"][0]["name"] == "Guest"


async def test_with_bots_in_one_click_to_the_final_scoring(guest: Guests) -> None:
    ada = guest("Ada")
    table = await ada.open(bots="1")
    view = await ada.view(table)
    assert [seat["kind"] for seat in view["table"]["seats"]] == ["person", "bot", "bot", "bot"]
    while view["phase"] != "over":
        if view["own"]["moves"]:
            await ada.play(table)
        answer = await ada.http.get(f"{table}/events", params={"after": view["version"], "wait": 5})
        view = answer.json()
    page = await ada.page(table)
    assert 'id="f-result"' in page
    assert (await ada.act(table, do="rematch")).status_code == 303
    assert 'id="f-lobby"' in await ada.page(table)


async def test_a_tv_opens_a_table_and_the_first_phone_is_the_host(guest: Guests) -> None:
    tv, ada, bo = guest(""), guest("Ada"), guest("Bo")
    screen = await tv.open("scrawl", screen="1", name="")
    assert re.fullmatch(r"/t/[\w-]{22}/screen", screen) and not tv.http.cookies
    table = screen.removesuffix("/screen")
    assert f"{table}/hand" not in await ada.page("/")
    assert "Whoever sits down first" in await tv.page(screen)
    assert "’s table<" not in await guest("").page(f"{table}?watch=1")  # it is nobody's yet
    # A phone takes a seat on the page of the hand and stays there.
    assert 'name="do" value="sit"' in await ada.page(f"{table}/hand")
    form = f"{table}/act?hand"
    assert form in await ada.page(f"{table}/hand")
    nameless = await ada.http.post(form, data={"do": "sit", "name": " "})
    assert nameless.status_code == 400 and form in nameless.text
    sat = await ada.http.post(form, data={"do": "sit", "name": "Ada"})
    assert (sat.status_code, sat.headers["location"]) == (303, f"{table}/hand")
    assert 'class="face-lobby"' in await ada.page(f"{table}/hand")
    await bo.sit(table)
    assert [seat["host"] for seat in (await ada.view(table))["table"]["seats"]][:2] == [True, False]
    assert (await bo.act(table, do="start")).status_code == 403
    assert (await ada.act(table, do="start")).status_code == 303
    assert 'class="face-hand"' in await ada.page(f"{table}/hand")


async def test_the_first_page_leads_back_to_the_table(guest: Guests) -> None:
    ada, bo = guest("Ada"), guest("Bo")
    link = "Back to your table"
    assert link not in await ada.page("/")
    table = await ada.open()
    await bo.sit(table)
    for one in (ada, bo):
        page = await one.page("/")
        assert link in page and f'href="{table}"' in page
    await ada.act(table, do="name", name="Ann")
    assert link in await ada.page("/")
    await bo.act(table, do="leave")
    assert link not in await bo.page("/")
    [form] = re.findall('<form[^>]*>(?=[^<]*<input[^>]*value="?sit)', await bo.page(f"{table}?watch=1"))[:1]
    assert "hx-ws" not in form, "an answer over the socket cannot set the cookie"
    assert link not in await guest("").page("/")


async def test_faces_and_other_pages(guest: Guests) -> None:
    table, (ada, *_) = await started(guest)
    assert 'id="f-own_hand"' in await ada.page(f"{table}/hand")
    assert 'id="f-invite"' in await ada.page(f"{table}/screen")
    for path in (f"{table}/rules", "/about", "/verify", "/move", "/docs"):
        await ada.page(path)


async def test_a_visitor_without_a_seat_may_watch(guest: Guests) -> None:
    table, _ = await started(guest)
    stranger = guest("")
    for path in (table, f"{table}?watch=1", f"{table}/hand", f"{table}/screen"):
        assert "f-phase" in await stranger.page(path)
    assert (await stranger.view(table))["own"] is None
    assert COOKIE not in stranger.http.cookies


async def test_no_get_changes_anything(web: Web, guest: Guests) -> None:
    table, (ada, *_) = await started(guest)
    made = await ada.http.post(f"{table}/device", json={})
    token = made.json()["link"].partition("#")[2]
    open_table = await web.open_table(table)
    seq = open_table.seq
    stranger = guest("Eve")
    paths = [
        table,
        f"{table}/hand",
        f"{table}/screen",
        f"{table}/log",
        f"{table}/events",
        "/move",
        f"/move?token={token}",
    ]
    for path in [*paths, f"{table}/act", f"{table}/join", f"{table}/device", "/tables", "/join", "/lang"]:
        for one in (ada, stranger):
            answer = await one.http.get(path, params={"do": "sit", "name": "Eve"})
            assert answer.status_code in (200, 405), path
            assert "set-cookie" not in answer.headers
    assert open_table.seq == seq
    moved = await stranger.http.post("/move", data={"token": token})
    assert moved.status_code == 303


async def test_another_device_by_a_link_that_works_once(guest: Guests) -> None:
    table, (ada, bo, _) = await started(guest)
    page = (await ada.http.post(f"{table}/device", data={})).text
    found = re.search(r"/move#([\w-]+)", page)
    assert found
    phone, thief = guest("Ada's phone"), guest("Eve")
    moved = await phone.http.post("/move", data={"token": found[1]})
    assert (moved.status_code, moved.headers["location"]) == (303, table)
    assert (await phone.view(table))["own"]["seat"] == 0
    await phone.play(table)
    assert (await ada.view(table))["own"]["ready"] is True
    assert (await thief.http.post("/move", data={"token": found[1]})).status_code == 410
    for token in ("", "x", "я", "x" * 5000):
        assert (await thief.http.post("/move", data={"token": token})).status_code in (400, 410)
    assert (await thief.http.post(f"{table}/device", data={})).status_code == 403
    fresh = (await ada.http.post(f"{table}/device", json={})).json()["link"].partition("#")[2]
    assert (await bo.http.post("/move", data={"token": fresh})).status_code == 409  # this person knows another hand


async def test_a_late_friend_takes_over_a_bots_seat(web: Web, guest: Guests) -> None:
    ada, late = guest("Ada"), guest("Lu")
    table = await ada.open(bots="1")
    assert 'value="sit"' in await late.page(table)
    assert (await late.sit(table, seat="0")).status_code == 409
    assert (await late.sit(table, seat="2")).status_code == 303
    assert (await late.view(table))["own"] is None
    open_table = await web.open_table(table)
    await until(open_table, lambda: open_table.picture.waits_for(0))
    await ada.play(table)
    await until(open_table, lambda: not open_table.picture.card.seats[2].newcomer)
    assert (await late.view(table))["own"]["seat"] == 2
    await late.act(table, do="leave")
    assert (await late.sit(table, seat="1")).status_code == 409  # this person knows the cards of seat 2
    await ada.act(table, do="lock")
    third = guest("Mo")
    assert (await third.sit(table, seat="1")).status_code == 409
    assert 'value="sit"' not in await third.page(table)


async def test_cookies_are_kept_from_scripts_and_from_other_sites(guest: Guests) -> None:
    ada = guest("Ada")
    answer = await ada.http.post("/tables", data={"game": "raiders", "name": "Ada"})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "path=/" in cookie
    assert "secure" not in cookie


async def test_forged_expired_and_foreign_cookies_are_ignored(web: Web, guest: Guests) -> None:
    table, (ada, *_) = await started(guest)
    open_table = await web.open_table(table)
    person = open_table.sitting.seats[0].holders[0]
    own = ada.http.cookies[COOKIE]
    foreign = People("another server's key").serializer.dumps([person, "Ada"])
    for cookie in (foreign, own[:-2] + "xx", "nonsense", "", person):
        eve = guest("Eve")
        eve.http.cookies.set(COOKIE, cookie)
        assert (await eve.view(table))["own"] is None
        assert (await eve.play_blind(table)).status_code == 403
        made = await eve.http.post("/tables", data={"game": "raiders", "name": "Eve"})
        assert made.status_code == 303
        assert "set-cookie" in made.headers


async def test_names(guest: Guests) -> None:
    host = guest("Host")
    wanted = {
        "x" * 500: "x" * 24,
        "<b>Bo</b>": "<b>Bo</b>",
        "\u202eevil\u202c": "evil",
        "👩‍👩‍👧‍👦🎲": "👩‍👩‍👧‍👦🎲",
        "  Ana   María ": "Ana María",
        "שלום": "שלום",
        "Host": "Host 2",
    }
    for name, shown in wanted.items():
        table = await host.open()
        one = guest(name)
        assert (await one.sit(table)).status_code == 303, name
        seats = (await host.view(table))["table"]["seats"]
        assert seats[1]["name"] == shown
        page = await host.page(table)
        assert "<b>Bo</b>" not in page
    table = await host.open()
    for name in ("", "   ", "\u202e", "\u200d", "\u2800"):
        one = guest(name)
        assert (await one.sit(table)).status_code == 400, name
        assert (await one.http.post("/tables", data={"game": "raiders", "name": name})).status_code == 400


async def test_the_field_says_how_long_a_name_may_be(guest: Guests) -> None:
    ada, bo = guest("Ada"), guest("Bo")
    table = await ada.open()
    for page in (await ada.page("/"), await ada.page(table), await bo.page(table)):
        assert 'maxlength="24"' in page and "Up to 24 characters" in page


async def test_a_double_click_on_sit_down_is_no_error(guest: Guests) -> None:
    ada, bo = guest("Ada"), guest("Bo")
    table = await ada.open()
    for _ in range(2):
        answer = await bo.sit(table)
        assert (answer.status_code, answer.headers["location"]) == (303, table)
    assert [seat["kind"] for seat in (await ada.view(table))["table"]["seats"]].count("person") == 2


async def test_languages(guest: Guests) -> None:
    ada = guest("Ada", **{"accept-language": "ru-RU,ru;q=0.9"})
    assert '<html lang="ru"' in await ada.page("/")
    answer = await ada.http.post("/lang", data={"lang": "en", "next": "/about"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/about")
    assert "secure" not in answer.headers["set-cookie"].lower()
    assert '<html lang="en"' in await ada.page("/about")
    for next in ("//evil.test", "https://evil.test", "/\\evil.test", "", "javascript:alert(1)", "/\n/evil.test"):
        answer = await ada.http.post("/lang", data={"lang": "xx", "next": next})
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert '<html lang="en"' in await ada.page("/")


async def test_an_unknown_table_and_an_unknown_page(guest: Guests) -> None:
    ada = guest("Ada")
    for path in ("/t/nothing", "/t/" + "x" * 5000, "/t/%00", "/t/я/screen", "/nowhere", "/t", "/t/a/b/c"):
        answer = await ada.http.get(path)
        assert answer.status_code == 404, path
        assert "text/html" in answer.headers["content-type"]
        program = await ada.http.get(path, headers={"accept": "application/json"})
        assert program.json()["error"]["reason"] in ("unknown_table", "unknown_page")


async def test_pages_offer_listed_games_only(guest: Guests, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = guest("Ada")
    listed = {key for key, game in games().items() if game.listed}
    # Templates are loaded once for all tests of a process: they may also know games for tests.
    assert listed <= set(re.findall(r'name="game" value="(\w+)"', await ada.page("/")))
    monkeypatch.setitem(games(), "tomb", replace(games()["tomb"], listed=False))
    shown: Any = Templates().languages["en"].globals["games"]
    assert {game.key for game in shown} == listed - {"tomb"}
    # programs can open it
    assert (await ada.http.post("/tables", json={"game": "tomb", "name": "Ada"})).status_code == 201


@pytest.mark.parametrize("game", ["", "chess", "../raiders", "Raiders"])
async def test_a_game_that_is_not_there(guest: Guests, game: str) -> None:
    assert (await guest("Ada").http.post("/tables", data={"game": game, "name": "Ada"})).status_code == 404


async def test_the_log_can_be_checked_on_a_page(guest: Guests) -> None:
    table, people = await started(guest)
    for one in people:
        await one.play(table)
    ada = people[0]
    log = (await ada.http.get(f"{table}/log")).content
    page = await ada.http.post("/verify", files={"file": ("log.jsonl", log)})
    assert page.status_code == 200
    checked = await ada.http.post("/verify", content=log, headers={"accept": "application/json"})
    assert checked.json()["holds"] is True
    assert checked.json()["finished"] is False
    lines = log.replace(b'"round":1', b'"round":2')
    checked = await ada.http.post("/verify", content=lines, headers={"accept": "application/json"})
    assert checked.json()["holds"] is False
    page = await ada.http.post("/verify", files={"file": ("log.jsonl", lines)})
    assert f"Line {checked.json()['line']}:" in page.text
    empty = await ada.http.post("/verify", files={"other": ("x", b"")})
    assert empty.status_code == 400


async def test_checking_a_log_leads_back_to_the_table(guest: Guests) -> None:
    ada = guest("Ada")
    for back in ("/t/abc-D_1", "/t/abc/hand", "//evil.example/t/a", "https://evil.example/t/a"):
        page = await ada.page(f"/verify?back={back}")
        assert (f'href="{back}"' in page) == (back == "/t/abc-D_1")
    checked = await ada.http.post("/verify?back=/t/abc", files={"file": ("log.jsonl", b"nonsense")})
    assert 'href="/t/abc"' in checked.text


async def test_the_code_of_a_locked_table_opens_it_for_those_who_sit_there(guest: Guests) -> None:
    ada, bo = guest("Ada"), guest("Bo")
    table = await ada.open()
    code = (await ada.view(table))["table"]["code"]
    assert (await bo.http.post("/join", data={"code": code})).headers["location"] == table
    await ada.act(table, do="lock")
    refused = await bo.http.post("/join", data={"code": code})
    assert refused.status_code == 409 and "is locked" in refused.text and f'value="{code}"' in refused.text
    assert (await bo.http.post("/join", json={"code": code})).json()["error"]["reason"] == "locked_code"
    assert (await ada.http.post("/join", data={"code": code})).headers["location"] == table


async def test_broken_templates_of_a_game_hurt_its_own_tables_only(
    web: Web, guest: Guests, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    (package := tmp_path / "broken_pages").mkdir()
    (package / "__init__.py").touch()
    files = {
        "own.html": "\n{{ public.nothing }}",
        "rules.html": "<p>\n\n{% if %}",
        "credits.html": "{{ game.nothing }}",
    }
    (package / "templates").mkdir()
    for name, text in files.items():
        (package / "templates" / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(games(), "broken_pages", replace(tiny.dark, key="broken_pages", package="broken_pages"))
    web.site.templates = web.site.fragments.templates = Templates()
    ada, bo = guest("Ada"), guest("Bo")
    table = await ada.open(game="broken_pages")
    await bo.sit(table)
    other, _ = await started(guest)
    await ada.act(table, do="start")
    for path in (table, f"{table}/rules"):
        page = await ada.http.get(path, headers={"accept": "text/html"})
        assert page.status_code == 500 and "Something went wrong on the server" in page.text
    assert (await ada.view(table))["shared"]["asks"] == "Hide"  # programs and the screen need not those
    assert "The table waits" in await ada.page(f"{table}/screen")
    async with ada.socket(table) as line:
        assert await line.closed() == 1011
    assert 'id="f-own"' in await guest("Ada").page(other)
    assert (await ada.http.get("/about")).status_code == 200
    lines = [line for line in map(json.loads, logged.lines) if line["event"] == "broken"]
    at = [line["at"] for line in lines]
    own, rules, credits = (f"{package / 'templates' / name}:{n}" for name, n in zip(files, (2, 3, 1), strict=True))
    assert at == [own, rules, own, credits]
