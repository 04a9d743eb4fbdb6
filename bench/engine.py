"""The engine alone, in one process: `python -m bench.engine --game dungeoneer`. Random games of four seats, or
as many as can play; of Raiders without `--game`.

Seconds are CPU time of this process. Each row includes the work of the rows above it.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from random import Random

import msgspec

from engine.chance import Chance
from engine.game import Game, find
from engine.proof import Deal
from engine.table import Table

SEATS = 4
SECRET = "5a" * 16
encode = msgspec.json.encode


def rules(game: Game, seats: int, number: int, luck: Random) -> int:
    """The rules without a table: asks, options and effects. For games whose answers have one word."""
    g = game.setup(seats, game.choose_options({}, seats), Chance(f"{number:064x}"))
    moves = 0
    while asked := g.run():
        ask = g.todo.pop()
        answers = {}
        for seat in asked:
            answers[seat] = (luck.choice(ask.options(g, seat, ())),)
        moves += len(asked)
        ask.take(g, answers)
        g.told.clear()
    return moves


def sealed(
    game: Game,
    seats: int,
    number: int,
    luck: Random,
    look: Callable[[Table], object] | None = None,
    save: bool = False,
) -> int:
    """Through the table: each move is checked and sealed, and its digest is part of the reveal."""
    table, _ = Table.begin(game, seats, Deal(f"{number:064x}", ("",) * seats))
    moves = 0
    while not table.over:
        for seat in table.waits:
            table.play(seat, luck.choice(table.moves(seat)), table.round, SECRET)
            moves += 1
            if look:
                look(table)
        if save:
            encode(table.save())
    return moves


def saved(game: Game, seats: int, number: int, luck: Random) -> int:
    """The same with a snapshot after every reveal."""
    return sealed(game, seats, number, luck, save=True)


def seen(game: Game, seats: int, number: int, luck: Random) -> int:
    """The same with everybody's views encoded after every move."""

    def look(table: Table) -> None:
        encode([table.shared(), *(table.own(seat) for seat in range(seats))])

    return sealed(game, seats, number, luck, look, save=True)


def measure(play: Callable[[Game, int, int, Random], int], game: Game, games: int, repeats: int) -> str:
    seats = min(SEATS, game.seats[-1])
    play(game, seats, 0, Random(0))
    speeds = []
    for _ in range(repeats):
        began = time.process_time()
        moves = sum(play(game, seats, number, Random(number)) for number in range(games))
        seconds = time.process_time() - began
        speeds.append((moves / seconds, games / seconds))
    moves_a_second, games_a_second = (statistics.median(column) for column in zip(*speeds, strict=True))
    spread = f"{min(speeds)[0]:,.0f} to {max(speeds)[0]:,.0f}"
    return f"| {play.__name__} | {moves_a_second:,.0f} ({spread}) | {games_a_second:,.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.engine", description=__doc__)
    parser.add_argument("--game", default="raiders")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    print("| | random legal moves a second | whole games a second |\n|---|---|---|")
    for play in (rules, sealed, saved, seen) if args.game == "raiders" else (sealed, saved, seen):
        print(measure(play, find(args.game), args.games, args.repeats), flush=True)


if __name__ == "__main__":
    main()
