"""Fragments: rendered once for all viewers of the same state, per language, with the remaining time."""

import asyncio
import html
import re
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from app.house.open_table import OpenTable
from app.web.context import Audience, context
from app.web.faces import FACES
from app.web.fragments import fragment, timed
from app.web.html_feed import HtmlFeed
from app.web.templates import Templates
from engine.beats import seconds
from tests.app.web.conftest import Guest, Web

Guests = Callable[..., Guest]


async def started(guest: Guests, **first: Any) -> tuple[str, list[Guest]]:
    people = [guest(name) for name in ("Ada", "Bo", "Cy")]
    table = await people[0].open()
    for one in people[1:]:
        await one.sit(table)
    for do, fields in first.items():
        assert (await people[0].say(table, do=do, **fields)).status_code == 200
    await people[0].act(table, do="start")
    return table, people


async def test_what_everybody_sees_is_rendered_once(web: Web, guest: Guests, monkeypatch: pytest.MonkeyPatch) -> None:
    table, people = await started(guest)
    russian = guest("Di", **{"accept-language": "ru"})
    rendered: list[tuple[str, str]] = []
    truly = Templates.fragment

    def counted(self: Templates, language: str, name: str, context: dict[str, Any]) -> str:
        rendered.append((language, name))
        return truly(self, language, name, context)

    monkeypatch.setattr(Templates, "fragment", counted)
    async with AsyncExitStack() as opened:
        lines = [await opened.enter_async_context(one.socket(table)) for one in [*people, *people]]
        lines.append(await opened.enter_async_context(russian.socket(table, **{"accept-language": "ru"})))
        for line in lines:
            await line.text()
        for name in FACES["play"].shared:
            assert rendered.count(("en", name)) == 1
            assert rendered.count(("ru", name)) == 1
        assert rendered.count(("en", "own")) == 3
        rendered.clear()
        await people[0].play(table)
        for line in lines:
            await line.text()
        assert rendered.count(("en", "waits")) == 1
        assert rendered.count(("en", "own")) == 1
        assert rendered.count(("en", "reveal")) == 0


async def test_an_up_to_date_socket_is_sent_nothing(web: Web, guest: Guests, monkeypatch: pytest.MonkeyPatch) -> None:
    table, people = await started(guest)
    open_table = await web.open_table(table)
    open_table.listen(open_table.subscribe())  # as the sockets of these feeds would
    feeds = [html_feed(web, open_table, one) for one in people]
    first = [feed.news() for feed in feeds]
    assert all('id="f-board"' in text and 'id="f-own"' in text for text in first)
    assert [feed.news() for feed in feeds] == ["", "", ""]
    assert html_feed(web, open_table, people[0]).news() == first[0], "after a reconnection the page gets everything"
    await people[0].play(table)
    web.site.cache.clear()  # as if other tables had filled the cache
    rendered: list[str] = []
    truly = Templates.fragment

    def counted(self: Templates, language: str, name: str, context: dict[str, Any]) -> str:
        rendered.append(name)
        return truly(self, language, name, context)

    monkeypatch.setattr(Templates, "fragment", counted)
    told = [feed.news() for feed in feeds]
    assert rendered == ["waits", "own"], "nothing else could have changed"
    assert ['id="f-own"' in text for text in told] == [True, False, False]


def html_feed(web: Web, open_table: OpenTable, guest: Guest) -> HtmlFeed:
    visitor = web.site.people.read(guest.http.cookies["facedown"])
    return HtmlFeed(web.site, open_table, visitor, Audience("play", "en", "http://x"))


async def test_a_page_that_was_just_loaded_is_sent_nothing_that_it_has(web: Web, guest: Guests) -> None:
    table, people = await started(guest, timer={"seconds": 100})
    for face, path in (("play", table), ("hand", f"{table}/hand"), ("screen", f"{table}/screen")):
        page = await people[0].page(path)
        [address] = re.findall('hx-ws:connect="/t/[^/]+/live[?]([^"]+)"', page)
        query = html.unescape(address)
        assert query.startswith(f"face={face}&has=")
        async with people[0].socket(table, query) as line:
            assert await line.quiet()
        await people[1].play(table)
        async with people[0].socket(table, query) as line:
            assert re.findall('hx-target="#f-(\\w+)"', await line.text()) == ["waits"]
        await people[1].act(table, do="undo", round=1)


@pytest.mark.parametrize("has", ["", "-", "x", "----", "-".join("0" * 12 for _ in range(6)), "-".join("x" * 500)])
async def test_a_page_that_names_other_fragments_is_sent_all(guest: Guests, has: str) -> None:
    table, people = await started(guest)
    async with people[0].socket(table, f"face=play&has={has}") as line:
        parts = re.findall('hx-target="#f-(\\w+)"', await line.text())
        assert parts == list(FACES["play"].parts)


async def test_a_digest_is_the_same_in_every_process(web: Web, guest: Guests) -> None:
    made = fragment("waits", "<p>")
    assert made == fragment("waits", "<p>") and made.digest == "33f279946717"
    assert fragment("waits", '<p data-remaining="">', 1.0) != fragment("waits", '<p data-remaining="">', 2.0)
    assert fragment("board", "<p>", 1.0) == fragment("board", "<p>", 2.0), "the time is not shown there"


