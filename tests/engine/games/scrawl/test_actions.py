"""P-46 to P-65: levels, items, potions, wounds."""

import pytest

from engine.games.scrawl import sheet
from engine.games.scrawl.cards import board, deck
from engine.games.scrawl.facts import Sheet
from engine.games.scrawl.scoring import lines, power
from engine.games.scrawl.team import Due, skull_wounds, team
from tests.engine.games.scrawl.sitting import at, out, rooms_ahead, said, say, walk

HERE = board("A")
ALL_SIX = dict.fromkeys("WMCR", 6)
WHITE_W, BLACK_W = 0, 3
WARRIORS = ("W", "W", "W", "W", "W", "W")


def levels(*dice: str, where: Sheet) -> set[str]:
    return {word for word in out(where, dice).words() if word.startswith("level")}


def test_p46_the_symbol_in_the_colour_of_the_personality() -> None:
    """The rulebook's team: warrior and cleric need black dice, rogue and mage white ones."""
    team = sheet(black=("W", "C"))
    assert levels("W", "W", "W", "W", "W", "W", where=team) == {"level 3 W", "level 4 W", "level 5 W"}
    assert levels("M", "C", "R", "M", "C", "R", where=team) == {"level 0 M", "level 2 R", "level 4 C"}


def test_p46_example_the_warrior_rises_to_level_2_and_health_from_4_to_5() -> None:
    before = sheet(black=("W", "C"))
    after = said(["level 3 W"], where=before, dice=WARRIORS)
    assert (before.strength, after.levels["W"], after.strength) == (4, 2, 5)


def test_p46_a_clover_the_mage_and_the_mystic_are_exceptions() -> None:
    assert levels("clover", "M", "M", "M", "M", "M", where=sheet(black=("W", "C"), levels={"M": 6})) == {
        "level 0 W", "level 0 C", "level 0 R",
    }  # fmt: skip
    assert "level 0 W" in levels(*WARRIORS, where=sheet(levels={"M": 4}))
    assert "level 0 W" in levels(*WARRIORS, where=sheet(talent="mystic"))


def test_p47_a_level_up_that_is_a_reward_ignores_symbol_and_colour() -> None:
    now = out(sheet(potions=2), WARRIORS)
    assert say(now, "brew 0").words() == ["hero W", "hero M", "hero C", "hero R"]


def test_p48_six_is_the_maximum_and_a_level_up_without_a_hero_is_lost() -> None:
    assert levels(*WARRIORS, where=sheet(levels={"W": 6})) == set()
    assert "hero W" not in say(out(sheet(potions=2, levels={"W": 6}), WARRIORS), "brew 0").words()
    now = say(out(sheet(potions=2, levels=ALL_SIX), WARRIORS), "brew 0")
    assert now.queue == () and now.sheet.levels == ALL_SIX


def test_p49_a_warrior_at_level_4_gives_1_power() -> None:
    spider = deck().monsters["1B"]
    assert power(sheet(levels={"W": 3}), HERE, spider) == 6 + 1
    assert power(sheet(levels={"W": 4}), HERE, spider) == 7 + 1 + 1


def test_p50_a_mage_at_level_4_turns_colours_at_once_and_without_limit() -> None:
    now = out(sheet(black=("W", "C"), levels={"M": 3}), ("M", "W", "W", "R", "C", "W"))
    assert "level 1 W" not in now.words()
    say(now, "level 0 M")
    assert {"level 1 W", "level 2 W", "level 3 R"} <= set(now.words())
    say(now, "level 1 W")
    assert "level 2 W" in now.words()


def test_p51_a_cleric_at_level_4_keeps_skulls_away() -> None:
    assert skull_wounds(HERE, sheet(levels={"C": 4}), 2) == 0
    assert skull_wounds(HERE, sheet(levels={"C": 3}), 2) == 2


def test_p52_a_rogue_reaching_level_4_steals_an_outside_gem_once() -> None:
    now = out(sheet(black=(), levels={"R": 3}), ("R", "R", "R", "W", "W", "W"))
    say(now, "level 0 R")
    assert now.sheet.gems == 1 and now.sheet.stolen == ()
    assert say(now, "level 1 R").sheet.gems == 1


def test_p53_any_die_but_boots_fills_a_cell_whatever_its_colour() -> None:
    words = out(None, ("W", "M", "C", "R", "boots", "boots")).words()
    assert {"craft 0 armour", "craft 1 armour", "craft 2 armour", "craft 3 armour"} <= set(words)
    assert not [word for word in words if word.startswith(("craft 4", "craft 5"))]
    now = say(out(None, WARRIORS), "craft 0 sword")
    assert now.sheet.items["sword"] == 1
    assert "craft 1 sword" not in say(now, "craft 3 sword").words(), "two cells"


def test_p54_four_items_need_their_symbol_or_a_clover() -> None:
    words = set(out(None, ("W", "clover", "M", "C", "R", "boots")).words())
    for die, item in ((0, "sword"), (2, "tome"), (3, "crown"), (4, "cloak")):
        assert f"craft {die} {item}" in words and f"craft 1 {item}" in words
    assert "craft 0 tome" not in words and "craft 2 sword" not in words
    now = out(due=[Due("item")])
    assert [word.split()[1] for word in now.words()] == list(deck().items), "a reward ignores the symbol"


def test_p55_an_item_works_from_its_second_cell_on_and_a_lone_cell_scores_1() -> None:
    half = sheet(items={"medallion": 1, "sword": 1})
    assert lines(half, HERE)["E"] == 2
    assert power(half, HERE, deck().monsters["1B"]) == 5
    assert say(out(sheet(items={"tome": 1}), ("M", *WARRIORS[1:])), "craft 0 tome").words() == [
        "hero W", "hero M", "hero C", "hero R",
    ]  # fmt: skip
    instant = said(["craft 0 cauldron"], where=sheet(items={"cauldron": 1}), dice=WARRIORS)
    assert instant.potions == 3


