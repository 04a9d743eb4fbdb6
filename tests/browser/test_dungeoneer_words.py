"""The texts of Dungeoneer, without a browser."""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from random import Random
from typing import Any

import pytest

from app.web.templates import Templates
from engine.beats import rounds_of
from engine.game import find
from engine.games.dungeoneer.cards import deck
from engine.games.dungeoneer.names import NAMES
from engine.games.dungeoneer.telling import beats
from engine.table import Table
from engine.testing import new_table
from engine.testing.moves import deal
from tests.browser.positions import GamePosition
from tests.engine.games.dungeoneer.endings import CORPUS

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
        "speed 5+, or the hero is knocked down.",
        "Unseemly Deal (sacrifice): Interdimensional Portal. Give: one of your treasures, or 1 action and 5 glory, "
        "and you gain 4 peril. Reward: +1 level.",
    ):
        assert line in said


GAMES = (
    "4-last_hero",
    "3-quests-whole_map-resurrection-optional-fresh",
    "1-won-harder-limited-dodge-chosen_heroes",
    "2-rounds",
)
LINES = '{% import "games/dungeoneer/story.html" as story %}{{ story.lines(rounds, names, summary, 0) }}'
TURN = '{% import "games/dungeoneer/story.html" as story %}{{ story.turn(rounds|sum(start=[]), names, summary, 0) }}'
PEOPLE = ["Мира", "Антон", "Лейла", "Витя"]


def turns(file: str) -> Iterator[list[list[Mapping[str, Any]]]]:
    """The turns of a recorded game, each as a list of rounds."""
    events = [json.loads(line) for line in (CORPUS / f"{file}.jsonl").read_bytes().splitlines()]
    rounds = rounds_of([event for event in events if event["kind"] != "log"])
    for scope, turn in groupby(rounds, lambda one: one[0].get("scope", "")):
        if scope:
            yield list(turn)


@pytest.mark.no_cover
@pytest.mark.parametrize("file", GAMES)
def test_every_turn_is_told_line_by_line_as_its_beats_say(file: str) -> None:
    for turn in turns(file):
        known = [list(beats(one, {})) for one in turn]
        for language in ("en", "ru"):
            values = {"rounds": turn, "names": PEOPLE, "summary": SUMMARY}
            html = PAGES.languages[language].from_string(LINES).render(PAGES.with_globals(language, values))
            lines = [int(beat) for beat in re.findall(r'<li data-beat="(\d+)"', html)]
            total = sum(map(len, known))
            assert lines == sorted(set(lines)) and all(1 <= beat <= total for beat in lines)
            assert total - len(lines) <= 2  # in the solo game an event that only gains peril has no line
            said = text(language, LINES, **values) + text(language, TURN, **values)
            assert not re.search(r"[a-z]_[a-z]|%\(|[a-z]\d", said)
            assert language == "en" or not re.search(r"[A-Za-z]{2,}", said), said


def said_of(*events: dict[str, Any]) -> list[str]:
    rounds = [[{"kind": "revealed", "answers": [], "scope": "turn 1"}, *events]]
    html = (
        PAGES.languages["en"]
        .from_string(LINES)
        .render(PAGES.with_globals("en", {"rounds": rounds, "names": ["Mira", "Anton"], "summary": SUMMARY}))
    )
    return [
        " ".join(re.sub(r"<[^>]+>", "", line).split("\n")[0].split(">")[-1].split()) for line in html.split("<li")[1:]
    ]


def test_a_battle_is_told_in_its_stages_with_numbers_that_add_up() -> None:
    began = {"attacks": [{"by": "m0", "card": "vat_horror", "on": "h1", "form": "melee"}], "challenge": False}
    attack = {"attack": 0, "by": "m0", "on": "h1", "form": "melee", "die": 5, "value": 3, "more": 1, "total": 9}
    counter = {"attack": 0, "by": "h1", "form": "melee", "die": 4, "value": 2, "more": -1, "total": 5}
    battle = (
        {"kind": "battle_began", "at": "rat_run", **began},
        {"kind": "attack_rolled", **attack},
        {"kind": "counter_rolled", **counter},
        {"kind": "compared", "attack": 0, "total": 9, "counter": 5, "striker": "m0"},
        {"kind": "wounded", "seat": 1, "hp": 3, "why": "vat_horror"},
    )
    assert said_of(*battle) == [
        "Battle: Rat Run. Vat Horror attacks Anton (melee).",
        "Attack check. Vat Horror: 5 + 3 + 1 = 9.",
        "Counter check. Anton: 4 + 2 − 1 = 5.",
        "9 against 5: Vat Horror strikes. Anton is wounded: 3 health left.",
    ]
    assert beats(battle, {}) == ["battle_began", "attack_rolled", "counter_rolled", "compared"]


def test_an_answer_that_changes_nothing_has_no_line_and_no_beat() -> None:
    assert said_of() == []
    assert beats([{"kind": "revealed", "answers": [], "scope": "turn 1"}], {}) == []


@pytest.mark.no_cover
@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_answer_can_be_said(language: str) -> None:
    rounds = [one for file in GAMES for turn in turns(file) for one in turn]
    words = {word for one in rounds for answer in one[0].get("answers", ()) for word in answer["words"]}
    assert len(words) > 150
    for word in sorted(words):
        said = text(language, '{% include "games/dungeoneer/answer.html" %}', words=(word,))
        assert said and "_" not in said, word
        assert language == "en" or not re.search(r"[A-Za-z]", said), (word, said)
    assert text("en", '{% include "games/dungeoneer/answer.html" %}', words=("move n", "play parry 1")) == (
        "a step: north, Parry"
    )


VARIANTS = (
    (3, {"whole_map": "yes", "chosen_heroes": "yes", "resurrection": "yes"}),
    (1, {"harder": "yes", "chosen_heroes": "yes"}),
    (4, {"decks": "two", "dodge": "yes", "impartial": "yes"}),
    (2, {"limited": "yes", "impersonal": "yes"}),
)


@pytest.mark.no_cover
@pytest.mark.parametrize(("seats", "options"), VARIANTS)
def test_every_face_can_be_shown_in_every_variant(seats: int, options: Mapping[str, str]) -> None:
    luck, game = Random(seats), find("dungeoneer")
    table, began = Table.begin(game, seats, deal(seats, 3), game.choose_options(options, seats))
    position = GamePosition(table, began)
    for step in range(160):
        if table.over:
            break
        seat = luck.choice(table.waits)
        position.play((seat, luck.choice(table.moves(seat))))
        if step % 20 == 0 or own_draft(table, seat):
            for face in ("play", "hand", "screen"):
                assert "<main" in position.html(face, seat=seat, language=("en", "ru")[step % 2])


def own_draft(table: Table, seat: int) -> bool:
    own = table.own(seat)
    return own is not None and len(own.draft) > 1
