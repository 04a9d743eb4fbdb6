"""The sheet and the cards as data: read from a TOML file, validated, and assembled into boards."""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Annotated, ClassVar, Literal, TypeVar

from msgspec import Meta, Struct

from engine.cards import CardFile, CardRecord, Count, Some, Word
from engine.games.scrawl.facts import COLUMNS, LETTERS, MOST_GEMS, MOST_LEVEL, MOST_POTIONS, MOST_WOUNDS, ROOMS

Id = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_]+\Z")]
RoomName = Annotated[str, Meta(pattern=r"\A[A-F][1-7]\Z")]
Letter = Annotated[str, Meta(pattern=r"\A[A-H]\Z")]
HeroName = Literal["W", "M", "C", "R"]
Reward = Literal["potion", "item", "level"]
Border = frozenset[str]

MEASURES = Literal[
    "minion_levels", "heroes_at_4", "heroes_at_5", "heroes_at_6", "rows", "columns", "broad_columns", "lowest_level",
    "potions", "minions", "minions_of_3", "minions_of_4", "minions_of_5", "gems", "corners", "trap_rooms", "rooms",
    "finished_items", "strength", "lairs", "obstacles", "monster_glory", "rim",
]  # fmt: skip


class Numbered(CardRecord, frozen=True):
    """A card that is known by its id."""

    named: ClassVar[str] = "id"
    id: Id


class RoomEntry(CardRecord, frozen=True):
    minion: Annotated[str, Meta(pattern=r"\A[a-z]+ [1-9]\Z")] = ""
    trap: bool = False
    reward: Reward | Literal[""] = ""
    gem: Letter | Literal[""] = ""


class Borders(CardRecord, frozen=True):
    walls: tuple[str, ...]
    water: tuple[str, ...]
    wraps: tuple[str, ...]


class Tracks(CardRecord, frozen=True):
    levels: Annotated[tuple[Count, ...], Meta(min_length=MOST_LEVEL, max_length=MOST_LEVEL)]
    wounds: Annotated[tuple[Count, ...], Meta(min_length=MOST_WOUNDS + 1, max_length=MOST_WOUNDS + 1)]
    minions: Annotated[tuple[Count, ...], Meta(min_length=2)]
    gems: Annotated[tuple[Count, ...], Meta(min_length=MOST_GEMS + 1, max_length=MOST_GEMS + 1)]
    gem_rewards: dict[Annotated[int, Meta(ge=1, le=MOST_GEMS)], Reward]
    potion_rewards: dict[Annotated[int, Meta(ge=1, le=MOST_POTIONS)], Literal["potion", "item", "level", "gem"]]


class MissionRule(CardRecord, frozen=True):
    drawn: Count
    glory: Count
    solo: Annotated[tuple[Count, ...], Meta(min_length=8, max_length=8)]


class Item(Numbered, frozen=True):
    """P-56 `effect` starts with the second cell; level, potion and minion happen once, the others last."""

    id: Word
    symbol: HeroName | Literal[""] = ""  # die symbol that both cells need; "": any die
    effect: Literal["", "power", "level", "walls", "fight", "potion", "water", "minion"] = ""
    amount: Some = 1
    end: int = 0


class Dungeon(Numbered, frozen=True):
    name: Word
    scenario: Word
    lairs: tuple[RoomName, RoomName, RoomName]  # P-13
    monsters: tuple[Id, Id, Id]
    walls: tuple[str, ...]

    def faults(self) -> Iterable[str]:
        if len(set(self.lairs)) < len(self.lairs):
            yield "lairs: three different rooms are needed"


class Monster(Numbered, frozen=True):
    name: Word
    weakness: HeroName
    tiers: tuple[tuple[Some, Count, Count], tuple[Some, Count, Count], tuple[Some, Count, Count]]
    flee: Count
    reward: Literal["potion", "item", "level", "glory"]
    amount: Some = 1
    vanish: tuple[Letter, ...] = ()

    def faults(self) -> Iterable[str]:
        least = [power for power, _, _ in self.tiers]
        if sorted(set(least)) != least:
            yield "tiers: they must rise"

    def tier(self, power: int) -> int:
        """P-92 The highest threshold that the power reaches, 1 to 3; 0 when it reaches none."""
        return sum(power >= least for least, _, _ in self.tiers)


