"""Paper Dungeons' events, views and the plain data shared by its rules, bots and pages.

An answer is a draft of words. Once, at the start of a chapter:

    talent thief        keep this talent (public from the reveal on)
    objective O03       keep this objective (secret until the end)

then, for talents that work before the game, and later whenever a choice is triggered:

    hero W              raise this hero: W warrior, M mage, C cleric, R rogue
    item sword          fill a cell of this item
    minion E5           this minion is defeated
    gem B               the thief's gem

and every round, die by die (0, 1, 2 are white, 3, 4, 5 black), in any order, ending with "done":

    level 2 W           level up: die 2 raises the warrior
    craft 0 tome        craft: die 0 fills a cell of the tome
    brew 4              brew with die 4
    move 3              move with die 3, then
    step C3             one step into this room, and
    stop                no further step
    done                the round is finished
"""

from collections.abc import Mapping, Sequence

from msgspec import UNSET, Struct, UnsetType, field, structs

from engine import Event, Result

Seat = int
Hero = str  # "W", "M", "C" or "R"
HEROES: Mapping[Hero, str] = {"W": "warrior", "M": "mage", "C": "cleric", "R": "rogue"}
COLUMNS, ROWS = "ABCDEF", "1234567"
ROOMS = tuple(column + row for row in ROWS for column in COLUMNS)
LETTERS = "ABCDEFGH"  # the gems of the dungeon
LINES = "ABCDEFGHIKLM"  # P-98
FACES = (("W", "M", "C", "R", "clover", "skull"),) * 3 + (("W", "M", "C", "R", "boots", "skull"),) * 3  # P-23
NUMBERS = {"W": 1, "M": 2, "C": 3, "R": 4, "clover": 5, "boots": 6}  # P-24: only noted, no effect
MOST_WOUNDS, MOST_POTIONS, MOST_GEMS, MOST_LEVEL, CELLS = 24, 12, 10, 6, 2


def colour(die: int) -> str:
    return "white" if die < 3 else "black"


class Sheet(Struct):
    """A team's sheet. Values are replaced, never changed in place, so a shallow copy is an independent one."""

    talent: str = ""
    black: tuple[Hero, ...] = ()  # heroes whose personality boxes are filled
    levels: dict[Hero, int] = field(default_factory=lambda: dict.fromkeys(HEROES, 1))
    items: dict[str, int] = field(default_factory=dict)  # filled cells by item, in the order on the sheet
    potions: int = 0
    hearts: int = 0  # wounds that potions have healed
    wounds: int = 0
    resurrected: bool = False  # P-17
    gems: int = 0
    stolen: tuple[str, ...] = ()  # letters; outside gems have none
    crossed: tuple[str, ...] = ()  # letters that this team can no longer get
    beaten: tuple[str, ...] = ()  # rooms of defeated minions, in order
    rooms: tuple[str, ...] = ()  # explored rooms, in order
    path: tuple[str, ...] = ()  # every room entered, with repetitions; the last is the team's position
    traps: int = 0  # number of traps set off
    passed: int = 0  # number of times that walls and waters were crossed
    monsters: tuple[int, ...] = ()  # lines A to C so far
    missions: dict[str, int] = field(default_factory=dict)  # glory by scored mission
    used: tuple[int, ...] = ()  # P-22 the numbers of the dice used, three a round; 0: not known

    @property
    def at(self) -> str | None:
        return self.path[-1] if self.path else None

    @property
    def strength(self) -> int:
        """P-15 Strength and health both equal the sum of the four levels."""
        return sum(self.levels.values())


# The exported format of dice, drafts and sheets, see docs/formats.md -------------------------------------------------


class Die(Struct, frozen=True):
    colour: str
    face: str


class Use(Struct, frozen=True):
    """P-22 One die of a draft and all that it caused."""

    die: int
    action: str  # "level", "craft", "brew" or "move"
    hero: str | UnsetType = UNSET  # level: "warrior" …
    item: str | UnsetType = UNSET  # craft
    steps: tuple[str, ...] | UnsetType = UNSET  # move: the rooms entered
    choices: tuple[dict[str, str], ...] = ()  # choices that it triggered, in order: {"hero"}, {"item"} or {"minion"}


