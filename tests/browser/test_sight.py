"""Nothing that matters is out of sight: each state of Dungeon Raiders at each size of the window, in both languages."""

from collections.abc import Iterator

import pytest

from tests.browser.positions import shown
from tests.browser.sight import SIZES, out_of_sight_at
from tests.browser.states import REVEALED, open_state, states
from tests.support.browser import Person

BOARD = {
    "menu": ".menu > summary",
    "this room": ".room.now .card",
    "names": ".places:not(.big) .who",
    "scores": ".places:not(.big) .purse",
    "what others can play": ".places:not(.big) .chips > :last-child",
    "who is waited for": "#f-waits > p",
}
CHOICE = BOARD | {
    "what is asked": "#ask",
    "the rule of the room": "#ask + p",
    "choices": ".hand .choice",
    "consequences": ".hand .choice .verdict",
    "button": ".hand .acts > :is(.main, .none)",
}
LIFTED = CHOICE | {"what the card does": ".fates > p"}
LAID = BOARD | {"what is asked": "#ask", "button": "#take-back"}
REVEAL = {
    "names": ".big .who",
    "cards": ".big .slot",
    "purses": ".big .purse",
    "what came of it": ".telling h2",
    "steps": ".story li",
    "the way on": ".telling .acts .main",
}
FIGHT = REVEAL | {"sum": ".measure > *", "sum in words": ".measure-ends"}
END = {"who has won": "#scoring h1", "scores": ".ranks :is(th, td)", "the way on": "#rematch"}

STATES = {
    "choose": CHOICE | {"time": ".clock", "who is away": ".away .state"},
    "lifted": LIFTED | {"time": ".clock"},
    "trapped": CHOICE,
    "treasure room": CHOICE,
    "vault room": CHOICE,
    "boss": LIFTED,
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

# Still out of sight: windows by state. To be removed.
RED = {
    "choose": "1440x900 1280x720 1280x580 1024x768 844x390 390x844 360x640 720x450",
    "lifted": "1280x720 1280x580 1024x768 844x390 390x844 360x640 720x450",
    "trapped": "1440x900 1280x720 1280x580 1024x768 844x390 390x844 360x640 720x450",
    "treasure room": "1440x900 1280x720 1280x580 1024x768 844x390 390x844 360x640 720x450",
    "vault room": "1440x900 1280x720 1280x580 1024x768 844x390 390x844 360x640 720x450",
    "boss": "1280x720 1280x580 1024x768 844x390 390x844 360x640 720x450",
    "lifted ball": "1280x720 1280x580 1024x768 844x390 390x844 360x640 720x450",
    "choose five": "1440x900 1280x720 1280x580 1024x768 844x390 390x844 360x640 720x450",
    "long names": "1440x900 1280x720 1280x580 1024x768 844x390 390x844 360x640 720x450",
    "laid": "1280x720 1280x580 844x390 360x640 720x450",
    "torch": "1440x900 1280x720 1280x580 1024x768 844x390 390x844 360x640 720x450",
    "big hand": "1440x900 1280x720 1280x580 1024x768 844x390 390x844 360x640 720x450",
    "open": "1440x900 1280x720 1280x580 1024x768 844x390 390x844 360x640 720x450",
    "wait": "1440x900 1280x720 1280x580 844x390 390x844 360x640 720x450",
    "monster": "1440x900 1280x580 844x390 360x640 720x450",
    "beaten": "1440x900 844x390 360x640 720x450",
    "treasure": "1440x900 1280x580 844x390 390x844 360x640 720x450",
    "vault": "1280x580 844x390 360x640 720x450",
    "trap": "1440x900 844x390 360x640 720x450",
    "ball": "1440x900 844x390 390x844 360x640 720x450",
    "second card": "1440x900 1280x720 1280x580 844x390 360x640 720x450",
    "five": "1440x900 1024x768 844x390 390x844 360x640 720x450",
    "long reveal": "1440x900 1280x720 1280x580 1024x768 844x390 390x844 360x640 720x450",
    "flight": "1440x900 1280x720 1024x768 844x390 390x844 360x640 720x450",
    "medusa": "1440x900 1280x720 844x390 720x450",
    "end": "844x390 360x640 720x450",
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with shown() as (pages, address):
        for name, (at, also) in states().items():
            for language in ("en", "ru"):
                pages[f"{language}/{name.replace(' ', '-')}"] = at.html(language=language, **also)
        yield address


def test_all_states_are_here() -> None:
    assert STATES.keys() >= REVEALED
    assert states().keys() - STATES.keys() == {"hand", "hand laid", "screen"}


@pytest.mark.parametrize("state", STATES)
def test_in_sight(address: str, person: Person, state: str) -> None:
    page = person("Mira")
    wrong = []
    sizes = [(w, h) for w, h in SIZES if f"{w}x{h}" not in RED.get(state, "")]
    for language in ("en", "ru"):
        open_state(page, address, state, language)
        wrong += [f"{language} {what}" for what in out_of_sight_at(page, STATES[state], sizes)]
    assert not wrong, "\n".join(wrong)
