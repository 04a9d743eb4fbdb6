"""The description of a game, and finding games."""

import sys
from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from engine.game import (
    BrokenGame,
    Choice,
    Game,
    Option,
    Pick,
    UnknownGame,
    WrongPick,
    find,
    games,
    installed,
    left_out,
    load,
)
from tests.engine import tiny

SOLO = Option("solo", "Solo", (Choice("easy", "Easy", seats=range(1, 2)), Choice("hard", "Hard", seats=range(1, 2))))


FRUIT = Option(
    "fruit",
    "Fruit",
    (Choice("random", "At random"),),
    pick=Pick("By wish", tuple(Choice(fruit, fruit.title()) for fruit in ("apple", "pear", "plum")), {2: 1, 3: 2}),
)


def test_some_of_many_are_picked() -> None:
    bowl = game(FRUIT)
    assert bowl.choose_options({"fruit": "plum+apple"}, 3) == {"fruit": "apple+plum"}, "in one order"
    assert bowl.choose_options({"fruit": "plum"}, 2) == {"fruit": "plum"}
    assert bowl.choose_options({"fruit": "plum"}, 3) == {"fruit": "random"}, "it does not fit"
    for wrong, message in (
        ("plum+kiwi", "no option fruit=plum\\+kiwi"),
        ("apple+pear+plum", "pick 1 with 2 seats, 2 with 3 seats, each once, not apple\\+pear\\+plum"),
        ("plum+plum", "each once"),
        ("", "pick 1"),
    ):
        with pytest.raises(ValueError, match=message):
            bowl.choose_options({"fruit": wrong}, 3)
    bowl.check_picks({"fruit": "plum+pear"}, 3)
    bowl.check_picks({"fruit": "random"}, 3)
    with pytest.raises(WrongPick, match="2 with 3 seats, each once, not 1"):
        bowl.check_picks({"fruit": "plum"}, 3)
    for members, message in (
        (("plum", "plum"), "different and without"),
        (("plum+pear", "kiwi"), "different and without"),
        (("plum",), "of plum nobody can pick 2 with 2 seats"),
    ):
        with pytest.raises(ValueError, match=message):
            Pick("Some", tuple(Choice(member, member) for member in members), {2: 2})


def game(*options: Option) -> Game:
    return Game(**{**vars(tiny.dice), "options": options})


def test_every_option_gets_a_value() -> None:
    assert tiny.counting.choose_options({}, 2) == {"goal": "7"}
    assert tiny.counting.choose_options({"goal": "3"}, 2) == {"goal": "3"}


def test_a_choice_that_does_not_fit_the_seats_gives_way_to_the_default() -> None:
    assert tiny.dark.choose_options({"light": "longer"}, 3) == {"light": "longer"}
    assert tiny.dark.choose_options({"light": "longer"}, 4) == {"light": "same"}


def test_an_option_with_no_choice_for_the_seats_is_left_out() -> None:
    assert game(SOLO).choose_options({"solo": "hard"}, 1) == {"solo": "hard"}
    assert game(SOLO).choose_options({"solo": "hard"}, 2) == {}


WITH = Option(
    "order",
    "Order",
    (
        Choice("slow", "Slow", when={"goal": "7"}),
        Choice("fast", "Fast"),
        Choice("slow", "Slow, too", when={"goal": "3"}, seats=range(3, 9)),
    ),
)


def test_a_choice_may_depend_on_the_options_before_it() -> None:
    counting = Game(**{**vars(tiny.counting), "options": (*tiny.counting.options, WITH)})
    assert counting.choose_options({}, 2) == {"goal": "7", "order": "slow"}
    assert counting.choose_options({"goal": "3"}, 2) == {"goal": "3", "order": "fast"}
    assert counting.choose_options({"goal": "3", "order": "slow"}, 2) == {"goal": "3", "order": "fast"}
    assert counting.choose_options({"goal": "3", "order": "slow"}, 3) == {"goal": "3", "order": "slow"}
    assert [choice.label for choice in WITH.fitting(3, {"goal": "3"})] == ["Fast", "Slow, too"]
    assert [choice.label for choice in WITH.fitting(2)] == ["Slow", "Fast"]


@pytest.mark.parametrize("wrong", [{"goal": "8"}, {"speed": "7"}, {"goal": ""}])
def test_an_unknown_option_or_choice_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="counting has no option"):
        tiny.counting.choose_options(wrong, 2)


