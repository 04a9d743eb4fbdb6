"""Measures Rodents and Tombs: speed, strength of its bot, balance of its cards: `python -m bench.tomb`.

python -m bench.tomb speed
python -m bench.tomb match --games 500
python -m bench.tomb balance --games 200 --write docs/balance-tomb.md
python -m bench.tomb secret --games 100
python -m bench.tomb start --games 150
"""

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct, field

from bench.balance import table as tabular
from bench.bots import Timed, interval
from engine import Move, Own, Shared
from engine.bots import at_random
from engine.game import Bot
from engine.games.tomb import facts, game
from engine.games.tomb.bot import digger
from engine.games.tomb.cards import CARDS, DECK
from engine.games.tomb.facts import TombResult
from engine.games.tomb.seen import Private, Public
from engine.proof import Deal
from engine.simulate import simulate
from engine.table import Table

TURNS, POINTS = range(14, 23), range(35, 66)  # what a game between diggers should take and bring
SECRET = "5a" * 16


# Speed ----------------------------------------------------------------------------------------------------------------


def speed(games: int, seed: str) -> None:
    """CPU time of this process."""
    for seats in (2, 3):
        began = time.process_time()
        moves = sum(bare(seats, number) for number in range(games))
        print(
            f"{seats} seats at random, through the table: {moves / (time.process_time() - began):7.0f} moves a second"
        )
    print(f"a word, its views and its forecast: {page_updates(max(1, games // 20))}")


def bare(seats: int, number: int) -> int:
    table, luck, moves = begin(seats, number), Random(number), 0
    while not table.over:
        seat = table.waits[0]
        words = table.moves(seat)
        table.play(seat, words[int(luck.random() * len(words))], table.round, SECRET)
        moves += 1
    return moves


def begin(seats: int, number: int) -> Table:
    return Table.begin(game, seats, Deal(f"{number:064x}", ("",) * seats))[0]


