"""A sitting as plain data: the content of a snapshot."""

from typing import Literal

import msgspec
from msgspec import Struct, field

from app.table.announcements import Announcement
from engine.saved_table import SavedTable

Phase = Literal["lobby", "playing", "over"]


class Former(Struct, frozen=True):
    """Who had a seat before somebody else was given it, or before the host freed it in their absence."""

    name: str
    holders: list[str]


class Seat(Struct):
    name: str = ""
    holders: list[str] = field(default_factory=list)  # persons: the one who took the seat, then further devices
    bot: str = ""  # the bot that plays: its own seat, a freed one, or one whose person is away
    ready: bool = False
    salt: str = ""
    pledge: str = ""  # the digest of a salt that its browser opens after the start
    away: bool = False
    left: bool = False  # its person left during the game; a bot plays on under the name
    newcomer: bool = False  # its person has come in the middle of a game; a bot plays the seat until the next reveal
    rests_until: float = 0.0  # away: nobody may ask for the seat before; 0 in tables of earlier versions
    long_away: bool = False  # that time is over
    formers: list[Former] = field(default_factory=list)  # who may take the seat back, the last ones first

    @property
    def taken(self) -> bool:
        return bool(self.holders or self.bot)

    @property
    def person(self) -> bool:
        return bool(self.holders)

    @property
    def absent(self) -> bool:
        """A person who is away, or for whom a bot stands in."""
        return self.person and (self.away or (bool(self.bot) and not self.newcomer))

    @property
    def resting(self) -> bool:
        """A person who is away, but not for so long that others may ask for the seat."""
        return self.person and self.away and not self.long_away and self.rests_until > 0


class SeatClaim(Struct, frozen=True):
    """Somebody asks for a seat; at this time it is granted or lapses."""

    seat: int
    at: float
    person: str  # who asks; "": others, for a bot that stands in
    name: str
    agreed: list[int] = field(default_factory=list)  # seats whose people have agreed


class SavedSitting(Struct):
    """A sitting after entry `seq`."""

    token: str
    code: str
    game: str
    host: str
    seats: list[Seat]
    options: dict[str, str]
    seed: str  # of the running game or, in the lobby, of the next
    seq: int = 0
    at: float = 0.0
    locked: bool = False
    seconds: int = 0
    phase: Phase = "lobby"
    plays: int = 0  # number of games begun at this table
    ends_at: float | None = None  # when the time for the current choice runs out
    held: dict[str, int] = field(default_factory=dict)  # person -> seat held in this game, whose secrets they know
    spent: list[str] = field(default_factory=list)  # hashes of used one-time links
    table: SavedTable | None = None
    wanted: dict[str, str] = field(
        default_factory=dict
    )  # all options that were chosen, including those that do not fit
    began: int = 0  # number of the entry that began the running game; 0 in the lobby
    ended_at: float | None = None  # `ends_at` of the choice before, to which a step back returns
    shown_at: float = 0.0  # when the pages will have told what happened
    announcements: list[Announcement] = field(default_factory=list)  # the newest of this game, or of this lobby
    announced: int = 0  # number of all announcements so far
    claim: SeatClaim | None = None
    dealing: float | None = None  # the start was given: until when pledged salts may be opened
    reminded: list[int] = field(default_factory=list)  # seats for which a bot was asked for during the current choice
    # The seat of each step back from the choice of another seat, since another one has acted.
    returns: list[int] = field(default_factory=list)
    turned_down: list[str] = field(default_factory=list)  # persons whose claim somebody objected to, in this game
    silence: bool = False  # whoever asks for a seat gets it even if nobody agrees, unless somebody objects


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(SavedSitting).decode


def copy_saved(saved: SavedSitting) -> SavedSitting:
    """A copy that shares nothing with the original."""
    return decode(encode(saved))
