"""Sockets of pages and programs, over a real server."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, suppress
from typing import Any

import pytest
import websockets

from tests.app.web.conftest import Guest, Line, Serve, Web, running

Guests = Callable[..., Guest]
PARTIAL = re.compile(r'<hx-partial hx-target="#f-(\w+)"')


def parts(message: str) -> list[str]:
    return PARTIAL.findall(message)


class Table:
    """Three people in a running game of Raiders."""

    def __init__(self, path: str, people: list[Guest]) -> None:
        self.path = path
        self.ada, self.bo, self.cy = self.people = people

    async def round(self) -> int:
        return int((await self.ada.view(self.path))["shared"]["round"])


@pytest.fixture
async def table(guest: Guests) -> AsyncIterator[Table]:
    people = [guest("Ada"), guest("Bo"), guest("Cy")]
    path = await people[0].open()
    for one in people[1:]:
        assert (await one.sit(path)).status_code == 303
    assert (await people[0].act(path, do="start")).status_code == 303
    yield Table(path, people)


async def test_a_page_gets_all_its_fragments_and_then_only_what_changes(table: Table) -> None:
    async with table.ada.socket(table.path) as ada, table.bo.socket(table.path) as bo:
        assert set(parts(await ada.text())) == {"phase", "announced", "bar", "board", "waits", "reveal", "own", "menu"}
        await bo.text()
        await table.ada.play(table.path)
        assert (
            {"waits", "own"}
            <= set(parts(await ada.text()))
            < {"phase", "announced", "bar", "board", "waits", "reveal", "own", "menu"}
        )
        assert "own" not in parts(await bo.text())
        await table.bo.play(table.path)
        await ada.text()
        await table.cy.play(table.path)
        assert {"board", "waits", "own"} <= set(parts(await ada.text()))


async def test_a_hand_in_sends_others_only_who_is_ready(table: Table) -> None:
    async with AsyncExitStack() as opened:
        faces = ("face=play", "face=hand", "face=screen")
        lines = [await opened.enter_async_context(table.ada.socket(table.path, face)) for face in faces]
        for line in lines:
            assert 'data-waits="1 2 3 "' in await line.text()
        await table.bo.play(table.path)
        for line in lines:
            text = await line.text()
            assert set(parts(text)) == {"waits"} and len(text) < 2000
            assert 'data-waits="1 3 "' in text
        await table.cy.play(table.path)
        await lines[0].text()
        await table.ada.play(table.path)
        text = await lines[0].text()
        assert set(parts(text)) == {"bar", "board", "waits", "reveal", "own"} and len(text) < 16_000


async def test_faces(table: Table) -> None:
    wanted = {
        "hand": {"phase", "announced", "bar", "waits", "cue", "board_hand", "own_hand", "menu"},
        "screen": {"phase", "announced", "bar", "board", "waits", "reveal", "invite"},
        "lobby": {"phase"},  # not the lobby fragment
    }
    for face, names in wanted.items():
        async with table.ada.socket(table.path, f"face={face}") as line:
            assert set(parts(await line.text())) == names
    async with table.ada.socket(table.path, "face=back") as line:
        assert await line.closed() == 1008


async def test_a_move_over_the_socket_is_as_a_form_sends_it(table: Table) -> None:
    async with table.ada.socket(table.path) as line:
        await line.text()
        move = (await table.ada.view(table.path))["own"]["moves"][0]
        await line.say(do="play", round=str(await table.round()), move=move, id="a", headers={"HX-Request": "true"})
        assert "own" in parts(await line.text())
        view = await table.ada.view(table.path)
        assert view["own"]["ready"] is True
        await line.say(do="undo", round=str(await table.round()), id="b")
        assert "own" in parts(await line.text())
        assert (await table.ada.view(table.path))["own"]["draft"] == []


async def test_a_move_sent_twice_counts_once(table: Table) -> None:
    async with table.ada.socket(table.path, "as=json") as line:
        view = await line.json()
        move = {"do": "play", "round": view["shared"]["round"], "move": view["own"]["moves"][0], "id": "same"}
        await line.say(**move)
        await line.say(**move)
        done: list[dict[str, object]] = []
        while len(done) < 2:
            message = await line.json()
            done += [message["done"]] if "done" in message else []
        assert done == [{"id": "same", "version": view["version"]}] * 2


async def test_a_refusal_is_said_and_taken_away_again(table: Table) -> None:
    async with table.ada.socket(table.path) as line:
        await line.text()
        await line.say(do="play", round=99, move="4")
        assert "not open yet" in await line.text()
        await line.say(do="ping")
        assert json.loads(await line.text()) == {"pong": True}
        move = (await table.ada.view(table.path))["own"]["moves"][0]
        await line.say(do="play", round=await table.round(), move=move)
        messages = [await line.text(), await line.text()]
        assert ["notice"] in map(parts, messages)
        assert "not open yet" not in "".join(messages)


async def test_json_starts_with_a_view_and_goes_on_with_what_changed(table: Table) -> None:
    async with table.ada.socket(table.path, "as=json&after=0") as ada:
        view = await ada.json()
        assert view == {**(await table.ada.view(table.path)), "events": view["events"]} or "remaining" not in view
        assert view["events"][0]["kind"] == "began"
        assert len(view["events"]) == view["version"]
        await table.bo.play(table.path)
        news = await ada.json()
        assert set(news) == {"version", "events", "shared"}
        assert set(news["shared"]) == {"waits", "digests"}
        assert news["events"] == []
        for name, value in news.items():
            if isinstance(value, dict):
                view[name].update(value)
        now = await table.ada.view(table.path)
        assert {name: view[name] for name in ("table", "shared", "own")} == {
            name: now[name] for name in ("table", "shared", "own")
        }


async def test_programs_may_ask_for_json_by_the_subprotocol(web: Web, table: Table) -> None:
    url = f"{web.url.replace('http', 'ws')}{table.path}/live"
    async with websockets.connect(url, subprotocols=["facedown.json"], proxy=None) as socket:  # type: ignore[list-item]
        assert socket.subprotocol == "facedown.json"
        assert (await Line(socket).json())["own"] is None


async def test_a_screen_in_a_players_browser_shows_nothing_of_theirs(table: Table) -> None:
    for query in ("face=screen", "face=screen&as=json"):
        async with table.ada.socket(table.path, query) as mine, table.bo.socket(table.path, query) as theirs:
            assert await mine.text() == await theirs.text()
            await mine.say(do="ping")
            assert await mine.json() == {"pong": True}
            await mine.say(do="play", round=await table.round(), move="4")
            assert "Take a seat first" in await mine.text()


async def test_drafts_of_others_send_nothing(web: Web, table: Table) -> None:
    """Lifted cards and refused moves of others send nothing either."""
    async with table.bo.socket(table.path) as bo, table.bo.socket(table.path, "as=json") as program:
        await bo.text()
        await program.text()
        async with table.ada.socket(table.path) as ada:
            await ada.text()
            await ada.say(do="lift", round=await table.round(), move="4")
            await ada.say(do="play", round=await table.round(), move="no such card")
            await ada.say(do="undo", round=await table.round())
            await asyncio.sleep(0.1)
        assert await bo.quiet()
        assert await program.quiet()


BAD = [
    "",
    "hello",
    "[]",
    "null",
    "{",
    "[" * 2000,
    '{"do": "play"}',
    '{"do": "playfor", "seat": 0, "round": 1, "move": "4", "by": "bot"}',
]


@pytest.mark.parametrize("text", BAD)
async def test_bad_messages_are_refused_and_change_nothing(web: Web, table: Table, text: str) -> None:
    open_table = await web.open_table(table.path)
    seq = open_table.seq
    async with table.ada.socket(table.path, "as=json") as line:
        await line.json()
        await line.socket.send(text)
        assert (await line.json())["error"]["reason"] == "malformed"
        await line.say(do="ping")
        assert (await line.json()) == {"pong": True}
    assert open_table.seq == seq


async def test_binary_and_huge_messages_end_the_socket(table: Table) -> None:
    async with table.ada.socket(table.path) as line:
        await line.socket.send(b"\x00\x01")
        assert await line.closed() == 1003
    for size in (5000, 2_000_000):
        async with table.ada.socket(table.path) as line:
            await line.socket.send("x" * size)
            assert await line.closed() == 1009


async def test_a_socket_from_another_site_is_refused(table: Table) -> None:
    for origin in ("http://evil.test", "null"):
        async with table.ada.socket(table.path, origin=origin) as line:
            assert await line.closed() == 1008
    async with table.ada.socket(table.path, origin="") as line:  # a browser's cookie without an origin
        assert await line.closed() == 1008


async def test_an_unknown_table_is_a_clear_end(guest: Guests) -> None:
    async with guest("Ada").socket("/t/nowhere") as line:
        assert await line.closed() == 4004


async def test_a_table_that_is_deleted_is_a_clear_end(web: Web, table: Table) -> None:
    async with table.ada.socket(table.path) as line:
        await line.text()
        open_table = await web.site.house.by_token(table.path.rpartition("/")[2])
        assert open_table is not None
        web.site.house.end(open_table)
        assert await line.closed() == 4004


async def test_too_many_messages_are_refused_and_then_the_socket_is_closed(serve_here: Serve) -> None:
    async with serve_here(limit_actions=20) as web:
        ada, bo = Guest(web, "Ada"), Guest(web, "Bo")
        web.site.limits.person.clock = lambda: 0.0  # a stopped clock: on a slow machine the limit would not be reached
        path = await ada.open()
        await bo.sit(path)
        async with ada.socket(path, "as=json") as line, bo.socket(path, "as=json") as calm:
            await line.json()
            await calm.json()
            reasons = []

            async def read() -> None:
                with suppress(websockets.ConnectionClosed):
                    async for text in line.socket:
                        reasons.append(json.loads(text).get("error", {}).get("reason"))

            reading = asyncio.create_task(read())
            with suppress(websockets.ConnectionClosed):
                for _ in range(300):
                    await line.say(do="ping")
                    await asyncio.sleep(0.005)
            assert await line.closed() == 4029
            await reading
            assert "too_fast" in reasons
            await calm.say(do="ping")
            while (await calm.json()) != {"pong": True}:
                pass


async def test_eight_phones_and_a_screen_behind_one_address(guest: Guests) -> None:
    people = [guest(f"P{n}") for n in range(5)]
    path = await people[0].open()
    for one in people[1:]:
        await one.sit(path)
    await people[0].act(path, do="start")
    async with asyncio.timeout(120), AsyncExitStack() as opened:
        sockets = [one.socket(path, "face=hand") for one in [*people, *people[:3]]]
        sockets.append(people[0].socket(path, "face=screen"))
        lines = [await opened.enter_async_context(socket) for socket in sockets]
        for line in lines:
            assert parts(await line.text())


async def test_only_so_many_sockets_from_one_address(serve_here: Serve) -> None:
    async with serve_here(limit_sockets=2) as web:
        ada = Guest(web, "Ada")
        path = await ada.open()
        async with ada.socket(path) as one, ada.socket(path) as two:
            await one.text()
            await two.text()
            async with ada.socket(path) as three:
                assert await three.closed() == 1013
        async with ada.socket(path) as four:
            await four.text()


async def test_a_server_that_stops_says_that_it_comes_again(tmp_path: Any) -> None:
    from app.settings import Settings

    async with AsyncExitStack() as opened:
        async with running(Settings(data_dir=tmp_path)) as web:
            ada = Guest(web, "Ada")
            path = await ada.open()
            line = await opened.enter_async_context(ada.socket(path))
            await line.text()
        assert await line.closed() == 1012
    async with running(Settings(data_dir=tmp_path)) as web:
        ada.web = web
        async with ada.socket(path, origin=web.url) as line:
            await line.text()


async def test_a_rematch_brings_programs_back_to_the_beginning(web: Web, guest: Guests) -> None:
    ada = guest("Ada")
    path = await ada.open(bots="1")
    async with ada.socket(path, "as=json&after=0") as line:
        view = await line.json()
        assert view["plays"] == 1
        events = view["events"]
        round = 0
        while view["phase"] != "over":
            if view["own"]["moves"] and view["shared"]["round"] != round:
                round = view["shared"]["round"]
                await line.say(do="play", round=round, move=view["own"]["moves"][0])
            news = await line.json()
            events += news.get("events", [])
            for name, value in news.items():
                if isinstance(value, dict) and isinstance(view.get(name), dict):
                    view[name].update(value)
                elif name in view:
                    view[name] = value
        assert events[-1]["kind"] == "opened"
        assert len(events) == view["version"]
        await ada.say(path, do="rematch")
        news = await line.json()
        while "phase" not in news:
            news = await line.json()
        assert (news["phase"], news["version"], news["shared"], news["own"]) == ("lobby", 0, None, None)
        await ada.say(path, do="start")
        while "phase" not in news or news["phase"] != "playing":
            news = await line.json()
        assert news["events"][0]["kind"] == "began"
        assert news["plays"] == 2
