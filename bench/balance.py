"""Measures the balance of Dungeon Raiders: whole games of `raider` bots, in every mode and for every number of players.

    python -m bench.balance --games 10000 --write docs/balance.md

The games are played in batches whose results are kept in a folder, so an interrupted run can be resumed. Without
`--write` the tables go to standard output. The same seed gives the same tables.
"""

import argparse
import statistics
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from engine.game import find
from engine.games.raiders import facts
from engine.games.raiders.bot import raider
from engine.games.raiders.ending import final_scoring
from engine.games.raiders.modes import mode_of
from engine.simulate import simulate
from engine.steps import Event, Result

PIECE = 250  # games in a batch
EVERYBODY = range(3, 6)


class Setting(Struct, frozen=True):
    title: str
    seats: int
    options: dict[str, str]

    @property
    def edition(self) -> str:
        return self.options["edition"]

    @property
    def key(self) -> str:
        return "-".join([*self.options.values(), str(self.seats)])


SETTINGS = [
    *[
        Setting(f"{edition.title()} edition, {play}", seats, {"edition": edition, "play": play})
        for edition, plays in (("second", ("sealed", "open")), ("first", ("open", "sealed")))
        for play in plays
        for seats in EVERYBODY
    ],
    *[Setting(f"Duel, {play}", 2, {"edition": "first", "play": play}) for play in ("open", "sealed")],
    *[Setting(f"Solo, difficulty {n}", 1, {"edition": "first", "difficulty": n}) for n in "2345"],
]


class Tally(Struct):
    """Additive counts, so that batches can be summed."""

    games: int = 0
    nobody: int = 0  # games without a winner
    shared: int = 0  # games with several winners
    early: int = 0  # games that ended before the last room
    dead: int = 0  # heroes that died
    bled: int = 0  # heroes out for most wounds
    rooms: int = 0  # rooms played
    played: dict[str, int] = field(default_factory=dict)  # games by character
    won: dict[str, float] = field(default_factory=dict)  # wins by character; a shared win counts as a fraction
    met: dict[str, int] = field(default_factory=dict)  # by monster or boss
    beaten: dict[str, int] = field(default_factory=dict)
    harmless: dict[str, int] = field(default_factory=dict)  # met without hitting anybody
    decided: dict[str, int] = field(default_factory=dict)  # by boss: games in which it changed the winners
    coins: dict[int, int] = field(default_factory=dict)  # heroes by final coins
    wounds: dict[int, int] = field(default_factory=dict)  # heroes by final wounds
    best: dict[int, int] = field(default_factory=dict)  # winners by final coins

    def add(self, other: "Tally") -> None:
        for name in self.__struct_fields__:
            mine, more = getattr(self, name), getattr(other, name)
            if isinstance(mine, dict):
                for key, n in more.items():
                    mine[key] = mine.get(key, 0) + n
            else:
                setattr(self, name, mine + more)


def count(setting: Setting, events: Iterable[Event], tally: Tally) -> None:
    heroes, last, result = None, None, None
    for event in events:
        if isinstance(event, facts.Heroes):
            heroes = event
        elif isinstance(event, facts.Room):
            last = event
            tally.rooms += 1
            if isinstance(event.outcome, facts.Fight):
                count_fight(event.room.name, event.outcome, tally)
        elif isinstance(event, Result):
            result = event
    assert heroes and last and result
    tally.games += 1
    tally.nobody += not result.winners
    tally.shared += len(result.winners) > 1
    tally.early += (last.floor, last.place) != (5, 5)
    for seat, character in enumerate(heroes.characters):
        up(tally.played, character)
        up(tally.won, character, 1 / len(result.winners) if seat in result.winners else 0)
    for standing in result.standings:
        tally.dead += standing.why == "dead"
        tally.bled += standing.why == "most_wounds"
        up(tally.coins, standing.score["coins"])
        up(tally.wounds, standing.score["wounds"])
        if standing.seat in result.winners:
            up(tally.best, standing.score["coins"])
    if last.room.kind == "boss":
        without = final_scoring(mode_of(setting.edition, setting.seats), last.before)
        up(tally.decided, last.room.name, without.winners != result.winners)


