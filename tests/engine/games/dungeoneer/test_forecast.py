"""Forecasts: prices, ways, odds, and why something cannot be done."""

from random import Random
from typing import Any

import pytest

from engine.bots import choose_move
from engine.games.dungeoneer import game
from engine.games.dungeoneer.bot import hero as bot
from engine.games.dungeoneer.forecast import Forecast, forecast
from engine.table import Table
from engine.testing import deal
from engine.testing.moves import secret
from tests.engine.games.dungeoneer.sitting import do, quiet, sit, until
from tests.engine.games.dungeoneer.test_quests import ROOMS


def shown(table: Table, seat: int = 0) -> Forecast:
    found = forecast(table.shared(), table.own(seat))
    assert found
    return found


def test_a_walk_shows_its_steps_prices_and_gains() -> None:
    table = sit({"ap": 2, "hero": "tikk"}, {}, map=ROOMS)
    walks = shown(table).walks
    assert walks["hall_of_blades"].ap == 1 and walks["hall_of_blades"].glory == 3
    (spikes,) = walks["hall_of_blades"].risks
    assert (spikes.source, spikes.number, spikes.fail) == ("spikes", 5, "wound") and round(spikes.chance, 2) == 0.83
    assert walks["portal"].places == ("crossroads", "portal") and walks["portal"].glory == 4
    assert "gloom_tunnel" not in walks
    assert shown(sit({"ap": 2, "down": True}, {}, map=ROOMS)).walks == {}


def test_quests_have_their_chances_now() -> None:
    quests = ["still_the_blades", "buried_crown"]
    found = shown(sit({"at": "hall_of_blades", "hero": "grog", "ap": 2, "quests": quests}, {}, map=ROOMS)).quests
    assert found["still_the_blades"].here and round(found["still_the_blades"].chance, 3) == round(1 / 6, 3)
    assert found["buried_crown"].place and found["buried_crown"].search is None
    found = shown(sit({"at": "gloom_tunnel", "hero": "grog", "ap": 2, "quests": quests}, {}, map=ROOMS)).quests
    assert found["buried_crown"].search == 1 / 6


def test_who_pays_and_how_likely_a_strike_is() -> None:
    table = sit(
        {"hand": ["vat_horror", "falling_block", "bloodlust"]},
        {"peril": 9, "hero": "grog", "at": "fiend_cages"},
        map=ROOMS,
        phase="villainy",
    )
    do(table, 0, "group")
    moves = shown(table).moves
    strike = moves["monster vat_horror 1 melee"]
    assert (strike.payer, strike.peril) == (1, 2) and strike.bout and strike.bout.value == 4
    trap = moves["trap falling_block 1"]
    assert trap.risk and (trap.risk.number, trap.risk.value, trap.risk.fail) == (8, 3, "wound")


def test_cards_that_cannot_be_played_say_why() -> None:
    table = sit(
        {"hand": ["weakness", "mend_flesh", "battle_prayer", "fleet_foot"], "glory": 3, "hp": 6, "ap": 2}, {"peril": 9}
    )
    assert shown(quieted(table)).unplayable == {"weakness": "time", "mend_flesh": "use", "fleet_foot": "glory"}


def test_cards_of_a_rivals_turn_about_which_nobody_is_asked() -> None:
    hand = ["stumble", "sudden_doom", "healing_draught"]
    table = sit({"peril": 2, "ap": 2}, {"hand": hand}, phase="deeds")
    assert shown(table, 1).unasked == ("stumble",)  # in a window, what can be played now
    quiet(table)
    assert shown(table, 1).unasked == ("stumble", "sudden_doom") and shown(table, 0).unasked == ()
    table.give_order(1, "able")
    assert shown(table, 1).unasked == ()


def quieted(table: Table) -> Table:
    quiet(table)
    return table


def test_why_a_location_does_not_fit() -> None:
    table = sit({}, {}, phase="locations", next_locations=["arsenal"])
    misfits = shown(table).misfits
    assert misfits["0 -2 0"] == "wall"
    legal = set(table.moves(0))
    assert not legal & misfits.keys() and shown(table, 1).misfits == {}


def test_attacks_on_ones_hero() -> None:
    table = sit({"hand": ["mutant_rat"]}, {"hero": "grog", "peril": 1, "glory": 1, "hand": ["parry"]}, phase="villainy")
    do(table, 0, "group", "monster mutant_rat 1 melee", "done")
    until(table, "Respond")
    (bout,) = shown(table, 1).attacks
    assert (bout.value, bout.against) == (2, 3) and bout.strikes < bout.struck


def test_a_monster_of_a_lair_is_not_always_an_attack() -> None:
    table = sit({"at": "dark_altar", "ap": 2, "lair": ["mutant_rat"]}, {"lair": ["ghoul_pack"]}, map=ROOMS)
    do(table, 0, "altar")
    assert {"lair 0 1", "lair 1 1"} <= shown(table).moves.keys()


@pytest.mark.no_cover
def test_it_is_there_for_every_seat_at_any_time() -> None:
    luck = Random(4)
    for seats in (1, 3):
        table: Any = Table.begin(game, seats, deal(seats, 2), {})[0]
        while not table.over:
            for seat in range(seats):
                assert set(shown(table, seat).moves) == set(table.moves(seat))
            seat = table.waits[0]
            table.play(seat, choose_move(table, seat, bot, luck), table.round, secret(luck))


def test_before_the_first_turn_everything_can_be_pointed_at() -> None:
    """V-1, V-3"""
    for options in ({"chosen_heroes": "yes"}, {"whole_map": "yes", "chosen_heroes": "yes"}):
        table, _ = Table.begin(game, 2, deal(2, 5), options)
        while table.shared().asks in ("ChooseHero", "LayTile"):
            (seat,) = table.waits
            words = [word for offer in shown(table, seat).offers for word in offer.words]
            assert sorted(words) == sorted(table.moves(seat))
            shown(table, 1 - seat)
            do(table, seat, table.moves(seat)[0])
        assert shown(table, 0).walks is not None
