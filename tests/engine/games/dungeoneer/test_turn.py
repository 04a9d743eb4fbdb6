"""D-36 to D-49: the five phases of a turn, and what may be done at any moment."""

from typing import Any

import pytest

from engine.games.dungeoneer import battle_facts, facts
from tests.engine.games.dungeoneer.sitting import act, asks, do, found, hero, only, sit, state, until, words


def to_next_turn(table: Any) -> list[Any]:
    """Say the first thing until the next turn has begun."""
    told: list[Any] = []
    while not found(told, facts.TurnBegan):
        seat = table.waits[0]
        told += table.play(seat, table.default(seat), table.round, "00" * 16)
    return told


def test_d36_recovery_ends_what_lasts_for_a_turn_for_everybody() -> None:
    table = sit(
        {"hero": "tikk", "used": ["ability"], "bonus": {"speed": 2}, "visited": ["rat_run"], "moved": True},
        {"used": ["battle"], "ap": 1, "kept": True},
        phase="discard",
    )
    to_next_turn(table)
    mine, next_one = hero(table), hero(table, 1)
    assert (mine.used, mine.bonus, mine.visited, mine.moved) == ([], {}, [], False)
    assert next_one.used == [] and next_one.ap == next_one.value("speed") and next_one.visited == ["entrance"]


def test_d37_curses_before_and_after_one_group_that_is_shown_whole() -> None:
    hand = ["weakness", "clouded_mind", "mutant_rat", "falling_block", "crouching_skeleton"]
    table = sit({"hand": hand}, {"peril": 9, "hp": 6}, phase="villainy", dice=[1] * 9)
    act(table, 0, "play weakness 1")
    do(table, 0, "group", "monster mutant_rat 1 melee", "trap falling_block 1")
    assert hero(table, 1).peril == 7  # not paid before it is shown
    event = only(act(table, 0, "done"), battle_facts.GroupShown)
    assert [foe.card for foe in event.monsters] == ["mutant_rat"] and event.traps[0].card == "falling_block"
    assert event.paid == {1: 3}
    do(table, 0, "lair")
    assert "play clouded_mind 1" in table.moves(0) and "group" not in table.moves(0)


def test_d37_an_empty_group_counts_as_not_declared() -> None:
    table = sit({"hand": ["mutant_rat"]}, {"peril": 1}, phase="villainy")
    do(table, 0, "group", "done")
    assert "group" in table.moves(0)


def test_d38_peril_must_cover_the_sum() -> None:
    table = sit(
        {"hand": ["ghoul_pack", "vat_horror", "mutant_rat"], "lair": ["mutant_rat"]},
        {"peril": 3},
        {"peril": 2},
        phase="villainy",
    )
    do(table, 0, "group", "monster ghoul_pack 1 speed")
    assert words(table, 0, "monster vat_horror") == ["monster vat_horror 2 melee"]
    assert words(table, 0, "lair") == ["lair 1 1 melee", "lair 1 2 melee"]
    do(table, 0, "lair 1 1 melee")
    assert not [word for word in table.moves(0) if word.split()[2:3] == ["1"]]


def test_d39_each_monster_attacks_once_and_costs_no_ap() -> None:
    table = sit({"hand": ["mutant_rat"], "ap": 0}, {"peril": 9}, phase="villainy")
    do(table, 0, "group", "monster mutant_rat 1 melee")
    assert not words(table, 0, "monster mutant_rat")


def test_d40_golem_traps_and_then_the_battles_in_turn_order() -> None:
    spots = {"entrance": (0, 0), "arsenal": (0, -1, 180)}
    table = sit(
        {"hand": ["mutant_rat", "crouching_skeleton", "falling_block"]},
        {"peril": 9, "at": "arsenal"},
        {"peril": 9},
        map=spots,
        common=["chainmail_golem"],
        phase="villainy",
        dice=[6] * 12,
    )
    told = act(
        table,
        0,
        "group",
        "monster mutant_rat 2 melee",
        "monster crouching_skeleton 1 melee",
        "trap falling_block 2",
        "golem 1",
        "done",
    )
    kinds = [
        type(e).__name__
        for e in told
        if isinstance(e, (facts.Checked, battle_facts.TrapSprung, battle_facts.BattleBegan))
    ]
    assert kinds[:2] == ["Checked", "TrapSprung"] and kinds[-2:] == ["BattleBegan", "BattleBegan"]
    assert [event.attacks[0].on for event in found(told, battle_facts.BattleBegan)] == ["h1", "h2"]


