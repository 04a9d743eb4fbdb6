"""The API for programs: bearer tokens, JSON, events, the log, and the format of refusals."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest

from app.store.rows import Down
from app.table.codes import new_token
from engine.verify import verify
from tests.app.web.conftest import Guest, Json, Serve, Web
from tests.support.server import NewServer

Guests = Callable[..., Guest]
EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "random_player.py"


class Program(Guest):
    """A client with a bearer token, without cookies and origin."""

    def __init__(self, web: Web, name: str) -> None:
        super().__init__(web, name)
        del self.http.headers["origin"]

    async def join(self, table: str, **fields: object) -> httpx.Response:
        answer = await self.http.post(f"{table}/join", json={"name": self.name, **fields})
        if answer.status_code == 201:
            self.http.headers["authorization"] = f"Bearer {answer.json()['bearer']}"
            self.http.cookies.clear()
        return answer


async def test_a_program_from_opening_to_a_move(web: Web) -> None:
    ada = Program(web, "Ada")
    made = (await ada.http.post("/tables", json={"game": "raiders", "name": "Ada"})).json()
    ada.http.headers["authorization"] = f"Bearer {made['bearer']}"
    ada.http.cookies.clear()
    table = f"/t/{made['token']}"
    assert made["link"] == web.url + table
    assert made["seat"] == 0
    programs = [Program(web, name) for name in ("Bo", "Cy")]
    for n, program in enumerate(programs, 1):
        joined = await program.join(table)
        assert (joined.status_code, joined.json()["seat"]) == (201, n)
    assert (await ada.say(table, do="start")).json()["version"] > 0
    view = await ada.view(table)
    answer = await ada.say(table, do="play", round=view["shared"]["round"], move=view["own"]["moves"][0])
    assert answer.status_code == 200
    assert answer.json() == {"version": view["version"]}
    assert (await ada.view(table))["own"]["ready"] is True
    assert "set-cookie" not in answer.headers


async def three(web: Web) -> tuple[str, list[Program]]:
    people = [Program(web, name) for name in ("Ada", "Bo", "Cy")]
    made = (await people[0].http.post("/tables", json={"game": "raiders", "name": "Ada"})).json()
    people[0].http.headers["authorization"] = f"Bearer {made['bearer']}"
    people[0].http.cookies.clear()
    table = f"/t/{made['token']}"
    for one in people[1:]:
        await one.join(table)
    return table, people


def error(answer: httpx.Response) -> tuple[int, str]:
    found: Json = answer.json()["error"]
    assert set(found) == {"reason", "text", "version"}
    assert found["text"]
    return answer.status_code, found["reason"]


async def test_refusals_change_nothing_and_say_where_the_table_stands(web: Web) -> None:
    table, (ada, bo, _) = await three(web)
    stranger = Program(web, "Eve")
    open_table = await web.open_table(table)
    assert error(await ada.say(table, do="play", round=1, move="1")) == (409, "not_started")
    assert error(await ada.say(table, do="undo", round=1)) == (409, "not_started")
    assert error(await ada.say(table, do="rematch")) == (409, "not_started")
    assert error(await bo.say(table, do="start")) == (403, "not_host")
    await ada.say(table, do="start")
    view = await ada.view(table)
    round, moves = view["shared"]["round"], view["own"]["moves"]
    seq = open_table.seq
    assert error(await ada.say(table, do="start")) == (409, "begun")
    assert error(await ada.say(table, do="play", round=round - 1, move=moves[0])) == (409, "past_round")
    assert error(await ada.say(table, do="play", round=round + 1, move=moves[0])) == (409, "future_round")
    assert error(await ada.say(table, do="play", round=round, move="nonsense")) == (409, "not_legal")
    assert error(await ada.say(table, do="undo", round=round)) == (409, "nothing_to_undo")
    assert error(await stranger.say(table, do="play", round=round, move=moves[0])) == (403, "no_person")
    assert error(await ada.say(table, do="play", round=round, move=moves[0], seat=1)) == (400, "malformed")
    assert error(await ada.say(table, do="sit", name="Ada")) == (409, "seated")
    assert error(await ada.say(table, do="standin", seat=99)) == (409, "no_such_seat")
    assert error(await ada.say(table, do="object")) == (409, "no_claim")
    assert error(await ada.say(table, do="free", seat=99)) == (409, "no_such_seat")
    assert error(await ada.say(table, do="addbot")) == (409, "begun")
    assert error(await ada.say(table, do="timer", seconds=1)) == (400, "bad_timer")
    assert error(await ada.http.post(f"{table}/act", content=b"{", headers={"content-type": "application/json"})) == (
        400,
        "malformed",
    )
    assert open_table.seq == seq
    refused = await ada.say(table, do="play", round=0, move="1")
    assert refused.json()["error"]["version"] == view["version"]
    await ada.play(table)
    assert error(await ada.say(table, do="play", round=round, move=moves[1])) == (409, "already_in")


async def test_a_program_picks_some_of_many(web: Web) -> None:
    ada = Program(web, "Ada")
    made = (await ada.http.post("/tables", json={"game": "tomb", "name": "Ada"})).json()
    ada.http.headers["authorization"] = f"Bearer {made['bearer']}"
    table, six = f"/t/{made['token']}", "rats+lemmings+beavers+mole_rats+pacas+capybaras"
    for factions, reason in ((six + "+jerboas", "wrong_pick"), (six.replace("rats", "cats", 1), "no_such_option")):
        answer = await ada.say(table, do="options", options={"factions": factions})
        assert (answer.status_code, answer.json()["error"]["reason"]) == (400, reason)
    assert (await ada.view(table))["table"]["options"]["factions"] == "random"
    assert (await ada.say(table, do="options", options={"factions": six})).status_code == 200
    chosen = (await ada.view(table))["table"]["options"]["factions"]
    assert chosen == "beavers+capybaras+pacas+rats+mole_rats+lemmings"


@pytest.mark.usefixtures("small_games")
async def test_too_few(guest: Guests) -> None:
    ada = guest("Ada")
    table = await ada.open("counting")
    assert error(await ada.say(table, do="start")) == (409, "too_few")
    assert (await ada.view(table))["phase"] == "lobby"


async def test_too_many(web: Web) -> None:
    ada = Program(web, "Ada")
    made = (await ada.http.post("/tables", json={"game": "raiders", "name": "Ada"})).json()
    ada.http.headers["authorization"] = f"Bearer {made['bearer']}"
    ada.http.cookies.clear()
    table = f"/t/{made['token']}"
    for _ in range(4):
        assert (await ada.say(table, do="addbot")).status_code == 200
    assert error(await ada.say(table, do="addbot")) == (409, "full")
    late = Program(web, "Bo")
    assert error(await late.join(table)) == (409, "full")
    assert "authorization" not in late.http.headers


async def test_a_bearer_counts_before_a_cookie(web: Web, guest: Guests) -> None:
    ada = guest("Ada")
    table = await ada.open()
    joined = await ada.http.post(f"{table}/join", json={"name": "Bot of Ada"})
    assert joined.status_code == 201
    assert joined.json()["seat"] == 1
    headers = {"authorization": f"Bearer {joined.json()['bearer']}", "accept": "application/json"}
    view = (await ada.http.get(table, headers=headers)).json()
    assert view["own"] is None  # no own view in the lobby
    assert (await ada.http.post(f"{table}/act", json={"do": "start"}, headers=headers)).status_code == 403
    forged = {"authorization": "Bearer forged"}
    assert (await ada.http.post(f"{table}/act", json={"do": "addbot"}, headers=forged)).status_code == 403


async def test_a_browser_with_a_cookie_gets_no_bearer(web: Web, guest: Guests) -> None:
    ada, bo = guest("Ada"), guest("Bo")
    opening = {"game": "raiders", "name": "Ada"}
    assert (await ada.http.post("/tables", json=opening)).json()["bearer"]
    table = await ada.open()  # the form sets the cookie
    assert "bearer" not in (await ada.http.post("/tables", json=opening)).json()
    link = (await ada.http.post(f"{table}/device", headers={"accept": "application/json"})).json()["link"]
    await bo.open()
    moved = await bo.http.post("/move", json={"token": link.partition("#")[2]})
    assert moved.json()["seat"] == 0 and "bearer" not in moved.json()


@pytest.mark.usefixtures("small_games")
async def test_a_program_takes_back_a_step(web: Web) -> None:
    ada, bo = Program(web, "Ada"), Program(web, "Bo")
    made = (await ada.http.post("/tables", json={"game": "digging", "name": "Ada"})).json()
    ada.http.headers["authorization"] = f"Bearer {made['bearer']}"
    table = f"/t/{made['token']}"
    await bo.join(table)
    await ada.say(table, do="start")
    for word in ("dig", "here"):
        await ada.say(table, do="play", round=1, move=word)
    view = await ada.view(table)
    assert view["shared"]["scope"] == "turn 0" and view["own"]["back"] == {"steps": 1, "why": ""}
    assert (await bo.view(table))["own"]["back"] is None
    assert error(await bo.say(table, do="stepback", round=2)) == (409, "nothing_to_undo")
    version = (await ada.say(table, do="stepback", round=2)).json()["version"]
    seen = (await bo.http.get(f"{table}/events", params={"after": view["version"]})).json()
    assert seen["events"] == [{"kind": "stepped_back", "round": 2, "seat": 0, "taken": 1, "scope": "turn 0"}]
    assert (seen["version"], seen["shared"]["round"], seen["shared"]["public"]["points"]) == (version, 3, [0, 0])
    assert error(await ada.say(table, do="stepback", round=3)) == (409, "no_way_back")


async def test_events_wait_for_what_this_seat_may_see(web: Web) -> None:
    table, (ada, bo, cy) = await three(web)
    await ada.say(table, do="start")
    view = (await bo.http.get(f"{table}/events")).json()
    assert view["events"][0]["kind"] == "began"
    assert len(view["events"]) == view["version"]
    after = view["version"]

    async def wait() -> Json:
        return dict((await bo.http.get(f"{table}/events", params={"after": after, "wait": 10})).json())

    waiting = asyncio.create_task(wait())
    await asyncio.sleep(0.1)
    await ada.say(table, do="undo", round=view["shared"]["round"])
    await ada.say(table, do="lift", round=view["shared"]["round"], move="4")
    await asyncio.sleep(0.1)
    assert not waiting.done()
    await ada.play(table)
    seen = await waiting
    assert seen["events"] == []
    assert seen["shared"]["waits"] == [1, 2]
    waiting = asyncio.create_task(wait())
    await asyncio.sleep(0.05)
    await cy.play(table)
    await bo.play(table)
    await waiting
    seen = (await bo.http.get(f"{table}/events", params={"after": after})).json()
    assert seen["events"][0]["kind"] == "revealed"
    assert (await bo.http.get(f"{table}/events", params={"after": 9999})).json()["events"] == []
    for after_ in ("-1", "x", "1.5", "9" * 30):
        assert error(await bo.http.get(f"{table}/events", params={"after": after_})) == (400, "malformed")


async def test_waiting_for_events_counts_as_present(web: Web) -> None:
    table, (_, bo, _) = await three(web)
    open_table = await web.open_table(table)
    asking = asyncio.create_task(bo.http.get(f"{table}/events", params={"after": 0, "wait": 20}))
    while not open_table.present(1):
        assert not asking.done()
        await asyncio.sleep(0.01)
    assert not open_table.present(2)
    await bo.say(table, do="ready")
    await asking
    assert not open_table.present(1)


async def test_the_log_is_what_verify_reads(web: Web) -> None:
    table, people = await three(web)
    ada = people[0]
    assert error(await ada.http.get(f"{table}/log")) == (404, "no_log")
    await ada.say(table, do="start")
    for _ in range(3):
        for one in people:
            await one.play(table)
    log = await ada.http.get(f"{table}/log")
    lines = log.content.splitlines()
    assert verify(lines).holds
    assert int(log.headers["content-length"]) == len(log.content), (
        "sent as one piece: a line each took 70 times as long"
    )
    assert json.loads(lines[0])["names"] == ["Ada", "Bo", "Cy"]
    assert not any(b"seed" in line for line in lines)


async def test_too_fast_says_when_to_come_again(serve_here: Serve) -> None:
    async with serve_here(limit_actions=5) as web:
        ada = Guest(web, "Ada")
        web.site.limits.person.clock = lambda: 0.0  # a stopped clock: on a slow machine the limit would not be reached
        table = await ada.open()
        answers = [await ada.say(table, do="ready", ready=True) for _ in range(30)]
        assert answers[0].status_code == 200
        assert error(answers[-1]) == (429, "too_fast")
        assert int(answers[-1].headers["retry-after"]) >= 1
        bo = Guest(web, "Bo")
        assert (await bo.sit(table)).status_code == 303  # another person at the same address


async def test_every_refusal_is_logged_once_and_without_secrets(
    web: Web, guest: Guests, capsys: pytest.CaptureFixture[str]
) -> None:
    ada = guest("Ada")
    table = await ada.open()
    capsys.readouterr()
    await ada.say(table, do="play", round=1, move="secret")
    await ada.http.post("/join", data={"code": "XYZXYZ"})
    await ada.http.get("/t/not-a-table")
    said = capsys.readouterr()
    lines = [line for line in (said.out + said.err).splitlines() if "refused" in line]
    assert len(lines) == 3
    assert "route=/t/{token}/act" in lines[0]
    for line in (said.out + said.err).splitlines():
        for secret in (table[3:], "XYZXYZ", "secret", "not-a-table", ada.http.cookies["facedown"]):
            assert secret not in line


async def test_operations_are_listed(guest: Guests) -> None:
    ada = guest("Ada")
    page = await ada.page("/docs")
    schema = (await ada.http.get("/openapi.json")).json()
    for path in ("/t/{token}", "/t/{token}/act", "/t/{token}/join", "/t/{token}/events", "/t/{token}/log"):
        assert path in schema["paths"]
        assert path in page

    def refs(part: object) -> set[str]:
        match part:
            case {"$ref": str(ref)}:
                return {ref.rpartition("/")[2]}
            case dict():
                return set().union(*map(refs, part.values()))
            case list():
                return set().union(*map(refs, part))
        return set()

    assert refs(schema) <= schema["components"]["schemas"].keys()


def test_the_example_plays_a_whole_game(serve: NewServer) -> None:
    server = serve(BOT_PAUSE="0", LIMIT_ACTIONS="5", LIMIT_REQUESTS="10")  # the client is told to wait and retries
    _, made = server.post("/tables", game="raiders", name="Host")
    table = f"{server.url}/t/{made['token']}"
    with (
        httpx.Client(headers={"authorization": f"Bearer {made['bearer']}"}, trust_env=False, timeout=60) as host,
        subprocess.Popen(
            [sys.executable, EXAMPLE, table, "Example"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as player,
    ):
        try:
            view = host.get(table).json()
            while "person" not in [seat["kind"] for seat in view["table"]["seats"][1:]]:
                assert player.poll() is None, player.stdout and player.stdout.read()
                view = host.get(f"{table}/events", params={"after": view["version"], "wait": 25}).json()
            for do in ("addbot", "addbot", "start", "leave"):  # a bot takes over for the host
                host.post(f"{table}/act", json={"do": do}).raise_for_status()
            said, _ = player.communicate(timeout=200)
        finally:
            player.kill()
    assert player.returncode == 0, said
    assert "won by seats" in said


def test_a_stopping_server_answers_waiting_requests(serve: NewServer) -> None:
    server = serve()
    _, made = server.post("/tables", game="raiders", name="Host")
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=100)) as waiting:
        waiting.request("GET", f"/t/{made['token']}/events?wait=60")
        for _ in range(2):  # once these are answered, the earlier requests have been read
            assert server.get("/healthz")[0] == 200
        server.stop()  # its timeout is far below the 60 seconds of the poll
        assert waiting.getresponse().status == 200


async def test_a_database_that_goes_away_and_comes_back(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    table, (ada, bo, _) = await three(web)
    await ada.say(table, do="start")
    view = await ada.view(table)
    move = {"do": "play", "round": view["shared"]["round"], "move": view["own"]["moves"][0], "id": "one"}
    store = web.site.house.store

    async def down(*args: object, **more: object) -> None:
        raise Down("gone")

    async with ada.socket(table, "as=json") as line, bo.socket(table) as page:
        await line.text()
        await page.text()
        with monkeypatch.context() as patched:
            for name in ("commit", "since", "by_message", "by_token", "by_code", "ping"):
                patched.setattr(store, name, down)
            refused = await ada.say(table, **move)
            assert error(refused) == (503, "store_down")
            assert refused.headers["retry-after"]
            assert (await ada.http.get("/readyz")).status_code == 503
            assert (await ada.http.get("/healthz")).status_code == 200
            assert (await ada.http.get(f"/t/{new_token()}")).status_code == 503
            assert error(await ada.http.post("/tables", json={"game": "raiders", "name": "Ada"})) == (503, "store_down")
            await line.say(**move)
            assert (await line.json())["error"]["reason"] == "store_down"
            assert (await bo.view(table))["shared"]["digests"] == {}
        while (await ada.say(table, **move)).status_code != 200:
            await asyncio.sleep(0.1)
        assert "f-waits" in await page.text()
    assert list((await bo.view(table))["shared"]["digests"]) == ["0"]
