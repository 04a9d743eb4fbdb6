"""What the pages add up is what has happened."""

import json
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from engine.games.scrawl import game
from engine.games.scrawl.cards import board
from engine.games.scrawl.face import summary
from engine.games.scrawl.facts import HEROES
from engine.games.scrawl.positions import position, sheet
from engine.games.scrawl.scoring import bonuses, power
from engine.proof import canonical
from engine.table import Table
from engine.testing import deal, play_at_random

NAMES = {name: hero for hero, name in HEROES.items()}


@pytest.mark.parametrize("seed", range(4))
def test_the_parts_of_a_round_make_the_glory_of_the_round(seed: int) -> None:
    table, began = Table.begin(game, 4, deal(4, seed), game.choose_options({}, 4))
    told = json.loads(canonical(list(began)))
    for events in play_at_random(table, Random(seed)):
        told += json.loads(canonical(list(events)))
    page, public = summary(table.shared()), table.shared().public
    rounds = [at for at, event in enumerate(told) if event["kind"] == "round"]
    for round in range(1, 8):
        events = told[rounds[round - 1] + 1 : rounds[round]]
        (rolled,) = [event for event in events if event["kind"] == "rolled"]
        (acted,) = [event for event in events if event["kind"] == "acted"]
        for seat in range(4):
            gained = page.gained(events, seat).get("glory", 0) + rolled["changes"][seat].get("glory", 0)
            assert gained == public.glory[round][seat] - public.glory[round - 1][seat]
            dice = page.by_die(acted["beats"][seat])
            assert len(dice) == len(page.uses(acted["beats"][seat])) == 3
            total = page.total(acted["beats"][seat])
            assert sum(die.get("glory", 0) for die in dice) == total.get("glory", 0)
            assert sum(die.get("wounds", 0) for die in dice) == total.get("wounds", 0)


@pytest.mark.parametrize("seed", range(4))
def test_heroes_reach_the_levels_that_they_have_after_the_round(seed: int) -> None:
    table, began = Table.begin(game, 4, deal(4, seed), game.choose_options({}, 4))
    told: list[Any] = json.loads(canonical(list(began)))
    for new in play_at_random(table, Random(seed)):
        told += json.loads(canonical(list(new)))
    page = summary(table.shared())
    rounds = [at for at, event in enumerate(told) if event["kind"] == "round"]
    risen = 0
    for before, after in pairwise(rounds):
        events = [event for event in told[before + 1 : after] if event["kind"] != "rewarded"]
        (acted,) = [event for event in events if event["kind"] == "acted"]
        for seat in range(4):
            sheets = [
                {NAMES[hero]: n for hero, n in told[at]["sheets"][seat]["levels"].items()} for at in (before, after)
            ]
            was, gained = sheets[0], page.total(acted["beats"][seat]).get("levels", {})
            now = {hero: level + gained.get(hero, 0) for hero, level in was.items()}
            found = page.reached(events, now, seat)
            assert len(found) == 3
            levels = [level for die in found for level in die]
            assert sorted(levels) == sorted(
                n for hero, more in gained.items() for n in range(was[hero] + 1, was[hero] + more + 1)
            )
            risen += len(levels)
    assert risen


def test_a_die_raises_those_whose_hero_has_its_colour() -> None:
    state = position(
        sheet(black=("W", "R")), sheet(black=("M", "C")), sheet(black=("M", "C"), levels={"M": 4}),
        dice=("W", "M", "clover", "W", "boots", "skull"),
    )  # fmt: skip
    page = summary(Table(game, state, seats=3, options={}, deal=deal(3, 1)).shared())
    assert page.raises == ((1, 2), (0, 2), (), (0, 2), (), ())


def test_bonuses_make_the_power_with_the_levels() -> None:
    here = board("A")
    strong = sheet(levels={"W": 4}, items={"sword": 2}, talent="bloodthirsty")
    assert bonuses(strong, here) == {"W": 1, "sword": 3, "bloodthirsty": 2}
    assert power(strong, here, here.monsters[0]) == 7 + 4 + 6
    assert bonuses(sheet(items={"sword": 1}, talent="thief"), here) == {}
