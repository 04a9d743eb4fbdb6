"""The checks that every game must pass: games that pass, and games that each break one rule."""

import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.chance import Chance
from engine.game import Choice, Game, Option
from engine.move_error import MoveError
from engine.steps import Draft, Event, Result, Standing
from engine.testing import (
    CheckFailed,
    check_game,
    checks,
    game_settings,
    make_moves,
    moves,
    new_table,
    play_at_random,
    play_defaults,
    requirements,
    steps_back,
    table_at,
)
from tests.engine import tiny, tiny_moves, tiny_turns

Broken = Callable[[pytest.MonkeyPatch], Game]

counting: Game = tiny.counting
dark: Game = tiny.dark


@pytest.mark.parametrize("game", tiny.TINY.values(), ids=tiny.TINY)
def test_honest_games_pass(game: Game) -> None:
    check_game(game, games=2)


def test_a_game_is_checked_with_each_number_of_seats_and_each_choice() -> None:
    found = [(one.seats, one.options["light"]) for one in game_settings(dark)]
    assert found[:3] == [(2, "same"), (3, "same"), (4, "same")]
    assert found[3][0] in (2, 3) and found[3][1] == "longer" and len(found) == 4


def test_a_choice_that_needs_another_option_is_checked_with_it() -> None:
    more = Option("more", "More", (Choice("no", "No"), Choice("yes", "Yes", when={"goal": "3"})))
    game = replace(counting, options=(*counting.options, more), seats=range(2, 3))
    assert [one.options for one in game_settings(game)] == [
        {"goal": "7", "more": "no"}, {"goal": "3", "more": "no"}, {"goal": "3", "more": "yes"},
    ]  # fmt: skip


def test_checks_have_names() -> None:
    names = [str(check) for check in checks(replace(counting, seats=range(2, 3)), games=2)]
    assert names[:4] == [
        "counting-description",
        "counting-2-7-moves-1",
        "counting-2-3-moves-1",
        "counting-2-7-secrets-1",
    ]
    assert len(set(names)) == len(names) and names[-1].endswith("-bot-random-2")


# The description ------------------------------------------------------------------------------------------------------

DESCRIPTIONS = [
    ({"key": "Count-Down"}, "the key 'Count-Down' must consist of lower-case letters, digits and _"),
    ({"rules": 0}, "`rules` counts from 1"),
    ({"minutes": -1}, "`minutes` is negative"),
    ({"bots": {"random": lambda shared, own, luck: own.moves[0]}}, "no bot may be called `random`"),
    ({"package": "no_such_package"}, "there is no package 'no_such_package'"),
    ({"options": counting.options * 2}, "two options have the same key: goal, goal"),
    (
        {"options": (Option("goal", "Goal", (Choice("7", "Seven"), Choice("3", "Three", seats=range(9, 10)))),)},
        "the choice goal=3 fits no number of seats and no earlier options",
    ),
]


@pytest.mark.parametrize(("fields", "said"), DESCRIPTIONS)
def test_a_description_that_does_not_fit_together(fields: Mapping[str, Any], said: str) -> None:
    with pytest.raises(CheckFailed) as failed:
        check_game(replace(counting, **fields))
    assert said in str(failed.value)


# What a game does -----------------------------------------------------------------------------------------------------


class Else(tiny.Say, frozen=True):
    """A step that is not in the state's union."""


class Named(Event, frozen=True):
    game: str


class Seed(Event, frozen=True):
    seed: str


def method(owner: type, name: str, function: Callable[..., Any], game: Game = counting) -> Broken:
    """The game with this method replaced."""

    def broken(monkeypatch: pytest.MonkeyPatch) -> Game:
        monkeypatch.setattr(owner, name, function)
        return game

    return broken


def fields(game: Game = counting, **changed: Any) -> Broken:
    return lambda monkeypatch: replace(game, **changed)


def then(add: Callable[[tiny.Counting], object]) -> Broken:
    """Counting, with something added to the effect of each answer."""
    take = tiny.Say.take

    def and_then(ask: tiny.Say, g: tiny.Counting, answers: dict[int, Draft]) -> None:
        take(ask, g, answers)
        add(g)

    return method(tiny.Say, "take", and_then)


def ends_with(result: Callable[[int], Result]) -> Broken:
    def take(ask: tiny.Say, g: tiny.Counting, answers: dict[int, Draft]) -> None:
        g.finish(result(g.seats))

    return method(tiny.Say, "take", take)


def ends_without(ask: tiny.Say, g: tiny.Counting, answers: dict[int, Draft]) -> None:
    pass


def never_ends(ask: tiny.Say, g: tiny.Counting, answers: dict[int, Draft]) -> None:
    g.next(tiny.Say(0))