def test_p56_what_finished_items_score() -> None:
    found = {item: lines(sheet(items={item: 2}), HERE)["E"] for item in deck().items}
    assert found == {
        "armour": 4, "crown": 6, "cauldron": 2, "medallion": 3, "cloak": 2, "sword": 2, "sceptre": 1, "tome": 5,
    }  # fmt: skip


def test_p56_armour_helps_whoever_fights_a_minion() -> None:
    assert walk(at("C1", levels={"R": 2}), "D1").sheet.wounds == 1
    assert walk(at("C1", levels={"R": 2}, items={"armour": 2}), "D1").sheet.wounds == 0


def test_p56_the_sceptre_defeats_two_minions_of_ones_choice() -> None:
    now = say(out(sheet(items={"sceptre": 1}), WARRIORS), "craft 0 sceptre")
    assert len(now.words()) == 16
    say(now, "minion F7")
    assert len(now.words()) == 15 and "minion F7" not in now.words()
    say(now, "minion A1")
    assert now.sheet.beaten == ("F7", "A1") and now.sheet.wounds == 0 and now.queue == ()


def test_p56_cloak_and_medallion_work_at_once() -> None:
    now = say(out(at("B1", items={"cloak": 1}), ("R", *WARRIORS[1:])), "craft 0 cloak", "move 1")
    assert rooms_ahead(now) == {"A1", "B2", "C1"}


def test_p56_example_six_cells_and_armour() -> None:
    """Sword and armour finished, one cell each of cloak and cauldron: 6 glory, and 2 for the armour."""
    example = sheet(items={"sword": 2, "armour": 2, "cloak": 1, "cauldron": 1}, talent="")
    assert lines(example, HERE)["E"] == 6 + 2
    assert power(example, HERE, deck().monsters["1B"]) == 4 + 1 + 3


def test_p57_a_die_brews_two_potions_the_alchemist_three() -> None:
    assert said(["brew 0"], where=sheet()).potions == 2
    assert said(["brew 0"], where=sheet(talent="alchemist")).potions == 3
    assert not [word for word in out(None, ("W", "W", "W", "boots", "W", "W")).words() if word == "brew 3"]


def test_p58_a_full_row_gives_its_reward_at_once() -> None:
    assert say(out(sheet(potions=3)), "brew 0").words()[0] == "hero W"
    assert say(out(sheet(potions=7)), "brew 0").words()[0] == "item sword"
    assert said(["brew 0"], where=sheet(potions=11)).gems == 1
    assert walk(sheet(potions=3), "F1").words()[0] == "hero W", "potions from rooms fill circles too"


def test_p58_example_six_potions() -> None:
    """Six potions brewed; the first row has given a level; three wounds are healed, and hearts are left."""
    now = say(out(sheet(), WARRIORS), "brew 0", "brew 1", "hero C", "brew 2").sheet
    assert (now.potions, now.levels["C"]) == (6, 2)
    healing = team(HERE, now)
    healing.wound(3)
    assert (healing.sheet.hearts, healing.sheet.wounds) == (3, 0)


def test_p59_at_most_twelve_and_no_brewing_with_twelve() -> None:
    assert said(["brew 0"], where=sheet(potions=11, talent="alchemist")).potions == 12
    assert not [word for word in out(sheet(potions=12)).words() if word.startswith("brew")]


def test_p60_wounds_come_from_skulls_minions_traps_and_monsters() -> None:
    assert walk(at("C1"), "D1").sheet.wounds == 2
    assert walk(None, "B1").sheet.wounds == 1
    assert skull_wounds(HERE, sheet(), 1) == 1
    assert all(any(wounds for _, _, wounds in monster.tiers) for monster in deck().monsters.values())


def test_p61_a_wound_fills_an_empty_heart_before_the_track() -> None:
    now = team(HERE, sheet(potions=1, levels=ALL_SIX))
    now.wound(1)
    assert (now.sheet.hearts, now.sheet.wounds) == (1, 0)
    now.wound(2)
    assert (now.sheet.hearts, now.sheet.wounds) == (2, 1)


def test_p62_a_potion_heals_only_what_comes_while_it_is_brewed() -> None:
    assert said(["brew 0"], where=sheet(wounds=2)).wounds == 2
    after = walk(at("C1", levels={"R": 2}), "D1").sheet
    assert (after.wounds, after.potions, after.hearts) == (1, 1, 0), "the guard's wound comes before the room's potion"


def test_p63_there_is_no_cell_beyond_the_24th() -> None:
    now = team(HERE, sheet(wounds=23, resurrected=True))
    now.wound(5)
    assert now.sheet.wounds == 24


def test_p64_more_wounds_than_health_cost_a_resurrection_once() -> None:
    now = team(HERE, sheet(wounds=3))
    found = []
    for wounds in (1, 1, 10):
        now.wound(wounds)
        found.append((now.sheet.wounds, lines(now.sheet, HERE)["I"]))
    assert found == [(4, 0), (5, -9), (15, -9)], "wounds equal to health do not trigger it"


def test_p64_health_that_follows_comes_too_late() -> None:
    now = walk(at("D2", wounds=4), "D3")
    assert now.sheet.resurrected
    assert say(now, "hero W").sheet.resurrected


@pytest.mark.parametrize(("cells", "glory"), [(0, 0), (1, 0), (2, -1), (11, -6), (12, -8), (24, -24)])
def test_p65_the_topmost_shield_that_is_reached(cells: int, glory: int) -> None:
    assert lines(sheet(wounds=cells, hearts=9, potions=12), HERE)["H"] == glory
