"""A table's play as plain data, to be stored."""

import msgspec
from msgspec import Struct, field

from engine.orders import StandingOrder
from engine.proof import Deal
from engine.steps import By, Draft
from engine.table_events import KeptAnswer
from engine.trail import Trail


class SavedTable(Struct):
    """A table's play as it is stored; `state` is the encoded state of the game."""

    game: str
    rules: int
    seats: int
    options: dict[str, str]
    deal: Deal
    state: msgspec.Raw
    round: int
    version: int
    drafts: dict[int, Draft] = field(default_factory=dict)
    secrets: dict[int, str] = field(default_factory=dict)
    kept: list[KeptAnswer] = field(default_factory=list)
    by: dict[int, By] = field(default_factory=dict)
    trail: Trail | None = None
    orders: dict[int, StandingOrder] = field(default_factory=dict)
    undone: list[int] = field(default_factory=list)
