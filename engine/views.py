"""What may be seen: built up from what is allowed, never by taking away. Templates, JSON and bots get nothing else."""

from typing import Any

from msgspec import Struct


class Shared(Struct, frozen=True):
    """What everybody sees, spectators and screens too."""

    game: str
    rules: int
    seats: int
    options: dict[str, str]
    version: int  # how many events have been told
    round: int  # the ask that a move must name
    asks: str  # the name of the step that asks; "" when the table is over
    asked: list[int] | None  # the seats asked; None while nobody is told
    waits: list[int] | None  # those of them who have not handed in
    digests: dict[int, list[str]]  # of what lies face down
    commitment: str  # of the seed
    over: bool
    public: Any  # the game's


class Own(Struct, frozen=True):
    """What one seat sees besides."""

    seat: int
    draft: tuple[str, ...]
    ready: bool  # handed in, and may still be taken back
    moves: list[str]  # the words that may come next
    anytime: list[str]
    private: Any  # the game's
