"""What pages of Rodents and Tombs say, without a browser."""

import re

import pytest

from engine.games.tomb.positions import Board
from tests.browser.positions import GamePosition, TombPosition
from tests.browser.tomb_states import states

ICON = re.compile(r'<svg class="ic".*?href="?[^"> ]*#(?:tomb-)?([\w-]+).*?</svg>', re.S)


def words(state: str, part: str, language: str = "en") -> str:
    """The text of the part of a page that begins with this; icons as their names."""
    position, how = states()[state]
    return said_in(position.html(language=language, **how), part)


def said_in(html: str, part: str) -> str:
    found = re.search(rf"{part}.*", html, re.S)
    assert found, f"{part} is missing"
    return " ".join(re.sub(r"<[^>]+>", " ", ICON.sub(r" (\1) ", found[0])).split())


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "3 of your 3 paws: entrance 9, Scaffolding and 2 × 7"),
        ("ru", "Лапок: 3 из 3 (вход 9, Строительные леса и 2 × 7)"),
    ],
)
def test_a_paw_on_an_entrance_says_how_many_paws_go_where(language: str, said: str) -> None:
    assert said in words("aimed", '<div class="?fates', language)


def test_gains_are_added_up_and_sets_are_counted() -> None:
    said = words("hire", '<fieldset class="?opts')
    assert "Now +1 (food) +2 (torch) +2 (pickaxe) +2 (glory) 1 food, 2 torches, 2 pickaxes and 2 glory" in said
    assert "At the end sets of helpers 4 → 7 points" in said
    assert "3 short (glory) 5" in said


def test_a_place_to_choose_shows_the_price_and_what_each_place_brings() -> None:
    said = words("place", '<p class="?sentence')
    assert "Stone Circle Costs 1 food, 2 torches, 2 pickaxes and 1 gold." in said
    assert "−1 (food) −2 (torch) −2 (pickaxe) −1 (gold)" in said
    assert "2 × 6 3 (pickaxe) +1 (gold) The chest there: 3 pickaxes. Tracker brings 1 gold." in said


def test_the_bar_does_not_call_for_a_last_action_when_the_game_is_over() -> None:
    said = words("screen at the end", '<div id="?f-bar').split("wins with")[0]
    assert "Turn 42" in said and "last action" not in said


def declinable() -> GamePosition:
    """Minecart Driver brings a resource for a lift without an effect, so the Watch Post's effect may be declined."""
    mira, rooms = Board(helpers=("minecart_driver",)), {"c22": ("watch_post", 1)}
    position = TombPosition(mira, Board(), rooms=rooms, paws={"5": 0, "7": 0, "c22": 0, "1": 1, "12": 1})
    return position.play((0, "remove"), (0, "lift c22"))


@pytest.mark.parametrize(
    ("language", "title", "use"),
    [("en", "Use this effect?", "Use the effect"), ("ru", "Применить этот эффект?", "Применить эффект")],
)
def test_an_effect_that_may_be_declined(language: str, title: str, use: str) -> None:
    position = declinable()
    assert position.table.moves(0) == ["apply", "skip"]
    for face in ("play", "hand"):
        said = said_in(position.html(face, language=language), '<section class="?deed-box')
        assert said.index(title) < said.index(use)
