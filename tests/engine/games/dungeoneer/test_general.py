"""D-91 to D-101 and D-110 to D-113: the order of effects, windows, the end of the game."""

from random import Random
from typing import Any

import pytest

from engine.games.dungeoneer import battle_facts, facts, game
from engine.steps import Result
from engine.table import Table
from engine.table_events import Revealed
from engine.testing import new_table
from engine.testing.moves import secret
from tests.engine.games.dungeoneer.sitting import (
    act,
    asks,
    do,
    found,
    hero,
    only,
    pass_window,
    quiet,
    sit,
    state,
    until,
    words,
)

SPIKES = {"entrance": (0, 0), "bone_tunnel": (1, 0)}


def test_d91_points_of_the_entry_come_before_the_effect_of_the_place() -> None:
    """The glory of the bone tunnel pays the draught that offsets its spikes."""
    table = sit({"ap": 2, "hero": "grog", "hp": 3, "hand": ["healing_draught"]}, {}, map=SPIKES, dice=[1])
    do(table, 0, "move e")
    until(table, "WoundMoment")
    act(table, 0, "play healing_draught")
    assert hero(table).hp == 3


def test_d92_card_text_beats_the_rules() -> None:
    full = {"hero": "varga", "glory": 9, "treasures": ["notched_sword", "warded_helm", "soft_boots", "grapnel"]}
    assert words(sit({**full, "hand": ["belt_pouch"]}, {}), 0, "play") == ["play belt_pouch"]


def test_d93_what_changes_a_roll_comes_before_it() -> None:
    table = sit({"ap": 2, "hero": "amaura", "glory": 2}, {}, map=SPIKES, dice=[1])
    do(table, 0, "move e")
    told = act(table, 0, "ability")
    event = only(told, facts.Checked)
    assert (event.more, event.total, event.passed) == (2, 5, True)


# D-94 -----------------------------------------------------------------------------------------------------------------


def test_d94_w1_dawn_opponents_may_make_the_active_hero_fall() -> None:
    table = sit({"peril": 2}, {"hand": ["stumble"]}, {"hand": ["parry"]}, phase="deeds")
    assert asks(table) == "Window" and table.shared().asked is None and table.asked == [1, 2]
    assert table.moves(1) == ["pass", "play stumble 0"] and table.moves(2) == ["pass"]
    table.give_order(1, "able")
    assert table.own(2).spared and not table.own(1).spared
    told = act(table, 1, "play stumble 0")
    assert hero(table).down and hero(table).peril == 0 and only(told, facts.Played).payer == 0


def test_d94_nobody_is_asked_without_the_peril_or_a_hidden_card() -> None:
    assert asks(sit({"peril": 1}, {"hand": ["stumble"]})) == "Deeds"
    assert asks(sit({"peril": 2}, {"hand": ["mutant_rat"], "known": ["mutant_rat"]})) == "Deeds"
    assert asks(sit({"peril": 2}, {"hand": ["parry"]}, discarded=["stumble", "stumble"])) == "Deeds"
    assert asks(sit({"peril": 2, "down": True}, {"hand": ["parry"]})) == "Deeds"


def test_d94_the_first_in_turn_order_acts_and_the_others_are_asked_again() -> None:
    table = sit({"peril": 4}, {"hand": ["stumble"]}, {"hand": ["stumble"]}, phase="deeds")
    table.play(2, "play stumble 0", table.round, "00" * 16)
    told = table.play(1, "play stumble 0", table.round, "11" * 16)
    assert [answer.seat for answer in only(told, Revealed).answers] == [1]  # the other answer goes back unopened
    assert hero(table, 2).hand == ["stumble"] and hero(table).down and asks(table) == "Deeds"


def test_d94_a_pass_is_not_revealed() -> None:
    table = sit({"peril": 2}, {"hand": ["parry"]}, phase="deeds")
    told = pass_window(table)
    assert only(told, Revealed).answers == ()


