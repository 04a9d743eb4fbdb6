"""States of Dungeoneer that are rare or full, for tests of what pages show."""

from functools import cache
from random import Random
from typing import Any

from playwright.sync_api import Page

from engine.bots import choose_move
from engine.game import find
from engine.games.dungeoneer.bot import hero
from engine.table import Table
from engine.testing.moves import deal, play_at_random, secret
from tests.browser.positions import LONG_NAMES, NAMES, GamePosition, LairPosition, path

MAP = {
    "library": (0, -2), "laboratory": (-2, -1), "fiend_cages": (-1, -1), "crossroads": (0, -1),
    "flooded_cistern": (1, -1), "wardens_post": (2, -1),
    "gloom_tunnel": (-2, 0), "bent_gallery": (-1, 0), "entrance": (0, 0), "rat_run": (1, 0),
    "dark_altar": (2, 0), "portal": (-1, 1), "bone_tunnel": (0, 1), "hall_of_blades": (1, 1),
}  # fmt: skip
MIRA: dict[str, Any] = {
    "hero": "amaura", "at": "flooded_cistern", "level": 2, "hp": 5, "glory": 3, "peril": 4,
    "visited": ["flooded_cistern"],
    "hand": ["notched_sword", "mend_flesh", "fleet_foot", "parry", "leaden_limbs", "tunnel_stalker"],
    "treasures": ["guardian_cloak"], "quests": ["still_the_blades", "blood_price"], "completed": ["signal_lantern"],
    "lair": ["ghoul_pack"],
}  # fmt: skip
ANTON: dict[str, Any] = {
    "hero": "grog", "at": "rat_run", "hp": 4, "glory": 3, "peril": 7, "quests": ["runaway_apprentice", "lost_pilgrim"],
    "hand": ["smoke_flask", "distracting_manoeuvre", "banish", "belt_pouch", "enveloping_slime"], "ap": 1, "kept": True,
}  # fmt: skip
LEILA: dict[str, Any] = {
    "hero": "ilvaro", "at": "bone_tunnel", "glory": 5, "peril": 3, "quests": ["whispering_skins", "ramalits_seal"],
    "hand": ["sudden_doom", "stitched_brute", "healing_draught", "whetstone", "stumble"], "ap": 1, "kept": True,
}  # fmt: skip
WICK: dict[str, Any] = {
    "hero": "tikk", "at": "bent_gallery", "level": 2, "hp": 4, "glory": 2, "peril": 1, "completed": ["bone_warden"],
    "quests": ["unseemly_deal", "gamblers_ghost"], "hand": ["second_wind", "purge", "ramalit", "bloodlust"],
    "boons": ["inner_sight"], "treasures": ["chain_shirt", "soft_boots"], "curses": ["weakness"],
}  # fmt: skip


HAND = ["tunnel_stalker", "mutant_rat", "vat_horror", "pale_sorcerer", "poison_needles"]
GROUP = [
    "monster tunnel_stalker 1 speed", "monster mutant_rat 1 melee", "monster vat_horror 1 melee",
    "monster pale_sorcerer 1 magic", "lair 1 1 speed", "done",
]  # fmt: skip

# What is clicked on a page before it is measured.
POINTED = {
    "walk": ("#walk-hall_of_blades",),
    "card": ("[value='play notched_sword']",),
    "lay": ("[data-kind=place] input >> nth=0",),
    "group": ("[value='monster tunnel_stalker 1 speed']",),
    "grouped": ("[value='lair 1 1 speed']",),
    "answer": ("[value='play smoke_flask']",),
}


def game(*, names: Any = NAMES, players: Any = (MIRA, ANTON, LEILA, WICK), **more: Any) -> LairPosition:
    where: dict[str, Any] = {"map": MAP, "common": ["cage_mother"], "round": 3, **more}
    return LairPosition(players, names, **where)


def until(position: GamePosition, asks: str, seat: int = 0) -> GamePosition:
    """The position when this seat has this choice; everybody who is asked before takes the first one."""
    table = position.table
    while table.shared().asks != asks or not table.moves(seat):
        other = table.waits[0]
        position.play((other, table.moves(other)[0]))
    return position


def sent(**more: Any) -> GamePosition:
    """Two monsters against Anton: one is as strong as he, and he defeats the other."""
    at = until(game(phase="villainy", dice=(2, 1, 4, 6), **more), "Villainy")
    at.play((0, "group"), (0, "monster tunnel_stalker 1 speed"), (0, "lair 1 1 speed"), (0, "done"))
    return at


def many() -> GamePosition:
    """Five monsters against one hero."""
    players = ({**MIRA, "hand": HAND}, {**ANTON, "peril": 30}, LEILA, WICK)
    at = until(game(phase="villainy", players=players), "Villainy")
    return until(at.play((0, "group"), *[(0, word) for word in GROUP]), "Respond", 1)


