"""P-66 to P-84: movement, rooms, the queue of what they trigger, gems."""

from engine.games.scrawl import sheet
from engine.games.scrawl.cards import board
from engine.games.scrawl.facts import Gems
from engine.games.scrawl.team import Due, team
from tests.engine.games.scrawl.sitting import (
    at,
    idle,
    left,
    none_of,
    only,
    out,
    play,
    rooms_ahead,
    say,
    sitting,
    state_of,
    walk,
)

HERE = board("A")
PLAIN = ("W", "M", "C", "W", "M", "C")
STILL = ("move 1", "stop", "move 2", "stop", "done")


def test_p66_two_steps_with_boots_three_and_fewer_may_be_made() -> None:
    for face, steps in (("W", 2), ("boots", 3)):
        now = say(out(at("C1"), ("W", "W", "W", face, "W", "W")), "move 3")
        for step in range(steps):
            assert left(now) == steps - step
            assert "stop" in now.words()
            say(now, f"step {('D1', 'C1', 'C2')[step]}")
        assert left(now) is None, "the move ends by itself"
    now = say(out(at("C1")), "move 0", "step C2", "stop")
    assert left(now) is None and now.sheet.at == "C2"


def test_p67_the_first_step_leads_from_any_entrance_into_row_1() -> None:
    now = say(out(), "move 5")
    assert rooms_ahead(now) == {"A1", "B1", "C1", "D1", "E1", "F1"}
    say(now, "step C1")
    assert left(now) == 2 and now.sheet.path == ("C1",)
    assert rooms_ahead(now) == {"C2", "D1"}, "no way back to an entrance"


def test_p68_steps_lead_to_neighbours_never_diagonally_nor_on_the_spot() -> None:
    for room in HERE.rooms:
        for other in rooms_ahead(say(out(at(room)), "move 0")):
            between = HERE.near[room][other]
            assert other != room and between in ("open", "wrap")
            if between == "open":
                assert abs(ord(room[0]) - ord(other[0])) + abs(int(room[1]) - int(other[1])) == 1


def test_p69_a_wrap_is_one_step_in_either_direction() -> None:
    assert walk(at("F2"), "A2", "F2").sheet.path == ("F2", "A2", "F2")
    assert left(walk(at("A5"), "F5")) is not None


def test_p70_the_cloak_passes_walls_and_the_medallion_water() -> None:
    assert rooms_ahead(say(out(at("B1", items={"cloak": 2})), "move 0")) == {"A1", "B2", "C1"}
    assert "B1" in rooms_ahead(say(out(at("A1", items={"cloak": 2})), "move 0")), "a drawn wall too"
    assert rooms_ahead(say(out(at("C4", items={"medallion": 2})), "move 0")) == {"C5", "C3", "D4"}
    assert rooms_ahead(say(out(at("A6", items={"cloak": 2})), "move 0")) == {"A5", "B6"}, "not water"
    assert rooms_ahead(say(out(at("F1", items={"cloak": 2, "medallion": 2})), "move 0")) == {"E1", "F2"}, "the rim"


def test_p70_both_work_at_once_even_for_the_same_die() -> None:
    now = walk(at("E2", items={"cloak": 1}), "E1")
    assert "step D1" not in now.words()
    say(now, "item cloak")
    assert "step D1" in now.words() and say(now, "step D1").sheet.passed == 1


def test_p71_the_pathfinder_gains_a_step_for_each_water_once_a_die_for_the_same_one() -> None:
    finder = at("C3", talent="pathfinder", items={"medallion": 2})
    now = walk(finder, "C4", face="W")
    assert left(now) == 2
    say(now, "step C3")
    assert left(now) == 1, "the same water pays once"
    assert left(walk(finder, "C4", "D4", "D5", face="W")) is not None
    now = walk(finder, "C4", "C3", "C4", face="W")
    assert left(now) is None
    say(now, "move 4", "step C3")
    assert left(now) == 2, "with another die it pays again"


