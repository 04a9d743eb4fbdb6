"""A sitting as plain data: what a snapshot in the store holds."""

import msgspec
from msgspec import Struct, field

from engine.table import SavedTable


class Seat(Struct):
    name: str = ""
    holders: list[str] = field(default_factory=list)  # persons: the one who sat down first, then further devices
    bot: str = ""  # the bot that plays it: a bot's own seat, a freed one, or one whose owner is away
    ready: bool = False
    salt: str = ""
    away: bool = False
    left: bool = False  # its person got up in the middle of the game; a bot plays on under the name

    @property
    def taken(self) -> bool:
        return bool(self.holders or self.bot)

    @property
    def person(self) -> bool:
        return bool(self.holders)


class SavedSitting(Struct):
    """A sitting as it is stored after entry `seq`."""

    token: str
    code: str
    game: str
    host: str
    seats: list[Seat]
    options: dict[str, str]
    seed: str  # of the next or the running deal
    seq: int = 0
    at: float = 0.0
    locked: bool = False
    seconds: int = 0
    phase: str = "lobby"  # "lobby", "playing", "over"
    plays: int = 0  # how many games have begun here
    ends_at: float | None = None  # when the running choice runs out
    held: dict[str, int] = field(default_factory=dict)  # who has held which seat in this game: they know its secrets
    spent: list[str] = field(default_factory=list)  # one-time links, hashed
    table: SavedTable | None = None
    wanted: dict[str, str] = field(default_factory=dict)  # options that were chosen, whether or not they fit just now
    began: int = 0  # the entry with which the running game began; 0 in the lobby


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(SavedSitting).decode


def copy_saved(saved: SavedSitting) -> SavedSitting:
    """A copy that shares nothing with the original."""
    return decode(encode(saved))