def count_fight(name: str, fight: facts.Fight, tally: Tally) -> None:
    up(tally.met, name)
    up(tally.beaten, name, fight.beaten)
    up(tally.harmless, name, not fight.hit)


def up(counts: dict[Any, Any], key: Any, n: float = 1) -> None:
    counts[key] = counts.get(key, 0) + n


def play(setting: Setting, first: int, games: int, seed: str) -> Tally:
    tally, game = Tally(), find("raiders")
    for number in range(first, first + games):
        count(
            setting, simulate(game, [raider] * setting.seats, f"{seed} {setting.key}", number, setting.options), tally
        )
    return tally


def piece(setting: Setting, first: int, games: int, seed: str, folder: Path) -> Tally:
    file = folder / f"{seed}-{setting.key}-{first}-{games}.json"
    if not file.exists():
        file.write_bytes(msgspec.json.encode(play(setting, first, games, seed)))
    return msgspec.json.decode(file.read_bytes(), type=Tally)


def run(settings: Sequence[Setting], games: int, seed: str, folder: Path, processes: int) -> dict[str, Tally]:
    """Play the batches round-robin over all settings, so that an interrupted run has some games of each."""
    folder.mkdir(parents=True, exist_ok=True)
    todo = [
        (setting, first, min(PIECE, games - first)) for first in range(0, games, PIECE) for setting in settings
    ]  # fmt: skip
    found = {setting.key: Tally() for setting in settings}
    with ProcessPoolExecutor(processes) as pool:
        jobs = [(setting, pool.submit(piece, setting, first, n, seed, folder)) for setting, first, n in todo]
        for setting, job in jobs:
            found[setting.key].add(job.result())
            print(f"{setting.key}: {found[setting.key].games}", file=sys.stderr, flush=True)
    return found


# The tables -----------------------------------------------------------------------------------------------------------


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|---" * len(head) + "|"
    for row in rows:
        yield "| " + " | ".join(map(str, row)) + " |"
    yield ""


def spread(counts: Mapping[int, int]) -> str:
    """Mean, and the range of the middle 80 %."""
    values = sorted(Counter(counts).elements())
    if not values:
        return "–"
    tenth = len(values) // 10
    return f"{statistics.mean(values):.1f} ({values[tenth]} to {values[-1 - tenth]})"


def called(setting: Setting) -> str:
    return f"{setting.title}, {setting.seats} players" if setting.seats > 2 else setting.title


