"""D-66 to D-80: threats and traps; quests from the attempt to the reward."""

from typing import Any

from engine.games.dungeoneer import battle_facts, facts
from engine.games.dungeoneer.face import summary
from tests.engine.games.dungeoneer.sitting import act, asks, do, found, hero, only, quiet, sit, state, until, words

ROOMS = {
    "entrance": (0, 0), "hall_of_blades": (0, -1), "library": (0, 1, 180), "treasury": (-1, 0), "crossroads": (1, 0),
    "rotating_hall": (1, -1), "portal": (2, 0), "arsenal": (-1, -1), "dark_altar": (2, -1), "wardens_post": (-1, 1),
    "laboratory": (1, 1), "fiend_cages": (0, -2, 180), "gloom_tunnel": (1, -2), "rat_run": (2, -2),
}  # fmt: skip


def at(
    place: str, quest: str = "", *others: dict[str, Any], common: bool = False, dice: Any = (), **player: Any
) -> Any:
    mine = {} if common or not quest else {"quests": [quest]}
    me = {"hero": "grog", "at": place, "ap": 3, **mine, **player}
    return sit(me, *(others or ({},)), map=ROOMS, common=[quest] if common else [], dice=dice)


def test_d66_a_threat_is_a_die_and_a_value_against_a_number() -> None:
    told = act(at("hall_of_blades", "still_the_blades", dice=[6]), 0, "attempt still_the_blades")
    event = only(told, facts.Checked)
    assert (event.die, event.value, event.total, event.number, event.passed) == (6, 2, 8, 8, True)
    told = act(at("hall_of_blades", "still_the_blades", dice=[5]), 0, "attempt still_the_blades")
    assert not only(told, facts.Checked).passed


def test_d67_bonuses_of_battles_do_not_touch_threats() -> None:
    table = at(
        "arsenal",
        "chainmail_golem",
        dice=[1],
        treasures=[{"card": "notched_sword", "tucked": ["whetstone"]}, "warded_helm"],
    )
    assert only(act(table, 0, "attempt chainmail_golem"), facts.Checked).total == 1 + 3 + 1


def trap(*dice: int, card: str = "falling_block", **lord: Any) -> Any:
    table = sit(
        {"hand": [card], "hero": "ilvaro", "at": "crossroads", **lord},
        {"at": "crossroads", "hero": "grog"},
        {"at": "crossroads", "peril": 9, "hero": "hemp"},
        {},
        phase="villainy",
        dice=dice,
    )
    return act(table, 0, "group", f"trap {card} 2", "done"), table


def test_d68_a_trap_works_on_all_heroes_there_the_target_first() -> None:
    told, table = trap(1, 6, 6)
    assert [event.seat for event in found(told, facts.Checked)] == [2, 0, 1]  # its player's hero, too
    assert [hero(table, seat).hp for seat in range(4)] == [6, 6, 5, 6] or hero(table, 2).hp == 5


def test_d70_a_settled_trap_is_discarded_before_the_battles() -> None:
    table = sit(
        {"hand": ["falling_block", "mutant_rat"], "at": "crossroads"},
        {"peril": 9, "hero": "grog", "ap": 1, "kept": True},
        phase="villainy",
        dice=[6, 2, 1],
    )
    do(table, 0, "group", "trap falling_block 1", "monster mutant_rat 1 melee", "done")
    until(table, "Challenge")
    assert state(table).discards["adventure"] == ["falling_block"]
    quiet(table)
    do(table, 0, "lair")
    assert state(table).discards["adventure"] == ["falling_block"]  # and not twice


def test_d69_success_and_failure_concern_each_hero() -> None:
    told, table = trap(6, 1, 6)
    assert [event.seat for event in found(told, facts.Gained)][:2] == [2, 1]
    assert hero(table).hp == 5


def test_d70_hero_by_hero_check_and_result() -> None:
    told, table = trap(1, 1, 1)
    kinds = [type(event).__name__ for event in told if isinstance(event, (facts.Checked, facts.Wounded))]
    assert kinds == ["Checked", "Wounded"] * 3 and "falling_block" in state(table).discards["adventure"]


