"""Hidden information changes no byte that a seat is sent: pages, sockets, JSON, events, the log, and refusals.

`make spy` compares many more tables in the same way (`tests/spy/spying.py`).
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, suppress
from typing import Any

import pytest
from websockets import ConnectionClosed

from app.house.open_table import encode_sitting, read_saved
from app.table import actions as do
from app.table.picture import draw
from app.table.sitting import Sitting
from tests.app.tables import passed
from tests.app.web.conftest import Guest, Web
from tests.spy.spying import FACES, Played, begun, compare, played, seen

Guests = Callable[..., Guest]
pytestmark = [pytest.mark.usefixtures("small_games"), pytest.mark.no_cover]


CASES = [(seed, "raiders", {"play": play}) for seed, play in enumerate(["sealed", "sealed", "open"])]
CASES += [(1, game, {}) for game in ("dice", "window", "dark", "wishes", "counting", "digging", "tomb", "scrawl")]
CASES += [(1, "dungeoneer", {"chosen_heroes": "yes"})]


@pytest.mark.parametrize(("seed", "game", "options"), CASES)
async def test_a_seat_is_sent_nothing_that_it_cannot_know(
    web: Web, seed: int, game: str, options: dict[str, str]
) -> None:
    luck = random.Random(f"{seed} {game}")
    table = await played(web, game, luck, luck.randrange(3, 60), **options)
    for seat in (*range(len(table.people)), None):
        await compare(table, seat, luck)


async def test_a_newcomer_is_sent_nothing_of_the_seat(web: Web, guest: Guests) -> None:
    luck, eve = random.Random(1), guest("Eve")
    table = await begun(web, "raiders", play="sealed")
    await table.move(1, "2")
    await table.act(0, do.Free(1))
    await eve.sit(table.path, seat="1")
    await compare(table, None, luck, eve)


async def test_the_comparison_sees_what_does_differ(web: Web) -> None:
    table = await played(web, "raiders", random.Random(1), 9)
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
    table = await played(web, "dice", random.Random(1), 0)

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
    table = await played(web, "window", random.Random(1), 0)
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
