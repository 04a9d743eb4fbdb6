"""Hidden information changes no byte that a seat is sent: pages, sockets, JSON, events, the log, and refusals.

Each test creates two tables that differ only in what the seat cannot know: other unseen cards, other sealed answers of
rivals, after more draft steps, by other persons. Only the digests of sealed answers are masked.
"""

import asyncio
import random
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, suppress
from typing import Any

import pytest
from websockets import ConnectionClosed

from app.house.open_table import OpenTable, encode_sitting, read_saved
from app.table.picture import draw
from app.table.sitting import Sitting
from engine.bots import at_random
from engine.chance import Chance
from engine.game import games
from engine.orders import StandingOrder
from tests.app.tables import passed
from tests.app.web.conftest import Guest, Web

Guests = Callable[..., Guest]
NAMES = ("Ada", "Bo", "Cy", "Di")
FACES = ("play", "hand", "screen", "result", "lobby")


pytestmark = pytest.mark.usefixtures("small_games")


class Played:
    def __init__(self, web: Web, path: str, people: list[Guest], open_table: OpenTable) -> None:
        self.web = web
        self.path = path
        self.people = people
        self.open_table = open_table

    async def move(self, seat: int, move: str) -> None:
        table = self.open_table.sitting.table
        assert table is not None
        answer = await self.people[seat].say(self.path, do="play", round=table.round, move=move)
        assert answer.status_code == 200, answer.text
        await passed(self.open_table)


async def played(web: Web, guest: Guests, game: str, luck: random.Random, moves: int, **options: str) -> Played:
    """A table after a number of random moves."""
    people = [guest(name) for name in NAMES[: min(max(games()[game].seats), 4)]]
    path = await people[0].open(game)
    for one in people[1:]:
        await one.sit(path)
    if options:
        await people[0].say(path, do="options", options=options)
    await people[0].act(path, do="start")
    found = Played(web, path, people, await web.open_table(path))
    for _ in range(moves):
        table = found.open_table.sitting.table
        assert table is not None
        if table.over:
            break
        seat = luck.choice(table.waits)
        if (back := table.back(seat)) and back.steps and luck.random() < 0.2:
            await people[seat].say(path, do="stepback", round=table.round)
        else:
            await found.move(seat, at_random(table.shared(), table.own(seat), luck))
    return found


def otherwise(sitting: Sitting, seat: int | None, luck: random.Random) -> Sitting:
    """A table that looks the same to this seat and is as different as possible otherwise."""
    other = Sitting.restore(read_saved(encode_sitting(sitting)))
    table = other.table
    assert table is not None
    table.game.shuffle_unknown(table.state, seat, Chance(luck.randbytes(32).hex()))
    table._moves.clear()
    for rival in list(table.drafts):
        if rival == seat:
            continue
        handed_in = rival in table.secrets
        table.reopen(rival, ())
        while handed_in and rival not in table.secrets:
            word = luck.choice(table.ask.options(table.state, rival, table.drafts.get(rival, ())))  # type: ignore[union-attr]
            table.drafts[rival] = (*table.drafts.get(rival, ()), word)
            if not table.ask.unfinished(table.state, rival, table.drafts[rival]):  # type: ignore[union-attr]
                table.secrets[rival] = luck.randbytes(32).hex()
    for rival in range(table.seats):
        if table.game.orders and rival != seat:
            table.orders[rival] = StandingOrder(luck.choice(table.game.orders).value)
    if not table.over:
        for rival in set(table.asked) - table.drafts.keys() - {seat}:  # start a draft, which nobody else sees
            words = table.moves(rival)
            if words and table.ask.unfinished(table.state, rival, (words[0],)):  # type: ignore[union-attr]
                table.drafts[rival] = (words[-1],)
    table._moves.clear()
    for n, place in enumerate(other.saved.seats):
        if n != seat:
            place.holders = [f"another-{person}" for person in place.holders]
    other.saved.held = {person: n for n, place in enumerate(other.saved.seats) for person in place.holders}
    other.saved.spent = ["x"]
    other.saved.seq += 7
    other.saved.at += 3.5
    return other


