"""What is read from the sofa: states of Dungeon Raiders on a TV and on one of half its size, in both languages."""

from collections.abc import Iterator

import pytest

from tests.browser.positions import shown
from tests.browser.sight import TVS, out_of_sight_at
from tests.browser.states import END as TURNED
from tests.browser.states import REVEALED, states
from tests.support.browser import Person

BOARD = {
    "whom the table waits for": "#f-waits > p:not(.clock)",
    "words of this room": ".room.now .card :is(.kind, .name, dt, dd, .rule, b, span)",
    "words of the other rooms": ".room:not(.now) :is(.card .name, .gone b, .gone span, dd)",
    "names": ".places:not(.big) .who",
    "states": ".places:not(.big) .state",
    "scores": ".places:not(.big) .purse",
    "what others can play": ".places:not(.big) .chips > :last-child",
    "the rule of the room": ".log .lede",
    "what happened last": ".log li:last-child",
    "code": "#f-invite .code",
}
REVEAL = {
    "names": ".big .who",
    "cards": ".big .slot",
    "purses": ".big .purse",
    "what came of it": ".telling h2",
    "steps": ".story li",
}
FIGHT = REVEAL | {"sum": ".measure > *", "sum in words": ".measure-ends"}
END = {"who has won": ".over h1", "why": ".over .lede", "scores": ".ranks :is(th, td)", "charts": ".chart text"}
FIGHTS = ("monster", "beaten", "second card", "flight", "medusa")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with shown() as (pages, address):
        for name, (at, also) in states().items():
            for language in ("en", "ru"):
                pages[f"{language}/{name.replace(' ', '-')}"] = at.html(
                    **{**also, "face": "screen", "language": language}
                )
        yield address


BOARDS = (
    "choose",
    "trapped",
    "treasure room",
    "vault room",
    "boss",
    "choose five",
    "long names",
    "open",
    "wait",
    "torch",
)


@pytest.mark.parametrize("state", [*BOARDS, *sorted(REVEALED), "end"])
def test_in_sight_on_a_tv(address: str, person: Person, state: str) -> None:
    page = person("TV")
    essentials = FIGHT if state in FIGHTS else REVEAL if state in REVEALED else END if state == "end" else BOARD
    wrong = []
    for language in ("en", "ru"):
        page.goto(f"{address}{language}/{state.replace(' ', '-')}")
        if state in REVEALED:
            page.evaluate(TURNED)
        wrong += [f"{language} {what}" for what in out_of_sight_at(page, essentials, TVS, afar=True)]
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight + 1")
    assert not wrong, "\n".join(wrong)
