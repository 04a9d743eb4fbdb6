"""Paper Dungeons: how fast it is, how strong its bot is, how even its cards are: `python -m bench.scrawl`.

python -m bench.scrawl speed
python -m bench.scrawl match --games 500
python -m bench.scrawl balance --games 200
"""

import argparse
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from bench.bots import Timed, interval
from engine.bots import at_random
from engine.game import Bot
from engine.games.scrawl import game
from engine.games.scrawl.bot import scrawler
from engine.games.scrawl.facts import LINES, ScrawlResult, Setup
from engine.proof import Deal
from engine.simulate import simulate
from engine.steps import Move
from engine.table import Table


def played(players: Sequence[Bot], seed: str, number: int) -> tuple[Setup, tuple[str, ...], ScrawlResult]:
    setup, objectives, result = None, (), None
    for event in simulate(game, players, seed, number):
        if isinstance(event, Setup):
            setup = event
        elif isinstance(event, ScrawlResult):
            result = event
        objectives = getattr(event, "objectives", objectives)
    assert setup and result
    return setup, objectives, result


# Speed ----------------------------------------------------------------------------------------------------------------


def speed(games: int, seed: str) -> None:
    for seats in (1, 4, 8):
        rounds, began = 0, time.perf_counter()
        for number in range(games):
            for _ in simulate(game, [at_random] * seats, seed, number):
                pass
            rounds += 8
        took = time.perf_counter() - began
        print(f"{seats} seats at random, with digests and views: {rounds / took:7.0f} rounds a second")
        rounds, began = 0, time.perf_counter()
        for number in range(games):
            bare(seats, Random(number))
            rounds += 8
        took = time.perf_counter() - began
        print(f"{seats} seats at random, moves only:             {rounds / took:7.0f} rounds a second")
    print(f"a word by one of eight teams, its views and its help: {page_updates(games)}")


def bare(seats: int, luck: Random) -> None:
    table, _ = Table.begin(game, seats, Deal(luck.randbytes(32).hex(), ("",) * seats))
    while not table.over:
        seat = table.waits[0]
        table.play(seat, luck.choice(table.moves(seat)), table.round, "00" * 16)


def page_updates(games: int) -> str:
    """The server's time for a word: the move, everybody's shared view, the team's own and its forecast, as JSON."""
    times, luck = [], Random(1)
    assert game.help
    for number in range(max(1, games // 20)):
        table, _ = Table.begin(game, 8, Deal(f"{number:064x}", ("",) * 8))
        while not table.over:
            seat = luck.choice(table.waits)
            word = luck.choice(table.moves(seat))
            began = time.perf_counter()
            table.play(seat, word, table.round, "00" * 16)
            shared, own = table.shared(), table.own(seat)
            msgspec.json.encode((shared, own, game.help(shared, own)))
            times.append(time.perf_counter() - began)
    times.sort()
    middle, most, worst = times[len(times) // 2], times[int(len(times) * 0.99)], times[-1]
    return (
        f"{1000 * middle:.2f} ms, 99 % within {1000 * most:.2f} ms, at most {1000 * worst:.2f} ms ({len(times)} words)"
    )


# Strength -------------------------------------------------------------------------------------------------------------


def match(games: int, seed: str, seats: int = 4) -> None:
    bot, alone, among, scores = Timed(scrawler), 0, 0, []
    for number in range(games):
        mine = number % seats
        _, _, result = played([bot if seat == mine else at_random for seat in range(seats)], seed, number)
        among += mine in result.winners
        alone += result.winners == (mine,)
        scores.append(result.lines[mine]["M"])
    low, high = interval(among, games)
    print(
        f"scrawler against {seats - 1} random: won {among} of {games} ({100 * among / games:.1f} %, {100 * low:.1f} to"
        f" {100 * high:.1f}), {among - alone} of them shared; glory {spread(scores)}"
    )
    times = sorted(bot.times)
    print(f"an answer: {1000 * statistics.mean(times):.1f} ms on average, at most {1000 * times[-1]:.0f} ms")


def spread(scores: Sequence[float]) -> str:
    return (
        f"{statistics.mean(scores):6.1f} ± {statistics.stdev(scores) if len(scores) > 1 else 0:4.1f}"
        f" ({min(scores):.0f} to {max(scores):.0f})"
    )


# Balance --------------------------------------------------------------------------------------------------------------


def keeps_anything(shared: Any, own: Any, luck: Random) -> Move:
    """Plays like the scrawler, but keeps any talent and objective, so that each of them is seen in all hands."""
    return luck.choice(own.moves) if shared.asks == "Keep" else scrawler(shared, own, luck)


def balance(games: int, seed: str, seats: int = 4) -> None:
    by: dict[str, dict[str, list[float]]] = {
        kind: defaultdict(list) for kind in ("line", "talent", "objective", "dungeon")
    }
    winners: list[float] = []
    for number in range(games):
        setup, objectives, result = played([keeps_anything] * seats, seed, number)
        winners.append(max(lines["M"] for lines in result.lines))
        for seat, lines in enumerate(result.lines):
            for line in LINES:
                by["line"][line].append(lines[line])
            by["talent"][setup.talents[seat]].append(lines["M"])
            by["objective"][objectives[seat]].append(lines["M"])
            by["dungeon"][setup.dungeon].append(lines["M"])
    print(f"{games} games of {seats} scrawlers who keep anything; winners {spread(winners)}")
    for kind, found in by.items():
        for name, scores in sorted(found.items()):
            print(f"{kind} {name:14} {spread(scores)}, {len(scores)} times")


COMMANDS: dict[str, tuple[Callable[[int, str], None], int]] = {
    "speed": (speed, 100), "match": (match, 500), "balance": (balance, 200),
}  # fmt: skip

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=COMMANDS)
    parser.add_argument("--games", type=int)
    parser.add_argument("--seed", default="bench")
    given = parser.parse_args()
    run, usual = COMMANDS[given.what]
    run(given.games or usual, given.seed)
