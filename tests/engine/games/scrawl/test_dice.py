"""P-23 to P-28 and P-37 to P-45: dice, and the order of a round."""

from collections import Counter

import pytest
from msgspec import field

from engine.chance import Chance
from engine.games.scrawl import position, sheet
from engine.games.scrawl.facts import (
    FACES,
    NUMBERS,
    Acted,
    Fought,
    Gems,
    Rewarded,
    Rolled,
    Round,
    Scored,
    Vanished,
)
from engine.games.scrawl.rules import EndRound, Roll, ThreeDice, rolled_again
from engine.move_error import MoveError
from tests.engine.games.scrawl.sitting import at, begun, idle, left, only, out, play, say, sit, sitting, state_of

PLAIN = ("W", "M", "C", "W", "M", "C")


class Loaded(Chance):
    """Dice that fall as they are told."""

    faces: list[int] = field(default_factory=list)

    def below(self, n: int) -> int:
        return self.faces.pop(0)


def loaded(*rolls: str) -> Loaded:
    faces = [FACES[die].index(face) for roll in rolls for die, face in enumerate(roll.split())]
    return Loaded("00" * 32, faces=faces)


def test_p23_each_die_has_six_faces_clover_on_white_and_boots_on_black() -> None:
    assert all(Counter(faces) == Counter(["W", "M", "C", "R", "clover", "skull"]) for faces in FACES[:3])
    assert all(Counter(faces) == Counter(["W", "M", "C", "R", "boots", "skull"]) for faces in FACES[3:])
    told = only(begun(position(sheet(), steps=(Roll(), ThreeDice())))[1], Rolled)
    assert [die.colour for die in told.dice] == ["white"] * 3 + ["black"] * 3


def test_p24_every_symbol_but_the_skull_has_a_number() -> None:
    assert NUMBERS == {"W": 1, "M": 2, "C": 3, "R": 4, "clover": 5, "boots": 6}


def test_p25_a_clover_is_any_class_symbol_in_either_colour_but_neither_boots_nor_skull() -> None:
    now = out(sheet(black=("W", "C")), ("clover", "M", "M", "M", "M", "M"))
    words = now.words()
    assert {f"level 0 {hero}" for hero in "WMCR"} <= set(words)
    assert {f"craft 0 {item}" for item in ("sword", "tome", "crown", "cloak", "armour")} <= set(words)
    assert left(say(now, "move 0")) == 2, "not boots"


def test_p26_boots_are_for_moving_only_and_give_three_steps() -> None:
    now = out(None, ("W", "W", "W", "boots", "W", "W"))
    assert [word for word in now.words() if " 3" in word] == ["move 3"]
    assert left(say(now, "move 3")) == 3


def test_p27_a_skull_wounds_every_team_and_the_die_is_out() -> None:
    table, told = begun(position(sheet(), sheet(), steps=(Roll(("skull", "M", "C", "W", "M", "C")), ThreeDice())))
    assert [change.wounds for change in only(told, Rolled).changes] == [1, 1]
    assert not any(word.split()[1] == "0" for word in table.moves(0))


@pytest.mark.parametrize("roll", ["skull skull skull W W W", "skull M C skull W skull", "clover clover clover W W W"])
def test_p28_three_skulls_or_three_clovers_are_rolled_again_and_wound_nobody(roll: str) -> None:
    chance = loaded(roll, roll, "W skull skull R boots W")
    told = only(begun(position(sheet(), steps=(Roll(), ThreeDice()), chance=chance))[1], Rolled)
    assert told.again == 2
    assert [die.face for die in told.dice] == ["W", "skull", "skull", "R", "boots", "W"]
    assert told.changes[0].wounds == 2


def test_p28_two_skulls_and_two_clovers_stand() -> None:
    assert not rolled_again(("clover", "clover", "skull", "skull", "W", "boots"))
    assert rolled_again(("clover", "clover", "clover", "W", "W", "W"))


def test_p37_a_round_is_roll_skulls_dice_and_end() -> None:
    table, told = begun(position(sheet(), sheet(), chance=Chance("07" * 32)))
    told += idle(table)
    kinds = [type(event) for event in told if type(event) in (Rolled, Acted, Round)]
    assert kinds[:4] == [Rolled, Acted, Round, Rolled]


def test_p38_all_teams_use_the_same_dice() -> None:
    table = sitting(sheet(), sheet(), dice=PLAIN)
    play(table, 0, "brew 0")
    assert "brew 0" in table.moves(1)


@pytest.mark.parametrize(
    ("fields", "wounds"),
    [
        ({}, 2),
        ({"talent": "seer"}, 1),
        ({"levels": {"C": 4}}, 0),
        ({"levels": {"C": 3}}, 2),
        ({"path": ("C1",)}, 2),
    ],
)
def test_p39_each_skull_is_a_wound_before_dice_are_used(fields: dict[str, object], wounds: int) -> None:
    steps = (Roll(("skull", "M", "C", "skull", "M", "C")), ThreeDice())
    told = only(begun(position(sheet(**fields), steps=steps))[1], Rolled)  # type: ignore[arg-type]
    assert told.skulls == 2 and told.changes[0].wounds == wounds


