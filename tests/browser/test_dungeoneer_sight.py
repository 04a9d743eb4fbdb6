"""Nothing that matters is out of sight: states of Dungeoneer at each size of the window, in both languages."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from tests.browser.lair_states import no_third, open_state, states, won
from tests.browser.positions import path, shown_states
from tests.browser.sight import check_in_sight
from tests.support.browser import Onlooker, Person, violations_by_night_and_day

OTHERS = {"menu": ".menu > summary", "names": ".rival .who bdi", "purses": ".rival .stat b", "whose turn": ".turn-of"}
MINE = {
    "health, actions, glory, peril": ".stock-of b",
    "values": ".me .val b",
    "prices": ".held .cost",
    "who I am": ".me .who :is(bdi, small)",
    "health at most": ".health-of :is(.most, small)",
}
ASKED = OTHERS | MINE | {"what is asked": "#ask, .offer:has(:checked) h3", "buttons": "#hand .acts .btn"}
CHOSEN = ASKED | {"what it costs and may bring": ".way:has(:checked) .sum li:nth-child(-n + 2)"}
STATES = {
    "deeds": ASKED,
    "walk": CHOSEN | {"time": ".clock"},
    "card": CHOSEN,
    "lay": ASKED,
    "villainy": ASKED,
    "group": CHOSEN | {"against whom": ".offer:has(:checked) .ways .btn"},
    "grouped": CHOSEN | {"who is in the group": ".sentence"},
    "answer": CHOSEN | {"attacks": ".bout h3", "chances": ".versus span:not(:has(*)), .versus b", "sums": ".tally dd"},
    "many attacks": ASKED | {"attacks": ".bout:nth-child(-n + 2) h3", "chances": ".bout:nth-child(-n + 2) .versus b"},
    "rolled": ASKED
    | {
        "what striking back brings": ".stake",
        "its chance": ".offers .whole",
        "totals": ".versus b",
        "what they mean": ".means",
        "dice": ".tally .die",
        "sums": ".total dd",
    },
    "check": ASKED | {"what must be reached": ".need b"},
    "unasked check": OTHERS | MINE | {"check": ".need b", "that I can act": "#ask", "how": ".unasked .btn"},
    "unasked": OTHERS | MINE | {"that it is not my choice": "#ask", "how I am asked": ".unasked .btn"},
    "wait": OTHERS | MINE | {"that it is not my choice": "#ask"},
    "lair": ASKED,
    "discard": OTHERS | MINE | {"what is asked": "#ask", "not in the hand": ".offers .btn"},
    "long names": {"names": ".rival .who bdi", "what is asked": "#ask"},
    "full": ASKED,
    "alone": MINE | {"what is asked": "#ask", "buttons": "#hand .acts .btn"},
    "spectator": OTHERS | {"what a watcher may do": ".watching :is(h2, p, label, input, .btn)"},
    "end": {
        "who has won": "#scoring h1",
        "players": ".ranks bdi",
        "heroes": ".ranks td.hero",
        "how far": ".ranks .num",
    },
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with shown_states(states()) as address:
        yield address


def test_all_states_are_here() -> None:
    assert states().keys() == STATES.keys()


@pytest.mark.parametrize("state", STATES)
def test_in_sight(address: str, onlooker: Onlooker, state: str) -> None:
    page = onlooker()
    check_in_sight(page, lambda language: open_state(page, address, state, language), STATES[state])


GAPS = """() => [...document.querySelectorAll(".rival")].filter(one => one.checkVisibility()).map(rival => {
  const [first, second, last] = [...rival.querySelectorAll(".stat")].filter(one => one.checkVisibility())
    .map(one => one.getBoundingClientRect());
  return [first.left, last.right, second.left - first.right];
})"""


@pytest.mark.parametrize("size", [(360, 640), (390, 844)])
def test_on_a_phone_the_own_quests_are_seen_and_rivals_numbers_stand_apart(
    address: str, onlooker: Onlooker, size: tuple[int, int]
) -> None:
    page = onlooker()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_state(page, address, "deeds")
    assert page.inner_text(".me .who").split("\n") == ["Mira", "level 2"]
    assert page.locator(".me .pips .on").count() == 1 and page.locator(".me .pips").is_visible()
    assert page.inner_text(".health-of").split("\n") == ["5", "/6"]
    groups = page.evaluate(GAPS)
    assert all(after[0] - before[1] > 2 * before[2] for before, after in pairwise(groups))


def test_on_a_phone_a_group_says_what_a_strike_does(address: str, onlooker: Onlooker) -> None:
    strike = {"what a strike does": ".way:has(:checked) .sum li:last-child"}
    page = onlooker()
    check_in_sight(page, lambda to: open_state(page, address, "group", to), strike, ((360, 640), (390, 844)))


def test_it_is_said_that_nobody_can_have_three_quests_any_more(onlooker: Onlooker) -> None:
    said, wide = {"that nobody can have three": ".open-quests"}, ((1280, 720), (1440, 900))
    page = onlooker()
    with shown_states({"player": (no_third(), {}), "watcher": (no_third(), {"seat": None})}) as address:
        check_in_sight(page, lambda to: page.goto(address + path("player", to)), said, wide)
        check_in_sight(page, lambda to: page.goto(address + path("watcher", to)), said, wide)
        page.set_viewport_size({"width": 360, "height": 640})
        page.goto(address + path("player", "en"))
        page.click(".to-quests")
        assert page.locator(".quests .no-third").is_visible()


LINES = """() => [...document.querySelectorAll("#scoring .wide li")].map(one =>
  Math.round(one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)))"""


def test_completed_quests_stand_in_whole_lines(onlooker: Onlooker) -> None:
    page = onlooker()
    with shown_states({"won": (won(), {})}) as address:
        for language in ("en", "ru"):
            page.goto(address + path("won", language))
            for width, height, most in ((360, 640, 3), (844, 390, 1), (1280, 720, 1), (1440, 900, 1), (1920, 1080, 1)):
                page.set_viewport_size({"width": width, "height": height})
                lines = page.evaluate(LINES)
                assert len(lines) >= 3 and max(lines) <= most, (language, width, lines)


SEEN = """() => {
  const [view, there] = [document.querySelector(".map-view"), document.querySelector(".aim.sel").closest(".cell")]
    .map(one => one.getBoundingClientRect());
  return there.left >= view.left && there.right <= view.right && there.top >= view.top && there.bottom <= view.bottom;
}"""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_map_shows_the_place_that_is_chosen(address: str, onlooker: Onlooker, language: str) -> None:
    page = onlooker()
    for state in ("walk", "lay"):
        for width, height in ((360, 640), (390, 844), (844, 390), (1280, 720)):
            page.set_viewport_size({"width": width, "height": height})
            open_state(page, address, state, language)
            assert page.evaluate(SEEN), (state, width)
    name = {"en": "Arsenal: ", "ru": "Арсенал: "}[language]
    assert page.inner_text(".offer:has(:checked) h3").startswith(name)


# How many lines are partly in sight, and how high the newest is there; the blank above letters is no part of them.
CUT = """() => {
  const box = of => document.querySelector(of).getBoundingClientRect();
  const [seen, list] = [box(".chain .telling"), box(".chain .story")];
  const [top, bottom, blank] = [Math.max(seen.top, list.top), Math.min(seen.bottom, list.bottom), 3];
  const lines = [...document.querySelectorAll(".chain .story > li")].map(line => line.getBoundingClientRect());
  const across = lines.filter(b => b.left < list.right && b.bottom > top + blank && b.top < bottom - blank);
  const newest = lines.at(-1);
  return [
    across.filter(b => b.top < top - blank || b.bottom > bottom + blank).length,
    Math.min(newest.bottom, bottom) - Math.max(newest.top, top),
  ];
}"""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_log_beside_the_map_shows_whole_lines(address: str, onlooker: Onlooker, language: str) -> None:
    page = onlooker()
    for state in ("answer", "rolled", "lair"):
        open_state(page, address, state, language)
        for width, height in ((1280, 720), (1440, 900)):
            page.set_viewport_size({"width": width, "height": height})
            cut, newest = page.evaluate(CUT)
            assert (cut, newest > 10) == (0, True), (state, width)


# The map fits itself to a window that has changed before the next frame.
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
# Words and numbers of locations over which gates or, where there is one hero alone, its figure lies.
COVERED = """() => [...document.querySelectorAll(".map-view:not(.aims) .cell")].flatMap(cell => {
  const at = cell.getBoundingClientRect();
  const within = b => b.left + b.right > 2 * at.left && b.left + b.right < 2 * at.right
    && b.top + b.bottom > 2 * at.top && b.top + b.bottom < 2 * at.bottom;
  const gates = [...document.querySelectorAll(".number rect")].map(one => one.getBoundingClientRect()).filter(within);
  const pawns = [...cell.querySelectorAll(".pawn i")].map(one => one.getBoundingClientRect());
  const texts = [...cell.querySelectorAll(".title, .gain, .hazard")].flatMap(one => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return [...range.getClientRects()].map(b => [one.textContent, b]);
  });
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom - a.height / 5, b.bottom) - Math.max(a.top + a.height / 5, b.top) > 2;
  const over = pawns.length > 1 ? gates : [...gates, ...pawns];
  return texts.filter(([, text]) => over.some(one => meet(text, one))).map(([text]) => `${cell.id}: ${text.trim()}`);
})"""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_figures_and_gates_leave_a_location_readable(address: str, onlooker: Onlooker, language: str) -> None:
    page = onlooker()
    open_state(page, address, "deeds", language)
    covered = []
    for width, height in ((1280, 720), (1440, 900), (844, 390), (390, 844), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        covered += [f"{width}x{height} {what}" for what in page.evaluate(COVERED)]
    assert not covered, "\n".join(covered)


AXE = ("walk", "lay", "group", "answer", "check", "full", "end")


def test_axe(address: str, person: Person) -> None:
    page = person("Mira", contrast="no-preference", reduced_motion="reduce")
    wrong = []
    for name in AXE:
        open_state(page, address, name)
        wrong += [f"{name}: {violation}" for violation in violations_by_night_and_day(page)]
    assert not wrong, "\n".join(wrong)
