"""Strangers, players and hosts send hostile messages at many tables, while others idle and one table plays on.

Checked after each message: it is answered, or the socket is closed with one of the documented codes, and a refused one
has changed nothing. At the end: every table equals what its log makes, no fault was counted or logged.
"""

import asyncio
import json
from collections import Counter
from contextlib import AsyncExitStack
from random import Random
from typing import Any

from websockets.exceptions import ConnectionClosed

from app.settings import Settings
from app.web.limits import Limit
from tests.app.tables import again, state
from tests.app.web.conftest import Guest, Line, Web
from tests.hostile.generator import Json, hostile

GAMES = ["raiders", "scrawl", "tomb", "dungeoneer"]
CODES = {1003, 1008, 1009}  # docs/api.md
MESSAGES_AT_A_TABLE = 150
PLENTY = 1e9


def open_to_all(folder: str, sockets: int) -> Settings:
    """Settings under which no limit of rates hides what messages do."""
    most = 10**6
    return Settings(
        data_dir=folder,
        bot_pause=0.0,
        away_seconds=86400.0,
        limit_actions=most,
        limit_requests=most,
        limit_tables=most,
        limit_sockets=sockets + 100,
    )


class Client:
    """A client's end of a socket: the newest view, made of what it was sent."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.view: Json = {}

    async def news(self) -> Json:
        """The next message; what has changed is taken into the view."""
        news = await self.line.json()
        for part in ("table", "shared", "own"):
            if part in news:
                self.view[part] = news[part] and {**(self.view.get(part) or {}), **news[part]}
        return news

    async def answer(self) -> Json:
        """The next reply."""
        while not {"error", "done", "pong"} & (news := await self.news()).keys():
            pass
        return news


class Hostilities:
    def __init__(self, web: Web, seed: int = 1) -> None:
        self.web = web
        self.luck = Random(seed)
        self.counts: Counter[str] = Counter()
        for limit in ("fruitless", "person", "names"):
            setattr(web.site.limits, limit, Limit(PLENTY, PLENTY))

    async def attack(self, messages: int) -> None:
        """Send so many messages, at one table after another."""
        while self.counts["messages"] < messages:
            game = GAMES[self.counts["tables"] % len(GAMES)]
            self.counts["tables"] += 1
            await self.attack_table(game, min(MESSAGES_AT_A_TABLE, messages - self.counts["messages"]))

    async def attack_table(self, game: str, messages: int) -> None:
        people = [Guest(self.web, name) for name in ("Ada", "Bo", "Stranger")]
        path = await people[0].open(game)
        await people[1].sit(path)
        if self.luck.random() < 0.7:
            await people[0].act(path, do="start")
        open_table = await self.web.open_table(path)
        while messages > 0:
            one = self.luck.choice(people)
            async with one.socket(path, "as=json") as line:
                client = Client(line)
                await client.news()  # the whole view
                sent = await self.send_some(client, open_table, min(messages, 40))
            messages -= sent
        while (stored := await again(self.web.site.house, open_table)).seq != open_table.seq:
            pass  # a bot or a timer has acted meanwhile
        assert state(stored) == state(open_table), (game, open_table.id)
        for one in people:
            await one.http.aclose()
            self.web.clients.remove(one.http)

    async def send_some(self, client: Client, open_table: Any, most: int) -> int:
        """Send messages until the socket is closed. Returns how many."""
        for n in range(1, most + 1):
            await self.quiet(open_table)
            before = open_table.sitting
            self.counts["messages"] += 1
            try:
                await client.line.socket.send(hostile(client.view, self.luck).encode("utf-8", "replace").decode())
                answer = await client.answer()
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else None
                assert code in CODES, closed
                self.counts[f"closed {code}"] += 1
                return n
            reason = answer.get("error", {}).get("reason")
            self.counts[reason or "accepted"] += 1
            if reason:
                assert reason != "broken", answer
                await self.quiet(open_table)
                if open_table.sitting is not before:
                    self.counts["while the house acted"] += 1
                    stored = await self.web.site.house.store.since(open_table.id, before.seq)
                    assert stored and all(not entry.person for entry in stored.entries), answer
        return most

    async def quiet(self, open_table: Any) -> None:
        """Wait until no bot has anything to do, so that nobody but the client changes the table."""
        while self.web.site.house.bot_runner.running(open_table):
            await asyncio.sleep(0.001)  # bots think in threads, which need the interpreter, too


async def play_on(web: Web, seed: int) -> int:
    """Play a whole game of one person against bots over HTTP. Returns the number of its own moves."""
    luck = Random(seed)
    ada = Guest(web, "Player", connection="close")  # a connection that idles may end just when it is used again
    path = await ada.open(bots="1")
    moves = 0
    while (view := await ada.view(path))["phase"] == "playing":
        if words := view["own"]["moves"]:
            moves += (await ada.say(path, do="play", round=view["shared"]["round"], move=luck.choice(words))).is_success
        else:
            await ada.http.get(f"{path}/events?after={view['version']}&wait=1")
    return moves


async def crowd(web: Web, opened: AsyncExitStack, sockets: int, tables: int) -> None:
    """Open so many tables, and sockets that say nothing."""
    site = web.site
    for at in range(0, tables, 200):
        await asyncio.gather(*(site.house.open("host", "raiders", "Host") for _ in range(min(200, tables - at))))
    eve = Guest(web, "Eve")
    path = await eve.open()
    for _ in range(sockets):
        line = await opened.enter_async_context(eve.socket(path, "as=json"))
        assert "table" in json.loads(await line.text())
