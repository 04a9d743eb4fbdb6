"""What a page says that a word would bring is what it brings."""

from random import Random

import pytest

from engine.games.scrawl import game, sheet
from engine.games.scrawl.drafts import fold, outing
from engine.games.scrawl.facts import Forecast
from engine.games.scrawl.scoring import difference, lines
from engine.table import Table
from engine.testing import new_table
from tests.engine.games.scrawl.sitting import at, idle, play, sitting, state_of
from tests.engine.games.scrawl.test_setup import keeping

DICE = ("R", "M", "clover", "W", "skull", "boots")


def forecast(table: Table, seat: int = 0) -> Forecast:
    assert game.forecast
    found = game.forecast(table.shared(), table.own(seat))
    assert isinstance(found, Forecast)
    return found


def test_each_die_says_what_it_could_do() -> None:
    table = sitting(sheet(black=("W", "C")), sheet(), dice=DICE)
    dice = forecast(table).dice
    assert [die.state for die in dice] == ["free", "free", "free", "free", "skull", "free"]
    assert [die.colour for die in dice] == ["white"] * 3 + ["black"] * 3
    assert dice[0].words["level 0 R"].levels == {"R": 1}
    assert dice[3].words["craft 3 sword"].items == {"sword": 1}
    assert dice[1].words["brew 1"].potions == 2
    assert set(dice[5].words) == {"move 5"} and dice[4].words == {}
    assert {word for die in dice for word in die.words} == set(table.moves(0))


def test_a_step_says_what_it_costs_and_gives() -> None:
    table = sitting(at("C1"), sheet(), dice=DICE)
    before = forecast(table)
    assert before.moving is None and set(before.rooms) == {"C2", "D1"}
    assert before.rooms["D1"].wounds == 2 and before.rooms["D1"].beaten == ("D1",) and before.rooms["D1"].potions == 1
    assert before.rooms["C2"].traps == 1 and before.rooms["C2"].stolen == ("A",) and before.rooms["C2"].gems == 1
    assert before.rooms["C2"].glory == 2
    play(table, 0, "move 5")
    now = forecast(table)
    assert now.moving == 3 and now.dice[5].state == "moving"
    assert now.words["step D1"] == before.rooms["D1"]
    play(table, 0, "step D1", "stop")
    assert forecast(table).dice[5].state == "used" and forecast(table).beats[1].change == before.rooms["D1"]


def test_what_must_be_chosen_is_said() -> None:
    table = sitting(at("E2"), sheet(), dice=DICE)
    assert forecast(table).rooms["E1"].owed == ("item",)
    play(table, 0, "move 0", "step E1")
    now = forecast(table)
    assert now.choosing == "item" and now.rooms == {} and len(now.words) == 8
    assert now.words["item crown"].items == {"crown": 1}


def test_power_and_lines_are_of_the_draft_and_the_objective_is_counted_for_its_owner_only() -> None:
    table = sitting(sheet(gems=4, black=("W", "R")), sheet(), dice=DICE, objectives=("O01",))
    before = forecast(table)
    assert before.lines["K"] == 2 and table.shared().public.teams[0].lines["K"] == 0
    play(table, 0, "level 3 W")
    assert forecast(table).power == before.power + 2, "the Giant Spider is weak against the warrior"
    assert forecast(table).sheet.levels["W"] == 2 and table.shared().public.teams[0].sheet.levels["W"] == 1


def test_help_comes_with_talents_and_rewards_too_but_not_with_cards() -> None:
    table = keeping("thief", "seer")
    assert forecast(table).words["gem A"].stolen == ("A",) and forecast(table).choosing == "letter"
    assert game.forecast and game.forecast(table.shared(), table.own(1)) is None, "this seat is not asked"
    table = new_table(game, 2)
    assert game.forecast(table.shared(), table.own(0)) is None


@pytest.mark.parametrize("seed", range(12))
def test_every_forecast_comes_true(seed: int) -> None:
    luck = Random(seed)
    table = new_table(game, 2, seed)
    told = 0
    while not table.over:
        if table.shared().asks not in ("ThreeDice", "Prepare", "Reward"):
            idle(table)
            continue
        seat = table.waits[0]
        now, state = forecast(table, seat), state_of(table)
        assert set(now.words) == set(table.moves(seat))
        assert now.lines == lines(now.sheet, state.board, state.kept[seat])
        if table.shared().asks == "ThreeDice":
            start = outing(state.board, state.sheets[seat], state.dice)
            assert fold(start, table.drafts.get(seat, ())).sheet == now.sheet
        word = luck.choice(table.moves(seat))
        before, round = now.sheet, table.round
        play(table, seat, word)
        if table.round == round and seat in table.waits:
            after = forecast(table, seat)
            assert after.beats[-1].change == now.words[word]
            found = difference(state.board, before, after.sheet, now.words[word].owed)
            assert found == now.words[word]
            told += 1
    assert told > 50
