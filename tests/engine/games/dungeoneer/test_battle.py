"""D-50 to D-65: the stages of a battle."""

from typing import Any

from engine.games.dungeoneer import battle_facts, facts
from engine.table import Table
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

# Dice are given in the order in which they fall: all attacks, then all counters.


def strikes(*words: str, at: str = "crossroads", dice: Any = (1,) * 20, lord: Any = None, **defender: Any) -> Table:
    """Seat 0 declares this group against seat 1, Grog, who has melee 3, magic 1, speed 2."""
    hand = [word.split()[1] for word in words if word.split()[0] in ("monster", "trap", "attach")]
    table = sit(
        {"hand": hand, "hero": "varga", **(lord or {})},
        {"hero": "grog", "at": at, "peril": 20, **defender},
        phase="villainy",
        dice=dice,
    )
    do(table, 0, "group", *words, "done")
    return table


RAT = "monster mutant_rat 1 melee"


def test_d50_traps_and_battles_come_first_lair_and_reward_once_after_the_last_target() -> None:
    table = sit({"hand": ["mutant_rat", "ghoul_pack"]}, {"peril": 9}, {"peril": 9}, phase="villainy", dice=[1] * 9)
    told = act(table, 0, "group", RAT, "monster ghoul_pack 2 speed", "done")
    assert [type(e).__name__ for e in told if isinstance(e, (battle_facts.BattleBegan, battle_facts.BattleEnded))] == [
        "BattleBegan",
        "BattleEnded",
    ] * 2
    assert asks(table) == "LairOrHand"


def test_d51_a_monster_attacks_only_in_round_forms_and_is_countered_in_the_same() -> None:
    table = sit({"hand": ["ghoul_pack"]}, {"peril": 9, "hero": "hemp"}, phase="villainy", dice=[1, 1])
    do(table, 0, "group")
    assert words(table, 0, "monster") == ["monster ghoul_pack 1 melee", "monster ghoul_pack 1 speed"]
    told = act(table, 0, "monster ghoul_pack 1 speed", "done")
    assert (only(told, battle_facts.AttackRolled).value, only(told, battle_facts.CounterRolled).value) == (3, 2)


def test_d52_a_monster_has_its_printed_health_and_abilities_are_declared_with_the_attack() -> None:
    told = quiet(strikes("monster ramalit 1 magic", dice=[1, 6], glory=1, hand=["smoke_flask"]))
    assert only(told, battle_facts.FoeWounded).hp == 2  # of three
    table = sit({"hero": "ilvaro", "glory": 2, "at": "crossroads", "ap": 2}, {"at": "crossroads"}, dice=[1, 6])
    assert words(table, 0, "attack") == ["attack 1 magic", "attack 1 magic spark"]
    told = act(table, 0, "attack 1 magic spark")
    assert only(told, battle_facts.AttackRolled).total == 1 + 4 + 2 and hero(table).glory == 0


def test_d53_the_defender_answers_and_redirects() -> None:
    hand = ["distracting_manoeuvre", "parry"]
    table = strikes(RAT, glory=2, hand=hand, lord={"at": "crossroads"}, dice=[6, 1])
    assert asks(table) == "Respond" and table.shared().asked is None
    assert table.moves(1) == [
        "pass",
        "play distracting_manoeuvre 1 ignore",
        "play distracting_manoeuvre 1 hero 0",
        "play parry 1",
    ]
    told = [*do(table, 1, "play distracting_manoeuvre 1 hero 0"), *quiet(table)]
    assert only(told, battle_facts.AttackRolled).on == "h0" and only(told, facts.Wounded).seat == 0
    assert hero(table, 1).peril == 19  # it stays spent


def test_d53_an_ignored_attack_does_not_take_place() -> None:
    table = strikes(RAT, glory=1, hand=["distracting_manoeuvre"])
    told = act(table, 1, "play distracting_manoeuvre 1 ignore")
    assert not found(told, battle_facts.AttackRolled)


def test_d53_a_hero_that_is_drawn_in_answers_after_the_one_before() -> None:
    here = {"at": "crossroads", "glory": 5, "hero": "ilvaro", "hand": ["parry"]}
    table = sit(
        {"hand": ["mutant_rat"]},
        {"peril": 2, "at": "crossroads", "glory": 1, "hand": ["distracting_manoeuvre"]},
        here,
        phase="villainy",
        dice=[1, 1],
    )
    do(table, 0, "group", RAT, "done")
    do(table, 1, "play distracting_manoeuvre 1 hero 2")
    while table.moves(2) == []:
        pass_window(table)
    assert table.moves(2) == ["pass", "play parry 1"]


