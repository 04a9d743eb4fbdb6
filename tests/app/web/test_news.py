"""A program that applies changes as described in docs/api.md always has the current view."""

import json
from collections.abc import Mapping
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from app.house.commit import snapshot_of
from app.house.open_table import OpenTable
from app.settings import Settings
from app.store.rows import StoredTable
from app.table import actions as do
from app.table.sitting import Sitting
from app.web.json_feed import JsonFeed
from app.web.people import Visitor
from app.web.site import Site
from app.web.templates import templates_of
from tests.app.tables import act_alone

PEOPLE = ("ada", "bo", "cy")
BY_FIELD: Mapping[str, Any] = {"table": {}, "shared": {"public": {}}, "own": {}}


def put(seen: dict[str, Any], news: Mapping[str, Any], by_field: Mapping[str, Any]) -> None:
    for name, value in news.items():
        before = seen.get(name)
        if name in by_field and isinstance(value, dict) and isinstance(before, dict):
            put(before, value, by_field[name])
        elif isinstance(before, list) and isinstance(value, dict):
            for place, changed in value.items():
                before[int(place)].update(changed)
        else:
            seen[name] = value


class Game:
    def __init__(self, key: str) -> None:
        house: Any = SimpleNamespace(secret_key="x", logouts=SimpleNamespace(stays=lambda person, count: True))
        self.site = Site(Settings(), house, templates_of(False))
        sitting = Sitting.open(do.Entry("ada", do.Open("token", "CODE", key, "ada"), "7" * 64, 0.0))
        self.open_table = OpenTable(StoredTable("table", snapshot_of(sitting), []))
        people = [*PEOPLE, ""]  # "" is a spectator
        self.feeds = [JsonFeed(self.site, self.open_table, Visitor(one, one), None, "en") for one in people]
        self.seen: list[dict[str, Any]] = [json.loads(feed.news()) for feed in self.feeds]
        self.told = 0

    @classmethod
    async def begin(cls, key: str, options: dict[str, str]) -> "Game":
        game = cls(key)
        for person in PEOPLE[1:]:
            await game.act(person, do.Sit(person))
        await game.act("ada", do.Options(options))
        await game.act("ada", do.Start())
        return game

    async def act(self, person: str, action: do.Action) -> None:
        await act_alone(self.open_table, person, action)
        for feed, seen in zip(self.feeds, self.seen, strict=True):
            news = json.loads(feed.news() or "{}")
            public = (news.get("shared") or {}).get("public") or {}
            self.told += any(isinstance(changed, dict) and "0" in changed for changed in public.values())
            put(seen, news, BY_FIELD)
            whole = json.loads(
                self.site.json(self.open_table).encoded(self.open_table.picture.seat_of(feed.visitor.person), None)
            )
            assert {**whole, "remaining": None} == {**seen, "remaining": None}


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("raiders", {"edition": "second", "play": "sealed"}),
        ("raiders", {"edition": "first", "play": "open"}),
        ("scrawl", {}),
    ],
)
async def test_what_changed_put_in_its_place_is_the_view(key: str, options: dict[str, str]) -> None:
    game, luck = await Game.begin(key, options), Random(3)
    for _ in range(400):
        table = game.open_table.sitting.table
        assert table is not None
        if not table.waits:
            break
        seat = luck.choice(table.waits)
        if table.drafts.get(seat) and luck.random() < 0.1:
            await game.act(PEOPLE[seat], do.Undo(table.round))
        else:
            await game.act(PEOPLE[seat], do.Play(table.round, luck.choice(table.moves(seat))))
    assert game.told, "lists were told place by place"
    if game.open_table.sitting.phase == "over":
        await game.act("ada", do.Rematch())
        await game.act("ada", do.Start())
