"""Scrawler: plans its three dice by beam search over its own sheet. It uses only its views and keeps no state."""

from collections.abc import Iterator
from functools import lru_cache
from random import Random

import msgspec

from engine import Draft, Move, Own, Shared
from engine.games.scrawl.cards import board
from engine.games.scrawl.drafts import DICE_A_ROUND, Outing, branch, fold, opening
from engine.games.scrawl.facts import Private, Public, Sheet
from engine.games.scrawl.worth import Aims, worth

BEAM = 12  # plans kept after each die
CHOICES = 2  # best options kept for each choice that a reward leaves open
LIKES = (  # best first, measured by `python -m bench.scrawl balance`
    "merchant", "master", "thief", "shaman", "healer", "bloodthirsty", "marauder", "noble", "seer", "barbarian",
    "alchemist", "mystic", "scout", "tinker", "assassin", "pathfinder",
    "O09", "O01", "O14", "O08", "O07", "O04", "O15", "O16", "O06", "O02", "O03", "O12", "O13", "O05", "O11", "O10",
)  # fmt: skip


def scrawler(shared: Shared[Public], own: Own[Private], luck: Random) -> Move:
    public, private = shared.public, own.private
    if len(own.moves) == 1:
        return own.moves[0]
    if shared.asks == "Keep":
        return min(own.moves, key=lambda word: liking(word.split()[1]))
    missions = tuple(mission.id for mission in public.missions if not mission.round)
    aims = Aims(public.dungeon, max(public.round, 1), len(public.teams), private.objective, missions)
    sheet = msgspec.json.encode(public.teams[own.seat].sheet)
    words = plan(sheet, public.dice, shared.asks, public.stage, aims, ())
    if words[: len(own.draft)] != own.draft:  # a player began this draft
        words = plan(sheet, public.dice, shared.asks, public.stage, aims, own.draft)
    return words[len(own.draft)]


def liking(card: str) -> int:
    return LIKES.index(card) if card in LIKES else len(LIKES)


@lru_cache(maxsize=256)
def plan(sheet: bytes, dice: tuple[str, ...], asks: str, stage: int, aims: Aims, draft: Draft) -> Draft:
    """A complete draft that begins with the given words."""
    start = opening(asks, board(aims.dungeon), msgspec.json.decode(sheet, type=Sheet), dice, stage)
    assert start is not None
    beam = settled([(draft, fold(start, draft))], aims)
    while beam[0][1].words() not in ([], ["done"]):
        found = [end for plan in beam for end in one_die(plan, aims)]
        beam = best(found, aims, BEAM)
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


def best(plans: list[Plan], aims: Aims, n: int) -> list[Plan]:
    """The n best plans, one for each distinct position."""
    ranked: dict[tuple[object, ...], tuple[float, Plan]] = {}
    for plan in plans:
        key = position(plan[1])
        if key not in ranked:
            ranked[key] = (worth(plan[1].sheet, aims), plan)
    order = sorted(ranked.values(), key=lambda found: -found[0])
    return [plan for _, plan in order[:n]]


def position(now: Outing) -> tuple[object, ...]:
    sheet = now.sheet
    used = tuple(sorted((now.dice[die], die >= 3) for die in now.used))
    return (
        used, *sheet.levels.values(), *sheet.items.values(), sheet.potions, sheet.hearts, sheet.wounds, sheet.gems,
        sheet.stolen, sheet.at, frozenset(sheet.rooms), frozenset(sheet.beaten), now.queue, now.walk, sheet.traps,
        sheet.passed,
    )  # fmt: skip
