"""What is read from the sofa: both games on a TV and on one of half its size, in both languages."""

from collections.abc import Callable, Iterator
from random import Random

import pytest
from playwright.sync_api import Page

from engine.game import find
from engine.games.raiders.positions import Place
from engine.table import Table
from engine.testing import deal, play_at_random
from tests.browser import scrawl_states
from tests.browser.positions import LONG_NAMES, NAMES, GamePosition, Position, path, shown_states
from tests.browser.sight import TVS, check_in_sight, out_of_sight
from tests.browser.states import END as TURNED
from tests.browser.states import REVEALED, states
from tests.support.browser import Onlooker

BOARD = {
    "whom the table waits for": "#f-waits > p:not(.clock)",
    "words of this room": ".room.now .card :is(.kind, .name, dt, dd, .rule, b, span)",
    "words of the other rooms": ".room:not(.now) :is(.card .name, .gone b, .gone span, dd, .scale dt)",
    "which room is next": ".room > p",
    "names": ".places:not(.big) .who",
    "states": ".places:not(.big) .state",
    "who leads and who would be out": ".places:not(.big) .who .standing .ic",
    "scores": ".places:not(.big) .purse",
    "what others can play": ".places:not(.big) .chips b",
    "which floor and room, and where the boss waits": ".where :is(b, small)",
    "what the signs mean": ".places-key > *",
    "the rule of the room": ".log .lede",
    "what happened last": ".log li:first-child",
    "code": "#f-invite .code",
}
# Where nothing has been done on the floor before its last room.
LAST = {name: of for name, of in BOARD.items() if name != "what happened last"} | {
    "what is at stake": ".log .if-now > *"
}
ROWS = {**BOARD, "states": ".places:not(.big) .slot > .awaited"}  # places of long names have signs instead of words
REVEAL = {
    "the room that is told": ".which .card",
    "its rule": ".which > p",
    "names": ".big .who",
    "cards": ".big .slot",
    "purses": ".big .purse",
    "who leads and who would be out": ".big .who .standing .ic",
    "what came of it": ".telling h2",
    "steps": ".story li",
}
FIGHT = REVEAL | {"sum": ".measure > b", "sum in words": ".measure-ends"}
END = {"who has won": ".over h1", "why": ".over .lede", "scores": ".ranks :is(th, td)", "code": "#f-invite .code"}
WHOLE = END | {"charts": ".charts h2, .chart text"}
FIGHTS = ("monster", "beaten", "second card", "flight", "medusa")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with shown_states(states(), face="screen") as address:
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
def test_in_sight_on_a_tv(address: str, onlooker: Onlooker, state: str) -> None:
    essentials = FIGHT if state in FIGHTS else REVEAL if state in REVEALED else END if state == "end" else BOARD
    essentials = {"long names": ROWS, "boss": LAST}.get(state, essentials)
    page = onlooker()
    look(page, address, state, essentials, state in REVEALED)
    if state in REVEALED:  # the page that comes after the reveal must not show behind it
        assert not page.locator(".floor:visible, .over:visible, .places:not(.big):visible, .places-key:visible").count()
        after = page.locator(".telling .acts").evaluate("acts => getComputedStyle(acts, '::after').content")
        assert after == '"Продолжится само."'


def test_the_end_of_a_whole_game_is_in_sight_on_a_tv(onlooker: Onlooker) -> None:
    at = moment("raiders", 5, lambda told: "result" in told)
    with shown_states({"whole game": (at, {"face": "screen"})}) as address:
        look(onlooker(), address, "whole game", WHOLE, turned=False)


@pytest.mark.parametrize(
    ("game", "seats"), [("raiders", 5), ("scrawl", 3), ("scrawl", 8), ("tomb", 3), ("dungeoneer", 4)]
)
def test_the_code_lies_beside_short_and_long_sentences(onlooker: Onlooker, game: str, seats: int) -> None:
    essentials = {
        "sentences": ".over h1, .over .lede",
        "scores": ".over :is(th, td, .ranks-of li)",
        "code": ".invite .qr",
    }
    page, wrong = onlooker(), []
    page.set_viewport_size({"width": 1920, "height": 1080})
    with shown_states({"end": (moment(game, seats, lambda told: "result" in told), {"face": "screen"})}) as address:
        for sentence in (
            "All is over.",
            "One sentence that fills one line of the head, not more. " * 2,
            "A word. " * 30,
        ):
            page.goto(address + path("end", "en"))
            page.evaluate("text => document.querySelector('.over .lede').textContent = text", sentence)
            wrong += [what for what in out_of_sight(page, essentials) if "lies over" in what]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("names", [NAMES, LONG_NAMES], ids=["short names", "long names"])