def test_d94_w2_before_each_threat_check() -> None:
    players: Any = (
        {"ap": 2, "hero": "amaura", "glory": 4, "peril": 1, "hand": ["potion_of_speed"]},
        {"hand": ["sudden_doom"]},
    )
    table = sit(*players, map=SPIKES, dice=[2])
    do(table, 0, "move e")
    assert table.moves(0) == ["pass", "play potion_of_speed", "ability"]
    assert table.moves(1) == ["pass", "play sudden_doom 0"]
    table.play(0, "pass", table.round, "00" * 16)
    table.play(1, "play sudden_doom 0", table.round, "00" * 16)
    assert state(table).threat.number == 7  # type: ignore[union-attr]
    told = act(table, 0, "play potion_of_speed", "ability")
    event = only(told, facts.Checked)
    assert (event.value, event.more, event.number, event.passed) == (4, 2, 7, True)


def test_d94_w3_before_each_wound_only_its_player() -> None:
    table = sit(
        {
            "ap": 2,
            "hero": "hemp",
            "glory": 5,
            "treasures": ["guardian_cloak", "chain_shirt"],
            "hp": 5,
            "hand": ["healing_draught"],
        },
        {},
        map=SPIKES,
        dice=[1],
    )
    do(table, 0, "move e")
    until(table, "WoundMoment")
    assert table.asked == [0]
    assert table.moves(0) == ["pass", "use guardian_cloak", "play healing_draught", "ability"]  # no strike: no shirt


def test_d94_w4_arrival() -> None:
    table = sit({"ap": 2, "peril": 2}, {"hand": ["parry"]}, phase="deeds")
    do(table, 0, "move n")
    assert asks(table) == "Window" and table.shared().public.concerns.kind == "arrival"


def test_d94_before_a_challenge_second_wind_and_a_potion() -> None:
    table = sit(
        {"hand": ["mutant_rat"]},
        {"hero": "grog", "peril": 1, "glory": 4, "hand": ["second_wind", "potion_of_speed"]},
        phase="villainy",
        dice=[2, 1, 6, 1],
    )
    do(table, 0, "group", "monster mutant_rat 1 melee", "done")
    until(table, "Challenge")
    assert table.moves(1) == ["decline", "play second_wind"]
    do(table, 1, "play second_wind")
    assert "play potion_of_speed" in table.moves(1) and "attack monster 1 speed" in table.moves(1)


def test_d94_standing_orders_are_obeyed() -> None:
    assert [choice.value for choice in game.orders] == ["hit", "able", "never"]
    table = sit({"peril": 2}, {"hand": ["stumble"]}, phase="deeds")
    assert table.own(1).spared
    table.give_order(1, "able")
    assert not table.own(1).spared
    table = sit({"hand": ["mutant_rat"]}, {"peril": 1, "glory": 1, "hand": ["parry"]}, phase="villainy")
    do(table, 0, "group", "monster mutant_rat 1 melee", "done")
    table.give_order(1, "hit")
    assert not table.own(1).spared
    table.give_order(1, "never", scope=True)
    assert table.own(1).spared


@pytest.mark.parametrize(
    ("hit", "ask", "dice"),
    [
        ({"hand": ["healing_draught"], "hp": 3}, "WoundMoment", [6, 1]),
        ({"hero": "grog", "hand": ["second_wind"]}, "Challenge", [2, 1]),
        ({"hand": ["potion_of_speed"]}, "Window", []),
    ],
)
def test_d94_by_default_cards_for_any_moment_can_wait(hit: dict[str, Any], ask: str, dice: list[int]) -> None:
    """They can be played all the same."""

    def asked(more: dict[str, Any], **where: Any) -> Table:
        hand = ["mutant_rat" if dice else "poison_needles"]
        rival = {"peril": 5, "glory": 4, "hp": 6, "ap": 0, **hit, **more}
        table = sit({"hand": hand}, rival, phase="villainy", dice=dice, **where)
        do(table, 0, "group", "monster mutant_rat 1 melee" if dice else "trap poison_needles 1", "done")
        until(table, ask)
        return table

    table = asked({})
    assert table.own(1).spared and any(word.startswith("play ") for word in table.moves(1))
    table.give_order(1, "able")
    assert not table.own(1).spared
    assert not asked({"hp": 1}).own(1).spared and not asked({}, last=1).own(1).spared


def test_d94_the_active_player_is_asked_about_curses_on_checks_of_rivals() -> None:
    players = {"hand": ["mind_snare", "sudden_doom"]}, {"peril": 5}, {"hand": ["stumble"]}
    table = sit(*players, phase="villainy")
    do(table, 0, "group", "trap mind_snare 1", "done")
    assert asks(table) == "Window" and not table.own(0).spared