def ends_only_by_twos(ask: tiny.Say, g: tiny.Counting, answers: dict[int, Draft]) -> None:
    if answers[ask.seat] == ("2",):
        g.finish(rank(g.seats))
    else:
        g.next(tiny.Say(0))


def rank(seats: int) -> Result:
    return Result((0,), tuple(Standing(seat, 1 + (seat > 0), {}) for seat in range(seats)))


def count_up(g: tiny.Counting) -> dict[str, int]:
    g.total += 0 if g.result else 1
    return {}


def remember(g: tiny.Counting) -> None:
    """Keeps something outside of the state."""
    REMEMBERED.append(g.total)
    g.tell(tiny.Said(len(REMEMBERED), g.total))


REMEMBERED: list[int] = []


def by_luck(g: tiny.Counting) -> None:
    g.tell(tiny.Said(0, Random().randrange(2**40)))


def append(shared: Any, own: Any = None) -> None:
    shared.public["points"].append(0)


def only_shields_that_none_saw(ask: tiny.Respond, g: tiny.Window, answers: dict[int, Draft]) -> list[int]:
    """Whether the first answer is opened depends on an answer that is not."""
    seats = list(answers)
    return seats[:1] if answers[seats[-1]] == ("shield",) else seats


EFFECTS: list[tuple[str, Broken, str]] = [
    ("moves", method(tiny.Say, "options", lambda ask, g, seat, draft: []), "`options` of Say offers seat 0 nothing"),
    (
        "moves",
        method(tiny.Say, "unfinished", lambda ask, g, seat, draft: False),
        "`unfinished` of Say is false before seat 0 has said anything",
    ),
    (
        "moves",
        method(tiny.Say, "default", lambda ask, g, seat, draft: "9"),
        "`default` of Say is '9' for seat 0; legal are ['1', '2']",
    ),
    ("moves", method(tiny.Say, "options", lambda ask, g, seat, draft: ["1", "2\n"]), "'2\\n' is no move"),
    ("moves", method(tiny.Say, "options", lambda ask, g, seat, draft: [1]), "1 is no move"),
    (
        "moves",
        method(tiny.Counting, "anytime", lambda g, seat: ["1"]),
        "a move of seat 0 occurs twice: ['1', '2'], at any time ['1']",
    ),
    ("moves", method(tiny.Say, "who", lambda ask, g: [0, 0]), "`who` of Say returns [0, 0]"),
    ("moves", method(tiny.Say, "who", lambda ask, g: [9]), "`who` of Say returns [9]"),
    (
        "moves",
        method(tiny.Hide, "who", lambda ask, g: [0] if g.light else [0, 1], dark),
        "`who` of Hide was [0, 1], now it is [0]: it may change at a reveal only",
    ),
    ("moves", fields(public=count_up), "`public` changed the state"),
    ("moves", fields(private=lambda g, seat: count_up(g)), "`private`, `options` or `anytime` changed the state"),
    ("moves", fields(dark, summary=append), "`summary` changed the state"),
    ("moves", fields(dark, forecast=append), "`forecast` changed the state"),
    ("moves", fields(public=lambda g: g), "`public` shows the seed of the random stream"),
    ("moves", fields(private=lambda g, seat: g.chance.seed), "`private` shows the seed of the random stream"),
    ("moves", fields(public=lambda g: {1, "one"} and object()), "`public` cannot be sent as JSON"),
    (
        "secrets",
        fields(public=lambda g: Chance(g.chance.seed, g.chance.used).word()),
        "what the public is sent depends on what it cannot know",
    ),
    (
        "saving",
        then(lambda g: g.next(Else(0))),
        "the state cannot be read back from JSON: Invalid value 'Else'",
    ),
    ("saving", then(lambda g: setattr(g, "goal", 7.5)), "the state cannot be read back from JSON: Expected `int`"),
    ("saving", then(remember), "a table that was saved and read back goes on differently"),
    ("replay", then(remember), "has another effect when the same game is played again"),
    ("replay", then(by_luck), "has another effect when the same game is played again"),
    (
        "replay",
        method(tiny.Respond, "opens", only_shields_that_none_saw, tiny.window),
        "of its log does not verify: These are not the seats whose answers were due.",
    ),
    ("defaults", method(tiny.Say, "take", ends_only_by_twos), "the game has not ended after 2000 moves"),
    ("leaving", method(tiny.Say, "take", never_ends), "the game has not ended after 2000 moves"),
    ("moves", method(tiny.Say, "take", never_ends), "the game has not ended after 2000 moves"),
    ("defaults", method(tiny.Say, "take", ends_without), "a game ends with one Result, by `finish`; this one has 0"),
    (
        "defaults",
        ends_with(lambda seats: Result((), (Standing(0, 1, {}), Standing(0, 1, {})))),
        "the standings must name each seat once, not [0, 0]",
    ),
    (
        "defaults",
        ends_with(lambda seats: replaced(rank(seats), standings=rank(seats).standings[::-1])),
        "the standings must begin with place 1, best first",
    ),
    ("defaults", ends_with(lambda seats: replaced(rank(seats), winners=(1,))), "winners have place 1"),
    ("defaults", then(lambda g: g.tell(Named("x"))), "a field of the event Named may not be called game"),
    ("defaults", then(lambda g: g.tell(Seed(g.chance.seed))), "the event Seed shows the seed of the random stream"),
    ("defaults", fields(beats=lambda events, options: [1]), "`beats` returns [1]; it must return names"),
    ("leaving", fields(beats=lambda events, options: events[0]["card"]), "the game raised KeyError: 'card'"),
    ("defaults", fields(chronicle=lambda events: events[10**9]), "the game raised IndexError"),
    (
        "moves",
        method(tiny_turns.Dig, "scope", lambda ask, g: f"{g.found.count('shout')}", tiny_turns.digging),
        "`scope` of Dig was '0', now it is '1': it is a text",
    ),
    (
        "stepping_back",
        method(tiny_turns.Digging, "uncover", lambda g, why: None, tiny_turns.digging),
        "can take back its answer to Dig, although it has learnt from it",
    ),
    (
        "bot-wrong",
        fields(bots={"wrong": lambda shared, own, luck: "3"}),
        "the bot wrong chose '3' for seat 0",
    ),
    ("moves", then(lambda g: REMEMBERED[10**9]), "the game raised IndexError: list index"),
]