def test_p71_the_pathfinder_needs_the_medallion_to_cross() -> None:
    assert "step C4" not in say(out(at("C3", talent="pathfinder")), "move 0").words()


def test_p72_first_the_guard_then_the_reward_before_the_next_step() -> None:
    now = walk(at("E2"), "E1")
    assert now.sheet.wounds == 1 and now.words()[0] == "item sword", "the choice comes before the next step"
    now = walk(at("D2", wounds=4), "D3")
    assert now.sheet.resurrected, "the wound, before the level"


def test_p72_example_the_goblin() -> None:
    """Into the dungeon at C1, on to D1: a goblin of level 3 meets a rogue of level 2. A wound, a win, a potion."""
    now = walk(sheet(levels={"R": 2}), "C1", "D1").sheet
    assert (now.wounds, now.beaten, now.potions, now.hearts) == (1, ("D1",), 1, 0)


def test_p72_example_the_trap() -> None:
    """Into the dungeon at F1: a potion. Then E1: a trap, one wound, and a cell of any item."""
    now = walk(None, "F1")
    assert now.sheet.potions == 1
    say(now, "step E1")
    assert now.sheet.hearts + now.sheet.wounds == 1
    assert len(now.words()) == 8 and say(now, "item crown").sheet.items["crown"] == 1


def test_p73_nothing_happens_again_but_a_trap() -> None:
    now = walk(at("D1", levels={"R": 6}), "C1", "D1").sheet
    assert (now.potions, now.beaten) == (0, ()), "explored before"
    now = say(walk(None, "E1"), "item sword", "step F1", "step E1").sheet
    assert now.traps == 2 and now.hearts == 1 and now.items["sword"] == 1
    assert now.rooms == ("E1", "F1") and now.path == ("E1", "F1", "E1")


def test_p74_rewards_are_compulsory_and_lost_where_impossible() -> None:
    full = dict.fromkeys(("sword", "tome", "crown", "cloak", "armour", "cauldron", "medallion", "sceptre"), 2)
    now = walk(at("E2", items=full), "E1")
    assert now.queue == () and now.sheet.items == full
    assert walk(None, "E1").words() == [f"item {item}" for item in full], "it cannot be declined"
    assert walk(at("E1", potions=12), "F1").sheet.potions == 12


def test_p75_effects_queue_first_in_first_out() -> None:
    """A sixth gem gives a level-up; the Merchant's potion comes after it, and the row that it fills comes last."""
    now = walk(at("F3", gems=5, potions=7, talent="merchant"), "F4")
    assert now.words()[0] == "hero W" and now.sheet.potions == 7
    say(now, "hero W")
    assert now.sheet.potions == 8 and now.words()[0] == "item sword"


def test_p75_what_the_guard_triggers_comes_after_the_rooms_reward() -> None:
    hunters = at("B5", beaten=("A1", "E2"), talent="marauder")
    now = walk(hunters, "C5", "C6")
    assert [due.kind for due in now.queue] == ["level", "item"], "the Marauder's cell is last"


def test_p75_chains_inside_chains() -> None:
    """An item cell finishes the cauldron; its potions fill a row; the level makes a rogue of 4, whose gem pays."""
    now = walk(at("E2", items={"cauldron": 1}, potions=2, levels={"R": 3}, gems=1), "E1")
    say(now, "item cauldron")
    assert now.sheet.potions == 5 and now.words() == ["hero W", "hero M", "hero C", "hero R"]
    say(now, "hero R")
    assert (now.sheet.gems, now.sheet.potions) == (2, 6), "the second gem gives a potion"
    assert left(now) == 2 and now.queue == ()


def test_p76_wounds_are_the_difference_of_levels_and_the_minion_is_defeated_in_either_case() -> None:
    for level, wounds in ((1, 2), (2, 1), (3, 0), (4, 0)):
        now = walk(at("C1", levels={"R": level}), "D1").sheet
        assert (now.wounds, now.beaten) == (wounds, ("D1",))