def test_d71_trap_exits_hit_only_the_leaving_hero() -> None:
    told = act(
        sit(
            {"at": "rat_run", "ap": 2, "hero": "grog"},
            {"at": "rat_run"},
            dice=[1],
            map={"entrance": (0, 0), "rat_run": (0, -1), "crossroads": (1, -1)},
        ),
        0,
        "move e",
    )
    assert [event.seat for event in found(told, facts.Checked)] == [0]


def test_d72_one_free_attempt_a_turn_for_all_quests_together() -> None:
    table = at("hall_of_blades", "still_the_blades", dice=[1, 1, 1], hp=6)
    told = act(table, 0, "attempt still_the_blades", "attempt still_the_blades")
    assert [event.ap for event in found(told, facts.QuestTried)] == [0, 1] and hero(table).ap == 2
    table = at("hall_of_blades", "still_the_blades", dice=[1], down=True)
    act(table, 0, "attempt still_the_blades")
    assert not words(table, 0, "attempt")  # no paid one for the fallen


def test_d73_artifact_its_reward_stays_and_it_is_no_treasure() -> None:
    table = at("arsenal", "chainmail_golem", dice=[6])
    act(table, 0, "attempt chainmail_golem")
    assert hero(table).value("melee") == 6 and hero(table).level == 1 and not hero(table).treasures
    assert state(table).spots["arsenal"].silenced


def test_d73_influence_until_it_is_completed() -> None:
    table = at("entrance", "whispering_skins", dice=[6] * 4)
    assert only(act(table, 0, "move n"), facts.Gained).peril == 2 + 1
    table = sit({"at": "entrance", "ap": 2}, {"quests": ["whispering_skins"]}, map=ROOMS, dice=[6] * 4)
    assert only(act(table, 0, "move n"), facts.Gained).peril == 2
    table = at("entrance", "whispering_skins", common=True, dice=[6] * 4)
    assert only(act(table, 0, "move n"), facts.Gained).peril == 3


def test_d73_sacrifice_what_cannot_be_paid_is_not_offered() -> None:
    assert not words(at("dark_altar", "blood_price", hp=2), 0, "attempt")
    table = at("dark_altar", "blood_price", hp=3, treasures=["guardian_cloak"])
    told = act(table, 0, "attempt blood_price")
    assert hero(table).hp == 1 and not found(told, facts.Prevented) and hero(table).completed == ["blood_price"]


def test_d46_a_sacrifice_that_lowers_the_limit_costs_the_treasures_that_are_too_many() -> None:
    """Tikk may have four treasures, and two more with the pouch."""
    six = ["belt_pouch", "guardian_cloak", "notched_sword", "warded_helm", "soft_boots", "grapnel"]
    table = at("portal", "unseemly_deal", hero="tikk", treasures=six)
    do(table, 0, "attempt unseemly_deal treasure belt_pouch")
    assert asks(table) == "Excess" and hero(table).completed == []  # at once, before anything else
    told = act(table, 0, "guardian_cloak")
    assert [item.card for item in hero(table).treasures] == six[2:] and len(found(told, facts.Discarded)) == 1
    assert hero(table).completed == ["unseemly_deal"]


def test_d73_the_wounds_of_a_sacrifice_are_taken_before_it_is_completed() -> None:
    told = act(at("dark_altar", "blood_price"), 0, "attempt blood_price")
    kinds = [type(event) for event in told if isinstance(event, (facts.Wounded, facts.QuestCompleted, facts.LevelRose))]
    assert kinds == [facts.Wounded, facts.Wounded, facts.QuestCompleted, facts.LevelRose]


def test_d73_hunt_the_quest_monster_attacks_first() -> None:
    table = at("fiend_cages", "cage_mother", {}, {}, dice=[1, 6, 6, 1])
    do(table, 0, "attempt cage_mother")
    assert asks(table) == "Hunt" and table.asked == [1] and table.moves(1) == ["melee", "speed"]
    do(table, 1, "melee")
    told = until(table, "Challenge")
    assert hero(table).hurt == {"cage_mother": 1} and not told
    told = act(table, 0, "attack monster 1 melee")
    assert only(told, facts.QuestCompleted).quest == "cage_mother"
    assert hero(table).ap == 2 and [event.why for event in found(told, facts.Gained)] == ["stay"]


