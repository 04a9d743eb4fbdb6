"""Measures Dungeoneer: strength of its bot, length of games, heroes and quests: `python -m bench.dungeoneer`.

python -m bench.dungeoneer match --games 500
python -m bench.dungeoneer questions --games 100
python -m bench.dungeoneer searches --games 100
python -m bench.dungeoneer balance --games 400 --write docs/balance-dungeoneer.md
"""

import argparse
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from msgspec import Struct, field

from bench.balance import table as tabular
from bench.bots import Timed, interval
from engine.bots import at_random, choose_move
from engine.game import Bot
from engine.games.dungeoneer import facts, game
from engine.games.dungeoneer.bot import hero
from engine.games.dungeoneer.cards import deck
from engine.games.dungeoneer.grid import Atlas, separation
from engine.games.dungeoneer.state import DIE
from engine.simulate import deal_seed, simulate
from engine.steps import Result
from engine.table import Table
from engine.testing import deal
from engine.testing.moves import secret


class Told(Struct):
    """What a game told."""

    rounds: int = 0
    why: str = ""
    winners: tuple[int, ...] = ()
    heroes: dict[int, str] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)  # quests that were open
    tried: list[str] = field(default_factory=list)
    completed: list[str] = field(default_factory=list)


def told(players: Sequence[Bot], seed: str, number: int, **options: str) -> Told:
    found = Told()
    for event in simulate(game, players, seed, number, options):
        match event:
            case facts.TurnBegan():
                found.rounds = event.round
            case facts.HeroTaken():
                found.heroes[event.seat] = event.hero
            case facts.QuestsDealt():
                found.seen += [*event.common, *(quest for mine in event.personal for quest in mine)]
            case facts.QuestDrawn():
                found.seen.append(event.quest)
            case facts.QuestExchanged():
                found.seen.append(event.drawn)
            case facts.QuestTried():
                found.tried.append(event.quest)
            case facts.QuestCompleted():
                found.completed.append(event.quest)
            case Result():
                found.winners, found.why = event.winners, event.standings[0].why
    return found


# Strength -------------------------------------------------------------------------------------------------------------


def match(games: int, seed: str) -> Iterator[str]:
    bot, won = Timed(hero), 0
    for number in range(games):
        mine = number % 2
        result = told([bot if seat == mine else at_random for seat in (0, 1)], seed, number)
        won += result.winners == (mine,)
    low, high = interval(won, games)
    yield (
        f"`hero` against `random`, two players: won {won} of {games} ({100 * won / games:.1f} %, {100 * low:.1f} to"
        f" {100 * high:.1f}). An answer takes {1000 * statistics.mean(bot.times):.1f} ms of one core, at most"
        f" {1000 * max(bot.times):.0f} ms."
    )


# Questions ------------------------------------------------------------------------------------------------------------


def questions(games: int, seed: str) -> Iterator[str]:
    yield "A question is one for whose answer the table waits; otherwise it passes for the player after a moment."
    yield ""
    for order, whom in ORDERED.items():
        yield whom
        yield ""
        found = {seats: asked_at(games, seed, seats, order) for seats in (2, 3, 4)}
        yield from tabular(
            [
                "Players",
                "questions per turn",
                "turns with a question to any rival",
                "to one rival",
                "answered by a pass",
            ],
            [row for row, _ in found.values()],
        )
        yield from tabular(
            ["With four players, in", "questions per turn", "to rivals", "answered by a pass"], found[4][1]
        )
    yield ASIDE


ASIDE = """\
What the first order leaves out are cards for any moment, which serve in one's own turn as well: Stumble and
Sudden Doom against the active hero, draughts before a wound that does not defeat, Second Wind and Potion of
Speed. Whoever holds Stumble or Sudden Doom sees so during a rival's turn and can ask to be asked in it; all
can be played until the table passes, which is a second and a half in the median."""
ORDERED = {
    "hit": "By default: when their own hero is hit, but not if cards for any moment are all that they could play:",
    "able": "If everybody has given the standing order to be asked whenever there is something to play:",
}


