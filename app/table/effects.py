"""What follows from an entry besides its events, as data: `Sitting.apply` says it, `app/house` carries it out."""

from msgspec import Struct


class Effect(Struct, frozen=True):
    pass


class WindClock(Effect, frozen=True):
    """The running choice ends at this time; None: no clock runs."""

    at: float | None


class WakeBots(Effect, frozen=True):
    """The table waits for these seats, and bots play them."""

    seats: tuple[int, ...]


class WatchSeats(Effect, frozen=True):
    """Who holds a seat, or who is away, has changed: find out whose devices are connected."""


class PlayOut(Effect, frozen=True):
    """Pages play the events of this entry out for so many seconds."""

    seconds: float