def test_d73_wounds_of_a_quest_monster_stay_in_this_turn() -> None:
    table = at("wardens_post", "bone_warden", {}, dice=[1, 6, 1, 6], ap=3)
    do(table, 0, "attempt bone_warden")
    do(table, 1, "melee")
    act(table, 0, "decline")
    do(table, 0, "attempt bone_warden")
    told = act(table, 1, "melee")
    assert only(told, facts.QuestCompleted).quest == "bone_warden"


def test_d73_a_hunt_gets_the_bonus_of_its_place_and_can_only_be_ignored() -> None:
    table = at("fiend_cages", "cage_mother", {}, dice=[3, 1], glory=2, hand=["distracting_manoeuvre", "banish"], ap=1)
    do(table, 0, "attempt cage_mother")
    do(table, 1, "melee")
    assert table.moves(0) == ["pass", "play distracting_manoeuvre 1 ignore"]
    told = quiet(table)
    assert only(told, battle_facts.AttackRolled).more == 1  # fiends there
    assert hero(table).completed == []


def test_d73_search_finds_the_place_for_this_turn() -> None:
    table = at("gloom_tunnel", "buried_crown", dice=[6])
    assert not words(table, 0, "attempt")
    event = only(act(table, 0, "search buried_crown"), facts.Searched)
    assert (event.between, event.total, event.found) == (2, 8, True)
    assert words(table, 0, "attempt") == ["attempt buried_crown"] and not words(table, 0, "search")
    act(table, 0, "attempt buried_crown")
    assert (hero(table).value("melee"), hero(table).value("magic")) == (4, 2)
    table = at("gloom_tunnel", "buried_crown", dice=[6, 6])
    act(table, 0, "search buried_crown", "move s", "move n")
    assert not words(table, 0, "attempt")


def test_d73_threat_a_failure_hits_all_heroes_there() -> None:
    table = at("hall_of_blades", "still_the_blades", {"at": "hall_of_blades"}, {"at": "entrance"}, dice=[1])
    told = act(table, 0, "attempt still_the_blades")
    assert [event.seat for event in found(told, facts.Wounded)] == [0, 1] and len(found(told, facts.Checked)) == 1


def test_d73_chance_is_one_roll_an_attempt() -> None:
    table = at("treasury", "gamblers_ghost", dice=[5, 6], glory=2)
    assert words(table, 0, "attempt") == [f"attempt gamblers_ghost {n}" for n in range(3)]
    event = only(act(table, 0, "attempt gamblers_ghost 1"), facts.ChanceRolled)
    assert (event.dice, event.total, event.won) == ((5, 6), 12, True) and hero(table).completed


def test_d74_escort_from_one_place_to_the_other_without_ap() -> None:
    table = at("crossroads", "signal_lantern", {}, common=True, dice=[6] * 9)
    told = act(table, 0, "take signal_lantern")
    assert hero(table).escorts == ["signal_lantern"] and hero(table).ap == 3
    assert len(state(table).common) == 1 and only(told, facts.QuestDrawn).seat == -1
    act(table, 0, "move w", "move n", "complete signal_lantern")
    assert hero(table).completed == ["signal_lantern"]


def test_d74_giving_up_and_picking_up() -> None:
    table = at("crossroads", "signal_lantern", {"at": "crossroads"}, escorts=["signal_lantern"])
    assert table.anytime(0) == ["drop signal_lantern"]
    do_any = table.play(0, "drop signal_lantern", table.round, "00" * 16)
    assert only(do_any, facts.QuestDropped).at == "crossroads" and hero(table).quests == []
    assert not words(table, 0, "pick_up")  # not in the same turn
    table = sit(
        {"at": "crossroads", "quests": ["blood_price", "cage_mother"]}, {}, dropped={"signal_lantern": "crossroads"}
    )
    act(table, 0, "pick_up signal_lantern")
    assert len(hero(table).quests) == 3 and hero(table).escorts == ["signal_lantern"]


