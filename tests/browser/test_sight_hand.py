"""The phone with the hand beside a TV: everything that matters is in its first screen, upright and on its side."""

from collections.abc import Iterator

import pytest

from tests.browser.positions import path, shown_states
from tests.browser.sight import check_in_sight
from tests.browser.states import LIFTED, open_state, states
from tests.browser.test_sight_tv import MOMENTS, moment
from tests.support.browser import Onlooker

PHONES = (390, 844), (360, 640), (844, 390)

HAND = {
    "menu": ".menu > summary",
    "the room": ".facts :is(h1, dt, dd)",
    "whom the table waits for": "#f-waits > p:not(.clock)",
    "own name and score": ".mine-line",
}
CHOICE = HAND | {
    "choices": ".hand .choice",
    "consequences": ".hand .choice .verdict",
    "button": ".hand .acts > :is(.main, .none)",
    "hiding": ".hold",
}
LIFT = CHOICE | {"what the card does": ".fates > p"}
LAID = HAND | {"what is asked": "#ask", "the card": ".choice.mine .back", "button": "#take-back", "looking": ".hold"}

STATES = {
    "hand": CHOICE,
    "choose": CHOICE | {"time": ".clock"},
    "trapped": CHOICE,
    "treasure room": CHOICE,
    "vault room": CHOICE,
    "choose five": CHOICE,
    "long names": CHOICE,
    "torch": CHOICE,
    "big hand": CHOICE,
    "open": CHOICE,
    "lifted": LIFT,
    "boss": {name: of for name, of in LIFT.items() if name != "consequences"},  # the last room is told by its cards
    "lifted ball": LIFT,
    "wait": HAND,
    "hand laid": LAID,
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with shown_states({name: states()[name] for name in STATES}, face="hand") as address:
        yield address


@pytest.mark.parametrize("state", STATES)
def test_in_sight_on_a_hand(address: str, onlooker: Onlooker, state: str) -> None:
    page = onlooker(phone=True)

    def opened(language: str) -> None:
        open_state(page, address, state, language)
        assert page.locator("#hand .choice :checked").count() == (state in LIFTED)

    check_in_sight(page, opened, STATES[state], PHONES)


DICE = {
    "menu": ".menu > summary",
    "the monster": ".facts :is(h1, dt, dd)",
    "whom the table waits for": "#f-waits > p:not(.clock)",
    "the map": ".drawing .map",
    "own state": ".facts-of > *",
    "what is asked": "#ask",
    "dice": ".picks .die",
    "hiding": ".hold",
}


def test_paper_dungeons_in_sight_on_a_hand(onlooker: Onlooker) -> None:
    seats, _, come = MOMENTS["board of eight"]
    page = onlooker(phone=True)
    with shown_states({"dice": (moment("scrawl", seats, come), {"face": "hand"})}) as address:
        check_in_sight(page, lambda language: page.goto(address + path("dice", language)), DICE, PHONES)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight + 1")