def test_d41_an_encounter_does_not_reach_a_hero_that_has_left() -> None:
    """Djanguba's strike moves the hero away; in the next battle the hero that was moved could not be attacked."""
    table = sit(
        {"hand": ["djanguba", "mutant_rat"]},
        {"peril": 9, "at": "crossroads", "hero": "ilvaro"},
        {"peril": 9, "at": "crossroads", "glory": 9, "hand": ["distracting_manoeuvre"], "hero": "hemp"},
        phase="villainy",
        dice=[6, 1, 6, 1],
    )
    told = act(table, 0, "group", "monster djanguba 1 melee", "done")
    assert only(told, facts.Moved).how == "forced" and hero(table, 1).at == "entrance"
    table = sit({"hand": ["falling_block", "mutant_rat"]}, {"peril": 9}, phase="villainy")
    do(table, 0, "group", "monster mutant_rat 1 melee", "trap falling_block 1")
    state(table).delvers[1].at = "crossroads"  # as if it had gone between declaration and attack
    state(table).dice = [6] * 9
    told = do(table, 0, "done")
    assert found(told, battle_facts.TrapSprung)


def test_d42_the_golem_can_be_sent_against_a_hero_in_the_arsenal() -> None:
    spots = {"entrance": (0, 0), "arsenal": (0, -1, 180)}
    here = {"peril": 1, "at": "arsenal", "hero": "ilvaro"}
    table = sit(
        {"hand": ["mutant_rat"]},
        here,
        {"at": "arsenal"},
        map=spots,
        common=["chainmail_golem"],
        phase="villainy",
        dice=[1],
    )
    do(table, 0, "group")
    assert words(table, 0, "golem") == ["golem 1"]  # seat 2 has no peril
    told = act(table, 0, "golem 1", "done")
    assert only(told, battle_facts.GroupShown).paid == {1: 1, 2: 0}
    assert [event.seat for event in found(told, facts.Wounded)] == [1, 2]  # it first, then clockwise
    table = sit({"hand": ["mutant_rat"]}, here, map=spots, common=["chainmail_golem"], phase="villainy")
    do(table, 0, "group", "golem 1")
    assert words(table, 0, "monster") == ["monster mutant_rat 1 melee"]  # the golem is free beside it
    event = only(do(table, 0, "monster mutant_rat 1 melee", "done"), battle_facts.GroupShown)
    assert event.paid == {1: 1}
    table = sit(
        {"hand": ["mutant_rat"]},
        here,
        map=spots,
        phase="villainy",
        common=["chainmail_golem"],
        tokens={"arsenal": "deactivation"},
    )
    do(table, 0, "group")
    assert not words(table, 0, "golem")


def test_d43_one_location_is_drawn_and_laid() -> None:
    table = sit({}, {}, phase="locations", next_locations=["library"])
    assert table.shared().public.concerns.card == "library"
    told = do(table, 0, table.moves(0)[0])
    assert only(told, facts.Laid).location == "library"
    assert asks(sit({}, {}, phase="locations", more_locations=False)) == "Deeds"


def test_d44_deeds_in_any_order_while_ap_last() -> None:
    table = sit({"ap": 3, "glory": 9, "hand": ["battle_prayer"], "hero": "hemp"}, {}, next_locations=["library"])
    act(table, 0, "move n", "explore")
    act(table, 0, table.moves(0)[0], "play battle_prayer", "move s")
    assert hero(table).ap == 0 and not words(table, 0, "move") and not words(table, 0, "explore")


LIMITS = {"hero": "varga", "glory": 40}  # two boons, four treasures


def test_d45_limits_and_kinds_of_prepared_cards() -> None:
    table = sit(
        {
            **LIMITS,
            "boons": ["battle_prayer", "inner_sight"],
            "treasures": ["notched_sword", "warded_helm"],
            "hand": ["fleet_foot", "witchwood_staff", "soft_boots", "belt_pouch", "whetstone"],
        },
        {},
    )
    assert not words(table, 0, "play fleet_foot") and not words(table, 0, "play witchwood_staff")
    act(table, 0, "play soft_boots", "play whetstone notched_sword")
    assert len(hero(table).treasures) == 3 and hero(table).treasures[0].tucked == ["whetstone"]
    full = {**LIMITS, "treasures": ["notched_sword", "warded_helm", "soft_boots", "grapnel"]}
    table = sit({**full, "hand": ["belt_pouch", "guardian_cloak"]}, {})
    assert not words(table, 0, "play guardian_cloak")
    act(table, 0, "play belt_pouch", "play guardian_cloak")  # the pouch raises the limit that it would break
    assert len(hero(table).treasures) == 6


