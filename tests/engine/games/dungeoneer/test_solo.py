"""D-102 to D-108: the solo game."""

from typing import Any

from engine.games.dungeoneer import battle_facts, facts
from engine.table import Table
from tests.engine.games.dungeoneer.sitting import act, asks, do, found, hero, only, quiet, sit, state, until, words

MAP = {"entrance": (0, 0), "rubble_crawl": (0, -1), "crossroads": (1, 0), "gloom_tunnel": (0, 1), "dark_altar": (1, -1)}
THREE = ["blood_price", "cage_mother", "still_the_blades"]


def alone(*cards: str, dice: Any = (), variants: Any = (), **player: Any) -> Table:
    """The next cards of the peril deck are these."""
    return sit({"hero": "grog", "ap": 3, **player}, map=MAP, next_cards=cards, dice=dice, variants=variants)


def test_d102_three_quests_and_back_at_the_entrance_win() -> None:
    table = sit({"at": "rubble_crawl", "completed": THREE[:2], "quests": ["signal_lantern"], "ap": 3}, map=MAP)
    state(table).delvers[0].completed.append("still_the_blades")
    act(table, 0, "move s")
    assert state(table).result.winners == (0,)  # type: ignore[union-attr]
    table = alone("mutant_rat", at="rubble_crawl", hp=1, dice=[1, 6, 6, 1], hero="ilvaro")
    act(table, 0, "move s")
    assert state(table).result.standings[0].why == "defeated"  # type: ignore[union-attr]


def test_d104_dice_for_peril() -> None:
    """The crossroads have 2 peril: two dice against 2; the rubble has 1."""
    told = act(alone("tomb_dread", "falling_block", dice=[2, 3, 6]), 0, "move e")
    assert only(told, facts.PerilRolled) == facts.PerilRolled((2, 3), 2)
    assert only(told, facts.PerilDrawn).cards == ("tomb_dread",)
    told = act(alone(dice=[2]), 0, "move n")
    assert only(told, facts.PerilRolled).number == 1 and not found(told, facts.PerilDrawn)


def test_d104_there_is_no_villainy_and_a_stay_rolls_at_once() -> None:
    table = sit({"hero": "grog", "ap": 0, "at": "rubble_crawl"}, map=MAP, phase="discard", dice=[6])
    assert not found([], facts.Gained) and asks(table) in ("Lay", "Deeds")


def test_d105_curses_then_traps_then_monsters_in_one_battle() -> None:
    table = sit(
        {"hero": "grog", "ap": 3},
        map={**MAP, "crossroads": (0, -1), "dark_altar": (0, -2, 180), "rubble_crawl": (1, 0)},
        next_cards=["mutant_rat", "weakness"],
        dice=[1, 2, 2, 1],
    )
    told = act(table, 0, "move n")
    assert only(told, facts.PerilDrawn).cards == ("mutant_rat", "weakness")
    assert [curse.card for curse in hero(table).curses] == ["weakness"]
    assert only(told, battle_facts.CounterRolled).value == 2  # the curse lies already
    assert only(told, battle_facts.LairChosen).to == "discard"


def test_d105_what_waits() -> None:
    table = alone("bloodlust", "sudden_doom", "ghoul_pack", dice=[1, 2, 6], at="entrance")
    act(table, 0, "move e")
    assert state(table).waiting == ["bloodlust", "sudden_doom"]
    state(table).dice = [1, 1, 1, 1]
    state(table).owed = [1]
    told = drawn(table)
    assert only(told, battle_facts.AttackRolled).more == 1 and state(table).waiting == ["sudden_doom"]
    assert state(table).discards["peril"].count("bloodlust") == 1


def drawn(table: Table) -> list[Any]:
    """An explored location; the peril that is owed is rolled for afterwards."""
    told = do(table, 0, "explore")
    return [*told, *act(table, 0, table.moves(0)[0])]


def test_d105_a_boss_goes_back_into_its_deck() -> None:
    table = alone("ramalit", dice=[1, 6, 1, 1, 1])
    told = act(table, 0, "move n")
    assert "ramalit" in state(table).decks["peril"] and "ramalit" not in state(table).discards["peril"]
    assert only(told, battle_facts.LairChosen).to == "deck" and not found(told, facts.Discarded)


def test_d106_harder_the_costliest_waits_in_the_lair_and_comes_again() -> None:
    table = alone("mutant_rat", "vat_horror", variants=["harder"], dice=[1, 2, 2, 1, 1, 1])
    act(table, 0, "move e")
    assert [item.card for item in hero(table).lair] == ["vat_horror"]
    assert state(table).discards["peril"] == ["mutant_rat"]


def test_d106_harder_of_two_equal_monsters_one_waits_and_one_is_discarded() -> None:
    table = alone("mutant_rat", "mutant_rat", variants=["harder"], dice=[1, 2, 2, 2, 1, 1])
    told = act(table, 0, "move e")
    assert [event.to for event in found(told, battle_facts.LairChosen)] == ["lair", "discard"]
    assert [item.card for item in hero(table).lair] == state(table).discards["peril"] == ["mutant_rat"]


def test_d107_a_card_of_glory_for_each_defeated_monster_and_in_phase_v() -> None:
    table = alone("mutant_rat", dice=[1, 1, 6])
    told = act(table, 0, "move n")
    assert only(told, facts.Drew).pile == "glory" and hero(table).glory == 2 + 1
    table = sit({"hero": "grog", "ap": 2, "moved": True, "hand": ["parry"] * 1}, map=MAP, phase="discard")
    assert len(hero(table).hand) == 2 and state(table).turn == 2  # nothing is discarded or saved


def test_d108_treasures_after_battles_boons_at_the_entrance() -> None:
    hand = ["notched_sword", "battle_prayer", "whetstone"]
    table = alone("mutant_rat", dice=[1, 1, 6], glory=9, hand=hand)
    assert words(table, 0, "play") == ["play battle_prayer"]
    do(table, 0, "move n")
    until(table, "Reap")
    assert table.moves(0)[:2] == ["done", "play notched_sword"]
    do(table, 0, "play notched_sword", "play whetstone notched_sword")
    quiet(table)
    while asks(table) == "Reap":
        do(table, 0, "done")
    assert not words(table, 0, "play")
