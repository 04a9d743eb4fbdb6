"""The host's settings: options before the start, and the lock."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.refusals import Refusal
from app.table import actions as do
from engine.game import WrongPick

if TYPE_CHECKING:
    from app.table.sitting import Sitting


def set_options(s: "Sitting", action: do.Options, entry: do.Entry) -> None:
    s.need("lobby")
    try:
        s.game.choose_options(action.options, seats_to_be(s))
        s.game.check_picks(action.options, seats_to_be(s))
    except WrongPick:
        raise Refusal("wrong_pick") from None
    except ValueError:
        raise Refusal("no_such_option") from None
    s.saved.wanted.update(action.options)
    fit(s)


def fit(s: "Sitting") -> None:
    """In the lobby, choose the options again for the current number of seats: the wanted ones where they fit."""
    if s.phase == "lobby":
        try:
            s.saved.options = s.game.choose_options(s.saved.wanted, seats_to_be(s))
        except ValueError:  # chosen under older rules
            s.saved.wanted = {}
            s.saved.options = s.game.choose_options({}, seats_to_be(s))


def seats_to_be(s: "Sitting") -> int:
    """The number of players if the game began now; within the game's limits."""
    return min(max(len(s.taken()), min(s.game.seats)), max(s.game.seats))


def set_lock(s: "Sitting", action: do.Lock, entry: do.Entry) -> None:
    if action.locked and not any(seat.person for seat in s.seats):
        raise Refusal("no_seat")
    s.saved.locked = action.locked


def set_silence(s: "Sitting", action: do.Silence, entry: do.Entry) -> None:
    s.saved.silence = action.allowed


HANDLERS: dict[type[do.Action], Callable[..., Any]] = {
    do.Options: set_options,
    do.Lock: set_lock,
    do.Silence: set_silence,
}
