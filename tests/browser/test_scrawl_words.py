"""The texts of Paper Dungeons, without a browser."""

import re

import msgspec

from app.web.templates import Templates
from engine.game import find
from engine.games.scrawl import face
from engine.games.scrawl.facts import Change, Fight, Fought, Gems
from engine.steps import Event
from engine.testing import new_table
from tests.browser.scrawl_states import states

NAMES = ["Mira", "Anton", "Leila", "Wick"]
LINES = '{% import "games/scrawl/story.html" as story %}{{ story.lines(e, names, s) }}'


def told(event: Event) -> list[str]:
    """An event's lines, as text."""
    page = Templates().languages["en"].from_string(LINES)
    summary = face.summary(new_table(find("scrawl"), 4).shared())
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


def test_a_team_that_has_not_found_the_lair_stands_where_it_flees() -> None:
    html = states()["late"][0].html()
    row = re.search(r"<tr class=flee>.*?</tr>", html, re.DOTALL)
    assert row and {team for team in NAMES if team in row[0]} == {"Mira", "Anton", "Leila", "Wick"}
    assert "9 glory if you reach B6" in html


def test_each_used_die_says_what_it_did() -> None:
    html = states()["third die"][0].html()
    spent = re.findall(r"<li>.*?</li>", html.split("<ul class=spent>")[1].split("</ul>")[0], re.DOTALL)
    assert [" ".join(re.sub(r"<[^>]+>", "", li).split()) for li in spent] == ["2 potions", "Fire Sword +1, +1 glory"]
