"""V-1 to V-11: the variants."""

from random import Random
from typing import Any

import pytest

from engine.chance import Chance
from engine.games.dungeoneer import facts, game
from engine.games.dungeoneer.cards import deck
from engine.table import Table
from engine.testing import deal, new_table
from engine.testing.moves import secret
from tests.engine.games.dungeoneer.sitting import act, asks, do, found, hero, only, sit, state, until, words
from tests.engine.games.dungeoneer.test_quests import ROOMS

RAT = "monster mutant_rat 1 melee"


def test_v1_the_whole_map_is_laid_before_the_game() -> None:
    for seats in (2, 3, 4):
        table, told = Table.begin(game, seats, deal(seats, 4), {"whole_map": "yes"})
        first = only(told, facts.FirstChosen).seat
        assert only(told, facts.Laid).location == "entrance" and not found(told, facts.FirstRolled)
        assert table.asked == [(first + 1) % seats]
        hidden = [card for tiles in state(table).tiles for card in tiles]
        assert len(hidden) == 21 and table.own(0).private.tiles == tuple(state(table).tiles[0])
        luck = Random(seats)
        while asks(table) in ("LayTile", ""):
            seat = table.waits[0]
            named = {place for quest in state(table).common for place in deck().quests[quest].places}
            mine = {word.split()[0] for word in table.moves(seat)}
            assert not mine & named or mine <= named, "locations of the common quest come last"
            told += table.play(seat, luck.choice(table.moves(seat)), table.round, secret(luck))
        g = state(table)
        assert len(g.spots) + len(g.aside) == 22 and not g.unlaid and g.first == first
        assert all(len(delver.hand) == 5 and delver.hero for delver in g.delvers)
        while asks(table) != "Deeds":
            for seat in list(table.waits):
                table.play(seat, table.default(seat), table.round, secret(luck))
        assert "explore" not in table.moves(first)


def defeated(**lord: Any) -> Any:
    dying = {
        "hero": "ilvaro",
        "hp": 1,
        "peril": 3,
        "level": 3,
        "glory": 4,
        "hand": ["parry"],
        "lair": ["ghoul_pack"],
        "completed": ["buried_crown"],
        "quests": ["signal_lantern"],
        "escorts": ["signal_lantern"],
        "down": True,
    }
    table = sit({"hand": ["mutant_rat"], **lord}, dying, variants=["resurrection"], phase="villainy", dice=[6, 1])
    told = do(table, 0, "group", RAT, "done")
    while asks(table) != "ChooseHero":
        told += table.play(table.waits[0], table.default(table.waits[0]), table.round, "00" * 16)
    return table, told


def test_v2_who_is_defeated_goes_on_with_another_hero() -> None:
    table, told = defeated(hero="hemp")
    assert only(told, facts.Defeated).again and table.asked == [1]
    assert table.moves(1) == ["grog", "varga", "amaura", "tikk"]
    do(table, 1, "tikk")
    delver = hero(table, 1)
    assert (delver.hero, delver.hp, delver.level, delver.at, delver.down, delver.ap) == (
        "tikk",
        6,
        1,
        "entrance",
        False,
        0,
    )
    assert (delver.glory, delver.peril) == (4, 2) and len(delver.hand) == 5 and delver.lair == []
    assert delver.completed == ["buried_crown"] and delver.quests == ["signal_lantern"] and delver.escorts == []
    assert state(table).group is not None and asks(table) == "LairOrHand"  # the group goes on


def test_v2_without_heroes_left_the_player_is_out() -> None:
    table = sit(
        {"hand": ["mutant_rat"]},
        {"hero": "ilvaro", "hp": 1, "peril": 1},
        variants=["resurrection"],
        phase="villainy",
        dice=[6, 1],
    )
    state(table).heroes.clear()
    act(table, 0, "group", RAT, "done")
    assert table.over


def test_v3_heroes_are_chosen_from_the_first_player_on() -> None:
    table = new_table(game, 3, 5, chosen_heroes="yes")
    first = state(table).first
    assert table.asked == [first] and table.moves(first) == list(deck().heroes)
    do(table, first, "varga")
    assert table.asked == [(first + 1) % 3] and "varga" not in table.moves((first + 1) % 3)


def test_v4_the_discard_is_optional() -> None:
    table = sit({"hand": ["parry"]}, {}, variants=["optional"], phase="discard")
    assert table.moves(0) == ["none", "hand parry"]


def placed_by(*quests: list[str], variants: Any = ("impartial",)) -> int:
    table = sit(
        *[{"quests": mine} for mine in quests], variants=variants, phase="locations", next_locations=["library"]
    )
    return int(table.asked[0])


def test_v5_a_location_of_ones_own_quest_goes_to_the_next_whom_it_does_not_concern() -> None:
    skins = ["whispering_skins"]
    assert placed_by([], [], []) == 0 and placed_by(skins, [], []) == 1
    assert placed_by(skins, ["blood_price"], variants=()) == 0
    table = sit(
        {"quests": ["runaway_apprentice"]},
        {"quests": ["signal_lantern"]},
        variants=["impartial"],
        phase="locations",
        next_locations=["hall_of_blades"],
    )
    assert table.asked == [0]  # of an escort only the first location counts