def report(settings: Sequence[Setting], found: Mapping[str, Tally], command: str) -> Iterator[str]:
    several = [(setting, found[setting.key]) for setting in settings if setting.seats > 1]
    solo = [(setting, found[setting.key]) for setting in settings if setting.seats == 1]
    least = min(tally.games for tally in found.values())
    yield "# How even Dungeon Raiders is"
    yield ""
    yield f"Measured over {least:,} games of each kind, every seat played by the thoughtful bot `raider`, by"
    yield ""
    yield f"    {command}"
    yield ""
    yield "Another game of as many gives other digits behind the point: of 10,000 games, a share of 20 % is certain to"
    yield "within 0.8 points (95 %). People play otherwise than this bot; differences between cards say more than the"
    yield "numbers themselves."
    yield ""
    yield "## Which character wins"
    yield ""
    yield "Of the games that a character was in; a shared win counts as a part of one. Even would be one in the number"
    yield "of players, less the games that nobody wins."
    yield ""
    names = sorted(several[0][1].played)
    yield from table(
        ["", *[name.title() for name in names], "nobody wins", "shared"],
        [
            [
                called(s), *[percent(t.won.get(n, 0), t.played.get(n, 0)) for n in names],
                percent(t.nobody, t.games), percent(t.shared, t.games),
            ]
            for s, t in several
        ],
    )  # fmt: skip
    yield "## Coins and wounds in the end"
    yield ""
    yield "Mean, and where the middle eight of ten lie. *Out*: for the most wounds, of all heroes; *dead*: of ten"
    yield "wounds. *Early*: games that ended before the last room."
    yield ""
    yield from table(
        ["", "coins", "the winners’", "wounds", "out", "dead", "early"],
        [
            [
                called(s), spread(t.coins), spread(t.best), spread(t.wounds), percent(t.bled, t.games * s.seats),
                percent(t.dead, t.games * s.seats) if s.edition == "first" else "–", percent(t.early, t.games),
            ]
            for s, t in several
        ],
    )  # fmt: skip
    yield "## How often monsters are beaten"
    yield ""
    yield "Of the times that they were met. In a duel none can be: there it is how often both played the same, and"
    yield "nobody was hit."
    yield ""
    bosses = list(mode_of("second", 3).deck.bosses)
    monsters = sorted({name for _, t in several for name in t.met} - set(bosses))
    yield from table(
        ["", *[name.replace("_", " ") for name in monsters]],
        [
            [called(s), *[percent(good.get(n, 0), t.met.get(n, 0)) for n in monsters]]
            for s, t in several
            for good in [t.harmless if s.seats == 2 else t.beaten]
        ],
    )  # fmt: skip
    yield "## Bosses"
    yield ""
    yield "How often each is beaten, and how often it decides: others win than would have won had the game ended"
    yield "before it."
    yield ""
    second = [(called(s), t) for s, t in several if s.edition == "second"]
    everywhere = Tally()
    for _, t in second:
        everywhere.add(t)
    for what, of in (("Beaten", "beaten"), ("Decides", "decided")):
        yield from table(
            [what, *[name.replace("_", " ") for name in bosses]],
            [
                [title, *[percent(getattr(t, of).get(n, 0), t.met.get(n, 0)) for n in bosses]]
                for title, t in [*second, ("**All**", everywhere)]
            ],
        )
    ours, printed = ("golem", "mummy"), "megadragon"
    decides = {n: percent(everywhere.decided.get(n, 0), everywhere.met.get(n, 0)) for n in (*ours, printed)}
    yield "Only the wounds of golem and mummy are our own; all other numbers are published ones and stay as they are."
    yield "Those two should decide about as often as the megadragon, which cannot be beaten either: it does in"
    yield f"{decides[printed]}, the golem in {decides['golem']}, the mummy in {decides['mummy']}."
    yield ""
    yield "## Solo"
    yield ""
    yield "*Escaped*: monsters met that did not hit. Coins are of those who came out."
    yield ""
    yield from table(
        ["Difficulty", "came out alive", "coins", "20 coins or more, of all games", "escaped"],
        [
            [
                s.options["difficulty"], percent(t.games - t.nobody, t.games), spread(t.best),
                percent(sum(n for coins, n in t.best.items() if coins >= 20), t.games),
                percent(sum(t.harmless.values()), sum(t.met.values())),
            ]
            for s, t in solo
        ],
    )  # fmt: skip


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000, help="games per setting (10000)")
    parser.add_argument("--seed", default="balance")
    parser.add_argument("--only", default="", help="only settings whose key contains this text")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--pieces", type=Path, default=Path("build/balance"), help="results folder (build/balance)")
    parser.add_argument("--write", type=Path, help="the page to write")
    args = parser.parse_args(argv)
    settings = [setting for setting in SETTINGS if args.only in setting.key]
    found = run(settings, args.games, args.seed, args.pieces, args.processes)
    if args.only:
        for setting in settings:
            print(setting.key, msgspec.json.encode(found[setting.key]).decode())
        return
    command = f"python -m bench.balance --games {args.games} --seed {args.seed} --write docs/balance.md"
    text = "\n".join(report(settings, found, command)).rstrip() + "\n"
    if args.write:
        args.write.write_text(text, "utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