def replaced(result: Result, **changed: Any) -> Result:
    return Result(**{"winners": result.winners, "standings": result.standings, **changed})


@pytest.mark.parametrize(("check", "broken", "said"), EFFECTS, ids=[f"{check}-{said}" for check, _, said in EFFECTS])
def test_a_game_that_breaks_one_rule(check: str, broken: Broken, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "LONGEST_GAME", 2000)
    monkeypatch.setattr(requirements, "LONGEST_GAME", 2000)
    REMEMBERED.clear()
    game = broken(monkeypatch)
    with pytest.raises(CheckFailed) as failed:
        for one in checks(game):
            if f"-{check}-" in str(one):
                one()
    assert said in str(failed.value)
    assert str(failed.value).startswith(f"{game.key}-")  # which check it was


def test_a_table_that_is_not_as_it_was_before_a_step_back() -> None:
    table = new_table(tiny_turns.digging, 2)
    before = steps_back.position(table)
    make_moves(table, 0, "dig", "here")
    steps_back.go_back(table, {1: before}, Random(1))
    with pytest.raises(CheckFailed, match="after seat 0 has stepped back to round 1, the table is not as it was then"):
        steps_back.go_back(table, {1: steps_back.position(table)}, Random(1))


# Helpers --------------------------------------------------------------------------------------------------------------


def test_a_table_in_a_position() -> None:
    state = tiny.Counting(todo=[tiny.Say(1)], chance=Chance("00"), seats=2, goal=7, total=6)
    table = table_at(counting, state, 2)
    assert table.moves(1) == ["1"] and table.options == {"goal": "7"}
    with pytest.raises(MoveError):
        make_moves(table, 1, "2")
    assert make_moves(table, 1, "1")[1] == tiny.Said(1, 7)
    assert table.over


def test_the_same_seed_gives_the_same_cards() -> None:
    one, same, other = (new_table(tiny.wishes, 3, seed).state.dealt for seed in (4, 4, 5))
    assert one == same != other


def test_defaults_are_played_for_some_or_all() -> None:
    table = new_table(tiny_moves.late, 3)
    assert play_defaults(table, 1) == [] and table.waits == [0, 2]
    make_moves(table, 2, "3", "3")
    revealed, counted = play_defaults(table)
    assert [answer.words for answer in revealed.answers] == [("1", "1"), ("1", "1"), ("3", "3")]
    assert counted.made == ("time", "time", "player") and table.round == 2


def test_a_game_at_random_ends() -> None:
    table = new_table(tiny.dice, 2)
    events = [event for happened in play_at_random(table, Random(1)) for event in happened]
    assert table.over and any(isinstance(event, Result) for event in events)


def test_it_needs_no_test_framework() -> None:
    code = "import sys, engine.testing; print({'pytest', 'hypothesis'} & {*sys.modules})"
    root = Path(__file__).resolve().parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True).stdout == "set()\n"
