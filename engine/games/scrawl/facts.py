"""The plain data that Paper Dungeons tells and shows: the words shared by its rules, views, bots and pages.

An answer is a draft of words. Once, at the start of a chapter:

    talent thief        keep this talent (open at the reveal)
    objective O03       keep this objective (stays closed until the end)

then, for the talents that work before the game, and again wherever a choice is triggered:

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

from engine.steps import Event, Result

Seat = int
Hero = str  # "W", "M", "C" or "R"
HEROES: Mapping[Hero, str] = {"W": "warrior", "M": "mage", "C": "cleric", "R": "rogue"}
COLUMNS, ROWS = "ABCDEF", "1234567"
ROOMS = tuple(column + row for row in ROWS for column in COLUMNS)
LETTERS = "ABCDEFGH"  # the gems of the dungeon
LINES = "ABCDEFGHIKLM"  # P-98
FACES = (("W", "M", "C", "R", "clover", "skull"),) * 3 + (("W", "M", "C", "R", "boots", "skull"),) * 3  # P-23
NUMBERS = {"W": 1, "M": 2, "C": 3, "R": 4, "clover": 5, "boots": 6}  # P-24: a record only
MOST_WOUNDS, MOST_POTIONS, MOST_GEMS, MOST_LEVEL, CELLS = 24, 12, 10, 6, 2


def colour(die: int) -> str:
    return "white" if die < 3 else "black"


class Sheet(Struct):
    """A team's sheet. Its values are never changed in place, only put anew, so that a shallow copy is a whole one."""

    talent: str = ""
    black: tuple[Hero, ...] = ()  # whose personality boxes are filled
    levels: dict[Hero, int] = field(default_factory=lambda: dict.fromkeys(HEROES, 1))
    items: dict[str, int] = field(default_factory=dict)  # cells filled, by item, in the order of the sheet
    potions: int = 0
    hearts: int = 0  # wounds that potions have healed
    wounds: int = 0
    resurrected: bool = False  # P-17
    gems: int = 0
    stolen: tuple[str, ...] = ()  # letters; outside gems have none
    crossed: tuple[str, ...] = ()  # letters that this team cannot get any more
    beaten: tuple[str, ...] = ()  # the rooms of defeated minions, as they fell
    rooms: tuple[str, ...] = ()  # explored, as they were
    path: tuple[str, ...] = ()  # every room entered, again and again; the last is where the team stands
    traps: int = 0  # set off
    passed: int = 0  # walls and waters crossed, each time
    monsters: tuple[int, ...] = ()  # lines A to C so far
    missions: dict[str, int] = field(default_factory=dict)  # those scored, and their glory
    used: tuple[int, ...] = ()  # P-22 the numbers of the dice used, three a round; 0: not known

    @property
    def at(self) -> str | None:
        return self.path[-1] if self.path else None

    @property
    def strength(self) -> int:
        """P-15 Strength, and health, is the sum of the four levels."""
        return sum(self.levels.values())


# What others are told in the shape that they were promised -----------------------------------------------------------


class Die(Struct, frozen=True):
    colour: str
    face: str


class Use(Struct, frozen=True):
    """P-22 One die of a draft, and all that it brought about."""

    die: int
    action: str  # "level", "craft", "brew" or "move"
    hero: str | UnsetType = UNSET  # level: "warrior" …
    item: str | UnsetType = UNSET  # craft
    steps: tuple[str, ...] | UnsetType = UNSET  # move: the rooms entered
    choices: tuple[dict[str, str], ...] = ()  # what was chosen on the way, in order: {"hero"}, {"item"} or {"minion"}


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


# What a word does to a sheet: for forecasts, and for telling a reveal beat by beat -----------------------------------


class Change(Struct, frozen=True, omit_defaults=True):
    """The difference between a sheet before and after; what stays as it is, is left out."""

    levels: dict[Hero, int] = field(default_factory=dict)  # how many each has risen
    items: dict[str, int] = field(default_factory=dict)  # cells filled
    finished: tuple[str, ...] = ()  # items
    potions: int = 0
    healed: int = 0  # wounds that went to hearts
    wounds: int = 0  # wounds that went to the track
    resurrected: bool = False
    gems: int = 0
    stolen: tuple[str, ...] = ()  # their letters
    beaten: tuple[str, ...] = ()  # minions, by their rooms
    traps: int = 0
    explored: tuple[str, ...] = ()
    passed: int = 0
    glory: int = 0  # by which the running total changes
    owed: tuple[str, ...] = ()  # what must be chosen then, and what comes after: "level", "item", "minion", "letter"…


class Beat(Struct, frozen=True):
    word: str
    change: Change


# Events --------------------------------------------------------------------------------------------------------------


class Dungeon(Event, frozen=True):
    """P-29 to P-31 What lies open before anybody chooses."""

    dungeon: str
    monsters: tuple[str, ...]
    missions: tuple[str, ...]
    chapter: int  # counted from 1; always 1 but in a campaign


class Setup(Event, frozen=True):
    """P-33 Everybody has chosen. Objectives are closed until the end, so they are null while the game is on."""

    dungeon: str
    monsters: tuple[str, ...]
    missions: tuple[str, ...]
    talents: tuple[str, ...]
    objectives: tuple[str | None, ...]
    black: tuple[tuple[str, ...], ...]  # P-34: "warrior" …


