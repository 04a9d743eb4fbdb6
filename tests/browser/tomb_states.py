"""States of Rodents and Tombs that are rare or full, for tests of what pages show."""

from functools import cache
from random import Random
from typing import Any

from msgspec import structs
from playwright.sync_api import Page

from engine.games.tomb.positions import Board, PileOf
from engine.testing.moves import play_at_random
from tests.browser.positions import LONG_NAMES, NAMES, GamePosition, TombPosition, path

MIRA = Board(
    food=1, torch=4, pickaxe=2, gold=1, glory=15, helpers=("pyromancer", "tracker", "builder"), camp=("star_chamber",),
    chests=("chest_19", "chest_01"), used=("chest_02", "chest_03"), turns=6,
)  # fmt: skip
ANTON = Board(
    food=3, torch=1, pickaxe=5, glory=14, helpers=("quartermaster", "foreman", "alchemist", "herbalist"),
    camp=("murmia",), chests=("chest_07",), turns=5,
)  # fmt: skip
FACTIONS = ("squirrels", "porcupines", "beavers", "pacas", "jerboas", "guinea_pigs")
ROOMS = {
    "c11": ("living_fire", 0), "c13": ("shooting_range", 1), "c14": ("moss_grove", 1), "c22": ("scaffolding", 1),
    "c31": ("arsenal", 0), "c32": ("laboratory", 0), "c33": ("sawmill", 1),
}  # fmt: skip
MARKETS: dict[str, Any] = {
    "rooms_pile": PileOf(market=("great_retort", "stone_circle", "sphinx")),
    "helpers_pile": PileOf(market=("apothecary", "ranger", "architect")),
}
AIMED = '.aim [value="place 9"]'  # pointed at before the page is looked at


def game(names: Any = NAMES, **more: Any) -> TombPosition:
    paws = {"5": 0, "7": 0, "1": 1, "12": 1, "c34": 1}
    where: dict[str, Any] = {"rooms": ROOMS, "paws": paws, "turn": 11, "factions": FACTIONS, **MARKETS, **more}
    return TombPosition(MIRA, ANTON, names=names, **where)


def after_a_rival() -> TombPosition:
    """Anton has just laid two paws."""
    paws = {"5": 0, "7": 0, "12": 1, "c34": 1}
    return game(paws=paws, turn=10, active=1).play((1, "place 1"), (1, "gain 0 1 0"))


def lifting(*moves: str, names: Any = NAMES) -> TombPosition:
    paws = {"5": 0, "7": 0, "9": 0, "c22": 0, "c24": 0, "1": 1, "12": 1, "c34": 1}
    return game(names, paws=paws).play(*[(0, move) for move in moves])  # without a paw at hand nothing else is possible


def many_steps() -> TombPosition:
    """A turn of which a laptop cannot show all steps."""
    bought = ("hire apothecary", "pay 2 2 0 0", "lift 7", "gain 1 0 0", "open great_retort", "pay 0 2 2 0")
    return lifting("lift 9", "use chest_01", "lift 5", *bought)


def three(names: Any = NAMES, **more: Any) -> TombPosition:
    leila = Board(
        food=9,
        torch=9,
        pickaxe=9,
        gold=9,
        glory=21,
        helpers=("bishop", "monk", "preacher", "lab_assistant"),
        camp=("crane",),
        chests=("chest_11",),
        turns=5,
    )
    paws = {"3.5": 0, "6": 0, "13": 1, "2": 2, "10": 2, "c42": 2}
    rooms = {"c11": ("living_fire", 0), "c23": ("shooting_range", 1), "c44": ("cathedral", 2)}
    where: dict[str, Any] = {"factions": (*FACTIONS, "chinchillas"), "paws": paws, "rooms": rooms, **MARKETS, **more}
    return TombPosition(MIRA, ANTON, leila, names=names, **where)


def many_helpers() -> TombPosition:
    helpers = (
        "pyromancer",
        "conjurer",
        "apprentice",
        "tracker",
        "marksman",
        "grand_hunter",
        "builder",
        "lab_assistant",
    )
    rich = structs.replace(MIRA, helpers=(*helpers, "circle_leader"), food=9, gold=9, glory=39)
    return TombPosition(
        rich,
        structs.replace(ANTON, camp=("murmia", "crane")),
        rooms=ROOMS,
        paws={"5": 0, "9": 0, "12": 1},
        turn=40,
        factions=FACTIONS,
        **MARKETS,
    )


def ended() -> GamePosition:
    position = game(names=LONG_NAMES)
    for events in play_at_random(position.table, Random(5)):
        position.tell(events)
    return position


@cache
def states() -> dict[str, tuple[GamePosition, dict[str, Any]]]:
    return {
        "choose": (after_a_rival(), {}),
        "aimed": (game(), {"seconds": 60, "remaining": 42.0}),
        "lift": (lifting("lift 9", "use chest_01"), {}),
        "many steps": (many_steps(), {}),
        "open": (lifting("lift c22"), {}),
        "place": (lifting("lift c22", "open stone_circle"), {}),
        "hire": (lifting("lift 5"), {}),
        "wait": (lifting("lift 9"), {"seat": 1}),
        "long names": (game(LONG_NAMES), {"away": (1,)}),
        "three": (three(), {}),
        "spectator": (many_helpers(), {"seat": None}),
        "hand": (game(), {"face": "hand"}),
        "hand lifting": (lifting("lift 9"), {"face": "hand"}),
        "screen": (lifting("lift 9", "use chest_01"), {"face": "screen"}),
        "screen of three": (three(LONG_NAMES), {"face": "screen"}),
        "screen of long names": (lifting("lift 9", "use chest_01", "lift c22", names=LONG_NAMES), {"face": "screen"}),
        "screen of many helpers": (many_helpers(), {"face": "screen"}),
        "end": (ended(), {}),
        "screen at the end": (ended(), {"face": "screen"}),
    }


def open_state(page: Page, address: str, name: str, language: str = "en") -> None:
    page.goto(address + path(name, language))
    if name == "aimed":
        page.locator(AIMED).check(force=True)
