"""Dungeoneer on the TV and on the phone beside it: what matters is in sight, in both languages, by day and by night."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from engine.testing.moves import play_at_random
from tests.browser.lair_states import ANTON, LEILA, MIRA, WICK, game, many, no_third, sent, until, won
from tests.browser.positions import LONG_NAMES, GamePosition, path, shown_states
from tests.browser.sight import SIZES, TVS, check_in_sight
from tests.browser.test_dungeoneer_sight import COVERED
from tests.support.browser import Onlooker, Person, violations_by_night_and_day

WIDE = {
    "entrance": (0, 0), "crossroads": (1, 0), "rubble_crawl": (2, 0), "hall_of_blades": (3, 0), "chasm_hall": (4, 0),
    "flooded_cistern": (5, 0), "gloom_tunnel": (-1, 0, 180), "treasury": (-2, 0), "library": (5, 1),
    "fiend_cages": (6, 1), "laboratory": (1, 1), "rat_run": (4, 1),
}  # fmt: skip
MIDDLE = {
    "entrance": (0, 0), "rotating_hall": (1, 0), "treasury": (2, 0), "arsenal": (-1, 0), "flooded_cistern": (1, -1),
    "dark_altar": (2, -1), "chasm_hall": (0, -1), "rat_run": (-1, -1), "rubble_crawl": (0, 1), "bone_tunnel": (0, 2),
    "blind_stair": (1, 1), "wardens_post": (1, 2), "hall_of_blades": (2, 1), "gloom_tunnel": (3, 0),
    "laboratory": (-2, 0), "crossroads": (4, 0), "weeping_tunnel": (5, 0),
}  # fmt: skip


def wide() -> GamePosition:
    """All heroes in one location of a map that is ten locations wide."""
    there = {"at": "hall_of_blades", "visited": []}
    players = [{**player, **there} for player in (MIRA, {**ANTON, "down": True}, LEILA, WICK)]
    return until(game(names=LONG_NAMES, map=WIDE, players=players), "Deeds")


def middle() -> GamePosition:
    """Every gate and hazard, on a map that is eight locations wide."""
    places = ("entrance", "dark_altar", "laboratory", "crossroads")
    players = [{**one, "at": at, "visited": []} for one, at in zip((MIRA, ANTON, LEILA, WICK), places, strict=True)]
    return until(game(map=MIDDLE, players=players), "Deeds")


def ended() -> GamePosition:
    position = game(names=LONG_NAMES)
    for events in play_at_random(position.table, Random(5)):
        position.tell(events)
    return position


@cache
def states() -> dict[str, tuple[GamePosition, dict[str, Any]]]:
    screen, hand = {"face": "screen"}, {"face": "hand"}
    walked = until(game(), "Deeds").play((0, "move s"))
    return {
        "screen": (walked, screen),
        "screen middle": (middle(), screen),
        "screen wide": (wide(), screen),
        "screen battle": (until(sent(), "Respond", 1), screen),
        "screen rolled": (until(sent(), "Challenge", 1), screen),
        "screen battle of many": (many(), screen),
        "screen after the battle": (until(sent(names=LONG_NAMES), "LairOrHand", 0), screen),
        "screen without quests": (no_third(), screen),
        "screen at the end": (ended(), screen),
        "screen at the end of quests": (won(), screen),
        "hand": (until(game(), "Deeds"), hand),
        "hand attacked": (until(sent(), "Respond", 1), hand | {"seat": 1}),
        "hand waits": (until(game(), "Deeds"), hand | {"seat": 3}),
    }


TABLE = {"whose turn": ".turn-of", "for whom": ".waits p", "names": ".rival .who bdi", "health": ".rival .stat b"}
MAP = {"points": ".map-view .gain", "heroes": ".map-view .pawn i"}
TOLD = {"what happened": ".story li:last-child span"}
FIGHT = {"where": ".fight h2", "who fights": ".bout h3", "chances": ".versus .high", "sums": ".tally .total dd"}
MINE = {"hero": ".me .val b", "points": ".me .stock-of b", "what is asked": "#ask", "cards": ".held .cost"}
STATES = {
    "screen": TABLE | MAP | TOLD | {"locations": ".map-view .title", "code": ".invite .code", "quests": ".open-quests"},
    "screen middle": TABLE | {"heroes": ".map-view .pawn i", "locations that matter": ".sites b"},
    "screen wide": TABLE | {"map": ".map-view .plan", "locations that matter": ".sites b", "round": ".where .round"},
    "screen battle": TABLE | TOLD | FIGHT | {"summands": ".tally dd"},
    "screen rolled": TABLE | TOLD | FIGHT | {"what it means": ".versus .means"},
    "screen battle of many": TABLE | TOLD | FIGHT | {"what the chances are": ".versus span"},
    "screen after the battle": TABLE | TOLD | {"heroes": MAP["heroes"]},
    "screen without quests": TABLE | {"that nobody can have three": ".open-quests"},
    "screen at the end": {
        "who has won": "#f-board h1",
        "why": "#f-board .lede",
        "players": ".ranks th bdi",
        "points": ".ranks .num",
        "game and round": ".where > span",
        "code": ".invite :is(.code, .qr)",
    },
    "screen at the end of quests": {"players": ".ranks th bdi", "who completed what": ".done li"},
    "hand": MINE | {"buttons": ".panel .acts .btn", "map": ".map-view .pawn[data-seat='1'] i"},
    "hand attacked": MINE | {"buttons": ".panel .acts .btn", "who fights": ".bout h3", "chances": ".versus b"},
    "hand waits": MINE,
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with shown_states(states()) as address:
        yield address


def test_all_states_are_here() -> None:
    assert states().keys() == STATES.keys()


@pytest.mark.parametrize("state", STATES)
def test_in_sight(address: str, onlooker: Onlooker, state: str) -> None:
    page, tv = onlooker(), state.startswith("screen")
    sizes = TVS if tv else [size for size in SIZES if size[0] < 500]
    check_in_sight(page, lambda language: page.goto(address + path(state, language)), STATES[state], sizes, afar=tv)


def test_axe(address: str, person: Person) -> None:
    page = person("Mira", contrast="no-preference", reduced_motion="reduce")
    wrong = []
    for name in ("screen", "screen battle", "hand", "hand attacked", "screen at the end"):
        page.goto(address + path(name, "en"))
        wrong += [f"{name}: {violation}" for violation in violations_by_night_and_day(page)]
    assert not wrong, "\n".join(wrong)


APART = """[...document.querySelectorAll(".versus b")].filter(b => {
  const [one, word] = [b, b.nextElementSibling].map(e => e.getBoundingClientRect());
  return word.top > one.bottom || word.left < one.right;
}).length"""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_chance_and_its_word_stay_together(address: str, onlooker: Onlooker, language: str) -> None:
    page = onlooker()
    for state, width, height in (
        ("screen battle", 1920, 1080),
        ("hand attacked", 390, 844),
        ("hand attacked", 360, 640),
    ):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address + path(state, language))
        assert page.evaluate(APART) == 0


NUMBERS = ".map-view :is(.number rect, .gain, .hazard)"
COVERING = """([numbers, spare]) => {
  const told = one => [one.parentElement.textContent.trim(), one.getBoundingClientRect()];
  const boxes = [...document.querySelectorAll(numbers)].map(told);
  const wide = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const high = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  const covers = (a, b) => Math.min(wide(a, b), high(a, b)) > spare * Math.min(a.height, b.height);
  return boxes.flatMap(([name, a], n) =>
    boxes.slice(n + 1).filter(([, b]) => covers(a, b)).map(([other]) => `${name} and ${other}`));
}"""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_number_on_the_map_covers_another(address: str, onlooker: Onlooker, language: str) -> None:
    page = onlooker()
    for width, height in TVS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address + path("screen middle", language))
        expect(page.locator("html")).to_have_attribute("data-zoom", "signs")
        assert page.evaluate(COVERING, [NUMBERS, 0.3]) == []  # digits are lower than their boxes


def test_at_the_end_it_is_nobody_s_turn(address: str, onlooker: Onlooker) -> None:
    page = onlooker()
    page.goto(address + path("screen at the end", "en"))
    assert page.inner_text(".where").split("\n") == ["Dungeoneer", "Round 40 of 40"]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_figures_and_gates_leave_a_location_readable(address: str, onlooker: Onlooker, language: str) -> None:
    page = onlooker()
    for width, height in TVS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address + path("screen", language))
        assert page.evaluate(COVERED) == []


def test_the_tv_shows_no_hand_and_names_nobody_who_can_answer(address: str, person: Person) -> None:
    page = person("Mira")
    page.goto(address + path("screen battle", "en"))
    said = page.inner_text("body")
    assert "The table waits for an answer" in said
    for card in ("Notched Sword", "Distracting Manoeuvre", "Stitched Brute", "Second Wind"):
        assert card not in page.content()
