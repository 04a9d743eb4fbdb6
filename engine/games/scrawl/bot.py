"""The bots of Paper Dungeons. They plan their three dice by beam search over their own sheet, use only their views and
keep no state.

They differ in strength: how many plans they keep, and by how much they misjudge each. Each has tastes of its own, which
follow from its seat and the cards that it was dealt, so that no two play alike.
"""

from collections.abc import Iterator
from functools import lru_cache
from random import Random
from zlib import crc32

import msgspec
from msgspec import Struct

from engine import Draft, Move, Own, Shared
from engine.games.scrawl.cards import board
from engine.games.scrawl.drafts import DICE_A_ROUND, Outing, branch, fold, opening
from engine.games.scrawl.facts import Private, Public, Sheet
from engine.games.scrawl.worth import TASTES, Aims, worth

CHOICES = 2  # best options kept for each choice that a reward leaves open
LIKES = (  # best first, measured by `python -m bench.scrawl balance`
    "merchant", "master", "thief", "shaman", "healer", "bloodthirsty", "marauder", "noble", "seer", "barbarian",
    "alchemist", "mystic", "scout", "tinker", "assassin", "pathfinder",
    "O09", "O01", "O14", "O08", "O07", "O04", "O15", "O16", "O06", "O02", "O03", "O12", "O13", "O05", "O11", "O10",
)  # fmt: skip


class Level(Struct, frozen=True):
    """How well a bot plays."""

    beam: int  # plans kept after each die
    tastes: float  # how far its tastes are from what is best: 0.1 means up to 10 %
    slips: float  # how far it may misjudge a plan, in glory


BEST = Level(beam=12, tastes=0.2, slips=0.0)
FAIR = Level(beam=4, tastes=0.4, slips=5.0)
WEAK = Level(beam=2, tastes=0.6, slips=7.0)


def scrawler(shared: Shared[Public], own: Own[Private], luck: Random) -> Move:
    return choose(BEST, shared, own, luck)


def sketcher(shared: Shared[Public], own: Own[Private], luck: Random) -> Move:
    return choose(FAIR, shared, own, luck)


def doodler(shared: Shared[Public], own: Own[Private], luck: Random) -> Move:
    return choose(WEAK, shared, own, luck)


def choose(level: Level, shared: Shared[Public], own: Own[Private], luck: Random) -> Move:
    public, private = shared.public, own.private
    if len(own.moves) == 1:
        return own.moves[0]
    if shared.asks == "Keep":
        return min(own.moves, key=lambda word: liking(word.split()[1]) + luck.uniform(0, 20 * level.tastes))
    missions = tuple(mission.id for mission in public.missions if not mission.round)
    tastes = tastes_of(level, f"{own.seat} {private.talents} {private.objectives}")
    aims = Aims(public.dungeon, max(public.round, 1), len(public.teams), private.objective, missions, tastes)
    sheet = msgspec.json.encode(public.teams[own.seat].sheet)
    words = plan(level, sheet, public.dice, shared.asks, public.stage, aims, ())
    if words[: len(own.draft)] != own.draft:  # a player began this draft
        words = plan(level, sheet, public.dice, shared.asks, public.stage, aims, own.draft)
    return words[len(own.draft)]


@lru_cache(maxsize=256)
def tastes_of(level: Level, who: str) -> tuple[float, ...]:
    """The same for a whole game."""
    own = Random(who)
    return tuple(1 + own.uniform(-level.tastes, level.tastes) for _ in range(TASTES))


def liking(card: str) -> int:
    return LIKES.index(card) if card in LIKES else len(LIKES)


@lru_cache(maxsize=256)
def plan(level: Level, sheet: bytes, dice: tuple[str, ...], asks: str, stage: int, aims: Aims, draft: Draft) -> Draft:
    """A complete draft that begins with the given words."""
    start = opening(asks, board(aims.dungeon), msgspec.json.decode(sheet, type=Sheet), dice, stage)
    assert start is not None
    beam = settled([(draft, fold(start, draft))], aims)
    while beam[0][1].words() not in ([], ["done"]):
        found = [end for plan in beam for end in one_die(plan, aims)]
        beam = best(found, aims, level.beam, level.slips)
    words, last = beam[0]
    return (*words, *last.words())


Plan = tuple[Draft, Outing]


def settled(plans: list[Plan], aims: Aims) -> list[Plan]:
    """Complete every open choice and move of these plans, keeping only the best options for a choice."""
    found: list[Plan] = []
    for words, now in plans:
        if now.queue:
            after = best([step(words, now, word) for word in now.words()], aims, CHOICES)
            found += settled(after, aims)
        elif now.walk is not None:
            found += settled([step(words, now, word) for word in now.words()], aims)
        else:
            found.append((words, now))
    return found


def step(words: Draft, now: Outing, word: Move) -> Plan:
    return (*words, word), fold(now, [word])


def one_die(plan: Plan, aims: Aims) -> Iterator[Plan]:
    """Every use of one more die. Moves with the same number of steps are searched once and reused for other dice."""
    words, now = plan
    if len(now.used) == DICE_A_ROUND:
        yield plan
        return
    walks: dict[int, list[Plan]] = {}
    seen: set[tuple[str, bool]] = set()
    for die in now.free():
        kind = (now.dice[die], die >= 3)
        if kind in seen:
            continue
        seen.add(kind)
        for word in now.uses(die):
            if not word.startswith("move"):
                yield from settled([step(words, now, word)], aims)
                continue
            steps = 3 if now.dice[die] == "boots" else 2
            if steps not in walks:
                walks[steps] = settled([step(words, now, word)], aims)
                yield from walks[steps]
            else:
                for walked, after in walks[steps]:
                    other = branch(after)
                    other.used = (*now.used, die)
                    yield (*words, word, *walked[len(words) + 1 :]), other


def best(plans: list[Plan], aims: Aims, n: int, slips: float = 0) -> list[Plan]:
    """The n plans that seem best, one for each distinct position. A plan is misjudged in the same way each time."""
    ranked: dict[tuple[object, ...], tuple[float, Plan]] = {}
    for plan in plans:
        key = position(plan[1])
        if key not in ranked:
            ranked[key] = (worth(plan[1].sheet, aims) + slips * error(plan[0], aims), plan)
    order = sorted(ranked.values(), key=lambda found: -found[0])
    return [plan for _, plan in order[:n]]


def error(words: Draft, aims: Aims) -> float:
    """Between -1 and 1, as if by chance, but always the same for the same plan of the same team."""
    return crc32(repr((words, aims.round, aims.tastes)).encode()) / 2**31 - 1


def position(now: Outing) -> tuple[object, ...]:
    sheet = now.sheet
    used = tuple(sorted((now.dice[die], die >= 3) for die in now.used))
    return (
        used, *sheet.levels.values(), *sheet.items.values(), sheet.potions, sheet.hearts, sheet.wounds, sheet.gems,
        sheet.stolen, sheet.at, frozenset(sheet.rooms), frozenset(sheet.beaten), now.queue, now.walk, sheet.traps,
        sheet.passed,
    )  # fmt: skip