class SheetTold(Struct, frozen=True):
    levels: dict[str, int]  # by "warrior", "mage", "cleric", "rogue"
    wounds: int  # cells filled on the track
    resurrected: bool
    potions: int  # circles filled
    hearts: int  # filled under potions
    items: dict[str, int]
    gems: int  # circles filled
    stolen: tuple[str, ...]
    minions: int
    rooms: tuple[str, ...]
    at: str | None
    monsters: tuple[int, ...]
    missions: tuple[str, ...]


def told(sheet: Sheet) -> SheetTold:
    return SheetTold(
        levels={HEROES[hero]: level for hero, level in sheet.levels.items()},
        wounds=sheet.wounds,
        resurrected=sheet.resurrected,
        potions=sheet.potions,
        hearts=sheet.hearts,
        items=sheet.items,
        gems=sheet.gems,
        stolen=sheet.stolen,
        minions=len(sheet.beaten),
        rooms=sheet.rooms,
        at=sheet.at,
        monsters=sheet.monsters,
        missions=tuple(sheet.missions),
    )


# What a word does to a sheet: for forecasts, and for showing a reveal beat by beat -----------------------------------


class Change(Struct, frozen=True, omit_defaults=True):
    """The difference between two versions of a sheet; fields without a change are left out."""

    levels: dict[Hero, int] = field(default_factory=dict)  # levels gained
    items: dict[str, int] = field(default_factory=dict)  # cells filled
    finished: tuple[str, ...] = ()  # items
    potions: int = 0
    healed: int = 0  # wounds that filled hearts
    wounds: int = 0  # wounds that went to the track
    resurrected: bool = False
    gems: int = 0
    stolen: tuple[str, ...] = ()  # letters of gems
    beaten: tuple[str, ...] = ()  # rooms of minions
    traps: int = 0
    explored: tuple[str, ...] = ()
    passed: int = 0
    glory: int = 0  # change of the running total
    owed: tuple[str, ...] = ()  # effects still due, first one next: "level", "item", "minion", "letter"…


class Beat(Struct, frozen=True):
    word: str
    change: Change


# Events --------------------------------------------------------------------------------------------------------------


class Dungeon(Event, frozen=True):
    """P-29 to P-31 What is public before anybody chooses."""

    dungeon: str
    monsters: tuple[str, ...]
    missions: tuple[str, ...]
    chapter: int  # counted from 1; always 1 outside a campaign


class Setup(Event, frozen=True):
    """P-33 Everybody has chosen. Objectives are secret until the end, so they are null during the game."""

    dungeon: str
    monsters: tuple[str, ...]
    missions: tuple[str, ...]
    talents: tuple[str, ...]
    objectives: tuple[str | None, ...]
    black: tuple[tuple[str, ...], ...]  # P-34: "warrior" …


class Prepared(Event, frozen=True):
    """P-35 The effects of talents before the first round, and the sheets at its start."""

    choices: tuple[tuple[dict[str, str], ...], ...]
    sheets: tuple[SheetTold, ...]


class Rolled(Event, frozen=True):
    """P-38, P-39 The dice of a round and the effect of their skulls on each team."""

    round: int
    dice: tuple[Die, ...]
    again: int  # P-28: number of discarded rolls before
    skulls: int
    changes: tuple[Change, ...]


class Acted(Event, frozen=True):
    """P-44 The reveal of a round, word by word for each team."""

    round: int
    beats: tuple[tuple[Beat, ...], ...]


class Gems(Event, frozen=True):
    """P-82 The letters that each team stole in this round, and those that it crosses out."""

    stolen: tuple[tuple[str, ...], ...]
    crossed: tuple[tuple[str, ...], ...]


class Fight(Struct, frozen=True):
    met: bool  # has entered the monster's room
    power: int
    tier: int  # 1 to 3; 0: fled
    glory: int  # won; negative if lost
    change: Change  # wounds taken and glory


class Fought(Event, frozen=True):
    """P-90 to P-95 The monster of a stage; `best` is the team that gets the reward, if any."""

    stage: int
    monster: str
    fights: tuple[Fight, ...]
    best: Seat | None
    reward: str  # "potion", "level", "item" or "glory"
    amount: int


class Rewarded(Event, frozen=True):
    """P-95 How the best team used its reward."""

    seat: Seat
    choices: tuple[dict[str, str], ...]
    change: Change


class Vanished(Event, frozen=True):
    """P-96 Two gems vanish."""

    letters: tuple[str, ...]
    crossed: tuple[tuple[str, ...], ...]  # by team


