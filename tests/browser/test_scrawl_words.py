"""The texts of Paper Dungeons, without a browser."""

import re
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from app.web.templates import Templates
from engine.game import find
from engine.games.scrawl import face
from engine.games.scrawl.facts import Change, Fight, Fought, Gems
from engine.steps import Event
from tests.engine.play import begin, wander

NAMES = ["Mira", "Anton", "Leila", "Wick"]
LINES = '{% import "games/scrawl/story.html" as story %}{{ story.lines(e, names, s) }}'


def told(event: Event) -> list[str]:
    """An event's lines, as text."""
    page = Templates().languages["en"].from_string(LINES)
    summary = face.summary(begin(find("scrawl"), 4).shared())
    html = page.render(e=msgspec.to_builtins(event), names=NAMES, s=summary)
    return [" ".join(re.sub(r"<[^>]+>", "", line).split()) for line in html.split("</li>") if "<li" in line]


def test_a_fight_names_each_team_once_though_they_fare_alike() -> None:
    alike, away = Fight(True, 12, 3, 5, Change()), Fight(False, 5, 0, -2, Change())
    lines = told(Fought(1, "1A", (alike, away, alike, Fight(True, 6, 0, -2, Change())), None, "potion", 2))
    assert lines == [
        "Power 12 or more: Mira 12, Leila 12: 5 glory, 1 wound",
        "Too weak, so they flee: Wick 6: −2 glory",
        "Never found it, so they flee: Anton: −2 glory",
        "Nobody is alone at the top: no reward.",
    ]


def test_gems_are_told_by_those_who_stole_them() -> None:
    lines = told(Gems((("B", "A"), ("A",), (), ("D", "C")), (("C", "D"), ("B", "C", "D"), ("A",), ())))
    assert lines == ["A: Mira and Anton", "B: Mira", "C, D: Wick", "Lost to all others."]


@pytest.mark.parametrize("seats", [1, 8])
def test_the_server_gives_a_reveal_as_long_as_its_page_takes(seats: int) -> None:
    """The number of beats in the template matches the game's `reveal_seconds`."""
    table, pages = begin(find("scrawl"), seats), Templates()
    names = [f"Team {n}" for n in range(seats)]
    log: list[dict[str, Any]] = []
    reveals = 0
    for events in wander(table, Random(2)):
        since = len(log)
        log += [{**msgspec.to_builtins(event), "version": since + n} for n, event in enumerate(events, 1)]
        if not events:
            continue
        shared = table.shared()
        context = {
            "public": shared.public, "log": log, "reveal": log[since:], "summary": face.summary(shared),
            "names": names, "table": SimpleNamespace(),
        }  # fmt: skip
        html = pages.page("en", "games/scrawl/reveal.html", context)
        found = re.search(r'data-beats="(\d+)"', html)
        assert found
        beats = int(found[1])
        assert face.reveal_seconds(events) == pytest.approx(face.TURN_AND_READ + face.BEAT * beats if beats else 0)
        reveals += 1
    assert reveals >= 9