def forced() -> GamePosition:
    """Mira's monster has struck Anton, and she chooses where he is moved."""
    players = ({**MIRA, "hand": ["djanguba"]}, {**ANTON, "hand": []}, LEILA, WICK)
    at = until(game(phase="villainy", dice=(6, 1), players=players), "Villainy")
    return until(at.play((0, "group"), (0, "monster djanguba 1 melee"), (0, "done")), "Forced")


def checked(order: str = "able", *, names: Any = NAMES) -> GamePosition:
    """Mira tries to still the blades; Leila could raise the number, and wants to be asked if `order` says so."""
    mira = {**MIRA, "at": "hall_of_blades", "visited": ["hall_of_blades"]}
    at = until(game(names=names, players=(mira, ANTON, LEILA, WICK)), "Deeds")
    at.table.give_order(2, order)
    return until(at.play((0, "attempt still_the_blades")), "Window", 2)


def full() -> GamePosition:
    """Eight cards in a hand, a map with many locations, and heroes of whom three are in one place."""
    hand = [*MIRA["hand"], "ramalit", "pale_sorcerer"]
    here = [{**player, "at": "rat_run"} for player in (ANTON, LEILA)]
    wick = {**WICK, "hand": ["second_wind", "purge", "bloodlust"]}
    rest = {
        "arsenal": (3, 0), "treasury": (-3, 0), "rotating_hall": (-1, -2), "chasm_hall": (2, 1),
        "weeping_tunnel": (3, -1), "blind_stair": (-2, 1), "dripping_passage": (1, 2),
    }  # fmt: skip
    mira = {**MIRA, "hand": hand, "down": True, "at": "rat_run", "visited": ["rat_run"]}
    return until(
        game(names=LONG_NAMES, players=(mira, *here, wick), map={**MAP, **rest}, more_locations=False), "Deeds"
    )


def no_third() -> GamePosition:
    """Two heroes live, and no quest is left that could be the third of one of them."""
    done = ["blood_price", "unseemly_deal", "still_the_blades", "gamblers_ghost"]
    living = [{**one, "quests": [], "completed": two} for one, two in ((MIRA, done[:2]), (ANTON, done[2:]))]
    out = [{**one, "alive": False, "hp": 0, "quests": [], "completed": []} for one in (LEILA, WICK)]
    return until(game(players=(*living, *out), common=[]), "Deeds")


def alone() -> GamePosition:
    hero = {**MIRA, "lair": [], "peril": 0, "quests": ["still_the_blades", "blood_price", "buried_crown"]}
    return until(LairPosition([{**hero, "completed": []}], map=MAP), "Deeds")


def ended() -> GamePosition:
    position = game(names=LONG_NAMES, last=4)
    for events in play_at_random(position.table, Random(5)):
        position.tell(events)
    return position


def won(seed: int = 7) -> GamePosition:
    """A whole game of four bots, at whose end six quests or more have been completed."""
    table, events = Table.begin(find("dungeoneer"), 4, deal(4, seed))
    position, luck = GamePosition(table, events, LONG_NAMES), Random(seed)
    while not table.over:
        seat = table.waits[0]
        position.tell(table.play(seat, choose_move(table, seat, hero, luck), table.round, secret(luck)))
    assert sum(event["kind"] == "quest_completed" for event in position.history.all) >= 6
    return position


@cache
def states() -> dict[str, tuple[GamePosition, dict[str, Any]]]:
    return {
        "deeds": (until(game(), "Deeds"), {}),
        "walk": (until(game(), "Deeds"), {"seconds": 60, "remaining": 42.0}),
        "card": (until(game(), "Deeds"), {}),
        "lay": (until(game(phase="locations", next_locations=["arsenal"]), "Lay"), {}),
        "villainy": (until(game(phase="villainy"), "Villainy"), {}),
        "group": (until(game(phase="villainy"), "Villainy").play((0, "group")), {}),
        "grouped": (
            until(game(phase="villainy"), "Villainy").play((0, "group"), (0, "monster tunnel_stalker 1 speed")),
            {},
        ),
        "answer": (until(sent(), "Respond", 1), {"seat": 1}),
        "many attacks": (many(), {"seat": 1}),
        "rolled": (until(sent(), "Challenge", 1), {"seat": 1}),
        "lair": (until(sent(), "LairOrHand"), {}),
        "check": (checked(), {"seat": 2}),
        "unasked check": (checked("hit"), {"seat": 2}),
        "unasked": (until(game(), "Deeds"), {"seat": 2}),
        "wait": (until(game(), "Deeds"), {"seat": 1}),
        "discard": (until(game(phase="discard"), "DiscardOne"), {}),
        "long names": (until(game(names=LONG_NAMES), "Deeds"), {"away": (1,)}),
        "full": (full(), {}),
        "alone": (alone(), {}),
        "spectator": (until(game(names=LONG_NAMES), "Deeds"), {"seat": None, "can_take": (3,)}),
        "end": (ended(), {}),
    }


def open_state(page: Page, address: str, name: str, language: str = "en") -> None:
    page.goto(address + path(name, language))
    for selector in POINTED.get(name, ()):
        page.locator(selector).evaluate("radio => radio.click()")
