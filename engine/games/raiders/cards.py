"""The cards as data: read from a TOML file, validated, and assembled into one deck for each edition."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta, Struct

from engine.cards import CardFile, CardRecord, Count, Some, Word
from engine.games.raiders.facts import HALF, ITEMS, Amount, Harm, Prize, RoomFacts

POWER = ("1", "2", "3", "4", "5")
FLOORS, ROOMS = 5, 5  # 25 rooms make 5 floors of 5
PLAYERS = (3, 4, 5)  # numbers of players with a printed strength
MOST_COINS = 20

Item = Literal["torch", "ball", "key", "sword"]
OneHarm = Count | Literal["half"]


class Solo(CardRecord, frozen=True):
    coins: Annotated[int, Meta(ge=0, le=MOST_COINS)]
    strengths: tuple[Annotated[int, Meta(ge=1, le=5)], ...]


class Edition(CardRecord, frozen=True):
    away: Count
    items: Some
    fewest: Annotated[int, Meta(ge=2, le=5)] = PLAYERS[0]
    floors: tuple[Annotated[str, Meta(pattern=r"\A[UD]{5}\Z")], ...] = ()
    light: Annotated[int, Meta(ge=0, le=FLOORS * ROOMS)] | None = None
    bosses: Annotated[int, Meta(ge=0, le=1)] = 0
    deadly: Some | None = None
    solo: Solo | None = None

    def faults(self) -> list[str]:
        if self.light is not None:
            return ["light: floor cards say which rooms lie face up"] if self.floors else []
        return [] if len(self.floors) >= FLOORS else [f"floors: {len(self.floors)} cards, {FLOORS} are drawn"]


class Character(CardRecord, frozen=True):
    name: Word
    coins: Annotated[int, Meta(ge=0, le=MOST_COINS)]
    wounds: Count
    items: tuple[Item, ...] = ()


class Room(CardRecord, frozen=True):
    copies: dict[str, Some]

    @property
    def id(self) -> str:
        raise NotImplementedError

    def facts(self, players: int) -> RoomFacts:
        raise NotImplementedError


class Named(Room, frozen=True):
    name: Word

    @property
    def id(self) -> str:
        return self.name


class Treasure(Room, frozen=True):
    named: ClassVar[str] = "chests"
    chests: tuple[Some, ...]

    @property
    def id(self) -> str:
        return "_".join(["treasure", *map(str, self.chests)])

    def faults(self) -> list[str]:
        if self.chests and sorted(self.chests, reverse=True) == list(self.chests):
            return []
        return ["chests: one or more are needed, the biggest first"]

    def facts(self, players: int) -> RoomFacts:
        return RoomFacts("treasure", "treasure", chests=self.chests)


class Monster(Named, frozen=True):
    strength: tuple[Some, Some, Some]
    wounds: Some

    def facts(self, players: int) -> RoomFacts:
        """R-42, R-97 With fewer than three players the printed strength does not apply."""
        strength = self.strength[PLAYERS.index(players)] if players in PLAYERS else None
        return RoomFacts("monster", self.name, strength=strength, wounds=self.wounds)


class Vault(Named, frozen=True):
    prizes: tuple[Item | dict[Literal["coins", "potion"], Some], ...]

    def faults(self) -> list[str]:
        if len(self.prizes) != len(POWER):
            return [f"prizes: {len(self.prizes)} of them, {len(POWER)} are needed"]
        return [f"prizes: one thing a prize, not {p}" for p in self.prizes if isinstance(p, dict) and len(p) != 1]

    def facts(self, players: int) -> RoomFacts:
        return RoomFacts("vault", self.name, prizes=dict(zip(POWER, map(prize, self.prizes), strict=True)))


class Trap(Named, frozen=True):
    victims: Literal["richest", "least_wounded", "everyone"]
    loses: Literal["coins", "wounds"]
    harms: tuple[OneHarm, OneHarm, OneHarm, OneHarm, OneHarm]
    by: Literal["lowest"] | msgspec.UnsetType = msgspec.UNSET

    def facts(self, players: int) -> RoomFacts:
        harms: dict[str, Harm] = dict(zip(POWER, self.harms, strict=True))
        return RoomFacts("trap", self.name, harms=harms, victims=self.victims, loses=self.loses, by=self.by)


class Boss(Named, frozen=True):
    strength: tuple[Some, Some, Some] | None = None
    wounds: Count = 0
    coins: Some | msgspec.UnsetType = msgspec.UNSET
    stone: bool | msgspec.UnsetType = msgspec.UNSET
    pays: Some | msgspec.UnsetType = msgspec.UNSET
    flee: Item | msgspec.UnsetType = msgspec.UNSET
    fives: Some | msgspec.UnsetType = msgspec.UNSET
    aim: Literal["highest"] | msgspec.UnsetType = msgspec.UNSET

    def facts(self, players: int) -> RoomFacts:
        return RoomFacts(
            "boss", self.name, strength=self.strength and self.strength[PLAYERS.index(players)], wounds=self.wounds,
            coins=self.coins, stone=self.stone, pays=self.pays, flee=self.flee, fives=self.fives, aim=self.aim,
        )  # fmt: skip


def prize(given: str | Mapping[Any, int]) -> Prize:
    if isinstance(given, str):
        return given
    ((kind, amount),) = given.items()
    return Amount(kind, amount)


KINDS: dict[str, type[Room]] = {
    "monster": Monster, "treasure": Treasure, "vault": Vault, "trap": Trap, "boss": Boss,
}  # fmt: skip


class Deck(Struct, frozen=True):
    """One edition's cards. Rooms are referred to by id, also in the state."""

    edition: str
    away: int  # number of rooms taken away unseen
    items: int  # number of each item in the supply
    floors: tuple[str, ...]  # floor cards; if there are none, `light` is used
    light: int  # number of rooms that lie face up
    deadly: int | None  # wounds at which a hero dies
    characters: dict[str, Character]
    rooms: tuple[str, ...]  # ids, repeated for each copy
    bosses: tuple[str, ...]
    bosses_drawn: int
    facts: dict[int, dict[str, RoomFacts]]  # by number of players, then by id
    strengths: tuple[int, ...] = ()  # R-97 solo: the monster strength deck
    solo: "Deck | None" = None


