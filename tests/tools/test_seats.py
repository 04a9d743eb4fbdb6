"""The list of the seats' colours and emblems: one list, from which css and icons are made; colours that can be told
apart by day and by night."""

import re
from itertools import combinations
from math import dist
from pathlib import Path

import pytest

from building.sprites import FRAME, read_icons
from tools.seats import CSS, ROOT, css, read

SEATS = read()
# A rule or a template that names a seat by its number.
NUMBERED = re.compile(r"""seat-\d|(?:data-seat|data-me|data-waits)(?:~?=|', ?)["'{\s]*\d""")
# The same look as in static/css/tokens.css.
NIGHT = ("ground", "ground-lit")
PAPER = ("paper-lit", "paper", "paper-dim")


def token(name: str) -> tuple[str, str]:
    """A token's colours by day and by night."""
    text = (ROOT / "static" / "css" / "tokens.css").read_text("utf-8")
    found = re.search(rf"--{name}: light-dark\((#\w+), (#\w+)\)", text)
    assert found is not None, name
    return found[1], found[2]


def linear(colour: str) -> list[float]:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def contrast(one: str, other: str) -> float:
    """The contrast of WCAG 2."""
    dark, light = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (linear(one), linear(other)))
    return (light + 0.05) / (dark + 0.05)


def distance(one: str, other: str) -> float:
    """How different two colours look: their distance in OKLab."""
    return dist(oklab(one), oklab(other))


def oklab(colour: str) -> tuple[float, float, float]:
    r, g, b = linear(colour)
    l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)  # noqa: E741
    m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    )


def test_the_css_is_written_from_the_list() -> None:
    assert CSS.read_text("utf-8") == css(SEATS), "run python tools/seats.py"


def test_a_game_may_have_as_many_seats_as_there_are_colours_and_emblems() -> None:
    assert len(SEATS) == 12
    for field in ("colour", "deep", "lit", "emblem"):
        assert len({dict(seat)[field] for seat in SEATS}) == 12


def test_each_emblem_is_an_icon() -> None:
    icons = read_icons(ROOT)[FRAME]
    assert [icons[f"seat-{n}"] for n in range(1, 13)] == [seat["emblem"] for seat in SEATS]
    others = [name for area in read_icons(ROOT).values() for key, name in area.items() if not key.startswith("seat-")]
    assert not {seat["emblem"] for seat in SEATS} & set(others), "an emblem must mean nothing else"


@pytest.mark.parametrize("seat", SEATS, ids=lambda seat: seat["colour"])
def test_emblems_and_names_stand_out(seat: dict[str, str]) -> None:
    for name in NIGHT:
        day, night = token(name)
        assert contrast(seat["deep"], day) >= 4.5
        assert contrast(seat["lit"], night) >= 4.5
    for name in PAPER:
        assert min(contrast(seat["deep"], paper) for paper in token(name)) >= 3


@pytest.mark.parametrize("field", ["deep", "lit"])
def test_no_two_seats_look_alike(field: str) -> None:
    colours = {seat["colour"]: str(dict(seat)[field]) for seat in SEATS}
    for one, other in combinations(colours, 2):
        assert distance(colours[one], colours[other]) > 0.04, (one, other)


def files() -> list[Path]:
    folders = ("static/css", "static/js", "static/games", "templates")
    return [file for folder in folders for file in (ROOT / folder).rglob("*.*") if file != CSS]


def test_there_is_no_other_list() -> None:
    colours = {seat[field] for seat in SEATS for field in ("deep", "lit")}
    for file in files():
        text = file.read_text("utf-8")
        assert not NUMBERED.search(text), file
        assert not [colour for colour in colours if colour in text], file
    assert NUMBERED.search('body[data-me="3"]') and NUMBERED.search('"seat-1": "moon"')