class Scored(Event, frozen=True):
    """P-85 Missions that teams fulfilled in this round. They cannot be scored again."""

    missions: dict[str, tuple[Seat, ...]]
    glory: int


class Round(Event, frozen=True):
    """A round is over."""

    round: int
    dice: tuple[Die, ...]
    drafts: tuple[tuple[Use, ...], ...]
    sheets: tuple[SheetTold, ...]


class Objectives(Event, frozen=True):
    """P-97 Objectives are revealed."""

    objectives: tuple[str, ...]


class Chapter(Event, frozen=True):
    """P-101 A chapter of a campaign is scored."""

    chapter: int
    dungeon: str
    lines: tuple[dict[str, int], ...]
    rooms: tuple[int, ...]
    sums: tuple[int, ...]  # of the chapters so far


class ScrawlResult(Result, frozen=True, tag="result"):
    """P-98, P-99 The final result. In a campaign each line is the sum of all chapters."""

    lines: tuple[dict[str, int], ...]


ScrawlEvent = (
    Dungeon | Setup | Prepared | Rolled | Acted | Gems | Fought | Rewarded | Vanished | Scored | Round | Objectives
    | Chapter | ScrawlResult
)  # fmt: skip


def chronicle(events: Sequence[Event]) -> list[Event]:
    """A finished game for export: each chapter's `Setup` event gets the objectives, which were secret during play."""
    opened = iter([event.objectives for event in events if isinstance(event, Objectives)])
    return [structs.replace(e, objectives=next(opened)) if isinstance(e, Setup) else e for e in events]


# Views ---------------------------------------------------------------------------------------------------------------


class Mission(Struct, frozen=True):
    id: str
    round: int = 0  # in which it was scored; 0: still open
    seats: tuple[Seat, ...] = ()  # who scored it


class ChapterDone(Struct, frozen=True):
    """P-101 A scored chapter of a campaign."""

    dungeon: str
    totals: tuple[int, ...]  # line M of each team
    rooms: tuple[int, ...]
    lines: tuple[dict[str, int], ...]
    objectives: tuple[str, ...]


class Team(Struct, frozen=True):
    """The public view of a team, as of the last reveal."""

    seat: Seat
    sheet: Sheet
    strength: int
    power: int  # CP against the monster of this stage
    met: bool  # has entered that monster's room
    tier: int  # the tier that its power reaches, even if not met; 0: none
    lines: dict[str, int]  # the scores if the game ended now; K without the objective


class Public(Struct, frozen=True):
    dungeon: str
    monsters: tuple[str, ...]
    missions: tuple[Mission, ...]
    vanishing: bool
    round: int  # 0 before the first
    stage: int  # 1 to 3; its monster is next
    dice: tuple[str, ...]  # faces of the dice; dice 0, 1, 2 are white
    teams: tuple[Team, ...]
    glory: tuple[tuple[int, ...], ...]  # by round, then by team; without objectives
    chapter: int
    chapters: tuple[str, ...]  # the campaign's dungeons; empty without a campaign
    past: tuple[ChapterDone, ...]
    objectives: tuple[str, ...] | None  # None until they are revealed


class Private(Struct, frozen=True):
    talents: tuple[str, ...]  # dealt
    objectives: tuple[str, ...]
    objective: str  # kept; "" before


# Forecasts for pages -------------------------------------------------------------------------------------------------


class DieForecast(Struct, frozen=True):
    die: int
    colour: str
    face: str
    state: str  # "free", "used", "moving" or "skull"
    words: dict[str, Change]  # its possible next words and their changes


class Forecast(Struct, frozen=True):
    """Forecasts for a draft, visible to its owner only."""

    sheet: Sheet  # after the draft so far
    dice: tuple[DieForecast, ...]
    words: dict[str, Change]  # every word that may come next
    rooms: dict[str, Change]  # change for a step into each adjacent room, even before a move begins
    moving: int | None  # steps left in the current move; None: no move in progress
    choosing: str  # "level", "item", "minion" or "letter" while such a choice is due, else ""
    power: int  # CP against the monster of this stage
    met: bool
    tier: int
    lines: dict[str, int]  # the scores if the game ended now, including the team's objective
    beats: tuple[Beat, ...]  # the words so far and their changes