def test_d54_all_attack_dice_and_then_all_counter_dice() -> None:
    table = strikes(
        RAT, "monster ghoul_pack 1 speed", dice=[1, 2, 3, 4], glory=1, hand=["smoke_flask"], treasures=["warded_helm"]
    )
    rolls = [e for e in quiet(table) if isinstance(e, (battle_facts.AttackRolled, battle_facts.CounterRolled))]
    assert [(e.die, e.value, e.more, e.total) for e in rolls] == [
        (1, 2, 0, 3),
        (2, 3, 0, 5),
        (3, 3, 1, 7),
        (4, 2, 0, 6),
    ]


def test_d54_no_value_is_below_0() -> None:
    table = strikes("monster vat_horror 1 melee", dice=[3, 1], curses=["weakness", "clouded_mind"], hero="ilvaro")
    assert hero(table, 1).value("melee") == 0


def test_d55_the_higher_total_strikes_and_equal_totals_do_nothing() -> None:
    assert hero(run(strikes(RAT, dice=[6, 1])), 1).hp == 5  # 8 against 4
    table = run(strikes(RAT, dice=[1, 6]))  # 3 against 9: the counter kills the rat
    assert hero(table, 1).hp == 6 and state(table).discards["adventure"] == ["mutant_rat"]
    table = run(strikes(RAT, dice=[4, 3]))
    assert hero(table, 1).hp == 6 and asks(table) == "LairOrHand"


def run(table: Table) -> Table:
    quiet(table)
    return table


def test_d55_the_strike_text_stands_for_the_wound_and_rolled_attacks_are_not_cancelled() -> None:
    table = run(strikes("monster tunnel_stalker 1 speed", RAT, dice=[6, 6, 1, 1]))
    assert (hero(table, 1).hp, hero(table, 1).down) == (4, True)


def test_d55_what_follows_happens_even_if_the_wound_is_prevented() -> None:
    table = strikes("monster tunnel_stalker 1 speed", dice=[6, 1], treasures=["guardian_cloak"])
    do(table, 1, "use guardian_cloak")
    assert (hero(table, 1).hp, hero(table, 1).down) == (6, True)


def test_d56_a_monster_without_health_is_discarded_with_its_attachments() -> None:
    table = run(strikes(RAT, "attach bloodlust 1 1", dice=[1, 6]))
    assert state(table).discards["adventure"] == ["mutant_rat", "bloodlust"]


def fought(*dice: int, **defender: Any) -> Table:
    """The rat has attacked and the challenge is asked."""
    table = strikes(RAT, dice=dice, ap=1, kept=True, **defender)
    until(table, "Challenge")
    return table


def test_d57_the_attacked_hero_may_challenge_once_for_1_ap() -> None:
    table = fought(2, 1, 6, 1)
    assert table.moves(1) == ["decline", "attack monster 1 melee", "attack monster 1 speed"]
    told = act(table, 1, "attack monster 1 melee")
    assert only(told, battle_facts.FoeDefeated).card == "mutant_rat"
    assert hero(table, 1).ap == 0 and hero(table, 1).used == ["battle"]
    assert len(found(told, battle_facts.BattleBegan)) == 1 and only(told, battle_facts.BattleBegan).challenge


def test_d57_not_without_ap_nor_fallen_nor_against_what_does_not_attack() -> None:
    assert asks(run(strikes(RAT, dice=[2, 1]))) == "LairOrHand"
    assert asks(run(strikes(RAT, dice=[2, 1], ap=1, kept=True, down=True))) == "LairOrHand"
    table = strikes(RAT, dice=[2, 1], ap=1, glory=9, hand=["distracting_manoeuvre"])
    do(table, 1, "play distracting_manoeuvre 1 ignore")
    assert asks(run(table)) == "LairOrHand"


def test_d57_a_hero_beside_it_can_be_challenged_too_and_gets_a_response_but_no_challenge_back() -> None:
    table = sit(
        {"hand": ["mutant_rat"], "at": "crossroads", "hero": "varga", "ap": 2},
        {"hero": "grog", "at": "crossroads", "peril": 9, "ap": 1},
        phase="villainy",
        dice=[2, 1, 6, 1],
    )
    do(table, 0, "group", RAT, "done")
    until(table, "Challenge")
    assert "attack hero 0 melee" in table.moves(1)
    act(table, 1, "attack hero 0 melee")
    assert hero(table).hp == 5 and asks(table) == "LairOrHand"


def test_d58_a_hero_that_was_attacked_by_a_hero_may_challenge() -> None:
    table = sit(
        {"hero": "grog", "at": "crossroads", "ap": 2},
        {"hero": "varga", "at": "crossroads", "ap": 1, "kept": True},
        dice=[1, 2, 6, 1],
    )
    do(table, 0, "attack 1 melee")
    until(table, "Challenge")
    act(table, 1, "attack hero 0 melee")
    assert hero(table).hp == 5 and hero(table, 1).ap == 0