@pytest.mark.parametrize("seats", [range(1, 13), range(12, 13), range(2, 9, 2)])
def test_a_game_is_for_one_to_twelve_seats(seats: range) -> None:
    assert replace(tiny.dice, seats=seats).seats == seats


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        (range(2, 14), "the game dice is for 2 to 13 seats; a table has 1 to 12"),
        (range(0, 5), "the game dice is for 0 to 4 seats; a table has 1 to 12"),
        (range(2, 2), "the game dice is for no number of seats; a table has 1 to 12"),
    ],
)
def test_a_game_for_other_numbers_of_seats_is_refused(seats: range, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        replace(tiny.dice, seats=seats)


def test_games_are_found_by_entry_point() -> None:
    assert find("raiders").key == "raiders"
    assert next(iter(games())) == "raiders"  # ours come first
    with pytest.raises(UnknownGame):
        find("chess")
    assert left_out() == {}


def test_a_game_that_cannot_be_loaded_is_left_out_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = {
        "zero": ("import sys\n\n1 / 0", "ZeroDivisionError: division by zero ({file}:3)"),
        "ends": ("import sys\nsys.exit(3)", "SystemExit: 3 ({file}:2)"),
        "typo": ("def setup(", "SyntaxError: '(' was never closed (left_out_typo.py, line 1)"),
        "seats": ("from dataclasses import replace\nfrom tests.engine.tiny import dice\ngame = replace(dice, seats=[])",
                  "ValueError: the game dice is for no number of seats; a table has 1 to 12 ({file}:3)"),
        "other": ("from tests.engine.tiny import dice as game",
                  "TypeError: the entry point 'other' (left_out_other:game) must be a Game with that key"),
    }  # fmt: skip
    for key, (code, _) in faults.items():
        (tmp_path / f"left_out_{key}.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    points = [EntryPoint(key, f"left_out_{key}:game", "facedown.games") for key in faults]
    points += [EntryPoint("gone", "no.such.module:game", "facedown.games")]
    points += [EntryPoint("dice", "tests.engine.tiny:dice", "facedown.games")]
    monkeypatch.setattr("engine.game.entry_points", lambda group: points)
    monkeypatch.setattr("engine.game.installed", found := cache(installed.__wrapped__))
    assert list(games()) == ["dice"] and found().games is games()
    said = {key: why.format(file=tmp_path / f"left_out_{key}.py") for key, (_, why) in faults.items()}
    assert left_out() == {**said, "gone": "ModuleNotFoundError: No module named 'no'"}
    with pytest.raises(BrokenGame, match="the game 'ends' cannot be loaded: SystemExit: 3"):
        find("ends")


def test_an_entry_point_that_is_no_game_is_named() -> None:
    with pytest.raises(TypeError, match="counting"):
        load(EntryPoint("counting", "tests.engine.tiny:dice", "facedown.games"))
    with pytest.raises(TypeError, match="'rank'"):
        load(EntryPoint("rank", "tests.engine.tiny:rank", "facedown.games"))
    with pytest.raises(ModuleNotFoundError) as caught:
        load(EntryPoint("lost", "no.such.module:game", "facedown.games"))
    assert caught.value.__notes__ == ["while loading the game 'lost' from 'no.such.module:game'"]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("game = Game(key='old', help=None)", "the game old: `help` is now `forecast`"),
        ("game = Game(key='old', redeal=None)", "the game old: `redeal` is now `shuffle_unknown`"),
        ("game = Game(key='old', reveal_seconds=None)", "the game old: `reveal_seconds` is now `beats`"),
        ("Choice('3', 'Three', help='Short.')", "a choice of an option: `help` is now `hint`"),
        ("class Turn(Ask, frozen=True):\n    def more(self): ...", "the step Turn: `more` is now `unfinished`"),
    ],
)
def test_an_old_name_of_the_contract_is_refused_when_the_game_is_loaded(
    code: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "old_game.py").write_text(f"from engine.game import *\nfrom engine.steps import *\n{code}\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "old_game", raising=False)
    with pytest.raises(TypeError) as caught:
        load(EntryPoint("old", "old_game:game", "facedown.games"))
    assert str(caught.value) == said
    assert caught.value.__notes__ == ["while loading the game 'old' from 'old_game:game'"]


def test_a_log_may_lack_an_option_that_is_younger_than_it() -> None:
    old, young = SOLO, Option("young", "Young", (Choice("new", "New"), Choice("old", "Old")), before="old")
    assert game(old, young).with_later_options({}) == {"young": "old"}
    assert game(old, young).with_later_options({"young": "new"}) == {"young": "new"}
    assert game(old).with_later_options({}) == {}
