"""The beats on the page of each reveal are those from which timers are computed, in whole games. Without a browser."""

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import msgspec
import pytest

from app.web.templates import Templates
from engine.beats import BEAT, PAUSE, TURN_AND_READ, beats_of, seconds
from engine.game import Game, find
from engine.table import Table
from engine.table_events import Revealed
from engine.testing import deal, play_at_random
from tests.engine import tiny

PAGES = Templates()
LANDS = re.compile(r'data-(?:beat|then)="?(\d+)')
BEATS = re.compile(r'data-beats="?(\d+)')
Reveal = tuple[str, tuple[str, ...]]


def reveals(
    game: Game, template: str, seats: int, seed: int, options: Mapping[str, str], face: str = "play"
) -> Iterator[Reveal]:
    """The page of each reveal of a game of random moves, and its beats."""
    table, log = Table.begin(game, seats, deal(seats, seed), options)[0], list[dict[str, Any]]()
    for events in play_at_random(table, Random(seed)):
        since = len(log)
        told = msgspec.to_builtins(events, str_keys=True)
        log += [{**event, "version": n} for n, event in enumerate(told, since + 1)]
        if not events or not isinstance(events[0], Revealed):
            continue
        shared = table.shared()
        beats = beats_of(game, log[since:], shared.options)
        names = [f"Player {n}" for n in range(seats)]
        context = {
            "shared": shared, "public": shared.public, "log": log, "reveal": log[since:], "beats": beats,
            "chain": None, "face": face,
            "names": names, "summary": game.summary(shared) if game.summary else None,
            "table": {"game": game, "seconds": 0},
        }  # fmt: skip
        yield PAGES.page("en", template, context), beats


def check(html: str, beats: tuple[str, ...]) -> None:
    assert BEATS.findall(html) == [str(len(beats))]
    named = [n for n, beat in enumerate(beats, 1) if beat != PAUSE]
    assert sorted(set(map(int, LANDS.findall(html))) - {0}) == named, beats  # 0: with the cards


RAIDERS = [
    *((seats, {"edition": "second", "play": play}) for seats in (3, 4, 5) for play in ("sealed", "open")),
    *((seats, {"edition": "first", "play": play}) for seats in (2, 3, 5) for play in ("sealed", "open")),
    (1, {"edition": "first", "difficulty": "5"}),
]
SCRAWL = [
    (8, {}), (2, {"missions": "no"}), (3, {"gems": "vanish"}), (2, {"campaign": "legends"}), (1, {}),
    (1, {"campaign": "tower"}),
]  # fmt: skip


@pytest.mark.parametrize(("seats", "options"), RAIDERS)
def test_dungeon_raiders(seats: int, options: dict[str, str]) -> None:
    found = [
        one for seed in range(3) for one in reveals(find("raiders"), "games/raiders/reveal.html", seats, seed, options)
    ]
    for html, beats in found:
        check(html, beats)
        story = html.partition('class="story"')[2] or html.partition("class=story")[2]
        assert all("data-beat" in line for line in re.findall("<li[^>]*>", story)), "no line comes before the cards"
        lines = [int(beat) for beat in LANDS.findall(story)]
        assert lines.count(len(beats)) == bool(beats), "the last line has a beat of its own"
    staged = [beats for _, beats in found if beats]
    assert len(staged) > 12 and (len(staged) < len(found)) is (options.get("play") == "open")


@pytest.mark.parametrize("face", ["play", "screen"])
@pytest.mark.parametrize(("seats", "options"), SCRAWL)
def test_paper_dungeons(seats: int, options: dict[str, str], face: str) -> None:
    found = list(reveals(find("scrawl"), "games/scrawl/reveal.html", seats, 2, options, face))
    for html, beats in found:
        check(html, beats)
    assert sum("rolled" in beats for _, beats in found) >= 8 and any("fought" in beats for _, beats in found)


@pytest.mark.parametrize("game", [tiny.counting, tiny.dice, tiny.dark, tiny.wishes], ids=lambda game: game.key)
def test_a_game_without_templates(game: Game) -> None:
    for html, beats in reveals(game, "games/_plain/reveal.html", 3, 1, {}):
        check(html, beats)


def test_a_phone_beside_a_screen_waits_as_long() -> None:
    table = {"game": tiny.dark, "title": "", "seats": []}
    context: dict[str, Any] = {
        "shared": None,
        "reveal": [{"kind": "revealed", "version": 7, "answers": []}],
        "names": (),
        "table": table,
        "beats": ("one", PAUSE, "two"),
        "chain": None,
    }
    html = PAGES.fragment("en", "cue", PAGES.with_globals("en", context))
    assert BEATS.findall(html) == ["3"] and 'data-reveal="7"' in html
    assert seconds(context["beats"]) == pytest.approx(TURN_AND_READ + 3 * BEAT)