def test_d59_a_challenged_monster_counters_with_a_plain_wound() -> None:
    table = strikes("monster tunnel_stalker 1 speed", dice=[1, 2, 1, 6], ap=1, kept=True)
    until(table, "Challenge")
    act(table, 1, "attack monster 1 melee")
    assert (hero(table, 1).hp, hero(table, 1).down) == (5, False)


def test_d60_unwounded_to_lair_or_hand_wounded_to_lair_or_discard() -> None:
    table = run(strikes("monster djanguba 1 melee", RAT, dice=[1, 2, 6, 1]))
    assert table.moves(0) == ["lair", "discard"]
    do(table, 0, "lair")
    assert table.moves(0) == ["lair", "hand"]
    do(table, 0, "hand")
    assert hero(table).hand == ["mutant_rat"] and hero(table).known == ["mutant_rat"]
    assert [item.card for item in hero(table).lair] == ["djanguba"]


def test_d60_a_lair_holds_three() -> None:
    table = run(strikes(RAT, lord={"lair": ["ramalit", "ghoul_pack", "vat_horror"]}, dice=[2, 1]))
    do(table, 0, "lair")
    assert asks(table) == "Excess" and table.moves(0) == ["mutant_rat", "ghoul_pack", "vat_horror"]
    do(table, 0, "mutant_rat")
    assert len(hero(table).lair) == 3


def test_d61_monsters_of_the_lair_are_played_like_those_of_the_hand() -> None:
    table = sit(
        {"lair": [{"card": "vat_horror", "tucked": ["bloodlust"]}]}, {"peril": 3}, phase="villainy", dice=[1, 1]
    )
    told = act(table, 0, "group", "lair 1 1 melee", "done")
    assert only(told, battle_facts.GroupShown).paid == {1: 2} and only(told, battle_facts.AttackRolled).more == 1
    do(table, 0, "lair")
    assert hero(table).lair[0].tucked == ["bloodlust"]


def test_d62_peril_for_each_wound_of_a_monster_glory_for_each_wound_on_one() -> None:
    table = run(strikes("monster ramalit 1 melee", RAT, dice=[6, 1, 1, 6]))
    do(table, 0, "lair")
    assert hero(table, 1).glory == 1 and table.moves(0) == ["hero 1", "nobody"]
    peril = hero(table, 1).peril
    do(table, 0, "hero 1", "nobody")
    assert hero(table, 1).peril == peril + 1 and asks(table) != "GivePeril"


def test_d63_each_wound_can_be_prevented_by_itself() -> None:
    table = strikes("monster ramalit 1 melee", dice=[6, 1], treasures=["guardian_cloak", "chain_shirt"], glory=2)
    assert asks(table) == "WoundMoment"
    do(table, 1, "use guardian_cloak")
    assert asks(table) == "WoundMoment" and table.moves(1) == ["pass", "use chain_shirt"]
    do(table, 1, "use chain_shirt")
    assert hero(table, 1).hp == 6


def test_d63_a_treasure_that_prevents_a_wound_and_is_discarded_is_told() -> None:
    table = strikes(RAT, dice=[6, 1], treasures=["guardian_cloak"])
    until(table, "WoundMoment")
    told = do(table, 1, "use guardian_cloak")
    assert only(told, facts.Discarded) == facts.Discarded(1, ("guardian_cloak",), "treasure")
    assert state(table).discards["adventure"] == ["guardian_cloak"]


def test_d64_monsters_against_each_other() -> None:
    table = strikes("monster ramalit 1 melee", RAT, glory=1, hand=["distracting_manoeuvre"], dice=[6, 1, 1, 6])
    assert "play distracting_manoeuvre 1 monster 2" in table.moves(1)
    told = act(table, 1, "play distracting_manoeuvre 1 monster 2")
    assert only(told, battle_facts.FoeDefeated).card == "mutant_rat" and hero(table, 1).glory == 0
    assert len(found(told, battle_facts.AttackRolled)) == 2  # the rat rolled, but was out when it came to that
    table = strikes("monster ramalit 1 melee", RAT, glory=1, hand=["distracting_manoeuvre"], dice=[1, 1, 6, 6])
    told = act(table, 1, "play distracting_manoeuvre 1 monster 2")
    assert (
        only(found(told, battle_facts.FoeWounded)[:1], battle_facts.FoeWounded).wounds == 1
    )  # the rat strikes Ramalit


def test_d65_a_boss_cannot_be_discarded() -> None:
    table = strikes("monster ramalit 1 melee", RAT, hero="varga", lord={"hero": "grog"}, glory=20, dice=[1, 1, 6, 6])
    assert words(table, 1, "ability") == ["ability 2"]
    quiet(table)
    assert [item.card for item in hero(table).lair] == ["ramalit"]  # wounded: no choice
    assert "hand ramalit" in sit({"hand": ["ramalit", "parry"]}, {}, phase="discard").moves(0)
