"""Nothing that matters is out of sight: each state of Paper Dungeons at each size of the window, in both languages. Axe
finds nothing on any of them, by night and by day."""

from collections.abc import Iterator

import pytest

from tests.browser.positions import shown_states
from tests.browser.scrawl_states import open_state, states
from tests.browser.sight import SIZES, check_in_sight
from tests.support.browser import Onlooker, violations_by_night_and_day

BOARD = {
    "menu": ".menu > summary",
    "scores": ".team .glory",
    "who is waited for": ".team .state",
}
NAMES = {"names": ".team .you"}
ROOM = {"where the team is": ".tool[href] > span:first-child"}
ROOMS = ROOM | {"where rivals are": ".team:not([data-seat='1']) .at"}
MAP = {
    "map": ".drawing",
    "signs, sheets": ".tools .tool",
}
FACTS = {"power and health": ".facts-of > span"}
ASKED = BOARD | NAMES | MAP | FACTS | {"what is asked": "#ask", "dice": ".pick .die", "what dice are": ".pick small"}
USES = ASKED | {"uses": ".what .use", "what potions are for": ".good-for"}
WALK = BOARD | NAMES | MAP | FACTS | {
    "what is asked": "#ask", "rooms": ".what .use", "lit rooms": ".targets button", "buttons": ".ends .btn:not(.hold)",
}  # fmt: skip
WALK_ON_A_HAND = {name: what for name, what in WALK.items() if name not in BOARD | NAMES} | {"hiding": ".hold"}
CHOOSING = BOARD | NAMES | MAP | FACTS | {"what is asked": "#ask", "why": ".rule-of", "undo": "#undo"}
KEEP = {"menu": ".menu > summary", "what is asked": "#ask", "cards": ".keep"}
REVEAL = {
    "names": ".opened .who",
    "what they did": ".opened .did li",
    "what came of it": ".opened .came > p",
    "the way on": ".telling .acts .main",
}
END = {
    "who has won": "#scoring h1",
    "names": ".twelve thead bdi, .ranks-of bdi",
    "sums": ".twelve .sums td",
    "the way on": "#rematch",
}
MANY_AT_THE_END = {name: what for name, what in END.items() if name != "sums"} | {"sums": ".ranks-of b"}
MANY = BOARD | NAMES | {"what is asked": "#ask", "dice": ".pick .die", "power and health": ".facts-of > span"}

