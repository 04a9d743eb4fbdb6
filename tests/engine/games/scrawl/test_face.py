"""What the pages add up is what has happened."""

import json
from random import Random

import pytest

from engine.games.scrawl import game
from engine.games.scrawl.face import summary
from engine.proof import canonical
from engine.table import Table
from engine.testing import deal, play_at_random


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
