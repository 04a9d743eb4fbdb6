"""What a viewer may see. Views contain only what is allowed; templates, JSON and bots get nothing else."""

from typing import Any, Generic

from msgspec import Struct
from typing_extensions import TypeVar

PublicView = TypeVar("PublicView", default=Any)  # what a game's `public` returns
PrivateView = TypeVar("PrivateView", default=Any)  # what a game's `private` returns


class Shared(Struct, Generic[PublicView], frozen=True):
    """What everybody sees, including spectators and screens."""

    game: str
    rules: int
    seats: int
    options: dict[str, str]
    version: int  # number of events so far
    round: int  # number of the ask; a move must name it
    asks: str  # the name of the step that asks; "" when the game is over
    scope: str  # what this ask is a part of (`Ask.scope`); "" if it stands alone
    asked: list[int] | None  # the asked seats; None while this is hidden
    waits: list[int] | None  # asked seats that have not handed in; None while this is hidden
    digests: dict[int, list[str]]  # of sealed answers, by seat
    commitment: str  # to the seed
    over: bool
    public: PublicView  # the game's public view


class StepsBack(Struct, frozen=True):
    """What a seat can take back of the steps that it has made in this scope."""

    steps: int  # number of steps that can be taken back, one by one
    why: str  # why no more than these; "" if the scope begins with them


class Own(Struct, Generic[PrivateView], frozen=True):
    """What only one seat sees."""

    seat: int
    draft: tuple[str, ...]
    ready: bool  # handed in; can still be taken back
    moves: list[str]  # the words that may come next
    anytime: list[str]
    back: StepsBack | None  # None: this seat has made no step here
    order: str  # the standing order in force; "" if the game has none
    spared: bool  # it is asked in a window, but need not be disturbed: the table answers for it
    private: PrivateView  # the game's private view for this seat