def asked_at(games: int, seed: str, seats: int, order: str) -> tuple[list[str], list[list[str]]]:
    """Count how often windows disturb players who have given this standing order: the share of turns in which a window
    asked any rival, the share in which it asked a given rival, how many of the asked players passed; and the same by
    the kind of window."""
    turns = rivals = some = 0
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for number in range(games):
        table = Table.begin(game, seats, deal(seats, int(deal_seed(seed, number)[:8], 16)), {})[0]
        luck, disturbed = Random(number), set[tuple[int, int]]()
        for seat in range(seats):
            table.give_order(seat, order)
        while not table.over:
            seat = table.waits[0]
            spared = table.own(seat).spared
            word = table.default(seat) if spared else choose_move(table, seat, hero, luck)
            if table.ask and table.ask.hush and not spared:
                rival = seat != table.state.active
                kinds[window(table, seat)].update(asked=1, passed=word == table.default(seat), rival=rival)
                if rival:
                    disturbed.add((seat, table.state.turn))
            table.play(seat, word, table.round, secret(luck))
        turns += table.state.turn
        rivals += len(disturbed)
        some += len({turn for _, turn in disturbed})
    row = ["all windows", *counts(sum(kinds.values(), Counter()), turns)]
    by_kind = [[kind, *counts(kinds[kind], turns)] for kind in sorted(kinds)]
    share_of_one = rivals / (turns * (seats - 1))
    _, each, _, passed = row
    return [str(seats), each, f"{100 * some / turns:.0f} %", f"{100 * share_of_one:.0f} %", passed], by_kind


def window(table: Table, seat: int) -> str:
    """The kind of window, as D-94 calls it."""
    about = table.shared().public.concerns
    match type(table.ask).__name__:
        case "Respond":
            return "response"
        case "Challenge":
            return "challenge"
        case "WoundMoment":
            return "W3 wound"
        case _ if about.kind == "check":
            return "W2 check, own hero" if about.seat == seat else "W2 check, another hero"
        case _:
            return {"dawn": "W1 dawn", "arrival": "W4 arrival"}[about.kind]


def counts(of: Counter[str], turns: int) -> list[str]:
    passed = f"{100 * of['passed'] / max(1, of['asked']):.0f} %"
    return [f"{of['asked'] / turns:.2f}", f"{of['rival'] / turns:.2f}", passed]


# Searches -------------------------------------------------------------------------------------------------------------


def searches(games: int, seed: str) -> Iterator[str]:
    yield f"In how many of {games} games no die could find the place of a search quest on the map as it was at the end:"
    yield ""
    known = [quest for quest in deck().quests.values() if quest.search]
    rows = []
    for seats in (2, 3, 4):
        dead = Counter[str]()
        for number in range(games):
            spots = final_map(seats, f"{seed} {seats}", number)
            dead.update(quest.name for quest in known if quest.search > DIE + furthest(spots, quest.name))
        rows.append([str(seats), *(str(dead[quest.name]) for quest in known)])
    headings = [f"{quest.name.replace('_', ' ')}, {quest.search} or more" for quest in known]
    yield from tabular(["Players", *headings], rows)
    yield SEAL
    yield ""


SEAL = """\
With 8 for the seal it was 17, 16 and 31 of 100 games, and 2, 0 and 4 of the same deals with 7. In 11 of those 64 it
was the common quest, which is replaced only when it is completed. A game of four took 11.1 rounds with 8, and 9.9
with 7."""


def final_map(seats: int, seed: str, number: int) -> Atlas:
    luck = Random(f"{seed} {number}")
    table = Table.begin(game, seats, deal(seats, int(deal_seed(seed, number)[:8], 16)), {})[0]
    while not table.over:
        seat = table.waits[0]
        table.play(seat, choose_move(table, seat, hero, luck), table.round, secret(luck))
    spots: Atlas = table.state.spots
    return spots


def furthest(spots: Atlas, quest: str) -> int:
    """The most locations that lie between the entrance and one where this quest may be."""
    places = [place for place in deck().places(quest) if place in spots]
    return max((separation(spots, place, deck().start) for place in places), default=-DIE)


# Balance --------------------------------------------------------------------------------------------------------------


SOLO_ENDS = ("won", "defeated", "lost")