def test_d75_a_strike_may_take_an_escort_in_place_of_the_wound() -> None:
    table = at(
        "crossroads", "", {"at": "crossroads", "quests": ["signal_lantern"], "escorts": ["signal_lantern"]}, dice=[6, 1]
    )
    do(table, 0, "attack 1 melee")
    until(table, "StrikeHero")
    assert table.moves(0) == ["wound", "escort signal_lantern"]
    told = act(table, 0, "escort signal_lantern")
    assert only(told, facts.QuestStolen).victim == 1 and hero(table).escorts == ["signal_lantern"]
    assert hero(table, 1).hp == 6


def test_d76_nothing_is_attempted_elsewhere() -> None:
    assert not words(at("entrance", "still_the_blades"), 0, "attempt")


def test_d77_completion_ends_the_phase_and_the_quest_leaves_the_game() -> None:
    table = at("portal", "unseemly_deal", glory=5)
    told = do(table, 0, "attempt unseemly_deal payment")
    assert asks(table) == "Save" and only(told, facts.QuestCompleted).number == 1
    assert hero(table).completed == ["unseemly_deal"] and hero(table).quests == [] and hero(table).ap == 2


def test_d78_one_level_up_but_not_above_4_and_none_for_artifacts() -> None:
    table = at("library", "whispering_skins", dice=[6], level=3, hero="hemp")
    act(table, 0, "attempt whispering_skins")
    assert hero(table).level == 4
    table = at("library", "whispering_skins", dice=[6], level=4, hero="hemp")
    act(table, 0, "attempt whispering_skins")
    assert hero(table).level == 4


def test_d79_a_common_quest_is_replaced_an_artifact_is_not() -> None:
    table = at("hall_of_blades", "still_the_blades", common=True, dice=[6])
    act(table, 0, "attempt still_the_blades")
    assert len(state(table).common) == 1
    table = at("arsenal", "chainmail_golem", common=True, dice=[6])
    act(table, 0, "attempt chainmail_golem")
    assert state(table).common == []
    table = at("hall_of_blades", "still_the_blades", dice=[6])
    act(table, 0, "attempt still_the_blades")
    assert hero(table).quests == []


def test_d74_d79_beginning_a_personal_or_a_dropped_escort_draws_no_common_quest() -> None:
    """Nothing lies open since a common artifact was completed."""
    table = at("crossroads", "signal_lantern", {})
    assert not found(act(table, 0, "take signal_lantern"), facts.QuestDrawn) and state(table).common == []
    table = sit({"at": "crossroads"}, {}, dropped={"signal_lantern": "crossroads"})
    assert not found(act(table, 0, "pick_up signal_lantern"), facts.QuestDrawn) and state(table).common == []


def no_third(mine: int, rivals: int, **where: Any) -> bool:
    """Whether nobody can have three quests any more, if two heroes live who have completed so many."""
    done = ["blood_price", "unseemly_deal", "still_the_blades", "gamblers_ghost"]
    first = {"completed": done[:mine], **where.pop("first", {})}
    second = {"completed": done[2 : 2 + rivals], **where.pop("second", {})}
    return summary(sit(first, second, {"alive": False, "hp": 0}, **where).shared()).no_third


def test_d79_the_quests_may_run_out_before_anybody_has_three() -> None:
    assert no_third(2, 2) and no_third(2, 0)
    assert not no_third(2, 2, first={"quests": ["cage_mother"]}) and no_third(1, 1, first={"quests": ["cage_mother"]})
    assert not no_third(2, 0, dropped={"lost_pilgrim": "crossroads"})
    lost = {"quests": ["lost_pilgrim"], "escorts": ["lost_pilgrim"]}
    assert not no_third(2, 1, second=lost), "it can be stolen"
    assert no_third(2, 1, second={"quests": ["cage_mother"]})
    assert not no_third(1, 1, common=["cage_mother"]), "it is replaced by another"
    assert no_third(1, 1, common=["buried_crown"]) and not no_third(1, 1, common=["buried_crown"], variants=["fresh"])


def test_d80_all_heroes_may_try_the_common_quest() -> None:
    for seat in (0, 1):
        table = sit({"at": "library"}, {"at": "library"}, map=ROOMS, common=["whispering_skins"], active=seat)
        assert "attempt whispering_skins" in table.moves(seat)
