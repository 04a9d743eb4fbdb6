"""Nothing that matters is out of sight: each state of Dungeon Raiders at each size of the window, in both languages."""

from collections.abc import Iterator

import pytest

from tests.browser.positions import shown_states
from tests.browser.sight import SIZES, check_in_sight, out_of_sight
from tests.browser.states import REVEALED, open_state, states
from tests.support.browser import Onlooker

BOARD = {
    "menu": ".menu > summary",
    "which floor and room": ".where b",
    "this room": ".room.now .card",
    "names": ".places:not(.big) .who",
    "scores": ".places:not(.big) .purse",
    "who leads and who faints": ".places:not(.big) .standing",
    "if it ended now": ".if-now",
    "what others can play": ".places:not(.big) .chips b",
    "who is waited for": "#f-waits > p",
}
AHEAD = {"where the boss waits": ".boss-ahead"}
CHOICE = BOARD | {
    "what is asked": "#ask",
    "the rule of the room": "#ask + p",
    "choices": ".hand .choice",
    "consequences": ".hand .choice .verdict",
    "button": ".hand .acts > :is(.main, .none)",
}
NEXT = {"what comes next": ".room:not(.now) :is(.stats dd, .scale dt, .scale dd, .ladder b)"}
LIFTED = CHOICE | {"what the card does": ".fates > p"}
LAID = BOARD | {"what is asked": "#ask", "button": "#take-back"}
REVEAL = {
    "the room that is told": ".which .card, .which .kind",
    "names": ".big .who",
    "cards": ".big .slot",
    "purses": ".big .purse",
    "what came of it": ".telling h2",
    "steps": ".story li",
    "the way on": ".telling .acts .main",
}
FIGHT = REVEAL | {"sum": ".measure > b", "sum in words": ".measure-ends"}
END = {"who has won": "#scoring h1", "scores": ".ranks :is(th, td)", "the way on": "#rematch"}

STATES = {
    "choose": CHOICE | AHEAD | {"time": ".clock", "who is away": ".away .state"},
    "lifted": LIFTED | {"time": ".clock"},
    "trapped": CHOICE | AHEAD | NEXT,
    "treasure room": CHOICE | AHEAD | NEXT,
    "vault room": CHOICE,
    "boss": {name: of for name, of in LIFTED.items() if name != "consequences"},  # the last room is told by its cards
    "lifted ball": LIFTED,
    "choose five": CHOICE,
    "long names": CHOICE,
    "laid": LAID,
    "torch": CHOICE,
    "big hand": CHOICE,
    "open": CHOICE,
    "wait": BOARD | {"what is asked": "#ask"},
    "monster": FIGHT,
    "beaten": FIGHT,
    "treasure": REVEAL,
    "vault": REVEAL,
    "trap": REVEAL,
    "ball": REVEAL,
    "second card": FIGHT,
    "five": REVEAL,
    "long reveal": REVEAL,
    "flight": FIGHT,
    "medusa": FIGHT,
    "end": END,
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with shown_states(states()) as address:
        yield address


def test_all_states_are_here() -> None:
    assert STATES.keys() >= REVEALED
    assert states().keys() - STATES.keys() == {"hand", "hand laid", "screen"}


@pytest.mark.parametrize("state", STATES)
def test_in_sight(address: str, onlooker: Onlooker, state: str) -> None:
    page = onlooker()
    check_in_sight(page, lambda language: open_state(page, address, state, language), STATES[state])


# The names of cards whose words or pictures reach beyond them.
OVERFULL = """cards => cards.filter((e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1)
  .map((e) => e.innerText)"""


def test_vaults_hold_their_words_and_low_windows_say_what_the_signs_mean(address: str, onlooker: Onlooker) -> None:
    page, wrong = onlooker(), []
    for state, language in (("torch", "ru"), ("torch", "en"), ("vault room", "ru")):
        open_state(page, address, state, language)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            found = page.locator(".floor .card").evaluate_all(OVERFULL)
            wrong += [f"{language} {width}x{height}: {what}" for what in found]
        page.set_viewport_size({"width": 360, "height": 640})
        wrong += out_of_sight(
            page, {"what the signs mean": ".places-key > *", "what can be played": ".places .chips b"}
        )
        page.evaluate("document.body.classList.add('playing')")
        if page.locator(".places-key").is_visible():
            wrong.append("the signs of the board are told in a reveal, too")
    assert not wrong, "\n".join(wrong)