def test_d46_when_a_limit_falls_the_excess_is_discarded() -> None:
    treasures = ["notched_sword", "warded_helm", "soft_boots", "grapnel", "guardian_cloak", "belt_pouch"]
    table = sit({**LIMITS, "treasures": treasures}, {}, phase="discard")
    do(table, 0, "treasure belt_pouch")
    assert asks(table) == "Excess" and set(table.moves(0)) == set(treasures) - {"belt_pouch"}
    act(table, 0, "guardian_cloak")
    assert len(hero(table).treasures) == 4
    assert not words(table, 0, "boon")


def test_d47_a_completed_quest_ends_the_phase() -> None:
    table = sit({"ap": 3, "quests": ["runaway_apprentice"], "escorts": ["runaway_apprentice"], "hand": ["parry"]}, {})
    told = do(table, 0, "complete runaway_apprentice")
    assert asks(table) == "Save" and found(told, facts.Discarded)


def test_d48_one_card_must_be_discarded() -> None:
    table = sit(
        {
            "hand": ["parry", "mutant_rat", "mutant_rat"],
            "treasures": [{"card": "notched_sword", "tucked": ["whetstone"]}],
            "lair": ["ghoul_pack", "ramalit"],
            "boons": ["inner_sight"],
        },
        {},
        phase="discard",
    )
    assert table.moves(0) == ["hand parry", "hand mutant_rat", "treasure whetstone", "treasure notched_sword", "lair 1"]
    table = sit({"treasures": ["notched_sword"]}, {}, phase="discard")
    assert table.moves(0) == ["none", "treasure notched_sword"]


def test_d48_staying_brings_the_points_of_the_location() -> None:
    here = {"at": "crossroads", "ap": 0}
    assert only(begin_discard(here), facts.Gained) == facts.Gained(0, 2, 2, "stay")
    assert not found(begin_discard({**here, "moved": True}), facts.Gained)


def begin_discard(player: dict[str, Any]) -> list[Any]:
    table = sit({**player, "hand": ["parry", "banish"]}, {}, phase="discard")
    return do(table, 0, "hand parry")


def test_d48_one_ap_may_be_saved_and_five_cards_are_held() -> None:
    table = sit({"ap": 3, "hand": ["parry", "banish"]}, {}, phase="discard")
    told = do(table, 0, "hand parry", "save")
    assert hero(table).ap == 1 and hero(table).kept and len(hero(table).hand) == 5
    assert sum(event.number for event in found(told, facts.Drew)) == 4
    assert state(table).active == 1
    many = ["parry", "purge", "second_wind", "shifting_stones", "wall_walker", "inner_sight", "battle_prayer"]
    table = sit({"hand": many}, {}, phase="discard")
    told = act(table, 0, "hand parry")
    assert not found(told, facts.Drew) and len(hero(table).hand) == 6


def test_d48_an_empty_deck_is_made_of_the_discard_pile() -> None:
    table = sit({"hand": ["parry", "purge", "banish"], "ap": 0}, {}, phase="discard")
    g = state(table)
    g.discards["adventure"], g.decks["adventure"] = g.decks["adventure"], []
    told = do(table, 0, "hand parry")
    assert only(told, facts.Reshuffled).pile == "adventure" and len(hero(table).hand) == 5
    table = sit({"hand": ["parry", "purge", "banish"], "ap": 0}, {}, phase="discard")
    g = state(table)
    g.decks["adventure"].clear()
    do(table, 0, "hand parry")  # the only card of both piles
    assert sorted(hero(table).hand) == ["banish", "parry", "purge"]


def test_d49_one_battle_a_turn_is_begun_and_none_against_heroes_at_the_entrance() -> None:
    here = {"at": "crossroads", "ap": 3, "hero": "grog"}
    table = sit(here, {"at": "crossroads"}, dice=[1, 1])
    assert words(table, 0, "attack") == ["attack 1 melee", "attack 1 speed"]
    act(table, 0, "attack 1 melee")
    assert hero(table).ap == 2 and not words(table, 0, "attack")
    assert not words(sit({"ap": 3}, {}), 0, "attack")  # both at the entrance
    assert not words(sit({**here, "down": True}, {"at": "crossroads"}), 0, "attack")


@pytest.mark.parametrize("at", ["entrance", "crossroads"])
def test_d49_monsters_can_be_challenged_everywhere(at: str) -> None:
    table = sit(
        {"hand": ["mutant_rat"]},
        {"peril": 1, "ap": 1, "kept": True, "at": at, "hero": "grog"},
        phase="villainy",
        dice=[2, 1],
    )
    do(table, 0, "group", "monster mutant_rat 1 melee", "done")
    until(table, "Challenge")
    assert words(table, 1, "attack") == ["attack monster 1 melee", "attack monster 1 speed"]