def test_p39_the_seer_never_gains_by_it() -> None:
    steps = (Roll(PLAIN), ThreeDice())
    table, _ = begun(position(sheet(talent="seer", wounds=1), steps=steps))
    assert state_of(table).sheets[0].wounds == 1


def test_p40_exactly_three_different_dice_that_show_no_skull_in_any_order() -> None:
    now = out(None, ("W", "skull", "C", "W", "M", "boots"))
    assert now.free() == [0, 2, 3, 4, 5]
    say(now, "brew 4")
    assert now.free() == [0, 2, 3, 5]
    say(now, "craft 0 armour", "craft 2 armour")
    assert now.words() == ["done"]


def test_p41_four_actions() -> None:
    words = out(sheet(black=("W",)), PLAIN).words()
    assert {word.split()[0] for word in words} == {"level", "craft", "brew", "move"}


def test_p42_a_die_is_finished_before_the_next_and_a_move_of_no_step_is_legal() -> None:
    now = say(out(), "move 0")
    assert {word.split()[0] for word in now.words()} == {"step", "stop"}
    assert say(now, "stop").words() != ["done"] and now.sheet.at is None
    now = say(out(sheet(potions=2)), "brew 0")
    assert {word.split()[0] for word in now.words()} == {"hero"}, "the row's level-up comes before the next die"


def test_p43_a_round_depends_on_ones_own_sheet_and_the_dice_alone() -> None:
    """The same words make the same sheet, whatever the others do."""
    words = ("move 0", "step C1", "step C2", "brew 1", "craft 2 crown", "done")
    found = []
    brewing = ("brew 0", "brew 1", "hero W", "brew 2", "done")
    walking = ("move 0", "step C1", "step C2", "brew 1", "brew 2", "hero W", "done")
    for others in (brewing, walking):
        table = sitting(sheet(), sheet(), dice=PLAIN)
        play(table, 1, *others)
        told = play(table, 0, *words)
        found.append(only(told, Acted).beats[0])
    assert found[0] == found[1]


def test_p44_choices_are_sealed_and_may_be_taken_back_until_all_are_done() -> None:
    table = sitting(sheet(), sheet(), dice=PLAIN)
    before = table.shared().public
    play(table, 0, "brew 0", "brew 1", "hero M", "brew 2", "done")
    assert table.waits == [1] and table.shared().public == before
    table.undo(0, table.round)
    table.undo(0, table.round)
    assert "brew 2" in table.moves(0) and table.waits == [0, 1]
    play(table, 0, "move 2", "stop", "done")
    told = idle(table, 1)
    assert only(told, Round).sheets[0].potions == 4
    with pytest.raises(MoveError, match="nothing_to_undo"):
        table.undo(0, table.round)


def test_p45_the_end_of_a_round_has_its_order() -> None:
    rich = at("F3", levels={"W": 4, "R": 5, "M": 4}, items={"armour": 1}, gems=3)
    table = sit(
        position(rich, sheet(), dice=PLAIN, round=3, dungeon="G", missions=("M09",), vanishing=True)
    )  # the Ogre gives an item cell to whoever is best
    state_of(table).sheets[0].rooms = ("C3", "F3")
    play(table, 0, "move 0", "step F4", "item armour", "stop", "move 1", "stop", "move 2", "stop", "done")
    told = idle(table, 1)
    assert table.shared().asks == "Reward" and table.waits == [0]
    told += play(table, 0, "item tome")
    named = Acted | Gems | Fought | Rewarded | Vanished | Scored | Round | Rolled
    kinds = [type(event) for event in told if isinstance(event, named)]
    assert kinds == [Acted, Gems, Fought, Rewarded, Vanished, Scored, Round, Rolled]


def test_p45_missions_come_last_so_that_everything_the_round_brought_counts() -> None:
    """The reward for the monster finishes the fourth item."""
    best = sheet(path=("C3",), levels={"R": 5, "W": 4}, items={"sword": 2, "crown": 2, "armour": 2, "cloak": 1}, gems=0)
    table = sitting(best, sheet(), dice=PLAIN, round=3, dungeon="G", missions=("M13",))
    idle(table)
    told = play(table, 0, "item cloak")
    assert only(told, Scored).missions == {"M13": (0,)}


def test_a_round_ends_without_a_monster_but_in_rounds_3_6_and_8() -> None:
    table = sitting(sheet(), sheet(), dice=PLAIN, round=4)
    assert not any(isinstance(event, Fought | Vanished) for event in idle(table))
    assert EndRound.__doc__ and "P-45" in EndRound.__doc__
