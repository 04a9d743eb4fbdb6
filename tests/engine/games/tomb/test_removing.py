"""Removing paws, and chests: T-50 to T-64."""

from engine.games.tomb import facts
from engine.games.tomb.positions import Board, PileOf
from tests.engine.games.tomb.digging import BARE, FULL, ROOMS, Dig, at_entrance, at_room, lifting

FOOD, GLORY2, FLIP = "chest_01", "chest_13", "chest_16"  # 3 food; 2 glory; 2 any and move


def test_t50_all_paws_are_lifted_one_at_a_time_in_any_order() -> None:
    dig = Dig(paws={"8": 0, "9": 0, "10": 0, "c11": 0}).say("remove")
    assert dig.moves == ["lift 8", "lift 9", "lift 10", "lift c11"]
    dig.say("lift 9", "lift c11")
    assert dig.moves == ["lift 8", "lift 10"] and dig.player().paws == 3
    assert dig.say("lift 10").player().paws == 5 and dig.seat == 1  # the last one is no question


def test_t51_the_paw_comes_back_before_the_effect_and_triggers_come_after_it() -> None:
    dig = at_room("warehouse", Board(helpers=("monk",)), owner=1)
    assert dig.player().paws == 4 and dig.asks == "Decide" and dig.goods()[4] == 0
    assert dig.say("gain 2 0 0").goods()[4] == 1


def test_t52_lifting_from_an_empty_cell_gives_nothing() -> None:
    dig = lifting(paws={"c11": 0, "c12": 0}).say("lift c11")
    assert dig.goods() == (1, 1, 1, 1, 0) and len(dig.heard(facts.Unused)) == 2


def test_t53_each_step_may_be_skipped_on_its_own() -> None:
    """The rulebook's player exchanges at 14 but does not refresh."""
    dig = at_entrance("14", Board(food=4)).say("pay 1 0 0 0", "skip")
    assert dig.goods()[0] == 3 and dig.goods()[3] == 2 and not dig.heard(facts.Discarded)
    other = at_entrance("14", rooms_pile=ROOMS).say("skip", "refresh sawmill", "done")
    assert other.goods()[3] == 1 and other.heard(facts.Discarded)


def test_t54_without_effect_is_a_paw_inside_the_tomb_of_which_no_step_was_applied() -> None:
    driver = Board(helpers=("minecart_driver",))
    skipped = at_room("warehouse", driver).say("skip")
    assert [event.place for event in skipped.heard(facts.Unused)] == ["c22"]
    applied = at_room("warehouse", driver).say("gain 2 0 0")
    assert [event.place for event in applied.heard(facts.Unused)] == ["c34"]
    assert not at_entrance("14", driver).say("skip", "skip").heard(facts.Unused)[:-1]
    # a plain gain is no question, but to somebody whom declining pays it is
    assert at_room("sawmill", driver).moves == ["gain", "skip"]
    assert at_room("sawmill").asks != "Decide"


def test_t55_a_room_opened_under_a_paw_is_lifted_later_with_its_effect() -> None:
    dig = at_entrance("2", FULL, rooms_pile=ROOMS).say("open hot_spring", "pay 0 2 2 0")
    assert dig.goods() == (9, 7, 7, 9, 2)  # the paw on c11 was lifted last; its food burned
    assert [event.card for event in dig.heard(facts.Gained)] == ["hot_spring"]


def test_t56_the_action_ends_by_itself_when_no_chest_can_be_used() -> None:
    dig = lifting(Board(chests=(FOOD,)), paws={"c11": 0}).say("lift c11")
    assert dig.moves == [f"use {FOOD}", "finish"] and dig.say("finish").seat == 1
    # the chest opens a room, which is not possible without a paw
    assert lifting(Board(chests=("chest_19",)), paws={"c11": 0}).say("lift c11").seat == 1


def test_t57_a_moved_paw_is_still_to_be_lifted() -> None:
    dig = at_entrance("4", rooms={"c12": ("sawmill", 1)}).say("move c11", "to c12", "gain 2 0 0")
    assert dig.goods()[2] == 4 and dig.player().paws == 5


