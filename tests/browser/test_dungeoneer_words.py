"""The texts of Dungeoneer, without a browser."""

import re
from typing import Any

import pytest

from app.web.templates import Templates
from engine.game import find
from engine.games.dungeoneer.cards import deck
from engine.games.dungeoneer.names import NAMES
from engine.testing import new_table

PAGES = Templates()
SUMMARY: Any = find("dungeoneer").summary(new_table(find("dungeoneer"), 4).shared())  # type: ignore[misc]


def text(language: str, template: str, **values: Any) -> str:
    """What a template says, without its markup."""
    page = PAGES.languages[language].from_string(template)
    html = page.render(PAGES.with_globals(language, {"summary": SUMMARY} | values))
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_rules_page_has_every_card(language: str) -> None:
    said = text(language, '{% include "games/dungeoneer/rules.html" %}')
    cards = deck()
    for card in (*cards.heroes, *cards.locations, *cards.quests, *cards.adventures):
        name = text(language, "{{ name|t }}", name=NAMES[card])
        assert name in said, card
    assert not re.search(r"[a-z]_[a-z]|%\(|  ", said)
    if language == "ru":
        assert not re.findall(r"[A-Za-z]{2,}", said)


def test_the_rules_page_tells_every_card() -> None:
    said = text("en", '{% include "games/dungeoneer/rules.html" %}')
    for line in (
        "Guardian Cloak , 1 glory (treasure, cloak, in deeds, permanent): discard it at any moment to prevent 1 wound.",
        "Mind Snare , 2 peril (trap, in villainy, instant): magic 6+; failed: 1 wound, the hero loses up to 2 glory; "
        "overcome: +1 glory.",
        "Blind Stair (grim tunnel): 2 glory and 2 peril. Exits: south: blocked 6+, west: wall. Pit: on entering "
        "speed 5+, or the hero falls.",
        "Unseemly Deal (sacrifice): Interdimensional Portal. Give: one of your treasures, or 1 action and 5 glory, "
        "and you gain 4 peril. Reward: +1 level.",
    ):
        assert line in said
