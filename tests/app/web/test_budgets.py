"""What an answer costs, in figures that do not depend on the machine: bytes rendered and sent, fragments, and calls.

The beginning of a game of each kind is played with the same moves every time; four sockets, or fewer where fewer can
play, and a TV follow it. Each figure must stay within 3 % of `budgets.toml`. Whoever raises one says why in the same
commit; whoever lowers one writes it down, too, so that it stays there.
"""

import asyncio
import hashlib
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from types import CodeType, FrameType, SimpleNamespace
from typing import Any

import pytest

from app.house.commit import Commit, snapshot_of
from app.house.open_table import OpenTable, Pending, encode_action
from app.paths import TEMPLATES
from app.settings import Settings
from app.store.rows import StoredTable
from app.table import actions as do
from app.table.sitting import Sitting
from app.web.context import Audience
from app.web.fragments import Fragment, Fragments
from app.web.html_feed import HtmlFeed
from app.web.json_feed import JsonFeed
from app.web.people import NOBODY, Visitor
from app.web.site import Site
from app.web.templates import Templates
from engine.game import find

ROOT = Path(__file__).parents[3]
OURS = (str(ROOT / "app"), str(ROOT / "engine"), str(TEMPLATES))
BUDGETS = tomllib.loads(Path(__file__).with_name("budgets.toml").read_text())
PEOPLE = ("ada", "bo", "cy", "di")
ASKS = 12  # at the beginning of each game
WARM = 3  # asks of another table before, which load the templates
TOLERANCE = 0.03

pytestmark = pytest.mark.no_cover


def secrets(table: str) -> Iterator[str]:
    """The same for every run: the deal, and digests of sealed answers, depend on them."""
    return (hashlib.sha256(f"{table} {number}".encode()).hexdigest() for number in count())


class Followed:
    """A table with sockets of pages or of programs."""

    def __init__(self, site: Site, game: str, face: str, id: str) -> None:
        self.secrets = secrets(id)
        opened = do.Entry(PEOPLE[0], do.Open("token", "CODE", game, PEOPLE[0]), next(self.secrets), 0.0)
        self.table = OpenTable(StoredTable(id, snapshot_of(Sitting.open(opened)), []))
        self.table.listen(self.table.subscribe())
        people = PEOPLE[: find(game).seats[-1]]
        self.people = people
        self.feeds: list[HtmlFeed | JsonFeed] = []
        if face == "json":
            self.feeds += [JsonFeed(site, self.table, Visitor(one, one), None, "en") for one in people]
        else:
            play, screen = (Audience(name, "en", "http://x") for name in ("play", "screen"))
            self.feeds += [HtmlFeed(site, self.table, Visitor(one, one), play) for one in people]
            self.feeds.append(HtmlFeed(site, self.table, NOBODY, screen))
        self.sent = 0

    async def act(self, person: str, action: do.Action) -> None:
        self.table.inbox.append(Pending(person, action, "", encode_action(action), asyncio.Future(), 0.0))
        async with Commit(self.table) as commit:
            write = commit.check(self.secrets)
            assert write is not None
            commit.publish(write, lambda table, effects, ours: None)
        self.sent += sum(len(feed.news().encode()) for feed in self.feeds)

    async def begin(self) -> None:
        for person in self.people[1:]:
            await self.act(person, do.Sit(person))
        await self.act(self.people[0], do.Start())

    async def play(self, asks: int) -> None:
        luck = Random(self.table.id)
        for _ in range(asks):
            table = self.table.sitting.table
            assert table is not None
            round = table.round
            for seat in list(table.waits):
                await self.act(PEOPLE[seat], do.Play(round, luck.choice(table.moves(seat))))
                table = self.table.sitting.table
                assert table is not None
            if table.over:
                return


@contextmanager
def counted_calls() -> Iterator[Counter[CodeType]]:
    """Calls of our functions and of templates' macros and blocks. Lambdas and comprehensions do not count: Python
    versions differ there."""
    calls: Counter[CodeType] = Counter()

    def note(frame: FrameType, event: str, arg: object) -> None:
        if event == "call":
            calls[frame.f_code] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(before)


def ours(code: CodeType) -> bool:
    return code.co_filename.startswith(OURS) and not code.co_name.startswith("<")


async def figures(game: str, face: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    found: dict[str, int] = {}
    rendered: list[int] = []
    render = Fragments.render

    def noted(self: Fragments, *args: Any) -> Fragment:
        fragment = render(self, *args)
        rendered.append(len(fragment.html.encode()))
        return fragment

    monkeypatch.setattr(Fragments, "render", noted)
    house: Any = SimpleNamespace(secret_key="x", logouts=SimpleNamespace(stays=lambda person, count: True))
    site = Site(Settings(), house, Templates())
    for id, asks in (("warm", WARM), ("measured", ASKS)):
        followed = Followed(site, game, face, id)
        await followed.begin()
        followed.sent = 0
        rendered.clear()
        with counted_calls() as calls:
            await followed.play(asks)
    found["calls"] = sum(number for code, number in calls.items() if ours(code))
    found["bytes sent"] = followed.sent
    if face == "html":
        found["bytes rendered"] = sum(rendered)
        found["fragments"] = len(rendered)
    return found


@pytest.mark.parametrize("game", ["raiders", "scrawl", "tomb", "dungeoneer"])
@pytest.mark.parametrize("face", ["json", "html"])
async def test_an_answer_costs_what_the_budget_says(game: str, face: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found, budget = await figures(game, face, monkeypatch), BUDGETS.get(game, {}).get(face, {})
    off = {
        name: f"{value} instead of {budget.get(name)}"
        for name, value in found.items()
        if abs(value - budget.get(name, 0)) > TOLERANCE * budget.get(name, 0)
    }
    assert not off, f"[{game}.{face}] in budgets.toml; all figures: {found}"
    assert found.keys() == budget.keys()