STATES = {
    "first die": ASKED,
    "picked": USES,
    "clover": USES,
    "second die": ASKED | {"undo": "#undo", "what the dice did": ".spent li"},
    "third die": ASKED | {"undo": "#undo", "what the dice did": ".spent li"},
    "walking": WALK,
    "outside": WALK,
    "a level": CHOOSING | {"heroes": ".what .use"},
    "an item": {name: what for name, what in CHOOSING.items() if name not in MAP},  # its many words take the map's room
    "finished": {name: what for name, what in ASKED.items() if name != "what dice are"} | {
        "what the dice did": ".spent li", "buttons": ".ends .btn:not(.hold)",
    },
    "sealed": BOARD | NAMES | MAP | FACTS | {
        "what is asked": "#ask", "button": "#take-back", "for whom": "#f-waits p", "what was sealed": ".spent li",
    },
    "hurt": ASKED | {"time": ".clock"},
    "late": ASKED,
    "away": BOARD | NAMES | {"what is asked": "#ask", "dice": ".pick .die"},
    "one team": ASKED,
    "eight teams": MANY,
    "spectator": BOARD | NAMES | {"map": ".common-map .map", "dice": ".common-map .die"},
    "start": {"menu": ".menu > summary", "what is asked": "#ask", "cards": "button.keep"},
    "start, second": {"menu": ".menu > summary", "what is asked": "#ask", "cards": "button.keep"},
    "hand": FACTS | MAP | {"what is asked": "#ask", "dice": ".pick .die"},
    "hand walking": WALK_ON_A_HAND,
    "hand outside": WALK_ON_A_HAND,
    "set-up revealed": {"names": ".opened .who", "talents": ".opened .slot", "the way on": ".telling .acts .main"},
    "revealed": REVEAL | {"what else": ".told-event"},
    "fight": REVEAL | {"what else": ".told-event"},
    "eight revealed": {"own": ".opened .one[data-seat='1'] :is(.who, .came)", "the way on": ".telling .acts .main"},
    "end": END,
    "eight at the end": MANY_AT_THE_END,
}  # fmt: skip
# How many lines the heading of a choice has, and how wide the map is, of the window.
HEADING_AND_MAP = """() => {
  const heading = document.querySelector("#ask");
  const lines = heading.getBoundingClientRect().height / parseFloat(getComputedStyle(heading).lineHeight);
  return [Math.round(lines), document.querySelector(".drawing").clientWidth / innerWidth];
}"""
LEAST_MAP = {("hand walking", 844): 0.72, ("hand walking", 640): 0.6}
LINES_AT = {
    "end": [(1440, 900), (1280, 720), (844, 390), (390, 844), (360, 640), (720, 450)],
    "eight at the end": [(1280, 720)],
}
PHONES = ("hand", "hand walking", "hand outside")  # states that are for phones only
# Of states in which no die is picked: with three columns the monster's card and the heroes, otherwise one line of it.
COLUMNS = {"monster": ".ahead header", "what power brings": ".ahead .tiers tr", "heroes": ".heroes li:not(.shields)"}
# Unless the window is low.
MISSIONS = {
    "missions": ".others .missions li", "own objective and talent": ".at-stake .aims-of p",
    "what dice do, how often": ".rule-of",
}  # fmt: skip
ONE_LINE = {"monster and deadline": ".facts-of .foe", "levels": ".in-levels .level-of"}
# There, too, until a die is picked: what the team plays for.
UNPICKED = ("first die", "second die", "third die", "finished", "hurt", "late", "one team", "eight teams", "hand")
AT_STAKE = {
    "what power brings": ".at-stake div:first-child li",
    "missions": ".at-stake div:nth-child(2)",
    "own objective and talent": ".aims-of p",
    "what dice do, how often": ".rule-of",
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
    wide = [size for size in SIZES if size[0] > 1200]
    narrow = [size for size in SIZES if size not in wide]
    at_rest = {"dice", "power and health"} <= STATES[state].keys() and "uses" not in STATES[state]
    stake = AT_STAKE if state in UNPICKED else {}

    def opened(language: str) -> None:
        open_state(page, address, state, language)

    if state in PHONES:
        upright = [size for size in SIZES if size[0] < 500]
        check_in_sight(page, opened, STATES[state] | stake, [*upright, (844, 390)] if state != "hand" else upright)
        for width, height in upright:
            page.set_viewport_size({"width": width, "height": height})
            for language in ("en", "ru"):
                opened(language)
                lines, share = page.evaluate(HEADING_AND_MAP)
                assert lines == 1 and share > LEAST_MAP.get((state, height), 0), (language, width, lines, share)
    elif at_rest:
        check_in_sight(page, opened, STATES[state] | MISSIONS, [size for size in wide if size[1] > 700])
        check_in_sight(page, opened, STATES[state] | COLUMNS, wide)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "a laptop's page scrolls"
        rooms = {} if state == "away" else ROOM if state == "one team" else ROOMS
        check_in_sight(page, opened, STATES[state] | ONE_LINE | stake | rooms, narrow)
    else:
        check_in_sight(page, opened, STATES[state])
        if state in ("picked", "clover", "walking"):
            check_in_sight(page, opened, {"missions": ".missions-line"}, narrow)
    if state in LINES_AT:
        check_in_sight(page, opened, {"lines": ".twelve :is(tr > :first-child, td)"}, LINES_AT[state])
    if state == "end":
        check_in_sight(page, opened, {"objectives and talents": ".aims"}, [(360, 640), (844, 390)])
    page.set_viewport_size({"width": 390, "height": 844} if state in PHONES else {"width": 1280, "height": 720})
    wrong = violations_by_night_and_day(page)
    assert not wrong, "\n".join(wrong)