def load(text: str, source: str = "cards.toml") -> dict[str, Deck]:
    """Parse a card file into one deck per edition. Raises CardError."""
    file = CardFile(text, {"edition", "character", *KINDS}, source)
    editions = file.tables("edition", Edition)
    characters = file.cards("character", Character)
    rooms: list[Room] = []
    for kind, form in KINDS.items():
        rooms += file.cards(kind, form, unique=False)  # editions may have different cards of the same name
    for room in rooms:
        if strange := room.copies.keys() - editions.keys():
            raise file.error(room.id, f"copies: there is no edition {', '.join(sorted(strange))}")
    return {key: lay_out(file, key, edition, characters, rooms) for key, edition in editions.items()}


def lay_out(file: CardFile, key: str, edition: Edition, characters: list[Character], rooms: list[Room]) -> Deck:
    """Assemble one edition's deck and validate it as a whole."""
    rooms = [room for room in rooms if key in room.copies]
    where = f"edition {key}"
    file.no_two(where, [room.id for room in rooms])
    bosses = [room.id for room in rooms if isinstance(room, Boss) for _ in range(room.copies[key])]
    others = [room.id for room in rooms if not isinstance(room, Boss) for _ in range(room.copies[key])]
    if len(bosses) < edition.bosses:
        raise file.error(where, "bosses: one is drawn, there is none")
    if (left := len(others) - edition.away + edition.bosses) != FLOORS * ROOMS:
        raise file.error(
            where,
            f"away: {len(others)} rooms less {edition.away}, and {edition.bosses} boss,"
            f" make {left}, not {FLOORS * ROOMS}",
        )
    if len(characters) < PLAYERS[-1]:
        raise file.error(where, f"{len(characters)} characters, {PLAYERS[-1]} are needed")
    for item in ITEMS:
        if (held := sum(character.items.count(item) for character in characters)) > edition.items:
            raise file.error(where, f"items: {edition.items} of each, characters start with {held} {item}")
    for room in rooms:
        if isinstance(room, Trap) and room.loses == "wounds" and HALF in room.harms and edition.deadly is None:
            raise file.error(where, f"trap {room.name}: half of what is left to death, and nobody dies")
    deck = Deck(
        edition=key,
        away=edition.away,
        items=edition.items,
        floors=edition.floors,
        light=edition.light or 0,
        deadly=edition.deadly,
        characters={character.name: character for character in characters},
        rooms=tuple(others),
        bosses=tuple(bosses),
        bosses_drawn=edition.bosses,
        facts=facts_for(rooms, range(edition.fewest, PLAYERS[-1] + 1)),
    )
    return msgspec.structs.replace(deck, solo=lay_out_solo(file, deck, edition.solo, rooms)) if edition.solo else deck


def lay_out_solo(file: CardFile, deck: Deck, solo: Solo, rooms: list[Room]) -> Deck:
    """R-95 No items: vaults with items are removed, and random further cards until 25 remain. R-96 All heroes start
    with the same coins."""
    where = f"edition {deck.edition}, solo"
    without = [room for room in rooms if not isinstance(room, Boss) and not holds_items(room)]
    left = tuple(room.id for room in without for _ in range(room.copies[deck.edition]))
    if len(left) < FLOORS * ROOMS:
        raise file.error(where, f"{len(left)} rooms without items, {FLOORS * ROOMS} are needed")
    monsters = sum(room.copies[deck.edition] for room in without if isinstance(room, Monster))
    if len(solo.strengths) < monsters:
        raise file.error(where, f"strengths: {len(solo.strengths)} cards, there are {monsters} monsters")
    alike = {name: Character(name=name, coins=solo.coins, wounds=0) for name in deck.characters}
    return msgspec.structs.replace(
        deck, away=len(left) - FLOORS * ROOMS, items=0, characters=alike, rooms=left, bosses=(), bosses_drawn=0,
        facts=facts_for(without, (1,)), strengths=solo.strengths,
    )  # fmt: skip


def holds_items(room: Room) -> bool:
    return isinstance(room, Vault) and any(isinstance(prize, str) for prize in room.prizes)


def facts_for(rooms: Iterable[Room], players: Iterable[int]) -> dict[int, dict[str, RoomFacts]]:
    return {number: {room.id: room.facts(number) for room in rooms} for number in players}


@cache
def decks() -> dict[str, Deck]:
    """The game's own decks, by edition."""
    return load((files(__package__) / "cards.toml").read_text("utf-8"))
