"""States of Paper Dungeons that are rare or full, for tests of what pages show."""

from functools import cache
from typing import Any

from playwright.sync_api import Page

from engine.games.scrawl.facts import Sheet
from engine.games.scrawl.positions import sheet
from engine.games.scrawl.rules import EndRound, LayOut, Roll, ThreeDice
from tests.browser.positions import LONG_NAMES, NAMES, ScrawlPosition, path
from tests.browser.states import END

DICE = ("W", "M", "clover", "W", "R", "boots")  # three white, three black
MISSIONS = ("M01", "M02", "M03")
TALENTS = ("thief", "master", "healer", "merchant", "seer", "scout", "noble", "shaman")
WAYS = (("C1", "C2"), ("D1", "D2", "D3"), ("F1", "F2", "F3", "F4"), ("A1", "A2"))

RICH = {"W": 5, "M": 4, "C": 4, "R": 5}
ITEMS = {"sword": 2, "tome": 1, "crown": 2, "armour": 2, "medallion": 1}


def teams(count: int, round: int) -> list[Sheet]:
    """Different teams; the third has been in the lair of the first monster, nobody in that of the second."""
    return [
        sheet(
            levels={"W": 2 + n % 3, "M": 1 + n % 2, "C": 2, "R": 1 + n % 3},
            path=WAYS[n % 4],
            wounds=n,
            potions=n % 3,
            gems=1,
            stolen=("A",),
            beaten=("D1",) if n % 4 == 1 else (),
            talent=TALENTS[n],
            monsters=(3 if n % 4 == 2 else -2, -4) if round > 6 else (),
        )
        for n in range(count)
    ]


def at(count: int = 4, dice: tuple[str, ...] = DICE, first: Sheet | None = None, **where: Any) -> ScrawlPosition:
    where.setdefault("round", 2)
    sheets = teams(count, where["round"])
    sheets[0] = first or sheets[0]
    where.setdefault("steps", (Roll(dice=dice), ThreeDice(), EndRound()))
    return ScrawlPosition(*sheets, missions=MISSIONS, **where)


def everybody(position: ScrawlPosition, seats: tuple[int, ...] = ()) -> ScrawlPosition:
    """These teams, or all that are asked, finish their drafts."""
    table = position.table
    round = table.round
    for seat in seats or tuple(table.waits):
        while table.round == round and seat in table.waits:
            position.play((seat, table.default(seat)))
    return position


def at_the_start() -> ScrawlPosition:
    return ScrawlPosition(*(sheet() for _ in range(4)), round=0, steps=(LayOut(dungeon="A", missions=MISSIONS),))


def revealed(count: int = 4, names: list[str] = NAMES, **where: Any) -> ScrawlPosition:
    """A round in which everybody has used all kinds of dice."""
    position = at(count, names=names, **where)
    for seat in range(count):
        moves = position.table.moves(seat)
        level = next(move for move in moves if move.startswith("level 2"))
        position.play((seat, level), (seat, "move 5"))
        for kind in ("step", "craft"):  # where that is possible
            if words := [word for word in position.table.moves(seat) if word.startswith(kind)]:
                position.play((seat, words[0]))
            if "stop" in position.table.moves(seat):
                position.play((seat, "stop"))
    return everybody(position)


def stealing() -> ScrawlPosition:
    """A round in which two teams have stolen a gem each."""
    steps = (Roll(dice=DICE), ThreeDice(), EndRound())
    position = ScrawlPosition(sheet(path=("C1",)), sheet(path=("F1", "F2", "F3")), steps=steps)
    return everybody(position.play((0, "move 5"), (0, "step C2"), (1, "move 5"), (1, "step F4")))


@cache
def states() -> dict[str, tuple[ScrawlPosition, dict[str, Any]]]:
    """Positions by name, and how they are rendered."""
    hurt = sheet(path=("C1", "C2"), levels={"W": 2}, wounds=4, talent="thief", black=("W", "R"))
    strong = sheet(
        path=("C1", "C2"),
        levels=RICH,
        items=ITEMS,
        wounds=11,
        talent="mystic",
        beaten=("C3",),
        gems=7,
        monsters=(5, -4),
    )
    near_reward = sheet(path=("D1", "D2"), talent="thief")
    timer = {"seconds": 60, "remaining": 42.0}
    return {
        "first die": (at(), {}),
        "picked": (at(), {}),
        "clover": (at(), {}),
        "second die": (at().play((0, "brew 1")), {}),
        "third die": (at().play((0, "brew 1"), (0, "craft 0 sword")), {}),
        "walking": (at().play((0, "move 5")), {}),
        "outside": (at(first=sheet(talent="thief", potions=2)).play((0, "move 5")), {}),
        "a level": (at(first=near_reward).play((0, "move 5"), (0, "step D3")), {}),
        "an item": (at(first=sheet(path=("F1",), talent="thief")).play((0, "move 5"), (0, "step E1")), {}),
        "finished": (everybody_but_done(at().play((0, "brew 1"), (0, "level 2 W"))), {}),
        "sealed": (everybody(at(), (0,)), {}),
        "hurt": (at(first=hurt), timer),
        "late": (at(first=strong, round=8), {}),
        "away": (at(), {"away": (3,)}),
        "one team": (at(1), {}),
        "eight teams": (at(8, names=LONG_NAMES), {}),
        "spectator": (at(), {"seat": None}),
        "start": (at_the_start(), {}),
        "start, second": (started(), {}),
        "hand": (at(), {"face": "hand"}),
        "hand walking": (at().play((0, "move 5")), {"face": "hand"}),
        "hand outside": (at(first=sheet(talent="thief", potions=2)).play((0, "move 5")), {"face": "hand"}),
        "set-up revealed": (everybody(at_the_start()), {}),
        "revealed": (revealed(), {}),
        "fight": (revealed(round=3), {}),
        "eight revealed": (revealed(8, LONG_NAMES, round=3), {}),
        "end": (revealed(round=8), {}),
        "eight at the end": (revealed(8, LONG_NAMES, round=8), {}),
    }


def started() -> ScrawlPosition:
    position = at_the_start()
    return position.play((0, position.table.moves(0)[0]))


def everybody_but_done(position: ScrawlPosition) -> ScrawlPosition:
    """The first team has used its dice, but not yet said that it is done."""
    while position.table.moves(0) != ["done"]:
        position.play((0, position.table.default(0)))
    return position


REVEALED = {"set-up revealed", "revealed", "fight", "eight revealed"}
PICKED = {"picked": 0, "clover": 2}


def open_state(page: Page, address: str, name: str, language: str = "en") -> None:
    page.goto(address + path(name, language))
    if name in REVEALED:
        page.evaluate(END)
    if name in PICKED:
        page.locator(".pick input").nth(PICKED[name]).evaluate("dice => dice.click()")