def test_p77_a_defeated_minion_counts_on_the_track() -> None:
    now = walk(at("D2"), "E2", "F2", "A2").sheet
    assert now.beaten == ("E2",)


def test_p78_minions_defeated_from_afar_cost_nothing_and_leave_the_reward() -> None:
    now = walk(at("C1", beaten=("D1",)), "D1").sheet
    assert (now.wounds, now.potions, now.beaten) == (0, 1, ("D1",))


def test_p78_if_fewer_are_left_all_of_them_are_chosen() -> None:
    minions = tuple(name for name, room in HERE.rooms.items() if room.minion)
    now = out(sheet(beaten=minions[1:]), due=[Due("minion", 2)])
    assert say(now, f"minion {minions[0]}").queue == ()
    assert out(sheet(beaten=minions), due=[Due("minion", 2)]).queue == ()


def test_p79_a_trap_wounds_on_every_entry_but_not_the_scout() -> None:
    now = walk(at("E1", rooms=("E1", "F1")), "F1", "E1").sheet
    assert now.wounds == 1
    now = say(walk(at("E2", talent="scout"), "E1"), "item sword").sheet
    assert (now.wounds, now.traps) == (0, 1), "it still counts as set off"


def test_p80_a_gem_is_stolen_after_the_guard() -> None:
    now = walk(at("C1"), "C2").sheet
    assert (now.wounds, now.gems, now.stolen) == (1, 1, ("A",))
    assert walk(at("C1", crossed=("A",)), "C2").sheet.gems == 0
    assert walk(at("C1", gems=1, stolen=("A",)), "C2").sheet.gems == 1


def test_p81_rewards_of_the_gem_track_are_gained_when_their_circle_is_filled() -> None:
    assert walk(at("C1", gems=1), "C2").sheet.potions == 1
    assert walk(at("C1", gems=3), "C2").words()[0] == "item sword"
    assert walk(at("C1", gems=5), "C2").words()[0] == "hero W"
    assert walk(at("C1", gems=2), "C2").queue == ()


def test_p82_announced_gems_are_crossed_out_by_all_others() -> None:
    table = sitting(at("C1"), at("C1"), at("C1"), dice=PLAIN)
    for seat in (0, 1):
        play(table, seat, "move 0", "step C2", "stop", *STILL)
    told = only(idle(table, 2), Gems)
    assert told.stolen == (("A",), ("A",), ()) and told.crossed == ((), (), ("A",))
    sheets = state_of(table).sheets
    assert [each.gems for each in sheets] == [1, 1, 0], "all who stole it in this round keep it"
    assert sheets[2].crossed == ("A",)
    assert walk(sheets[2], "C2").sheet.gems == 0 and walk(sheets[2], "C2").sheet.traps == 1


def test_p82_the_thiefs_gem_is_not_announced() -> None:
    from tests.engine.games.scrawl.test_setup import keeping

    table = keeping("thief", "seer")
    told = play(table, 0, "gem E")
    assert none_of(told, Gems)
    assert [each.stolen for each in state_of(table).sheets] == [("E",), ()]
    assert state_of(table).sheets[1].crossed == ()


def test_p83_outside_gems_belong_to_each_team_separately() -> None:
    brewer, rogue = sheet(potions=11), sheet(black=("M", "R"), levels={"R": 3})
    table = sitting(brewer, rogue, dice=("W", "M", "C", "R", "M", "C"))
    play(table, 0, "brew 0", *STILL)
    told = play(table, 1, "level 3 R", *STILL)
    assert none_of(told, Gems), "they are not announced"
    assert [each.gems for each in state_of(table).sheets] == [1, 1]


def test_p83_the_twelfth_potion_gives_a_gem_whatever_it_comes_from() -> None:
    assert walk(sheet(potions=11), "F1").sheet.gems == 1


def test_p84_a_room_is_explored_once_it_is_entered() -> None:
    assert walk(None, "C1", "C2", "C1").sheet.rooms == ("C1", "C2")
    assert team(HERE, at("C1")).sheet.rooms == ("C1",)