def test_d94_a_saved_action_is_asked_about() -> None:
    rival = {"hero": "grog", "peril": 1, "ap": 1, "kept": True, "hand": ["second_wind"]}
    table = sit({"hand": ["mutant_rat"]}, rival, phase="villainy", dice=[2, 1])
    do(table, 0, "group", "monster mutant_rat 1 melee", "done")
    until(table, "Challenge")
    assert not table.own(1).spared


def test_d95_you_on_a_curse_is_who_played_it() -> None:
    table = sit({"hand": ["weakness"]}, {"peril": 2}, phase="villainy")
    act(table, 0, "play weakness 1")
    assert hero(table, 1).curses[0].by == 0


def test_d96_levels_stay_between_1_and_4() -> None:
    g = state(sit({"level": 4}, {}))
    g.raise_level(0)
    assert g.delvers[0].level == 4 and not g.told


def test_d97_curses_have_no_limit_and_go_for_their_price() -> None:
    curses = ["weakness", "clouded_mind", "leaden_limbs"]
    table = sit({"curses": curses, "glory": 3, "ap": 2, "hero": "grog"}, {})
    assert words(table, 0, "lift") == ["lift weakness", "lift clouded_mind", "lift leaden_limbs"]
    act(table, 0, "lift leaden_limbs", "lift weakness")
    assert [curse.card for curse in hero(table).curses] == ["clouded_mind"]
    assert (hero(table).glory, hero(table).ap) == (1, 0)  # it stayed at the entrance


# The end --------------------------------------------------------------------------------------------------------------

ESCORT = {"quests": ["runaway_apprentice"], "escorts": ["runaway_apprentice"]}


def why(table: Table) -> tuple[tuple[int, ...], str]:
    result = state(table).result
    assert result
    return result.winners, result.standings[0].why


def test_d98_the_third_quest_wins_at_once() -> None:
    table = sit({"completed": ["blood_price", "cage_mother"], **ESCORT}, {})
    act(table, 0, "complete runaway_apprentice")
    assert why(table) == ((0,), "quests")


def test_d99_the_last_hero_wins_at_once() -> None:
    table = sit({"hand": ["mutant_rat"]}, {"hero": "ilvaro", "hp": 1, "peril": 1}, phase="villainy", dice=[6, 1])
    act(table, 0, "group", "monster mutant_rat 1 melee", "done")
    assert why(table) == ((0,), "last_hero")


def test_d100_effects_come_one_by_one() -> None:
    """A trap that would kill both last heroes kills its target first, and the other one has won."""
    table = sit(
        {"hand": ["falling_block"], "hp": 1, "hero": "hemp"},
        {"hp": 1, "peril": 2, "hero": "ilvaro"},
        phase="villainy",
        dice=[1, 1],
    )
    act(table, 0, "group", "trap falling_block 1", "done")
    assert why(table) == ((0,), "last_hero")


def test_d101_what_a_defeated_hero_leaves() -> None:
    dying = {
        "hero": "ilvaro",
        "hp": 1,
        "peril": 1,
        "hand": ["parry"],
        "boons": ["inner_sight"],
        "lair": ["ghoul_pack"],
        "treasures": [{"card": "notched_sword", "tucked": ["whetstone"]}],
        "curses": ["weakness"],
        "completed": ["buried_crown"],
        "quests": ["signal_lantern", "blood_price"],
        "escorts": ["signal_lantern"],
    }
    table = sit({"hand": ["mutant_rat"]}, dying, {}, phase="villainy", dice=[6, 1])
    told = act(table, 0, "group", "monster mutant_rat 1 melee", "done")
    g = state(table)
    assert set(g.discards["adventure"]) == {
        "parry",
        "inner_sight",
        "ghoul_pack",
        "notched_sword",
        "whetstone",
        "weakness",
    }
    assert set(only(told, facts.Discarded).cards) == set(g.discards["adventure"])
    assert only(told, facts.Discarded).place == "defeat"
    assert [lost.quest for lost in g.dropped] == ["signal_lantern"] and set(g.gone) == {"buried_crown", "blood_price"}
    assert g.living() == [0, 2] and table.anytime(1) == []


