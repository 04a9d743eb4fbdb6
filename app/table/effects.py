"""Further consequences of an entry, as data. `Sitting.apply` returns them, `House.carry_out` performs them."""

from msgspec import Struct


class Effect(Struct, frozen=True):
    pass


class WindClock(Effect, frozen=True):
    """Set the timer of the current choice to this time; None: stop it."""

    at: float | None


class AwaitObjections(Effect, frozen=True):
    """Grant a claim at this time; None: there is none any more."""

    at: float | None


class AwaitReturn(Effect, frozen=True):
    """Let others ask for a seat at this time, if its person is still away; None: nobody is awaited."""

    at: float | None


class AwaitSalts(Effect, frozen=True):
    """Call off the deal at this time; None: no salt is awaited any more."""

    at: float | None


class WakeBots(Effect, frozen=True):
    """The table waits for these seats. Their bots choose; for a seat that is spared in a window the table passes."""

    seats: tuple[int, ...]


class WatchSeats(Effect, frozen=True):
    """Check which seats have a connected device: holders or absences have changed."""


class PlayOut(Effect, frozen=True):
    """The pages animate the events of this entry for this time."""

    seconds: float