def test_t58_a_chest_is_used_or_unused() -> None:
    dig = lifting(Board(chests=(FOOD,)), paws={"c11": 0, "c12": 0}).say(f"use {FOOD}")
    assert (dig.player().chests, dig.player().used) == ([], [FOOD])


def test_t59_chests_are_used_before_between_and_after_lifts_but_not_while_placing() -> None:
    board = Board(chests=(FOOD, "chest_02", "chest_03"))
    dig = lifting(board, paws={"c11": 0, "c12": 0}).say(f"use {FOOD}", "lift c11", "use chest_02", "lift c12")
    assert dig.moves == ["use chest_03", "finish"]
    assert dig.say("use chest_03").goods() == (7, 4, 1, 1, 0)
    assert not any(word.startswith("use") for word in Dig(board, paws={"1": 0}).moves)


def test_t60_a_chest_that_could_do_nothing_cannot_be_used() -> None:
    dig = lifting(Board(chests=("chest_19", FLIP)), BARE, paws={"8": 0, "9": 0})
    assert dig.moves == ["lift 8", "lift 9", f"use {FLIP}"]
    seller = Board(chests=(FLIP,), helpers=("speculator",))
    skipped = lifting(seller, paws={"c11": 0, "c12": 0}).say(f"use {FLIP}", "skip", "skip")
    assert skipped.player().used == [FLIP] and skipped.asks == "LiftPaw"  # and the speculator is not offered
    assert lifting(seller, paws={"c11": 0, "c12": 0}).say(f"use {FLIP}", "gain 2 0 0", "skip").asks == "Decide"


def test_t61_only_the_owner_knows_used_chests() -> None:
    dig = Dig(Board(used=(FOOD,)))
    assert dig.table.own(0).private.used == (FOOD,) and dig.table.own(1).private.used == ()
    assert dig.table.shared().public.players[0].used == 1


def test_t62_a_flipped_chest_is_usable_again_in_the_same_action() -> None:
    dig = at_room("stash", Board(chests=(FOOD,), used=("chest_02",))).say("gain 1 0 0", "flip chest_02")
    assert f"use {FOOD}" in dig.moves and "use chest_02" in dig.moves


def test_t63_a_sold_chest_goes_to_the_bottom_of_the_supply() -> None:
    dig = at_room("pawnshop", Board(chests=(FOOD,)), supply=("chest_04",)).say("gain 1 0 0", f"sell {FOOD}")
    assert dig.g.supply[0] == "chest_04" and dig.g.supply[-1] == FOOD and dig.goods()[3] == 2
    assert [event.chest for event in dig.heard(facts.ChestSold)] == [FOOD]
    assert dig.g.unseen == len(dig.g.supply) - 1


def test_t64_chests_are_worth_nothing_at_the_end() -> None:
    seen = Dig(Board(chests=(FOOD, GLORY2), glory=3)).table.shared().public
    assert [player.line.total for player in seen.players] == [3, 0]


def test_the_long_example_of_the_rulebook() -> None:
    """Andrej lifts 14, 5, Crane, 2 and the paw on which he has opened the Sphinx."""
    andrej = Board(food=4, torch=5, pickaxe=4, gold=1)
    dig = lifting(
        andrej,
        rooms={"c11": ("crane", 1)},
        paws={"14": 0, "5": 0, "c11": 0, "2": 0, "c34": 0},
        rooms_pile=PileOf(market=("living_fire", "sphinx", "arsenal")),
        helpers_pile=PileOf(market=("pyromancer", "builder", "baker")),
    )
    dig.say("lift 14", "pay 1 0 0 0", "skip", "lift 5", "hire pyromancer", "pay 0 4 0 0")
    assert dig.goods() == (3, 1, 4, 2, 4)
    dig.say("lift c11", "open living_fire", "at c12", "pay 0 0 3 0")
    assert dig.goods() == (3, 4, 1, 2, 5)  # 3 torches for both effects
    dig.say("lift 2", "open sphinx", "pay 3 3 0 0")
    assert dig.goods() == (0, 1, 1, 3, 9) and dig.seat == 1
    assert {cell: room.card for cell, room in dig.g.rooms.items()} == {
        "c11": "crane", "c12": "living_fire", "c34": "sphinx",
    }  # fmt: skip