class Mission(Numbered, frozen=True):
    name: Word
    measure: MEASURES
    needs: Some


class Objective(Numbered, frozen=True):
    name: Word
    measure: MEASURES
    tiers: tuple[Some, Some, Some]  # for 2, 4 and 6 glory
    black: tuple[HeroName, HeroName]

    def faults(self) -> Iterable[str]:
        if sorted(self.tiers) != list(self.tiers):
            yield "tiers: they must rise"
        if len(set(self.black)) != 2:
            yield "black: two different heroes are needed"

    def glory(self, reached: int) -> int:
        """P-87 The highest of the three tiers."""
        return 2 * sum(reached >= least for least in self.tiers)


class Talent(Numbered, frozen=True):
    id: Word
    effect: Literal[
        "brew", "item_at_level_5", "no_monster_wounds", "start_gem", "power", "item_per_3_minions", "start_levels",
        "other_colour", "fewer_skulls", "no_trap_wounds", "step_over_water", "potion_per_gem", "start_minions",
        "start_items", "start_potions", "potion_per_3_minions",
    ]  # fmt: skip
    amount: Some = 1
    end: int = 0


class Deck(Struct, frozen=True):
    """All printed components."""

    minions: dict[Word, HeroName]
    rooms: dict[RoomName, RoomEntry]
    borders: Borders
    tracks: Tracks
    mission_rule: MissionRule
    items: dict[str, Item]
    dungeons: dict[str, Dungeon]
    monsters: dict[str, Monster]
    missions: dict[str, Mission]
    objectives: dict[str, Objective]
    talents: dict[str, Talent]


class Room(Struct, frozen=True):
    name: str
    minion: str = ""  # its kind
    level: int = 0  # the minion's level
    hero: str = ""  # the class that fights it
    trap: bool = False
    reward: str = ""
    gem: str = ""

    @property
    def guarded(self) -> bool:
        return self.trap or bool(self.minion)


class Board(Struct, frozen=True):
    """A dungeon: the printed sheet with a dungeon card's walls and lairs."""

    id: str
    rooms: dict[str, Room]
    near: dict[str, dict[str, str]]  # room -> neighbour -> border: "open", "wall", "water" or "wrap"
    lairs: tuple[str, ...]
    monsters: tuple[Monster, ...]
    effects: dict[str, tuple[Item, ...]]  # items by effect
    deck: Deck

    @property
    def monster_ids(self) -> tuple[str, ...]:
        return tuple(monster.id for monster in self.monsters)


N = TypeVar("N", bound=Numbered)
KINDS = ("item", "dungeon", "monster", "mission", "objective", "talent")


def load(text: str, source: str = "cards.toml") -> Deck:
    """Parse and validate a card file. Raises CardError."""
    file = CardFile(text, {"minions", "rooms", "borders", "tracks", "missions", *KINDS}, source)
    found = Deck(
        minions=file.tables("minions", HeroName, Word),  # type: ignore[arg-type]
        rooms=file.tables("rooms", RoomEntry, RoomName),
        borders=file.table("borders", Borders),
        tracks=file.table("tracks", Tracks),
        mission_rule=file.table("missions", MissionRule),
        items=by_id(file.cards("item", Item)),
        dungeons=by_id(file.cards("dungeon", Dungeon)),
        monsters=by_id(file.cards("monster", Monster)),
        missions=by_id(file.cards("mission", Mission)),
        objectives=by_id(file.cards("objective", Objective)),
        talents=by_id(file.cards("talent", Talent)),
    )
    for where, fault in faults(found):
        raise file.error(where, fault)
    return found


def by_id(cards: Iterable[N]) -> dict[str, N]:
    return {card.id: card for card in cards}