def report(games: int, seed: str) -> Iterator[str]:
    by_seats = {seats: [told([hero] * seats, f"{seed} {seats}", n) for n in range(games)] for seats in (2, 3, 4)}
    alone = {
        name: [told([hero], f"{seed} {name}", n, harder=harder) for n in range(games)]
        for name, harder in (("alone", "no"), ("alone, harder", "yes"))
    }
    yield "# How even Dungeoneer is"
    yield ""
    yield f"Measured over {games} games of each kind, all seats played by the bot `hero`, by"
    yield ""
    yield f"    python -m bench.dungeoneer balance --games {games} --seed {seed} --write docs/balance-dungeoneer.md"
    yield ""
    yield "People play otherwise than this bot; differences say more than the numbers themselves."
    yield ""
    yield from match(5 * games, seed)
    yield ""
    yield "## Length and ends"
    yield ""
    yield from tabular(
        ["Players", "rounds", "the middle eight of ten", "third quest", "last hero", "last round"],
        [[seats, *lengths(kind)] for seats, kind in by_seats.items()],
    )
    yield from tabular(
        ["", "won", "defeated", "not in time", "rounds"],
        [
            [name, *(share(kind, why) for why in ("won", "defeated", "lost")), mean(kind)]
            for name, kind in alone.items()
        ],
    )
    every = [one for kind in by_seats.values() for one in kind]
    yield "## Heroes"
    yield ""
    yield "Wins as a share of what chance would give each: 1.00 is even. *±* is how sure it is (95 %)."
    yield ""
    yield from tabular(["Hero", *(f"{seats} players" for seats in by_seats), "all", "±"], list(heroes(by_seats)))
    yield "## Quests"
    yield ""
    yield "How often a quest was open to somebody, and of these how often it was completed; attempts for each"
    yield "completion (escorts have none)."
    yield ""
    yield from tabular(["Quest", "open", "completed", "attempts"], list(quests(every)))
    yield from searches(games, seed)
    yield "## Questions in windows"
    yield ""
    yield from questions(games, seed)


def lengths(kind: Sequence[Told]) -> list[str]:
    rounds = sorted(one.rounds for one in kind)
    tenth = len(rounds) // 10
    ends = [share(kind, why) for why in ("quests", "last_hero")]
    return [mean(kind), f"{rounds[tenth]} to {rounds[-1 - tenth]}", *ends, share(kind, "rounds", "shared")]


def mean(kind: Sequence[Told]) -> str:
    return f"{statistics.mean(one.rounds for one in kind):.1f}"


def share(kind: Sequence[Told], *whys: str) -> str:
    return f"{100 * sum(one.why in whys for one in kind) / len(kind):.0f} %"


def heroes(by_seats: dict[int, list[Told]]) -> Iterator[list[str]]:
    for name in deck().heroes:
        row, won_all, even_all, played = [name], 0.0, 0.0, 0
        for seats, kind in by_seats.items():
            mine = [one for one in kind if name in one.heroes.values()]
            won = sum(name in [one.heroes[seat] for seat in one.winners] for one in mine)
            even = len(mine) / seats
            row.append(f"{won / even:.2f}")
            won_all, even_all, played = won_all + won, even_all + even, played + len(mine)
        low, high = interval(won_all, played)
        yield [*row, f"{won_all / even_all:.2f}", f"{(high - low) / 2 * played / even_all:.2f}"]


def quests(games: Sequence[Told]) -> Iterator[list[str]]:
    seen, tried = Counter[str](), Counter[str]()
    completed = Counter[str]()
    for one in games:
        seen.update(set(one.seen))
        tried.update(one.tried)
        completed.update(one.completed)
    for name in deck().quests:
        attempts = f"{tried[name] / completed[name]:.1f}" if tried[name] and completed[name] else "–"
        yield [name.replace("_", " "), str(seen[name]), f"{100 * completed[name] / max(1, seen[name]):.0f} %", attempts]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["match", "questions", "searches", "balance"])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", default="bench")
    parser.add_argument("--write", type=Path, help="the page to write (balance)")
    given = parser.parse_args()
    kinds = {"match": match, "questions": questions, "searches": searches, "balance": report}
    lines = kinds[given.what](given.games, given.seed)
    text = "\n".join(lines).rstrip() + "\n"
    if given.write:
        given.write.write_text(text, "utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
