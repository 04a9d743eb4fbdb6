"""The events of Rodents and Tombs. `goods` are always five numbers: food, torch, pickaxe, gold, glory."""

from msgspec import Struct

from engine import Event, Result
from engine.games.tomb.effects import Goods
from engine.games.tomb.places import Cell, Place, Slot

Seat = int


class Deal(Event, frozen=True):
    """T-15 to T-21 How the table is laid before the first turn."""

    factions: tuple[str, ...]
    entrances: dict[Slot, str]  # the card in each slot
    chests: dict[Cell, str]
    rooms: tuple[str, ...]  # the market
    helpers: tuple[str, ...]
    discarded: tuple[str, str]  # a room and a helper
    decks: tuple[int, int]  # rooms, helpers
    supply: int
    secret: tuple[str, ...]  # T-160 entrance cards with a token
    first: Seat


class Turn(Event, frozen=True):
    """A turn begins. `sort`: "turn", "extra" (T-33) or "last" (T-143)."""

    turn: int  # counts all turns of all players
    seat: Seat
    sort: str


class Act(Event, frozen=True):
    """What the player does: "place", "remove", "decline" (an extra action) or "pass" (the last action)."""

    turn: int
    seat: Seat
    sort: str  # "turn", "extra" (T-32) or "last"
    act: str
    slot: Slot = ""


class Laid(Event, frozen=True):
    """A paw goes from the reserve to an entrance or a cell."""

    seat: Seat
    place: Place
    card: str = ""  # the entrance or room there
    owner: Seat | None = None


class ChestTaken(Event, frozen=True):
    seat: Seat
    cell: Cell
    chest: str


class Fame(Event, frozen=True):
    """Glory that is no gain of an effect (T-95). `why`: "visited" (T-43), "opposite" (T-157), "turned" (T-164),
    "neighbour" (T-120), "later" (T-173), "opened" or "hired": the card's own glory."""

    seat: Seat
    glory: int
    why: str
    place: Place = ""
    card: str = ""


class Earned(Event, frozen=True):
    """An extra action (T-46) or an extra turn (T-33) is earned."""

    seat: Seat
    what: str  # "action" or "turn"
    card: str


class Lifted(Event, frozen=True):
    seat: Seat
    place: Place
    card: str = ""  # what lay under it
    owner: Seat | None = None


class Unused(Event, frozen=True):
    """T-54 The paw was lifted inside the tomb without effect."""

    seat: Seat
    place: Cell
    card: str = ""


class Applies(Event, frozen=True):
    """An effect begins that no lift began: a chest's, a helper's, or another card's. `by` is the card that says so."""

    seat: Seat
    card: str
    place: Place = ""
    by: str = ""


class Gained(Event, frozen=True):
    seat: Seat
    goods: Goods
    card: str  # whose effect it is
    burned: Goods | None = None  # T-25


class Paid(Event, frozen=True):
    seat: Seat
    goods: Goods
    card: str  # what was bought, or the card whose effect was paid for


class RoomOpened(Event, frozen=True):
    seat: Seat
    card: str
    cell: Cell
    source: str  # "market" or "camp"
    replaces: str = ""  # T-133


class Hired(Event, frozen=True):
    seat: Seat
    card: str
    source: str


class Reserved(Event, frozen=True):
    seat: Seat
    card: str
    source: str  # "market" or "discard"


class Discarded(Event, frozen=True):
    """Cards go to their discard piles. `source`: "market", "camp", "helpers" or "tomb"."""

    seat: Seat
    cards: tuple[str, ...]
    source: str


class Refilled(Event, frozen=True):
    """T-69 The top card of a deck is put into its market."""

    market: str  # "room" or "helper"
    position: int
    card: str


class Reshuffled(Event, frozen=True):
    """T-70 A discard pile becomes the deck."""

    market: str
    cards: int


class PawMoved(Event, frozen=True):
    seat: Seat
    start: Place
    end: Cell
    reserve: bool = False  # T-171 the paw just lifted from `start`


class ChestUsed(Event, frozen=True):
    """T-60 A chest was used and is turned face down."""

    seat: Seat
    chest: str


class ChestFlipped(Event, frozen=True):
    seat: Seat
    chest: str


class ChestSold(Event, frozen=True):
    seat: Seat
    chest: str
    used: bool


class ChestsDrawn(Event, frozen=True):
    seat: Seat
    chests: tuple[str, ...]


class Borrowed(Event, frozen=True):
    seat: Seat
    card: str


class Doubled(Event, frozen=True):
    """T-128 The effect of the lift that follows is applied twice."""

    seat: Seat
    place: Place


class TurnedOver(Event, frozen=True):
    """T-161"""

    seat: Seat
    slot: Slot
    card: str


class Ends(Event, frozen=True):
    """T-140 The end is triggered. `why`: "rooms", "helpers", "glory" or "turns"."""

    why: str
    seat: Seat


class Done(Event, frozen=True):
    """An action is complete: what its player had, gained and spent."""

    turn: int
    seat: Seat
    had: Goods
    gained: Goods
    spent: Goods


class Line(Struct, frozen=True):
    """T-150 One player's score."""

    glory: int  # on the board
    rooms: int  # for sets of rooms
    helpers: int
    total: int
    room_sets: tuple[tuple[str, ...], ...]
    helper_sets: tuple[tuple[str, ...], ...]


class TombResult(Result, frozen=True, tag="result"):
    lines: tuple[Line, ...]  # by seat
    ended: str  # as `why` of `Ends`
    trigger: Seat