class Prepared(Event, frozen=True):
    """P-35 What the talents did before the first round; the sheets as they start."""

    choices: tuple[tuple[dict[str, str], ...], ...]
    sheets: tuple[SheetTold, ...]


class Rolled(Event, frozen=True):
    """P-38, P-39 The dice of a round, and what their skulls did to each team."""

    round: int
    dice: tuple[Die, ...]
    again: int  # P-28: rolls thrown away before
    skulls: int
    changes: tuple[Change, ...]


class Acted(Event, frozen=True):
    """P-44 The reveal of a round, told word by word for each team."""

    round: int
    beats: tuple[tuple[Beat, ...], ...]


class Gems(Event, frozen=True):
    """P-82 The letters stolen in this round by each team, and those that each team crosses out."""

    stolen: tuple[tuple[str, ...], ...]
    crossed: tuple[tuple[str, ...], ...]


class Fight(Struct, frozen=True):
    met: bool  # has entered the monster's room
    power: int
    tier: int  # 1 to 3; 0: fled
    glory: int  # won, or lost where it is negative
    change: Change  # its wounds


class Fought(Event, frozen=True):
    """P-90 to P-95 The monster of a stage; `best` is the team with the reward, if one has it."""

    stage: int
    monster: str
    fights: tuple[Fight, ...]
    best: Seat | None
    reward: str  # "potion", "level", "item" or "glory"
    amount: int


class Rewarded(Event, frozen=True):
    """P-95 What the best team made of its reward."""

    seat: Seat
    choices: tuple[dict[str, str], ...]
    change: Change


class Vanished(Event, frozen=True):
    """P-96 Two gems vanish."""

    letters: tuple[str, ...]
    crossed: tuple[tuple[str, ...], ...]  # by team


class Scored(Event, frozen=True):
    """P-85 Missions that teams have fulfilled in this round: they are out of the game."""

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
    """P-98, P-99; in a campaign each line is the sum of its chapters."""

    lines: tuple[dict[str, int], ...]


ScrawlEvent = (
    Dungeon | Setup | Prepared | Rolled | Acted | Gems | Fought | Rewarded | Vanished | Scored | Round | Objectives
    | Chapter | ScrawlResult
)  # fmt: skip


def chronicle(events: Sequence[Event]) -> list[Event]:
    """A finished game as other programs want to read it: the objectives, which were closed while it was played, stand
    in its setup."""
    opened = iter([event.objectives for event in events if isinstance(event, Objectives)])
    return [structs.replace(e, objectives=next(opened)) if isinstance(e, Setup) else e for e in events]


# Views ---------------------------------------------------------------------------------------------------------------


class Mission(Struct, frozen=True):
    id: str
    round: int = 0  # in which it was scored; 0: still open
    seats: tuple[Seat, ...] = ()  # who scored it


class ChapterDone(Struct, frozen=True):
    """P-101 A chapter of a campaign, scored."""

    dungeon: str
    totals: tuple[int, ...]  # line M of each team
    rooms: tuple[int, ...]
    lines: tuple[dict[str, int], ...]
    objectives: tuple[str, ...]


class Team(Struct, frozen=True):
    """A team as all see it: as of the last reveal."""

    seat: Seat
    sheet: Sheet
    strength: int
    power: int  # CP against the monster of this stage
    met: bool  # has entered that monster's room
    tier: int  # that its power reaches, met or not; 0: none
    lines: dict[str, int]  # as if the game ended now; K without the objective


class Public(Struct, frozen=True):
    dungeon: str
    monsters: tuple[str, ...]
    missions: tuple[Mission, ...]
    vanishing: bool
    round: int  # 0 before the first
    stage: int  # 1 to 3: whose monster is next
    dice: tuple[str, ...]  # faces of the dice; dice 0, 1, 2 are white
    teams: tuple[Team, ...]
    glory: tuple[tuple[int, ...], ...]  # of each team after each round, all lines but the objective
    chapter: int
    chapters: tuple[str, ...]  # the campaign's dungeons, or none
    past: tuple[ChapterDone, ...]
    objectives: tuple[str, ...] | None  # once they are revealed


class Private(Struct, frozen=True):
    talents: tuple[str, ...]  # dealt
    objectives: tuple[str, ...]
    objective: str  # kept; "" before


# Help for pages ------------------------------------------------------------------------------------------------------


class DieHelp(Struct, frozen=True):
    die: int
    colour: str
    face: str
    state: str  # "free", "used", "moving" or "skull"
    words: dict[str, Change]  # what it could do now, and what that would bring


class Help(Struct, frozen=True):
    """For the draft so far, to its owner only."""

    sheet: Sheet  # as the draft leaves it
    dice: tuple[DieHelp, ...]
    words: dict[str, Change]  # every word that may come next
    rooms: dict[str, Change]  # what a step into each room within one step would bring, for a move not yet begun too
    moving: int | None  # steps left in the open move; None: no move is open
    choosing: str  # "level", "item", "minion" or "letter" while such a choice is due, else ""
    power: int  # CP against the monster of this stage
    met: bool
    tier: int
    lines: dict[str, int]  # as if the game ended now, the own objective included
    beats: tuple[Beat, ...]  # what each word so far has brought