def faults(deck: Deck) -> Iterable[tuple[str, str]]:
    """Errors of the cards as a whole: where, and what is wrong."""
    printed = [border for text in (deck.borders.walls, deck.borders.water) for border in text]
    for text in (*printed, *(wall for dungeon in deck.dungeons.values() for wall in dungeon.walls)):
        if not re.fullmatch(r"[A-F][1-7]-[A-F][1-7]", text) or not adjoining(*text.split("-")):
            yield "borders", f"{text} is not between two neighbours"
    for text in deck.borders.wraps:
        if not re.fullmatch(r"A([1-7])-F\1", text):
            yield "borders", f"{text} does not join the two ends of a row"
    if len(set(printed)) < len(printed):
        yield "borders", "one is named twice"
    for room, entry in deck.rooms.items():
        if entry.minion and (entry.trap or entry.minion.split()[0] not in deck.minions):
            yield f"rooms {room}", f"minion: {entry.minion}"
        if entry.gem and (entry.reward or not (entry.minion or entry.trap)):  # P-9, P-12
            yield f"rooms {room}", "gem: always alone, and behind a guard"
    if sorted(entry.gem for entry in deck.rooms.values() if entry.gem) != list(LETTERS):
        yield "rooms", "every gem, A to H, lies in one room"
    for dungeon in deck.dungeons.values():
        if unknown := set(dungeon.monsters) - deck.monsters.keys():
            yield f"dungeon {dungeon.id}", f"monsters: no {', '.join(sorted(unknown))}"
        elif set(dungeon.walls) & set(printed):
            yield f"dungeon {dungeon.id}", "walls: one is printed already"
        elif missing := set(ROOMS) - reachable(lay_out(deck, dungeon)):
            yield f"dungeon {dungeon.id}", f"walls: no way to {', '.join(sorted(missing))}"
    need = {"talents": 16, "objectives": 16, "missions": deck.mission_rule.drawn, "dungeons": 1}  # P-32: for 8 seats
    for plural, least_cards in need.items():
        if len(getattr(deck, plural)) < least_cards:
            yield plural, f"{least_cards} are needed"


def adjoining(a: str, b: str) -> bool:
    return abs(ord(a[0]) - ord(b[0])) + abs(ord(a[1]) - ord(b[1])) == 1


def lay_out(deck: Deck, dungeon: Dungeon) -> Board:
    """P-7, P-8, P-29 Combine the printed sheet with the walls and lairs of a dungeon card."""
    kinds: dict[Border, str] = {}
    walls = deck.borders.walls + dungeon.walls
    for kind, borders in (("wall", walls), ("water", deck.borders.water), ("wrap", deck.borders.wraps)):
        kinds |= {frozenset(border.split("-")): kind for border in borders}
    near = {
        room: {
            other: kinds.get(frozenset((room, other)), "open")
            for other in ROOMS
            if adjoining(room, other) or kinds.get(frozenset((room, other))) == "wrap"
        }
        for room in ROOMS
    }
    rooms = {room: furnish(room, deck) for room in ROOMS}
    monsters = tuple(deck.monsters[monster] for monster in dungeon.monsters)
    effects: dict[str, tuple[Item, ...]] = {}
    for item in deck.items.values():
        effects[item.effect] = (*effects.get(item.effect, ()), item)
    return Board(dungeon.id, rooms, near, dungeon.lairs, monsters, effects, deck)


def furnish(room: str, deck: Deck) -> Room:
    entry = deck.rooms.get(room, RoomEntry())
    if not entry.minion:
        return Room(room, trap=entry.trap, reward=entry.reward, gem=entry.gem)
    kind, level = entry.minion.split()
    return Room(room, kind, int(level), deck.minions[kind], reward=entry.reward, gem=entry.gem)


def reachable(board: Board) -> set[str]:
    """The rooms that a team can reach without items."""
    seen: set[str] = set()
    ahead = [column + "1" for column in COLUMNS]
    while ahead:
        if (room := ahead.pop()) not in seen:
            seen.add(room)
            ahead += [other for other, between in board.near[room].items() if between in ("open", "wrap")]
    return seen


@cache
def deck() -> Deck:
    """The game's own cards."""
    return load((files(__package__) / "cards.toml").read_text("utf-8"))


@cache
def board(dungeon: str) -> Board:
    return lay_out(deck(), deck().dungeons[dungeon])