def page_updates(games: int) -> str:
    """The server's time for one word: the move, the shared view, the player's own view and its forecast, as JSON."""
    times, luck = [], Random(1)
    assert game.forecast
    for number in range(games):
        table = begin(2, number)
        while not table.over:
            seat = table.waits[0]
            word = luck.choice(table.moves(seat))
            began = time.process_time()
            table.play(seat, word, table.round, SECRET)
            for viewer in range(2):
                shared, own = table.shared(), table.own(viewer)
                msgspec.json.encode((shared, own, game.forecast(shared, own)))
            times.append(time.process_time() - began)
    times.sort()
    middle, most = times[len(times) // 2], times[int(len(times) * 0.99)]
    return f"{1000 * middle:.2f} ms, 99 % within {1000 * most:.2f} ms, at most {1000 * times[-1]:.2f} ms ({len(times)})"


# Strength -------------------------------------------------------------------------------------------------------------


def match(games: int, seed: str) -> None:
    for seats in (2, 3):
        bot, won = Timed(digger), 0
        for number in range(games):
            mine = number % seats
            played = play([bot if seat == mine else at_random for seat in range(seats)], seed, number)
            won += played.winner == mine
        low, high = interval(won, games)
        times = sorted(bot.times)
        print(
            f"digger against {seats - 1} random: first in {won} of {games} ({100 * won / games:.1f} %,"
            f" {100 * low:.1f} to {100 * high:.1f}); an answer: {1000 * statistics.mean(times):.1f} ms on average,"
            f" 99 % within {1000 * times[int(0.99 * len(times))]:.0f} ms, at most {1000 * times[-1]:.0f} ms",
            flush=True,
        )


def secret(games: int, seed: str) -> None:
    """With secret entrances the digger against one that turns none over; each deal is played from both seats."""
    options, won, margin, turned = {"secret_entrance": "on"}, 0, 0, Counter[str]()
    for number in range(games):
        mine = number % 2
        bots = [digger if seat == mine else unturning for seat in range(2)]
        played = play(bots, seed, number // 2, options)
        won += played.winner == mine
        margin += played.totals[mine] - played.totals[1 - mine]
        turned.update(played.turned)
    low, high = interval(won, games)
    print(f"first in {won} of {games} ({100 * won / games:.0f} %, {100 * low:.0f} to {100 * high:.0f})")
    print(f"{margin / games:+.1f} points; {turned.total() / games:.1f} entrances turned over a game: {dict(turned)}")


def start(games: int, seed: str) -> None:
    """With a head start."""
    two = [play([digger] * 2, seed, number, {"head_start": "on"}) for number in range(games)]
    first = [played.totals[played.first] - played.totals[1 - played.first] for played in two]
    error = 1.96 * statistics.pstdev(first) / len(first) ** 0.5
    print("\n".join(tabular(["", "head start"], ([name, here] for name, here, _ in measures(two, [])))))
    print(f"the first player is {statistics.mean(first):+.1f} ± {error:.1f} points ahead")


def unturning(shared: Shared[Public], own: Own[Private], luck: Random) -> Move:
    return "no" if shared.asks == "TurnOver" else digger(shared, own, luck)


# Balance --------------------------------------------------------------------------------------------------------------


class Played(Struct):
    """A finished game."""

    ended: str = ""
    winner: int = 0
    first: int = 0
    factions: tuple[str, ...] = ()
    totals: tuple[int, ...] = ()
    boards: tuple[int, ...] = ()
    turns: list[int] = field(default_factory=list)  # by seat, without extra turns
    bought: list[list[str]] = field(default_factory=list)  # rooms and helpers, by seat
    lifts: Counter[str] = field(default_factory=Counter)  # by card
    turned: list[str] = field(default_factory=list)  # entrances


def play(bots: Sequence[Bot], seed: str, number: int, options: Mapping[str, str] | None = None) -> Played:
    seats = len(bots)
    played = Played(turns=[0] * seats, bought=[[] for _ in range(seats)])
    for event in simulate(game, bots, seed, number, game.choose_options(options or {}, seats)):
        match event:
            case facts.Deal(factions=factions, first=first):
                played.factions, played.first = factions, first
            case facts.Turn(sort="turn", seat=seat):
                played.turns[seat] += 1
            case facts.RoomOpened(seat=seat, card=card) | facts.Hired(seat=seat, card=card):
                played.bought[seat].append(card)
            case facts.Lifted(card=card) if card:
                played.lifts[card] += 1
            case facts.TurnedOver(card=card):
                played.turned.append(card)
            case TombResult(winners=(winner,), lines=lines, ended=ended):
                played.winner, played.ended = winner, ended
                played.totals, played.boards = tuple(x.total for x in lines), tuple(x.glory for x in lines)
    return played


def balance(games: int, seed: str, write: Path | None = None) -> None:
    two = [play([digger] * 2, seed, number) for number in range(games)]
    three = [play([digger] * 3, seed, number) for number in range(games // 4)]
    text = "\n".join(report(two, three, seed)).rstrip() + "\n"
    if write:
        write.write_text(text, "utf-8")
    else:
        print(text)


def report(two: Sequence[Played], three: Sequence[Played], seed: str) -> Iterator[str]:
    yield "# How even Rodents and Tombs is"
    yield ""
    yield f"Measured over {len(two)} games of two and {len(three)} of three, all seats played by the bot `digger`, by"
    yield ""
    yield f"    python -m bench.tomb balance --games {len(two)} --seed {seed} --write docs/balance-tomb.md"
    yield ""
    yield "People play otherwise than this bot; differences between cards say more than the numbers themselves. Of so"
    yield "many games a share is certain to within about ten points (95 %), that of a single card much less. A game"
    yield "between diggers should take 14 to 22 turns a player and end with 35 to 65 points."
    yield ""
    yield "## A game"
    yield ""
    yield from tabular(["", "two players", "three players"], measures(two, three))
    yield from REMARKS
    yield ""
    yield "## Factions"
    yield ""
    yield "Of the games of two with this faction: how many of its six cards are bought, and how often a card's buyer"
    yield "wins; even would be 50 %."
    yield ""
    yield from tabular(["faction", "games", "cards bought", "the buyer wins"], factions(two))
    for sort, title in (("room", "Rooms"), ("helper", "Helpers")):
        yield f"## {title}"
        yield ""
        yield "Of the games of two with this card: how often it is bought, how often its buyer wins (±: 95 %), and for"
        yield "rooms how often a game a paw is lifted from it."
        yield ""
        yield from tabular(["", "glory", "games", "bought", "the buyer wins", "±", "lifts a game"], cards(two, sort))
    yield "## Entrances"
    yield ""
    yield from tabular(["entrance", "lifts a game"], gates(two))


REMARKS = (Path(__file__).parent / "tomb_remarks.md").read_text("utf-8").splitlines()


def gates(games: Sequence[Played]) -> Iterator[list[object]]:
    lifted: Counter[str] = Counter()
    for played in games:
        lifted.update(played.lifts)
    for card, n in lifted.most_common():
        if card in DECK.entrances:
            yield [card, f"{n / len(games):.1f}"]


def measures(two: Sequence[Played], three: Sequence[Played]) -> Iterator[list[object]]:
    for name, of in MEASURES.items():
        yield [name, of(two) if two else "–", of(three) if three else "–"]


def turns_of(games: Sequence[Played]) -> list[int]:
    return sorted(n for played in games for n in played.turns)


def totals_of(games: Sequence[Played]) -> list[int]:
    return sorted(n for played in games for n in played.totals)


def middle(numbers: Sequence[int]) -> str:
    twentieth = len(numbers) // 20
    return f"{statistics.mean(numbers):.1f} ({numbers[twentieth]} to {numbers[-1 - twentieth]})"


def share(hits: int, of: int) -> str:
    return f"{100 * hits / of:.0f} %" if of else "–"


def ends(games: Sequence[Played]) -> str:
    found = Counter(played.ended for played in games)
    return ", ".join(f"{why} {share(n, len(games))}" for why, n in found.most_common())


def bought_a_player(games: Sequence[Played], sort: str) -> str:
    found = [sum(CARDS[card].sort == sort for card in cards) for played in games for cards in played.bought]
    return f"{statistics.mean(found):.1f}"


def first_wins(games: Sequence[Played]) -> str:
    won = sum(played.winner == played.first for played in games)
    if not games:
        return "–"
    low, high = interval(won, len(games))
    return f"{share(won, len(games))} ({100 * low:.0f} to {100 * high:.0f})"


MEASURES: dict[str, Callable[[Sequence[Played]], str]] = {
    "turns a player, mean (5 % to 95 %)": lambda games: middle(turns_of(games)),
    "14 to 22 turns": lambda games: share(sum(n in TURNS for n in turns_of(games)), len(turns_of(games))),
    "points, mean (5 % to 95 %)": lambda games: middle(totals_of(games)),
    "35 to 65 points": lambda games: share(sum(n in POINTS for n in totals_of(games)), len(totals_of(games))),
    "points of the winner": lambda games: middle(sorted(max(played.totals) for played in games)),
    "glory on the board": lambda games: middle(sorted(n for played in games for n in played.boards)),
    "rooms a player": lambda games: bought_a_player(games, "room"),
    "helpers a player": lambda games: bought_a_player(games, "helper"),
    "what ends it": ends,
    "the first player wins": lambda games: first_wins(games),
    "the first player wins, if glory ends it": lambda games: first_wins([p for p in games if p.ended == "glory"]),
    "the first player wins, if no helpers are left": lambda games: first_wins(
        [p for p in games if p.ended == "helpers"]
    ),
}


def factions(games: Sequence[Played]) -> Iterator[list[object]]:
    rows = []
    for faction in DECK.factions:
        with_it = [played for played in games if faction in played.factions]
        bought, won = 0, 0
        for played in with_it:
            for seat, cards in enumerate(played.bought):
                mine = sum(CARDS[card].faction == faction for card in cards)
                bought += mine
                won += mine * (seat == played.winner)
        name = faction.replace("_", " ")
        rows.append([name, len(with_it), f"{bought / max(1, len(with_it)):.1f} of 6", share(won, bought)])
    yield from sorted(rows, key=lambda row: str(row[3]), reverse=True)


def cards(games: Sequence[Played], sort: str) -> Iterator[list[object]]:
    rows: list[tuple[float, list[object]]] = []
    for card in CARDS.values():
        if card.sort != sort:
            continue
        with_it = [played for played in games if card.faction in (*played.factions, "neutral")]
        buyers = [(p, seat) for p in with_it for seat, found in enumerate(p.bought) if card.id in found]
        won = sum(played.winner == seat for played, seat in buyers)
        rate = won / len(buyers) if buyers else 0.0
        error = f"{196 * (rate * (1 - rate) / len(buyers)) ** 0.5:.0f}" if buyers else "–"
        lifts = f"{sum(p.lifts[card.id] for p in with_it) / max(1, len(with_it)):.1f}" if sort == "room" else ""
        name = card.id.replace("_", " ")
        bought = share(len(buyers), len(with_it))
        rows.append((rate, [name, card.glory, len(with_it), bought, share(won, len(buyers)), error, lifts]))
    yield from (row for _, row in sorted(rows, key=lambda row: -row[0]))


COMMANDS: dict[str, tuple[Callable[..., None], int]] = {
    "speed": (speed, 100), "match": (match, 500), "balance": (balance, 200), "secret": (secret, 100),
    "start": (start, 150),
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
