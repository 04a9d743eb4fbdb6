"""The phone with the hand beside a TV: everything that matters is in its first screen, upright and on its side."""

from collections.abc import Iterator

import pytest

from tests.browser.positions import shown
from tests.browser.sight import out_of_sight_at
from tests.browser.states import LIFTED, open_state, states
from tests.browser.test_sight_tv import MOMENTS, moment
from tests.support.browser import Person

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
    "boss": LIFT,
    "lifted ball": LIFT,
    "wait": HAND,
    "hand laid": LAID,
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with shown() as (pages, address):
        for name in STATES:
            at, also = states()[name]
            for language in ("en", "ru"):
                pages[f"{language}/{name.replace(' ', '-')}"] = at.html(
                    **{**also, "face": "hand", "language": language}
                )
        yield address


@pytest.mark.parametrize("state", STATES)
def test_in_sight_on_a_hand(address: str, person: Person, state: str) -> None:
    page = person("Mira", phone=True)
    wrong = []
    for language in ("en", "ru"):
        open_state(page, address, state, language)
        assert page.locator("#hand .choice :checked").count() == (state in LIFTED)
        wrong += [f"{language} {what}" for what in out_of_sight_at(page, STATES[state], PHONES)]
    assert not wrong, "\n".join(wrong)


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


def test_paper_dungeons_in_sight_on_a_hand(person: Person) -> None:
    seats, _, come = MOMENTS["board of eight"]
    position = moment(seats, come)
    page, wrong = person("Mira", phone=True), []
    with shown() as (pages, address):
        for language in ("en", "ru"):
            pages[language] = position.html("hand", language=language)
            page.goto(address + language)
            wrong += [f"{language} {what}" for what in out_of_sight_at(page, DICE, PHONES)]
            assert page.evaluate("document.documentElement.scrollHeight <= innerHeight + 1")
    assert not wrong, "\n".join(wrong)