async def test_pictures_are_whole_on_a_page_and_short_in_a_fragment(guest: Guests) -> None:
    table, people = await started(guest)
    page = await people[0].page(table)
    assert '<svg class="ic" aria-hidden="true"><use href="/static/built/icons-frame.svg?v=' in page
    assert '<svg class="ic" role="img" aria-label="coins"><use href="/static/built/icons-raiders.svg?v=' in page
    assert "<ic " not in page
    async with people[0].socket(table) as line:
        text = await line.text()
        assert '<ic coin "coins">' in text and "<ic seat-1>" in text
        assert "<svg" not in text


async def test_each_in_their_language(guest: Guests) -> None:
    table, people = await started(guest)
    async with people[0].socket(table) as english, people[1].socket(table, **{"accept-language": "ru"}) as russian:
        assert "waits for" in await english.text()
        assert "Ada" in await russian.text()
        await english.say(do="play", round=99, move="4")
        await russian.say(do="play", round=99, move="4")
        assert "not open yet" in await english.text()


async def test_the_time_left(guest: Guests) -> None:
    table, people = await started(guest, timer={"seconds": 100})

    def left(text: str) -> float:
        found = re.search(r'data-remaining="([\d.]+)"', text)
        assert found, text
        return float(found[1])

    async with people[0].socket(table) as line:
        first = left(await line.text())
        assert 90 < first < 130
        assert 90 < left(await people[0].page(table)) < 130
        assert 90 < (await people[0].view(table))["remaining"] < 130
        await people[1].act(table, do="lift", round="1", move="3")
        assert await line.quiet()  # a change of the remaining time alone sends nothing
        await asyncio.sleep(0.8)
        await people[1].play(table)
        assert left(await line.until(lambda text: "data-remaining" in text)) < first


async def test_a_clock_that_jumps_back_gives_no_time(web: Web, guest: Guests, monkeypatch: pytest.MonkeyPatch) -> None:
    table, people = await started(guest, timer={"seconds": 100})
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - 3600)
    assert (await people[0].view(table))["remaining"] < 130


async def test_a_screen_is_the_same_in_every_browser(guest: Guests) -> None:
    table, people = await started(guest)
    await people[0].play(table)
    shown = {await one.page(f"{table}/screen") for one in [*people, guest("Eve")]}
    assert len(shown) == 1


async def test_what_a_game_suggests_is_said_to_the_host_beside_the_choice(guest: Guests) -> None:
    """Dungeoneer suggests one variant at any table, and another one to four players."""
    ada, bo = guest("Ada"), guest("Bo")
    table = await ada.open("dungeoneer")
    await bo.sit(table)

    def suggested(page: str) -> list[str]:
        return re.findall(r'id="?o-(\w+)-yes(?:(?!</label>).)*class="?suggested"?>Suggested: ', page, re.DOTALL)

    assert suggested(await ada.page(table)) == ["fresh"] and not suggested(await bo.page(table))
    for _ in range(2):
        await ada.act(table, do="addbot")
    assert suggested(await ada.page(table)) == ["resurrection", "fresh"]


async def test_watchers_are_counted_in_the_lobby(web: Web, guest: Guests) -> None:
    ada, eve = guest("Ada"), guest("Eve")
    table = await ada.open()
    open_table = await web.open_table(table)
    async with ada.socket(table, "face=lobby") as line, ada.socket(table, "face=screen"):
        await line.text()
        assert shown_watchers(web, open_table) == 0
        async with eve.socket(table, "face=lobby"):
            await line.text()
            assert shown_watchers(web, open_table) == 1
        await line.text()
        assert shown_watchers(web, open_table) == 0


def shown_watchers(web: Web, open_table: OpenTable) -> int:
    return web.site.scene(open_table, Audience("lobby", "en", "http://x"), None).watchers


def test_a_fragment_as_htmx_takes_it() -> None:
    text = fragment("waits", '<p id="f-waits" data-remaining="">…</p>').message
    assert timed(text, 7.4) == (
        '<hx-partial hx-target="#f-waits" hx-swap="outerMorph"><p id="f-waits" data-remaining="7">…</p></hx-partial>'
    )
    assert timed(text, None) == text


async def test_the_pages_of_a_reveal_and_the_timer_count_the_same_beats(web: Web, guest: Guests) -> None:
    table, people = await started(guest)
    assert (await people[0].say(table, do="timer", seconds=60)).status_code == 200
    for one in people:
        await one.play(table)
    open_table = await web.open_table(table)
    beats = context(web.site.scene(open_table, Audience("play", "en", "http://x"), None), web.site.cache)["beats"]
    assert beats[-1:] == ("next",) or "balls" in beats
    for path in ("", "/hand", "/screen"):
        (found,) = re.findall(r'data-beats="?(\d+)', await people[0].page(table + path))
        assert int(found) == len(beats)
    saved = open_table.sitting.saved
    assert saved.ends_at == pytest.approx(saved.at + 60 + seconds(beats))


@pytest.mark.usefixtures("small_games")
async def test_standing_orders_are_offered_where_the_game_has_them(guest: Guests) -> None:
    for game, offered in (("window", True), ("dark", False)):
        people = [guest(name) for name in ("Ada", "Bo", "Cy")]
        table = await people[0].open(game)
        for one in people[1:]:
            await one.sit(table)
        await people[0].act(table, do="start")
        for path in ("", "/hand"):
            text = await people[1].page(table + path)
            assert ("Only when I am hit" in text) is offered
            assert "For this turn" not in text  # there is no scope yet
