"""Whoever has lost a seat while away, to somebody who had asked for it or because the host has freed it in a game,
takes it back by coming back, for as long as the table lives: at once, with all that it holds. Whoever was given it sees
nothing of it any more. Who sits down elsewhere gives it up."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from app.refusals import Refusal
from app.table import actions as do
from app.table import seats
from app.table.announcements import announce
from app.table.names import distinct
from app.table.saved import Former, Seat

if TYPE_CHECKING:
    from app.table.sitting import Sitting

MOST_FORMERS = 4


def formers_after(before: Seat) -> list[Former]:
    """Who may take back a seat that somebody else gets now, the last ones first."""
    last = [Former(before.name, before.holders)] if before.holders else []
    return [*last, *before.formers][:MOST_FORMERS]


def give_up(s: "Sitting", person: str) -> None:
    """To be called when this person has sat down."""
    for seat in s.seats:
        if any(person in former.holders for former in seat.formers):
            left = [Former(one.name, [other for other in one.holders if other != person]) for one in seat.formers]
            seat.formers = [former for former in left if former.holders]


def lost(s: "Sitting") -> Iterator[tuple[str, int]]:
    """Each person who may take back a seat, with that seat."""
    for n, seat in enumerate(s.seats):
        for former in seat.formers:
            for person in former.holders:
                yield person, n


def lost_by(s: "Sitting", person: str) -> int | None:
    """The seat that this person may take back."""
    return next((n for other, n in lost(s) if other == person), None) if person else None


def take_back(s: "Sitting", action: do.Return, entry: do.Entry) -> None:
    n = lost_by(s, entry.person)
    if n is None:
        raise Refusal("no_seat")
    before = s.seats[n]
    place = next(i for i, former in enumerate(before.formers) if entry.person in former.holders)
    former = before.formers[place]
    name = distinct(former.name, [seat.name for i, seat in enumerate(s.seats) if i != n])
    seat = s.seats[n] = Seat(name, list(former.holders), formers=before.formers[place + 1 :])
    if s.phase == "playing":
        seat.salt = before.salt
        s.saved.held = {**s.saved.held, **dict.fromkeys(seat.holders, n)}
    announce(s, "returned", n, by=before.name if before.person else "")
    if s.saved.host in before.holders:  # the role stays with the seat
        s.saved.host = entry.person
    seats.seats_changed(s)


HANDLERS: dict[type[do.Action], Callable[..., Any]] = {do.Return: take_back}
