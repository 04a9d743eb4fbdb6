"""Measures Paper Dungeons: speed, strength of its bot, balance of its cards: `python -m bench.scrawl`.

python -m bench.scrawl speed
python -m bench.scrawl match --games 500
python -m bench.scrawl levels --games 300
python -m bench.scrawl balance --games 170 --write docs/balance-scrawl.md
"""

import argparse
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from bench.balance import table as tabular
from bench.bots import Timed, interval
from engine.bots import at_random, bots_of
from engine.game import Bot
from engine.games.scrawl import game
from engine.games.scrawl.bot import scrawler
from engine.games.scrawl.cards import deck
from engine.games.scrawl.facts import LINES, Round, ScrawlResult, Setup
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
    print(f"a word by one of eight teams, its views and its forecast: {page_updates(games)}")


def bare(seats: int, luck: Random) -> None:
    table, _ = Table.begin(game, seats, Deal(luck.randbytes(32).hex(), ("",) * seats))
    while not table.over:
        seat = table.waits[0]
        table.play(seat, luck.choice(table.moves(seat)), table.round, "00" * 16)


def page_updates(games: int) -> str:
    """The server's time for one word: the move, the shared view, the team's own view and its forecast, as JSON."""
    times, luck = [], Random(1)
    assert game.forecast
    for number in range(max(1, games // 20)):
        table, _ = Table.begin(game, 8, Deal(f"{number:064x}", ("",) * 8))
        while not table.over:
            seat = luck.choice(table.waits)
            word = luck.choice(table.moves(seat))
            began = time.perf_counter()
            table.play(seat, word, table.round, "00" * 16)
            shared, own = table.shared(), table.own(seat)
            msgspec.json.encode((shared, own, game.forecast(shared, own)))
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


def levels(games: int, seed: str) -> None:
    """Measure the bots: each table has one team of every strength and one team that plays at random."""
    names = list(bots_of(game))
    glory: dict[str, list[int]] = {name: [] for name in names}
    won = dict.fromkeys(names, 0.0)
    first: dict[str, set[tuple[str, ...]]] = {name: set() for name in names}
    for number in range(games):
        seated = names[number % len(names) :] + names[: number % len(names)]
        for event in simulate(game, [bots_of(game)[name] for name in seated], seed, number):
            if isinstance(event, Round) and event.round == 1:
                for name, sheet in zip(seated, event.sheets, strict=True):
                    first[name].add(sheet.rooms)
            if isinstance(event, ScrawlResult):
                for name, lines in zip(seated, event.lines, strict=True):
                    glory[name].append(lines["M"])
                for seat in event.winners:
                    won[seated[seat]] += 100 / len(event.winners) / games
    for name in names:
        print(
            f"{name:9} glory {spread(glory[name])}, wins {won[name]:4.1f} %, {len(first[name])} different first rounds"
        )


def spread(scores: Sequence[float]) -> str:
    return (
        f"{statistics.mean(scores):6.1f} ± {statistics.stdev(scores) if len(scores) > 1 else 0:4.1f}"
        f" ({min(scores):.0f} to {max(scores):.0f})"
    )


# Balance --------------------------------------------------------------------------------------------------------------


NAMES = {
    "A": "monster 1", "B": "monster 2", "C": "monster 3", "D": "levels", "E": "items", "F": "gems", "G": "minions",
    "H": "wounds", "I": "resurrection", "K": "objective and talent", "L": "missions", "M": "glory",
}  # fmt: skip


def keeps_anything(shared: Any, own: Any, luck: Random) -> Move:
    """Plays like the scrawler but keeps random talents and objectives, so that all cards are measured equally."""
    return luck.choice(own.moves) if shared.asks == "Keep" else scrawler(shared, own, luck)


class Score(Struct, frozen=True):
    """One team's final score and its cards."""

    talent: str
    objective: str
    dungeon: str
    lines: dict[str, int]


def scores(games: int, seed: str, seats: int) -> Iterator[list[Score]]:
    """The scores of all teams, game by game."""
    for number in range(games):
        setup, objectives, result = played([keeps_anything] * seats, seed, number)
        yield [
            Score(talent, objective, setup.dungeon, lines)
            for talent, objective, lines in zip(setup.talents, objectives, result.lines, strict=True)
        ]


def balance(games: int, seed: str, write: Path | None = None, seats: int = 4) -> None:
    text = "\n".join(report(list(scores(games, seed, seats)), seed)).rstrip() + "\n"
    if write:
        write.write_text(text, "utf-8")
    else:
        print(text)


def report(games: Sequence[Sequence[Score]], seed: str) -> Iterator[str]:
    teams = [score for game in games for score in game]
    cards = deck()
    path = "docs/balance-scrawl.md"
    yield "# How even Paper Dungeons is"
    yield ""
    yield f"Measured over {len(games):,} games of {len(games[0])} teams, so {len(teams):,} sheets, by"
    yield ""
    yield f"    python -m bench.scrawl balance --games {len(games)} --seed {seed} --write {path}"
    yield ""
    yield "Every team is played by the bot `scrawler`, but keeps any of the talents and objectives that it is dealt, so"
    yield "that each card is seen in all hands. *Spread* is the standard deviation; *±* is how sure a mean is (95 %)."
    yield "Teams of one game share dungeon and dice: between dungeon cards it is less sure than that. People play"
    yield "otherwise than this bot; differences between cards say more than the numbers themselves."
    yield ""
    yield "## The twelve lines"
    yield ""
    yield from tabular(
        ["Line", "", "mean", "spread", "the middle eight of ten", "lowest", "highest"],
        [[line, NAMES[line], *five([score.lines[line] for score in teams])] for line in LINES],
    )
    best = [max(score.lines["M"] for score in game) for game in games]
    mean, deviation, middle, low, high = five(best)
    yield f"The best team of a game has {mean}, spread {deviation}, the middle eight of ten {middle}, all {low} to"
    yield f"{high}. In {100 * sum(n > 100 for n in best) / len(best):.0f} % of the games it has more than 100 glory."
    yield ""
    yield from by_card("Talents", teams, [(id, id, f"{card.end:+d}") for id, card in cards.talents.items()], "talent")
    yield from by_card(
        "Objectives", teams, [(id, id, card.name.replace("_", " ")) for id, card in cards.objectives.items()],
        "objective",
    )  # fmt: skip
    yield from by_card(
        "Dungeon cards", teams, [(id, id, card.name.replace("_", " ")) for id, card in cards.dungeons.items()],
        "dungeon",
    )  # fmt: skip


def by_card(title: str, teams: Sequence[Score], cards: Sequence[tuple[str, str, str]], of: str) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    rows = []
    for id, name, note in cards:
        mine = [score.lines for score in teams if getattr(score, of) == id]
        if mine:
            sums = [lines["M"] for lines in mine]
            rows.append((name, note, len(mine), sums, [statistics.mean(x[line] for x in mine) for line in LINES[:-1]]))
    rows.sort(key=lambda row: -statistics.mean(row[3]))
    yield from tabular(
        ["", "", "sheets", "glory", "±", "spread", *LINES[:-1]],
        [
            [name, note, n, f"{statistics.mean(sums):.1f}", f"{error(sums):.1f}", five(sums)[1],
             *(f"{mean:.1f}" for mean in means)]
            for name, note, n, sums, means in rows
        ],
    )  # fmt: skip


def five(numbers: Sequence[int]) -> tuple[str, str, str, int, int]:
    """Mean, standard deviation, range of the middle 80 %, lowest, highest."""
    found = sorted(numbers)
    tenth = len(found) // 10
    deviation = statistics.stdev(found) if len(found) > 1 else 0
    middle = f"{found[tenth]} to {found[-1 - tenth]}"
    return f"{statistics.mean(found):.1f}", f"{deviation:.1f}", middle, found[0], found[-1]


def error(numbers: Sequence[int]) -> float:
    return 1.96 * statistics.stdev(numbers) / len(numbers) ** 0.5 if len(numbers) > 1 else 0.0


COMMANDS: dict[str, tuple[Callable[..., None], int]] = {
    "speed": (speed, 100), "match": (match, 500), "levels": (levels, 300), "balance": (balance, 200),
}  # fmt: skip

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=COMMANDS)
    parser.add_argument("--games", type=int)
    parser.add_argument("--seed", default="bench")
    parser.add_argument("--write", type=Path, help="the page to write (balance)")
    given = parser.parse_args()
    run, usual = COMMANDS[given.what]
    more = {"write": given.write} if given.what == "balance" else {}
    run(given.games or usual, given.seed, **more)
