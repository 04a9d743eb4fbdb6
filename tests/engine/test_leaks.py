"""The check for leaks finds games that leak, and games in which it could not find a leak."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from msgspec import Struct

from engine.chance import Chance
from engine.game import Game
from engine.testing import CheckFailed, new_table
from engine.testing.leaks import check_leaks
from tests.engine import tiny

Shuffle = Callable[[Any, int | None, Chance], None]

window: Game = tiny.window


def check(game: Game) -> None:
    check_leaks(new_table(game, game.seats[1], 3), Random(3))


def nothing(g: Any, seat: int | None, chance: Chance) -> None:
    pass


@pytest.mark.parametrize("game", tiny.TINY.values(), ids=tiny.TINY)
def test_honest_games_pass(game: Game) -> None:
    check(game)


def test_a_game_that_sends_what_a_seat_cannot_know() -> None:
    with pytest.raises(CheckFailed, match=r"what seat \d is sent depends on what it cannot know\."):
        check(replace(window, private=lambda g, seat: {"shields": g.shields}))
    with pytest.raises(CheckFailed, match=r"what the public is sent depends on what it cannot know\."):
        check(replace(window, public=lambda g: {"shields": g.shields[0]}))


def test_a_game_that_sends_what_will_be_drawn_next() -> None:
    with pytest.raises(CheckFailed, match=r"what the public is sent depends on what it cannot know\."):
        check(replace(window, public=lambda g: {"next": Chance(g.chance.seed, g.chance.used).below(100)}))


def only_for_the_public(g: tiny.Window, seat: int | None, chance: Chance) -> None:
    if seat is None:
        tiny.window_shuffle_unknown(g, seat, chance)


def only_for_seats(g: tiny.Window, seat: int | None, chance: Chance) -> None:
    if seat is not None:
        tiny.window_shuffle_unknown(g, seat, chance)


@pytest.mark.parametrize(
    ("shuffle", "call"),
    [
        (nothing, "shuffle_unknown(state, None, chance)"),
        (only_for_seats, "shuffle_unknown(state, None, chance)"),
        (only_for_the_public, "shuffle_unknown(state, seat, chance)"),
    ],
)
def test_a_game_whose_shuffle_unknown_leaves_what_others_know(shuffle: Shuffle, call: str) -> None:
    with pytest.raises(CheckFailed) as failed:
        check(replace(window, shuffle_unknown=shuffle))
    assert str(failed.value) == (
        f"`private` is not the same for all seats, but `{call}` never changed it for any other, so nobody can tell "
        "whether it leaks. Let `shuffle_unknown` randomise whatever the viewer cannot know; what everybody may know "
        "belongs in `public`."
    )


class Private(Struct):
    shields: int
    swords: int


def test_a_shuffle_unknown_that_forgets_a_part_is_told_which() -> None:
    with pytest.raises(CheckFailed, match="`swords` of `private` is not the same for all seats"):
        check(replace(window, private=lambda g, seat: Private(g.shields[seat], seat)))


def by_shields(g: tiny.Window, *_: Any) -> list[int]:
    """Whoever has most shields."""
    return [max(range(g.seats), key=lambda seat: g.shields[seat])]


ASKS: list[tuple[type, str, Any, str]] = [
    (
        tiny.Attack,
        "who",
        lambda ask, g: by_shields(g),
        r"`who` of Attack depends .*: it returns \[\d\] here, but could",
    ),
    (
        tiny.Respond,
        "who",
        lambda ask, g: [seat for seat in range(g.seats) if g.shields[seat]],
        "`who` of Respond depends",
    ),
    (
        tiny.Attack,
        "scope",
        lambda ask, g: f"{by_shields(g)}",
        "`scope` of Attack depends on what the public cannot know",
    ),
    (
        tiny.Attack,
        "options",
        lambda ask, g, seat, draft: ["hit 0", "hit 1"][: 1 + g.shields[seat]],
        r"whether Attack asks, with `forced`, depends .*: seat \d has a choice here, but could have only 'hit 0'",
    ),
]


@pytest.mark.parametrize(("ask", "name", "function", "said"), ASKS, ids=["who", "who of a window", "scope", "forced"])
def test_an_ask_that_depends_on_what_is_hidden(
    ask: type, name: str, function: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(window)
    monkeypatch.setattr(ask, name, function)
    monkeypatch.setattr(tiny.Attack, "forced", True)
    with pytest.raises(CheckFailed, match=said):
        check(window)
