"""What can be asked of a table, as plain data: the one vocabulary of pages, programs, bots and deadlines."""

from typing import Literal

from msgspec import Struct


class Action(Struct, frozen=True, tag_field="do", tag=str.lower, forbid_unknown_fields=True):
    """On the wire `{"do": "play", "round": 7, "move": "4", "id": "…"}`; `id` is the sender's: doubles
    count once."""


class ByAnyone(Action, frozen=True):
    """Whoever has the link may."""


class ByHolder(Action, frozen=True):
    """Whoever holds a seat may, for that seat."""


class ByHost(Action, frozen=True):
    """The host may."""


class ByHouse(Action, frozen=True):
    """The server's own; never accepted from outside."""


# anyone -------------------------------------------------------------------------------------------------------------


class Sit(ByAnyone, frozen=True):
    """Take a free seat in the lobby; in a running, unlocked table take over a bot's or a freed one (`seat`)."""

    name: str
    seat: int | None = None
    salt: str = ""


# holders ------------------------------------------------------------------------------------------------------------


class Ready(ByHolder, frozen=True):
    ready: bool = True


class Name(ByHolder, frozen=True):
    name: str


class Salt(ByHolder, frozen=True):
    """What this seat's browser throws into the deal, once a game, before the start."""

    salt: str


class Leave(ByHolder, frozen=True):
    """Get up: a bot plays on."""


class Play(ByHolder, frozen=True):
    round: int
    move: str


class Undo(ByHolder, frozen=True):
    """Drop the last word; takes a hand-in back."""

    round: int


class StandIn(ByHolder, frozen=True, tag="standin"):
    """Let a bot play for a seat that is away."""

    seat: int


# host ---------------------------------------------------------------------------------------------------------------


class Options(ByHost, frozen=True):
    options: dict[str, str]


class AddBot(ByHost, frozen=True, tag="addbot"):
    bot: str = ""  # "": the game's best
    seat: int | None = None


class Free(ByHost, frozen=True):
    """Take a seat from whoever holds it; in a running table a bot plays on."""

    seat: int


class Lock(ByHost, frozen=True):
    locked: bool = True


class Timer(ByHost, frozen=True):
    seconds: int  # a choice; 0 is off


class Start(ByHost, frozen=True):
    pass


class Rematch(ByHost, frozen=True):
    """Back to the lobby with the same people, code, link and screens."""


# the house ----------------------------------------------------------------------------------------------------------


class Open(ByHouse, frozen=True):
    """The first entry of every table."""

    token: str
    code: str
    game: str
    name: str  # of the person who opens it


class Away(ByHouse, frozen=True):
    seat: int


class Back(ByHouse, frozen=True):
    seat: int


class Device(ByHouse, frozen=True):
    """The person of this entry holds the seat too; the one-time link, hashed, is spent with it."""

    seat: int
    link: str = ""


class PlayFor(ByHouse, frozen=True, tag="playfor"):
    """A bot's move, or one that the clock made."""

    seat: int
    round: int
    move: str
    by: Literal["bot", "time"]


Outside = (
    Sit | Ready | Name | Salt | Leave | Play | Undo | StandIn | Options | AddBot | Free | Lock | Timer | Start | Rematch
)
Inside = Open | Away | Back | Device | PlayFor
AnyAction = Outside | Inside


class Entry(Struct, frozen=True):
    """A line of the log. `secret` is 32 random bytes in hex, drawn by the house for every entry: nonces and seeds come
    from it, so that the log alone rebuilds everything."""

    person: str  # who did it; "" for the house
    action: Action
    secret: str
    at: float  # seconds since 1970; never less than the entry before
