"""What a process spends on a commit of another one, without sockets there: `python -m bench.follower --game tomb`.

Whole games are played at random. Each commit is told as `app/house/workers.py` tells it; the follower decodes and
applies it. Prints the CPU time of both sides for each commit.
"""

import argparse
import asyncio
import gc
import time
from random import Random

import msgspec

from app.house.commit import Commit, snapshot_of
from app.house.journal import new_secrets
from app.house.notices import Notice, encode_commit, encoded, read_commit, read_notice
from app.house.open_table import OpenTable, Pending, encode_action
from app.server import COLLECT
from app.store.rows import StoredEntry, StoredTable
from app.table import actions as do
from app.table.sitting import Sitting
from engine.game import find

PEOPLE = ("ada", "bo", "cy", "di")


class Pair:
    """A table in two processes."""

    def __init__(self, game: str, number: int) -> None:
        action = do.Open(f"token{number}", "CODE", game, PEOPLE[0])
        sitting = Sitting.open(do.Entry(PEOPLE[0], action, f"{number:064x}", 0.0))
        self.here, self.there = (OpenTable(StoredTable(f"{number:024}", snapshot_of(sitting), [])) for _ in range(2))
        self.commits = 0
        self.telling = self.following = 0.0  # CPU seconds

    async def act(self, person: str, action: do.Action) -> None:
        self.here.inbox.append(Pending(person, action, "", encode_action(action), asyncio.Future(), 0.0))
        async with Commit(self.here) as commit:
            write = commit.check(new_secrets(1))
            assert write is not None
            commit.publish(write, lambda table, effects, ours: None)
        self.follow(write.entries)

    def follow(self, entries: list[StoredEntry]) -> None:
        began = time.process_time()
        text = encoded(Notice("another", commits=[msgspec.Raw(encode_commit(self.here.id, entries))]))
        told = time.process_time()
        _, rows = read_commit(read_notice(text).commits[0])
        assert self.there.follow(rows)
        self.commits += 1
        self.telling += told - began
        self.following += time.process_time() - told

    async def whole(self, luck: Random) -> None:
        for person in PEOPLE[1 : find(self.here.picture.card.game).seats[-1]]:
            await self.act(person, do.Sit(person))
        await self.act(PEOPLE[0], do.Start())
        while (table := self.here.sitting.table) is not None and not table.over:
            for seat in list(table.waits):
                await self.act(PEOPLE[seat], do.Play(table.round, luck.choice(table.moves(seat))))
                again = self.here.sitting.table
                assert again is not None
                table = again
        assert snapshot_of(self.there.sitting) == snapshot_of(self.here.sitting)


async def run(game: str, games: int) -> None:
    await Pair(game, 0).whole(Random(0))
    pairs = [Pair(game, number) for number in range(1, games + 1)]
    for number, pair in enumerate(pairs):
        await pair.whole(Random(number))
    commits = sum(pair.commits for pair in pairs)
    telling, following = sum(pair.telling for pair in pairs), sum(pair.following for pair in pairs)
    print(
        f"{game:<10} {1e6 * telling / commits:5.0f} µs to tell, {1e6 * following / commits:5.0f} µs to follow a commit"
    )


def main() -> None:
    gc.freeze()
    gc.set_threshold(*COLLECT)
    parser = argparse.ArgumentParser(prog="python -m bench.follower", description=__doc__)
    parser.add_argument("--game", nargs="*", default=["raiders", "scrawl", "tomb", "dungeoneer"])
    parser.add_argument("--games", type=int, default=5)
    args = parser.parse_args()
    for game in args.game:
        asyncio.run(run(game, args.games))


if __name__ == "__main__":
    main()