def test_d101_the_turn_and_the_group_end_with_the_active_hero() -> None:
    table = sit(
        {"hand": ["falling_block", "mutant_rat"], "hp": 1, "hero": "ilvaro"},
        {"peril": 9, "hero": "grog"},
        {},
        phase="villainy",
        dice=[6, 6, 1],
    )
    told = act(table, 0, "group", "monster mutant_rat 1 melee", "trap falling_block 1", "done")
    assert only(told, facts.Defeated).seat == 0 and state(table).active == 1 and state(table).group is None
    assert {"mutant_rat", "falling_block"} <= set(state(table).discards["adventure"])
    assert only(told, facts.Discarded) == facts.Discarded(0, ("mutant_rat", "falling_block"), "battle")
    assert len(found(told, battle_facts.GroupEnded)) == 1


@pytest.mark.parametrize("third", [{}, None])
def test_d101_a_battle_ends_when_the_active_hero_falls_in_it(third: Any) -> None:
    """By the counter of the hero that it attacks: whether the game goes on or not."""
    players = [{"hero": "ilvaro", "hp": 1, "at": "crossroads"}, {"hero": "grog", "at": "crossroads"}, third]
    table = sit(*[player for player in players if player is not None], dice=[1, 6])
    told = act(table, 0, "attack 1 magic")
    kinds = (facts.Defeated, battle_facts.BattleEnded, battle_facts.GroupEnded, Result)
    ends = [type(event) for event in told if isinstance(event, kinds)]
    assert ends == list(kinds if third is None else kinds[:3])


@pytest.mark.parametrize(
    ("mine", "winners", "word"),
    [
        ({"completed": ["blood_price"]}, (0,), "rounds"),
        ({"level": 2}, (0,), "rounds"),
        ({"hp": 5}, (1,), "rounds"),
        ({"glory": 2}, (0,), "rounds"),
        ({}, (0, 1), "shared"),
    ],
)
def test_d110_after_the_last_round_most_quests_level_health_glory(mine: Any, winners: Any, word: str) -> None:
    equal = {"at": "rat_run", "glory": 1, "moved": True, "ap": 0}
    table = sit({**equal, **mine}, equal, phase="discard", round=20, last=20, active=1)
    assert why(table) == (winners, word)


def test_d111_only_what_changes_something_is_offered() -> None:
    table = sit({"glory": 9, "hand": ["mend_flesh", "purge", "wall_walker"], "ap": 1}, {"down": True, "peril": 9})
    assert not words(table, 0, "play")  # no wound, no curse, no other room
    table = sit({"hand": ["stumble"]}, {"down": True, "peril": 9}, phase="villainy")
    assert asks(table) == "Lay"


def test_d112_standing_up_with_a_saved_ap_in_anothers_turn() -> None:
    table = sit({}, {"down": True, "ap": 1, "kept": True})
    assert table.anytime(1) == ["stand"] and table.anytime(0) == []
    seen = table.round
    act(table, 0, "move n")
    told = table.play(1, "stand", seen, "00" * 16)  # the rival has gone on meanwhile
    assert table.round > seen and found(told, facts.Stood) and hero(table, 1).ap == 0
    table = sit(
        {"hand": ["mutant_rat"]}, {"peril": 1, "down": True, "ap": 1, "glory": 1, "hand": ["parry"]}, phase="villainy"
    )
    do(table, 0, "group", "monster mutant_rat 1 melee", "done")
    assert asks(table) == "Respond" and table.anytime(1) == []


def test_d113_an_absent_seat_takes_the_first_option() -> None:
    table = sit({"peril": 2}, {"hand": ["stumble"]}, phase="deeds")
    assert table.default(1) == "pass"
    quiet(table)
    assert table.default(0) == "end"


def test_time_that_runs_out_plays_no_card_and_pays_nothing() -> None:
    luck, seen = Random(5), set()
    table = new_table(game, 3)
    for _ in range(400):
        if table.over:
            break
        seat = table.waits[0]
        (word,) = table.frugal(seat)
        seen.add(word.split()[0])
        assert word.split()[0] not in ("play", "ability", "attack", "pay"), (asks(table), table.moves(seat))
        table.play(seat, luck.choice(table.moves(seat)), table.round, secret(luck))
    assert {"end", "pass"} <= seen
