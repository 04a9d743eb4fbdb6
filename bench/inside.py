"""The cost of an ask inside the process, without sockets and disk: `python -m bench.inside --game dungeoneer`.

Tables play whole games at random one after another. Four JSON or HTML feeds (fewer where fewer can play) are updated
after every move, as if each move were committed separately. Prints the CPU time of a game and of an ask, a round of
answers; `--profile` adds a profile.
"""

import argparse
import asyncio
import cProfile
import gc
import pstats
import time
from collections.abc import Sequence
from random import Random
from types import SimpleNamespace
from typing import Any

from app.house.commit import Commit, snapshot_of
from app.house.journal import new_secrets
from app.house.open_table import OpenTable, Pending, encode_action
from app.server import COLLECT
from app.settings import Settings
from app.store.rows import StoredTable
from app.table import actions as do
from app.table.sitting import Sitting
from app.web.context import Audience
from app.web.html_feed import HtmlFeed
from app.web.json_feed import JsonFeed
from app.web.people import Visitor
from app.web.site import Site
from app.web.templates import templates_of
from engine.game import find

PEOPLE = ("ada", "bo", "cy", "di")


class Played:
    def __init__(self, game: str, number: int) -> None:
        action = do.Open(f"token{number}", "CODE", game, PEOPLE[0])
        sitting = Sitting.open(do.Entry(PEOPLE[0], action, f"{number:064x}", 0.0))
        self.table = OpenTable(StoredTable(f"table{number}", snapshot_of(sitting), []))
        self.feeds: list[Any] = []
        self.bytes = 0

    @classmethod
    async def begin(cls, site: Site, game: str, feeds: str, number: int) -> "Played":
        played = cls(game, number)
        people = PEOPLE[: find(game).seats[-1]]
        for person in people[1:]:
            await played.act(person, do.Sit(person))
        played.table.listen(played.table.subscribe())  # like an open socket
        for person in people:
            if feeds == "json":
                played.feeds.append(JsonFeed(site, played.table, Visitor(person, person), None, "en"))
            elif feeds == "html":
                played.feeds.append(
                    HtmlFeed(site, played.table, Visitor(person, person), Audience("play", "en", "http://x"))
                )
        await played.act(PEOPLE[0], do.Start())
        return played

    async def act(self, person: str, action: do.Action) -> None:
        self.table.inbox.append(Pending(person, action, "", encode_action(action), asyncio.Future(), 0.0))
        async with Commit(self.table) as commit:
            write = commit.check(new_secrets(1))
            assert write is not None
            commit.publish(write, lambda table, effects, ours: None)
        for feed in self.feeds:
            self.bytes += len(feed.news())

    async def whole(self, luck: Random) -> list[float]:
        """Play to the end and return the CPU seconds of each ask."""
        seconds = []
        table = self.table.sitting.table
        assert table is not None
        while not table.over:
            began = time.process_time()
            round = table.round
            for seat in list(table.waits):
                await self.act(PEOPLE[seat], do.Play(round, luck.choice(table.moves(seat))))
                table = self.table.sitting.table
                assert table is not None
            seconds.append(time.process_time() - began)
        return seconds


async def run(game: str, feeds: str, games: int) -> None:
    house: Any = SimpleNamespace(secret_key="x", logouts=SimpleNamespace(stays=lambda person, count: True))
    site = Site(Settings(), house, templates_of(False))
    await (await Played.begin(site, game, feeds, 0)).whole(Random(0))
    asks: list[Sequence[float]] = []
    size = 0
    for number in range(1, games + 1):
        played = await Played.begin(site, game, feeds, number)
        size -= played.bytes
        asks.append(await played.whole(Random(number)))
        size += played.bytes
    total, count = sum(map(sum, asks)), sum(map(len, asks))
    first, last = sum(sum(one[:5]) for one in asks), sum(sum(one[-5:]) for one in asks)
    print(
        f"{feeds:<8} {1e3 * total / games:7.1f} ms a game, {1e6 * total / count:5.0f} µs for each of its"
        f" {count / games:.0f} asks; the last five cost {last / first:.2f} of the first five;"
        f" {size / count / 1000:.1f} kB an ask"
    )


def main() -> None:
    gc.freeze()
    gc.set_threshold(*COLLECT)  # as the server does
    parser = argparse.ArgumentParser(prog="python -m bench.inside", description=__doc__)
    parser.add_argument("--game", default="raiders")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("feeds", nargs="*", default=["nobody", "json", "html"])
    args = parser.parse_args()
    for feeds in args.feeds:
        if args.profile:
            profile = cProfile.Profile()
            profile.runcall(asyncio.run, run(args.game, feeds, args.games))
            pstats.Stats(profile).sort_stats("tottime").print_stats(45)
        else:
            asyncio.run(run(args.game, feeds, args.games))


if __name__ == "__main__":
    main()
