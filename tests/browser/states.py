"""States of Dungeon Raiders that are rare or full, for tests of what pages show."""

from typing import Any

from playwright.sync_api import Page

from engine.games.raiders.positions import Place
from tests.browser.positions import LONG_NAMES, Position, path

FOUR = [
    Place(character="knight", coins=9, wounds=3, items={"sword": 1, "torch": 1}),
    Place(character="wizard", coins=8, wounds=2, items={"ball": 1}),
    Place(character="explorer", coins=6, wounds=4),
    Place(character="thief", coins=19, wounds=5, items={"key": 1}),
]
FIVE = [Place(coins=n, wounds=n, hand="345", items={"ball": 1}) for n in range(5)]
RICH = [Place(coins=3, items={"ball": 2, "sword": 2, "torch": 2, "key": 1}), Place(wounds=1), Place(), Place()]
KEYS = [Place(items={"key": 1}), Place(), Place(), Place(items={"key": 1})]

BOSS = [Place(coins=9, wounds=3), Place(coins=12, wounds=7), Place(coins=6, wounds=7), Place(coins=2, wounds=6)]

STATES: dict[str, tuple[Position, dict[str, Any]]] = {}
REVEALED = {
    "monster", "beaten", "treasure", "vault", "trap", "ball", "second card", "five", "flight", "medusa", "long reveal"
}  # fmt: skip
LIFTED = {"lifted", "boss", "lifted ball"}  # with the first card lifted


def states() -> dict[str, tuple[Position, dict[str, Any]]]:
    if STATES:
        return STATES
    rooms = {1: "treasure_3_2", 2: "dragon", 3: "treasure_4_2"}
    dragon: dict[str, Any] = {"floor": 3, "place": 2, "rooms": rooms, "faceup": "UUUUD"}
    to_come = {1: "treasure_4_2", 2: "dragon", 3: "spikes", 4: "armoury"}
    with_ball = [(0, "4"), (1, "ball"), (2, "3"), (3, "2")]
    wolves = Position(KEYS, floor=5, place=5, boss="megadragon")
    laid = Position(FOUR, **dragon).play((1, "3"), (2, "5"))
    STATES.update({
        "choose": (laid, {"seconds": 60, "remaining": 42.0, "away": (3,)}),
        "laid": (Position(FOUR, **dragon).play((0, "4")), {"stand_in": (2,)}),
        "hand": (Position(FOUR, **dragon), {"face": "hand"}),
        "hand laid": (Position(FOUR, **dragon).play((0, "4")), {"face": "hand"}),
        "screen": (laid, {"face": "screen"}),
        "lifted": (laid, {"seconds": 60, "remaining": 42.0}),
        "trapped": (Position(FOUR, rooms="magnet"), {}),
        "treasure room": (Position(FOUR, rooms=to_come, faceup="UUUUD"), {}),
        "vault room": (Position(FOUR, floor=2, rooms="armoury"), {}),
        "boss": (Position(BOSS, floor=5, place=5, boss="megadragon"), {}),
        "lifted ball": (Position(FOUR, rooms="dragon").play(*with_ball), {"seat": 1}),
        "choose five": (Position(FIVE, floor=2, place=3), {"seat": 4, "away": (3,)}),
        "long names": (Position(FIVE, floor=3, place=3, names=LONG_NAMES), {}),
        "torch": (Position(FOUR, floor=2, rooms="hoard", faceup="UUDDD").play((0, "torch")), {}),
        "big hand": (Position(RICH, floor=2, rooms="troll", faceup="UDDUD"), {}),
        "open": (Position(FOUR, "open", floor=2, rooms="troll", first=2).play((2, "5"), (3, "2")), {}),
        "wait": (Position(FOUR, "open", floor=2, rooms="troll", first=2), {}),
        "monster": (Position(FOUR, **dragon).play((0, "4"), (1, "3"), (2, "5"), (3, "3")), {}),
        "beaten": (Position(FOUR, rooms="goblin").play((0, "4"), (1, "3"), (2, "5"), (3, "3")), {}),
        "treasure": (Position(FOUR, rooms="treasure_4_2").play((0, "4"), (1, "4"), (2, "4"), (3, "key")), {}),
        "vault": (Position(FOUR, floor=2, rooms="armoury").play((0, "4"), (1, "2"), (2, "5"), (3, "1")), {}),
        "trap": (Position(FOUR, rooms="lava").play((0, "4"), (1, "2"), (2, "5"), (3, "1")), {}),
        "ball": (Position(FOUR, rooms="dragon").play(*with_ball), {}),
        "second card": (Position(FOUR, rooms="dragon").play(*with_ball, (1, "5")), {}),
        "five": (Position(FIVE, floor=2, place=3).play(*((n, "4") for n in range(5))), {}),
        "long reveal": (Position(FIVE, floor=3, place=3, names=LONG_NAMES).play(*((n, "4") for n in range(5))), {}),
        "flight": (wolves.play((0, "flee"), (1, "5"), (2, "5"), (3, "flee")), {}),
        "medusa": (Position(KEYS, floor=5, place=5, boss="medusa").play(*((n, "5") for n in range(4))), {}),
        "end": (Position(BOSS, floor=5, place=5, boss="megadragon").play(*((n, "5") for n in range(4))), {}),
    })  # fmt: skip
    return STATES


END = """() => {
  document.body.classList.add('playing');
  document.querySelectorAll('[data-beat], [data-then]').forEach((e) => e.classList.add('landed'));
  document.querySelector('.reveal .stage').classList.add('turned');
}"""


def open_state(page: Page, address: str, name: str, language: str = "en") -> None:
    page.goto(address + path(name, language))
    if name in REVEALED:
        page.evaluate(END)
    if name in LIFTED:
        page.evaluate("document.querySelector('#hand .choice input').click()")