@pytest.mark.parametrize("boss", ["wolf_pack", "medusa", "tax_collector"])
def test_what_is_at_stake_is_in_sight_on_a_tv(onlooker: Onlooker, boss: str, names: list[str]) -> None:
    heroes = [Place(coins=9 - n, wounds=n + 2, hand="15" if n % 2 else "25") for n in range(5)]
    essentials = LAST if names is NAMES else {**LAST, "states": ROWS["states"]}
    with shown_states(
        {boss: (Position(heroes, floor=5, place=5, boss=boss, names=names), {})}, face="screen"
    ) as address:
        look(onlooker(), address, boss, essentials, turned=False)


def look(page: Page, address: str, state: str, essentials: dict[str, str], turned: bool) -> None:
    def opened(language: str) -> None:
        page.goto(address + path(state, language))
        if turned:
            page.evaluate(TURNED)

    check_in_sight(page, opened, essentials, TVS, afar=True)


# Paper Dungeons ------------------------------------------------------------------------------------------------------

TEAMS = {
    "whom the table waits for": "#f-waits > p:not(.clock)",
    "what is asked": ".task h2",
    "dice, and what is special about them": ".task li :is(.die, b, span span:not(.sr))",
    "what dice are for": ".uses-of > *",
    "names": ".team .who",
    "glory": ".team .glory",
    "states": ".team .state",
    "levels, power, wounds, items": ".ledger :is(thead th + th, td, .level-of)",
    "the map": ".common-map .labels text",
    "what the signs of the map mean": ".key span",
    "what brings glory": ".prices :is(th, td, li)",
    "what full items bring, and which dice fill them": ".prices .held :is(span, b)",
    "how many gems and minions": ".team :is(.gems-of, .minions-of)",
    "the monster": ".ahead :is(h2, h2 > *, th, td, p)",
    "missions": ".missions :is(h2, li)",
    "code": "#f-invite .code",
}
SHEETS = {
    "names": ".opened .who:not(.longest)",
    "what they did": ".did span",
    "which round": ".of-round",
    "what it brought": ".came > *",
    "what else happened": ".told-event :is(h2, li)",
}
MANY_SHEETS = SHEETS | {"what the signs mean": ".signs-of"}
TALENTS = {"names": ".opened .who:not(.longest)", "talents": ".leaf :is(.big-word, p)"}
LINES = {
    "who has won": ".over h1",
    "why": ".over .lede",
    "names": ".team-of:not(.longest), .ranks-of :is(bdi, b)",
    "lines": ".twelve :is(th:not(.team-of), td:not(:has(small)))",
    "how to join": "#f-invite p",
}
CHART = {"chart": ".charts h2, .chart text", "code": "#f-invite .code, #f-invite .qr"}
LATER = ("dice, and what is special about them", "what dice are for")
ASKED = {name: of for name, of in TEAMS.items() if name not in LATER}
MOMENTS: dict[str, tuple[int, dict[str, str], Callable[[set[str]], bool]]] = {
    "start of eight": (8, ASKED, lambda told: True),
    "board of eight": (8, TEAMS, lambda told: "rolled" in told and "acted" in told),
    "board of three": (3, TEAMS, lambda told: "rolled" in told and "acted" in told),
    "late board of eight": (8, TEAMS, lambda told: "rolled 7" in told),
    "talents of eight": (8, TALENTS, lambda told: "setup" in told),
    "sheets of eight": (8, MANY_SHEETS, lambda told: "acted" in told),
    "fight of eight": (8, MANY_SHEETS, lambda told: "fought" in told),
    "fight of three": (3, SHEETS, lambda told: "fought" in told),
    "end of eight": (8, LINES, lambda told: "result" in told),
    "end of three": (3, LINES | CHART, lambda told: "result" in told),
}


def moment(key: str, seats: int, come: Callable[[set[str]], bool]) -> GamePosition:
    """A game of random moves by teams with long names, until its last reveal has told this."""
    game = find(key)
    table, began = Table.begin(game, seats, deal(seats, 2), game.choose_options({}, seats))
    position = GamePosition(table, began, LONG_NAMES)
    for events in play_at_random(table, Random(2)):
        position.tell(events)
        told = {event["kind"] for event in position.history.reveal}
        if come(told | {f"rolled {event['round']}" for event in position.history.reveal if event["kind"] == "rolled"}):
            break
    return position


@pytest.mark.parametrize("name", MOMENTS)
def test_paper_dungeons_in_sight_on_a_tv(onlooker: Onlooker, name: str) -> None:
    seats, essentials, come = MOMENTS[name]
    with shown_states({name: (moment("scrawl", seats, come), {"face": "screen", "link_is_local": True})}) as address:
        look(onlooker(), address, name, essentials, essentials in (SHEETS, MANY_SHEETS, TALENTS))


@pytest.mark.parametrize("state", ["first die", "late", "away"])
def test_a_board_of_four_with_short_names_is_in_sight_on_a_tv(onlooker: Onlooker, state: str) -> None:
    with shown_states({state: scrawl_states.states()[state]}, face="screen") as address:
        look(onlooker(), address, state, TEAMS, turned=False)