def same_host(sitting: Sitting, host: str) -> None:
    sitting.saved.host = sitting.saved.seats[0].holders[0] if sitting.saved.seats[0].holders else host


async def seen(table: Played, viewer: Guest) -> dict[str, str]:
    """Everything that is sent to this viewer over all channels."""
    # The compared tables have the same revisions, so nothing made for one may be used for the other.
    viewer.web.site.cache.clear()
    viewer.web.site.fragments.last = None, {}
    path, found = table.path, {}
    for page in ("", "?watch=1", "/hand", "/screen", "/rules", "/events?after=0", "/log"):
        answer = await viewer.http.get(path + page)
        headers = {name: value for name, value in answer.headers.items() if name != "date"}
        found[page] = f"{answer.status_code} {headers} {answer.text}"
    found["json"] = (await viewer.http.get(path, headers={"accept": "application/json"})).text
    table_now = table.open_table.sitting.table
    assert table_now is not None
    wrong_moves: list[dict[str, Any]] = [
        {"do": "play", "round": 999, "move": "4"},
        {"do": "play", "round": table_now.round, "move": "no such move"},
        {"do": "undo", "round": 0},
        {"do": "stepback", "round": 0},
        {"do": "free", "seat": 99},
        {"do": "standin", "seat": 99},
        {"do": "object"},
    ]
    for wrong in wrong_moves:
        found[f"refused {wrong}"] = (await viewer.say(path, **wrong)).text
        found[f"refused page {wrong}"] = (await viewer.act(path, **wrong)).text
    for query in (*(f"face={face}" for face in FACES), "as=json&after=0", "as=json&face=screen"):
        async with viewer.socket(path, query) as line:
            await line.say(do="undo", round=999)
            found[query] = await line.text() + await line.text()
    for digests in table_now.shared().digests.values():
        for digest in digests:
            found = {name: text.replace(digest, "…") for name, text in found.items()}
    # Digests of what the page shows, and so of the digests above.
    return {name: re.sub("has=[0-9a-f-]+", "has=…", text) for name, text in found.items()}


async def compare(table: Played, seat: int | None, luck: random.Random) -> None:
    viewer = table.people[seat] if seat is not None else Guest(table.web, "Eve")
    truth = table.open_table.sitting
    other = otherwise(truth, seat, luck)
    same_host(other, truth.saved.host)
    before = await seen(table, viewer)
    try:
        table.open_table.sitting, table.open_table.picture = other, draw(other, table.open_table.history)
        after = await seen(table, viewer)
    finally:
        table.open_table.sitting, table.open_table.picture = truth, draw(truth, table.open_table.history)
    for name, text in before.items():
        assert text == after[name], name


CASES = [(seed, "raiders", {"play": play}) for seed, play in enumerate(["sealed", "sealed", "open"])]
CASES += [(1, game, {}) for game in ("dice", "window", "dark", "wishes", "counting", "digging", "tomb")]


@pytest.mark.parametrize(("seed", "game", "options"), CASES)
async def test_a_seat_is_sent_nothing_that_it_cannot_know(
    web: Web, guest: Guests, seed: int, game: str, options: dict[str, str]
) -> None:
    luck = random.Random(f"{seed} {game}")
    table = await played(web, guest, game, luck, luck.randrange(3, 60), **options)
    for seat in (*range(len(table.people)), None):
        await compare(table, seat, luck)


