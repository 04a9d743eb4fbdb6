"""The beats of reveals, from their events."""

from typing import Any

import pytest

from engine.beats import BEAT, PAUSE, TURN_AND_READ, beats_of, seconds
from engine.game import Game, find
from tests.engine import tiny

SEALED, OPEN = {"edition": "second", "play": "sealed"}, {"edition": "second", "play": "open"}


def of(game: Game, *events: dict[str, Any], **options: str) -> tuple[str, ...]:
    return beats_of(game, [{"kind": "revealed"}, *events], options)


def room(outcome: dict[str, Any], chests: int = 0) -> dict[str, Any]:
    return {"kind": "room", "room": {"chests": [0] * chests}, "outcome": outcome}


def test_a_reveal_without_beats_takes_no_time() -> None:
    assert seconds(()) == 0
    assert seconds(("one",)) == pytest.approx(TURN_AND_READ + BEAT)
    assert seconds(("one", PAUSE, "two")) == pytest.approx(TURN_AND_READ + 3 * BEAT)


def test_only_reveals_have_beats() -> None:
    raiders = find("raiders")
    cards = {"kind": "cards", "cards": {"0": "5"}}
    assert beats_of(raiders, [], SEALED) == ()
    assert beats_of(raiders, [{"kind": "torch"}, cards], SEALED) == ()
    assert beats_of(raiders, [{"kind": "revealed"}, cards], SEALED) == ("balls", "next")


@pytest.mark.parametrize(
    ("outcome", "chests", "beats"),
    [
        ({"shape": "chests", "shares": [1, 2]}, 2, ("share", "share")),
        ({"shape": "chests", "shares": [1]}, 2, ("share", "nobody")),
        ({"shape": "chests", "shares": [1]}, 1, ("share",)),
        ({"shape": "chests", "shares": []}, 2, ("nobody",)),
        ({"shape": "vault", "shares": [1, 2, 3]}, 0, ("share", "share", "share")),
        ({"shape": "trap", "hit": [], "harm": 2}, 0, ("value", "victims")),
        ({"shape": "trap", "hit": [1], "harm": 0}, 0, ("value", "victims")),
        ({"shape": "trap", "hit": [1], "harm": 2}, 0, ("value", "victims", "harm")),
        ({"shape": "fight", "hit": [], "paid": []}, 0, ("total", "attack")),
        ({"shape": "fight", "hit": [1], "paid": []}, 0, ("total", "attack", "harm")),
        ({"shape": "fight", "hit": [1], "paid": [2]}, 0, ("total", "attack", "harm", "paid")),
        ({"shape": "fight", "hit": [], "paid": [2]}, 0, ("total", "attack", PAUSE, "paid")),
    ],
)
def test_a_room_is_told_step_by_step(outcome: dict[str, Any], chests: int, beats: tuple[str, ...]) -> None:
    cards = {"kind": "cards", "cards": {"0": "5"}}
    for options in (SEALED, OPEN):
        assert of(find("raiders"), cards, room(outcome, chests), **options) == (*beats, "next")


def test_a_card_in_open_play_is_staged_only_when_it_ends_the_room() -> None:
    cards = {"kind": "cards", "cards": {"0": "ball"}}
    assert of(find("raiders"), cards, **OPEN) == ()
    assert of(find("raiders"), cards, **SEALED) == ("balls", "next")


def test_a_round_of_sheets() -> None:
    scrawl = find("scrawl")
    acted, fought, told = {"kind": "acted"}, {"kind": "fought"}, {"kind": "round"}
    chapter, result = {"kind": "chapter"}, {"kind": "result"}
    assert of(scrawl, acted, fought, told) == ("acted", PAUSE, PAUSE, "fought", "won", PAUSE, "round", PAUSE)
    assert of(scrawl, {"kind": "rewarded"}, told) == ("rewarded", PAUSE), "no sheets turn"
    assert of(scrawl, acted, told, chapter) == ("acted", PAUSE, PAUSE, "chapter", PAUSE), "the sheets are new ones"
    assert of(scrawl, acted, told, chapter, result) == ("acted", PAUSE, PAUSE, "round", PAUSE, "chapter", PAUSE)
    assert of(scrawl, {"kind": "dungeon"}) == ()


@pytest.mark.parametrize(("events", "beats"), [(0, 1), (1, 1), (3, 1), (4, 2), (9, 2)])
def test_a_game_without_beats_of_its_own_shows_some_events_and_then_the_others(events: int, beats: int) -> None:
    assert of(tiny.counting, *[{"kind": "said"}] * events) == ("turned", "more")[:beats]
