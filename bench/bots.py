"""Measures the strength and speed of bots: `python -m bench.bots`.

One bot plays against random bots, in each seat in turn. In the first figure a shared win counts as a fraction; the
second figure counts every game in which the bot is among the winners.
"""

import argparse
import math
import time
from collections.abc import Sequence
from random import Random
from typing import Any

from engine.bots import at_random, bots_of
from engine.game import Bot, Game, find
from engine.simulate import simulate
from engine.steps import Move, Result

Z = 1.96  # 95 %


class Timed:
    """Measures the CPU time of a bot's moves in this thread, so that other load does not distort it."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.times: list[float] = []

    def __call__(self, shared: Any, own: Any, luck: Random) -> Move:
        began = time.thread_time()
        move = self.bot(shared, own, luck)
        self.times.append(time.thread_time() - began)
        return move


def match(game: Game, bot: Bot, rivals: Bot, seats: int, games: int, seed: str, **options: str) -> tuple[float, int]:
    """Play games and return the bot's wins, counting shared wins as fractions, and the games it won or shared."""
    share, among = 0.0, 0
    for number in range(games):
        mine = number % seats
        players = [bot if seat == mine else rivals for seat in range(seats)]
        for event in simulate(game, players, seed, number, options):
            if isinstance(event, Result) and mine in event.winners:
                share += 1 / len(event.winners)
                among += 1
    return share, among


def interval(won: float, games: int) -> tuple[float, float]:
    """The Wilson score interval."""
    p = won / games
    middle = p + Z * Z / (2 * games)
    spread = Z * math.sqrt(p * (1 - p) / games + Z * Z / (4 * games * games))
    return (middle - spread) / (1 + Z * Z / games), (middle + spread) / (1 + Z * Z / games)


def row(game: Game, name: str, seats: int, games: int, seed: str, **options: str) -> str:
    bot = Timed(bots_of(game)[name])
    share, among = match(game, bot, at_random, seats, games, seed, **options)
    low, high = interval(share, games)
    times = sorted(bot.times)
    p99 = times[int(len(times) * 0.99)]
    won = f"{100 * share / games:5.1f} % ({100 * low:.1f} to {100 * high:.1f})"
    return (
        f"{name} against {seats - 1} random, {' '.join(options.values()):<7} {won}"
        f"  among the winners {100 * among / games:5.1f} %"
        f"  ms a move: mean {1e3 * sum(times) / len(times):.2f}, p99 {1e3 * p99:.2f}, max {1e3 * times[-1]:.2f}"
    )


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.bots", description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", default="bench")
    args = parser.parse_args(argv)
    game = find("raiders")
    print(f"{args.games} games each, seed {args.seed!r}; 95 % intervals")
    for seats in (4, 3, 5):
        for play in ("sealed", "open"):
            print(row(game, "raider", seats, args.games, args.seed, play=play), flush=True)


if __name__ == "__main__":
    main()