async def test_the_comparison_sees_what_does_differ(web: Web, guest: Guests) -> None:
    table = await played(web, guest, "raiders", random.Random(1), 9)
    truth = table.open_table.sitting
    assert truth.table is not None
    before = await seen(table, table.people[0])
    other = Sitting.restore(read_saved(encode_sitting(truth)))
    assert other.table is not None
    other.table.state.raiders[1].coins += 1
    other.saved.seq += 1
    table.open_table.picture = draw(other, table.open_table.history)
    after = await seen(table, table.people[0])
    assert {name for name in before if before[name] != after[name]} >= {
        "",
        "/screen",
        "json",
        "face=play",
        "as=json&after=0",
    }


@pytest.fixture
async def listening(web: Web, guest: Guests) -> AsyncIterator[Any]:
    async def listen(table: Played, viewer: Guest, during: Any) -> list[list[str]]:
        """Everything that arrives at this viewer's sockets and long poll during the block."""
        async with AsyncExitStack() as opened:
            return await listen_through(opened, table, viewer, during)

    async def listen_through(opened: AsyncExitStack, table: Played, viewer: Guest, during: Any) -> list[list[str]]:
        heard: list[list[str]] = []
        tasks = []
        for query in (*(f"face={face}" for face in FACES), "as=json"):
            line = await opened.enter_async_context(viewer.socket(table.path, query))
            await line.text()
            heard.append([])

            async def hear(line: Any = line, into: list[str] = heard[-1]) -> None:
                with suppress(ConnectionClosed):
                    async for text in line.socket:
                        into.append(text)

            tasks.append(asyncio.create_task(hear()))
        after = table.open_table.version
        polling = asyncio.create_task(viewer.http.get(f"{table.path}/events?after={after}&wait=60"))
        await asyncio.sleep(0.1)
        await during()
        await asyncio.sleep(0.2)
        heard.append(["polled"] if polling.done() else [])
        for task in tasks:
            task.cancel()
        locked = table.open_table.sitting.saved.locked
        await table.people[0].say(table.path, do="lock", locked=not locked)  # ends the poll
        await polling
        return heard

    yield listen


async def test_steps_of_a_rivals_draft_send_nothing_to_anybody_else(web: Web, guest: Guests, listening: Any) -> None:
    table = await played(web, guest, "dice", random.Random(1), 0)

    async def draft() -> None:
        for words in (("0 left", "1 left", "2 right"), ("4 right",)):
            for word in words:
                await table.move(1, word)
            for _ in words:
                await table.people[1].say(table.path, do="undo", round=1)

    heard = await listening(table, table.people[0], draft)
    assert heard == [[]] * len(heard)
    heard = await listening(table, guest("Eve"), draft)
    assert heard == [[]] * len(heard)


async def test_a_rivals_order_sends_nothing_to_anybody_else_and_is_shown_to_its_seat(
    web: Web, guest: Guests, listening: Any
) -> None:
    table = await played(web, guest, "window", random.Random(1), 0)
    assert table.open_table.sitting.table is not None
    table.open_table.sitting.table.state.shields = [1] * 4
    await table.move(0, "hit 1")
    ada, bo = table.people[:2]
    told = (await ada.view(table.path), await ada.page(table.path))

    async def order() -> None:
        for value, scope in (("hit", "false"), ("always", "true")):
            assert (await bo.act(table.path, do="order", value=value, scope=scope)).status_code == 303

    heard = await listening(table, ada, order)
    assert heard == [[]] * len(heard)
    assert (await bo.say(table.path, do="order", value="hit")).json() == {"version": told[0]["version"]}
    assert (await ada.view(table.path))["own"] == told[0]["own"]
    async with bo.socket(table.path) as page, bo.socket(table.path, "as=json") as program:
        assert (await program.json())["own"]["order"] == "hit"
        await page.text()
        await program.say(do="order", value="never", scope=True)
        own = (await program.json())["own"]
        assert own == {"order": "never", "spared": True}
        assert "selected>Never" in await page.until(lambda text: "f-own" in text)
    await passed(table.open_table)
    assert (await bo.view(table.path))["own"]["ready"]
    assert (await bo.say(table.path, do="order", value="sometimes")).json()["error"]["reason"] == "not_legal"
