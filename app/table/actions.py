"""All actions on a table, as plain data. Pages, programs, bots and deadlines use the same ones."""

from msgspec import Struct

from engine.steps import By


class Action(Struct, frozen=True, tag_field="do", tag=str.lower, forbid_unknown_fields=True):
    """As JSON: `{"do": "play", "round": 7, "move": "4", "id": "…"}`. The sender may choose an `id`: a second
    message with the same id has no effect."""


class ByAnyone(Action, frozen=True):
    """Allowed to everybody who has the link."""


class ByHolder(Action, frozen=True):
    """Allowed to the holders of a seat, for that seat."""


class ByHost(Action, frozen=True):
    """Allowed to the host."""


class ByHouse(Action, frozen=True):
    """Made by the server itself; never accepted from a client."""


# anyone -------------------------------------------------------------------------------------------------------------


class Sit(ByAnyone, frozen=True):
    """Take a free seat in the lobby. While a game runs, if the table is unlocked: take over a bot's `seat`."""

    name: str
    seat: int | None = None
    salt: str = ""


class Claim(ByAnyone, frozen=True):
    """Ask for the seat of somebody who has been away for ten minutes. It is granted after a minute if somebody at the
    table has agreed, and nobody has objected. At a locked table only who has had a seat may ask for it again."""

    seat: int
    name: str


# holders ------------------------------------------------------------------------------------------------------------


class Ready(ByHolder, frozen=True):
    ready: bool = True


class Name(ByHolder, frozen=True):
    name: str


class Pledge(ByHolder, frozen=True):
    """The digest of this seat's salt, sent by its browser once per deal before the start."""

    pledge: str


class Salt(ByHolder, frozen=True):
    """This seat's random part of the deal: after the start the one that it has pledged; a program that has pledged
    none may send one before the start."""

    salt: str


class Leave(ByHolder, frozen=True):
    """Give up the seat; while a game runs, a bot plays on."""


class Play(ByHolder, frozen=True, omit_defaults=True):
    """Add a word to the draft. `then`: the words after it; all of them are legal, or none is played."""

    round: int
    move: str
    then: tuple[str, ...] = ()


class Undo(ByHolder, frozen=True):
    """Drop the last word of the draft. An answer that was handed in is taken back by this."""

    round: int


class StepBack(ByHolder, frozen=True, tag="stepback"):
    """Take back this seat's newest answer in its turn, with its effects."""

    round: int  # the current one


class Order(ByHolder, frozen=True):
    """Give a standing order: in which windows to be asked. Nobody else learns of it."""

    value: str
    scope: bool = False  # until the current scope ends; otherwise for good


class StandIn(ByHolder, frozen=True, tag="standin"):
    """Let a bot play for a seat that is away; for one that does not answer, after a minute. Outside a game the host's
    role passes on instead."""

    seat: int


class Object(ByHolder, frozen=True):
    """Refuse what somebody has asked for: a seat, or a bot for a seat. A seat is left alone for ten minutes then."""


class Agree(ByHolder, frozen=True):
    """Agree that somebody gets the seat that was asked for."""


class Here(ByHolder, frozen=True):
    """Play on oneself, instead of the bot that stands in."""


# host ---------------------------------------------------------------------------------------------------------------


class Options(ByHost, frozen=True):
    options: dict[str, str]


class AddBot(ByHost, frozen=True, tag="addbot"):
    bot: str = ""  # "": the usual one
    seat: int | None = None


class Free(ByHost, frozen=True):
    """Take a seat away from its holders; while a game runs, a bot plays on."""

    seat: int


class Lock(ByHost, frozen=True):
    locked: bool = True


class Silence(ByHost, frozen=True):
    """Whether somebody gets the seat that was asked for even if nobody agrees, unless somebody objects."""

    allowed: bool = True


class Timer(ByHost, frozen=True):
    seconds: int  # for each choice; 0: no timer


class Start(ByHost, frozen=True):
    pass


class Rematch(ByHost, frozen=True):
    """Return to the lobby; people, code and link stay the same."""


class ChangeGame(ByHost, frozen=True, tag="game"):
    """Return to the lobby for another game, or choose it there; people, code and link stay the same. People keep their
    seats even if they are too many for the game, which then cannot start; bots over its number leave."""

    game: str


# the house ----------------------------------------------------------------------------------------------------------


class Open(ByHouse, frozen=True):
    """The first entry of every table."""

    token: str
    code: str
    game: str
    name: str  # of the person who opens it; "": nobody, the first who sits down becomes the host


class Away(ByHouse, frozen=True):
    seat: int


class Back(ByHouse, frozen=True):
    seat: int


class LongAway(ByHouse, frozen=True):
    """The person of this seat has been away for so long that others may ask for it."""

    seat: int


class Return(ByHouse, frozen=True):
    """The person of this entry takes back the seat that somebody else was given."""


class Device(ByHouse, frozen=True):
    """Make the person of this entry another holder of the seat. `link` is the hash of the one-time link used for it.
    `of` tells who made that link (`codes.mark`): it leads to the seat that this one has now, if there is one."""

    seat: int
    link: str = ""
    of: str = ""  # "": by a link of an earlier version, to `seat`


class Alone(ByHouse, frozen=True):
    """The person of this entry has logged out everywhere else: further devices lose the seat."""

    seat: int


class Grant(ByHouse, frozen=True):
    """The time of the claim of this seat is over, and nobody has objected."""

    seat: int


class CallOff(ByHouse, frozen=True, tag="calloff"):
    """A pledged salt was not opened in time: there is no deal, and the next one has another seed."""


class SetBack(ByHouse, frozen=True, tag="setback"):
    """The clock was ahead and has been put right: all times of the table are set back to this entry's."""


class PlayFor(ByHouse, frozen=True, tag="playfor"):
    """A move made by a bot, or because the time ran out, or for a person whom a window need not disturb: that one is
    made as "player", and nothing tells it from a move by hand."""

    seat: int
    round: int
    move: str
    by: By


Outside = (
    Sit
    | Claim
    | Ready
    | Name
    | Pledge
    | Salt
    | Leave
    | Play
    | Undo
    | StepBack
    | Order
    | StandIn
    | Object
    | Agree
    | Here
    | Options
    | AddBot
    | Free
    | Lock
    | Silence
    | Timer
    | Start
    | Rematch
    | ChangeGame
)
Inside = Open | Away | Back | LongAway | Return | Device | Alone | Grant | CallOff | SetBack | PlayFor
AnyAction = Outside | Inside


class Entry(Struct, frozen=True):
    """A line of the log. `secret` is 32 random bytes in hex. Nonces and seeds are derived from it, so that the log is
    enough to rebuild the table."""

    person: str  # who did it; "": the server
    action: Action
    secret: str
    at: float  # seconds since 1970; never less than the entry before, except of `SetBack`