def test_v6_all_quests_are_common() -> None:
    g = state(new_table(game, 3, 2, impersonal="yes"))
    assert len(g.common) == 2 and all(delver.quests == [] for delver in g.delvers)
    table = sit(
        {"at": "arsenal", "hero": "grog"},
        {},
        map=ROOMS,
        variants=["impersonal"],
        dice=[6],
        common=["chainmail_golem", "signal_lantern"],
    )
    act(table, 0, "attempt chainmail_golem")
    assert len(state(table).common) == 2  # an artifact is replaced, too
    table = sit({"at": "crossroads"}, {}, map=ROOMS, variants=["impersonal"], common=["signal_lantern", "blood_price"])
    act(table, 0, "take signal_lantern")
    assert hero(table).quests == ["signal_lantern"] and len(state(table).common) == 2
    assert not words(sit({"quests": ["blood_price"], "glory": 9}, {}, variants=["impersonal"]), 0, "exchange")


def test_v7_three_ap_and_none_saved() -> None:
    table = sit({"hero": "grog"}, {}, variants=["limited"], phase="recovery")
    do(table, 0, *[table.moves(0)[0]] * (asks(table) == "Villainy"))
    do(table, 0, table.moves(0)[0])
    assert hero(table).ap == 3
    told = act(table, 0, "end")
    assert not found(told, facts.ApSaved) and hero(table).ap == 0


def test_v7_lying_down_for_an_ap_that_is_not_for_movement() -> None:
    table = sit({"ap": 0, "hand": ["parry"]}, {}, variants=["limited"])
    act(table, 0, "lie")
    assert (hero(table).down, hero(table).spare) == (True, 1)
    assert not words(table, 0, "move") and "explore" in table.moves(0) and "stand" in table.moves(0)
    table = sit(
        {"hand": ["mutant_rat"]},
        {"hero": "grog", "peril": 1},
        variants=["limited"],
        phase="villainy",
        dice=[2, 1, 6, 1],
    )
    do(table, 0, "group", RAT, "done")
    until(table, "Challenge")
    assert table.moves(1) == ["decline", "attack monster 1 melee lying", "attack monster 1 speed lying"]
    act(table, 1, "attack monster 1 melee lying")
    assert hero(table, 1).down and hero(table, 1).spare == 0 and hero(table, 1).glory == 1


def test_v8_lying_down_to_strike_back_if_no_ap_was_saved() -> None:
    def challenged(**defender: Any) -> Any:
        table = sit(
            {"hand": ["mutant_rat"], "at": "crossroads"},
            {"hero": "grog", "peril": 1, "at": "crossroads", **defender},
            variants=["fall_ap"],
            phase="villainy",
            dice=[2, 1, 6, 1],
        )
        do(table, 0, "group", RAT, "done")
        while asks(table) not in ("Challenge", "LairOrHand"):
            table.play(table.waits[0], "pass", table.round, "00" * 16)
        return table

    assert challenged().moves(1) == ["decline", "attack monster 1 melee lying", "attack monster 1 speed lying"]
    assert asks(challenged(kept=True)) == "LairOrHand" and asks(challenged(down=True)) == "LairOrHand"


@pytest.mark.parametrize(("variants", "ap"), [(["limited"], 0), (["fall_ap"], 0), ([], 1)])
def test_v7_v8_second_wind_before_any_challenge_that_it_could_pay(variants: list[str], ap: int) -> None:
    """Also before one that could be made lying, or with the AP that is there."""
    table = sit(
        {"hand": ["mutant_rat"], "at": "crossroads"},
        {"hero": "grog", "peril": 1, "at": "crossroads", "glory": 2, "hand": ["second_wind"], "ap": ap},
        variants=variants,
        phase="villainy",
        dice=[2, 1, 6, 1],
    )
    do(table, 0, "group", RAT, "done")
    until(table, "Challenge")
    assert "play second_wind" in table.moves(1) and words(table, 1, "attack monster 1 melee")
    do(table, 1, "play second_wind")
    act(table, 1, "attack monster 1 melee")
    assert not hero(table, 1).down and hero(table, 1).ap == ap


def test_v9_spikes_can_be_dodged_for_an_ap() -> None:
    table = sit({"ap": 3, "hero": "tikk"}, {}, map=ROOMS, variants=["dodge"])
    do(table, 0, "move n")
    assert table.moves(0) == ["roll", "pay"]
    told = act(table, 0, "pay")
    assert found(told, facts.Dodged) and not found(told, facts.Checked) and hero(table).ap == 1


def test_v10_a_common_artifact_is_replaced_too() -> None:
    table = sit(
        {"at": "arsenal", "hero": "grog"}, {}, map=ROOMS, variants=["fresh"], dice=[6], common=["chainmail_golem"]
    )
    act(table, 0, "attempt chainmail_golem")
    assert len(state(table).common) == 1


def test_v11_the_speed_of_heroes_rises_late() -> None:
    for card in deck().heroes.values():
        for level, (early, late) in enumerate(zip(card.speed, card.late_speed, strict=True), 1):
            one = hero(sit({"hero": card.name, "level": level}, {}, variants=["late_speed"]))
            assert (one.value("speed"), one.ap, one.value("melee")) == (late, late, card.melee[level - 1]), card.name
            assert hero(sit({"hero": card.name, "level": level}, {})).value("speed") == early
        assert sum(card.late_speed) < sum(card.speed)


def test_v11_is_chosen_by_default_but_not_alone() -> None:
    for seats in game.seats:
        chosen = game.choose_options({}, seats)
        assert chosen.get("late_speed", "") == ("" if seats == 1 else "yes")
        assert [one.late for one in game.setup(seats, chosen, Chance("00" * 32)).delvers] == [seats > 1] * seats
