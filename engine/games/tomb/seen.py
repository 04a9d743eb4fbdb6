"""What viewers see, as data: `view.py` makes it of a state, bots and forecasts read it."""

from typing import Any

from msgspec import Struct

from engine.games.tomb.effects import Goods
from engine.games.tomb.facts import Line
from engine.games.tomb.places import Cell, Slot
from engine.games.tomb.state import Context


class PlayerSeen(Struct, frozen=True):
    seat: int
    food: int
    torch: int
    pickaxe: int
    gold: int
    glory: int
    paws: int  # in reserve
    tokens: int
    helpers: tuple[str, ...]  # in order of hiring
    camp: tuple[str, ...]
    camp_limit: int
    chests: tuple[str, ...]  # unused
    used: int  # number of used chests
    turns: int
    line: Line  # the score if the game ended now


class CellSeen(Struct, frozen=True):
    cell: Cell
    room: str  # "" if there is none
    owner: int | None
    paw: int | None  # whose
    chest: str


class EntranceSeen(Struct, frozen=True):
    slot: Slot
    card: str
    paw: int | None
    opposite: Slot
    token: bool  # T-160
    owner: int | None  # T-161 of a turned card


class MarketSeen(Struct, frozen=True):
    shown: tuple[str, ...]  # by position; "" is an empty place
    deck: int
    back: str  # of the deck's top card; "" if there is none
    discard: tuple[str, ...]  # the oldest first


class Ledger(Struct, frozen=True):
    """The active player's goods in this action."""

    had: Goods
    gained: Goods
    spent: Goods


class Memory(Struct, frozen=True):
    """What the rules remember in the middle of a turn: nothing of it is secret. Programs that look ahead need it."""

    todo: tuple[Any, ...]  # the agenda: the rules' steps, the next one last
    symbols: tuple[str, ...]
    ignored: int
    fired: dict[str, Context]  # helpers that were applied in this turn, and for what
    effective: bool
    movable: bool
    applied: tuple[bool, ...]


class Public(Struct, frozen=True):
    factions: tuple[str, ...]
    turn: int
    sort: str  # of the turn: "turn", "extra" or "last"
    active: int
    first: int
    cells: tuple[CellSeen, ...]
    entrances: tuple[EntranceSeen, ...]
    rooms: MarketSeen
    helpers: MarketSeen
    supply: int
    players: tuple[PlayerSeen, ...]
    glory_at_end: int
    ended: str  # why the end was triggered
    trigger: int | None
    ledger: Ledger | None  # None between actions
    lifts: int  # in this action
    borrowed: tuple[str, ...]
    doubles: int
    extra_actions: int
    extra_turn: bool
    doing: Context | None  # the effect that the ask is about
    memory: Memory
    over: bool


class Private(Struct, frozen=True):
    used: tuple[str, ...]  # T-61 the faces of used chests
