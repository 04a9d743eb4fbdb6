"""Claims to a seat whose person does not play.

A claim for a bot is granted after a minute, unless somebody at the table objects. A claim of a person is one to a hand
that somebody else has: it is possible only when the seat's person has been away for ten minutes; somebody at the table
must agree, except if the host allows silence; after an objection the seat is left alone for ten minutes, whoever asks.
Whoever has had the seat takes it back by coming back (`returning.py`).

This lets a table continue when players have lost their cookies or the host does not answer. There is one claim at a
time. If a bot is asked for again during the same choice, time runs out for all who still choose, and nobody can object:
otherwise somebody who objects every minute could hold the table for ever. Both requests count while another seat is
claimed: otherwise somebody who claims seats all the time could prevent them.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from app.refusals import Refusal
from app.table import actions as do
from app.table import seats
from app.table.announcements import announce
from app.table.names import clean, distinct
from app.table.saved import Seat, SeatClaim

if TYPE_CHECKING:
    from app.table.sitting import Sitting

GRACE = 60.0  # seconds in which somebody may object
LAST_TIME = 120.0  # seconds for the current choice from the second request on
MOST_TURNED_DOWN = 20


def claim_seat(s: "Sitting", action: do.Claim, entry: do.Entry) -> None:
    if s.seat_of(entry.person) is not None:
        raise Refusal("seated")
    if s.phase == "over":
        raise Refusal("over")
    if s.saved.held.get(entry.person, action.seat) != action.seat:
        raise Refusal("held_another")
    if not may_ask(s, entry.person):
        raise Refusal("locked")
    if entry.person in s.saved.turned_down:
        raise Refusal("turned_down")
    if action.seat not in claimable(s):
        resting = 0 <= action.seat < len(s.seats) and s.seats[action.seat].resting
        raise Refusal("too_soon" if resting else "not_away")
    if not clean(action.name):
        raise Refusal("no_name")
    ask_for(s, action.seat, entry, distinct(clean(action.name), [seat.name for seat in s.seats]))


def claimable(s: "Sitting") -> tuple[int, ...]:
    """Seats that a person without a seat may ask for: those of people who have been away for long. At a locked table,
    where only who has had the seat may ask, also those that their people have left. In a lobby there are none while
    free seats can be taken."""
    if s.phase == "over" or (s.phase == "lobby" and (s.saved.locked or seats.free_seats(s))):
        return ()
    locked = s.saved.locked
    return tuple(
        [
            n
            for n, seat in enumerate(s.seats)
            if (seat.person and seat.away and not seat.resting) or (locked and seat.bot and seat.left)
        ]
    )


def may_ask(s: "Sitting", person: str) -> bool:
    """At a locked table only those may ask who have had the seat; see `SavedSitting.held`."""
    return not s.saved.locked or person in s.saved.held


def stand_in(s: "Sitting", action: do.StandIn, entry: do.Entry, seat: int) -> None:
    """Let a bot play for a player: at once if the player is away, otherwise after a minute without objection. A second
    request during the same choice limits its time; the first only counts if another seat is claimed just then. Outside
    a game only the host can be replaced; the host's role then passes to another person."""
    if s.phase != "playing" and s.seat_of(s.saved.host) != action.seat:
        s.need("playing")
    if not 0 <= action.seat < len(s.seats) or action.seat == seat:
        raise Refusal("no_such_seat")
    its = s.seats[action.seat]
    if not its.person or its.bot:
        raise Refusal("no_such_seat")
    holds = s.phase == "playing" and may_hold_up(s, action.seat)
    again = holds and action.seat in s.saved.reminded
    if holds and not again:
        s.saved.reminded = [*s.saved.reminded, action.seat]
    if its.away and s.phase == "playing":
        let_bot_play(s, action.seat)
        if again:  # whoever is back at once gets no more time by that
            limit_time(s, action.seat, entry)
    elif s.saved.claim is not None and (s.saved.claim.seat == action.seat or not holds):
        raise Refusal("claimed")
    elif again and not limit_time(s, action.seat, entry):
        raise Refusal("hurried")
    elif not again and s.saved.claim is None:
        ask_for(s, action.seat, entry)


def may_hold_up(s: "Sitting", seat: int) -> bool:
    """Whether the table waits for this seat, or hides for whom it waits."""
    table = s.table
    return table is not None and table.ask is not None and (table.ask.hush or seat in table.waits)


def limit_time(s: "Sitting", seat: int, entry: do.Entry) -> bool:
    """Limit the time for the current choice. Returns False if it ends sooner anyway."""
    at = entry.at + LAST_TIME
    if s.saved.ends_at is not None and s.saved.ends_at <= at:
        return False
    s.saved.ends_at = at
    announce(s, "hurried", seat)
    return True


def ask_for(s: "Sitting", seat: int, entry: do.Entry, name: str = "") -> None:
    if s.saved.claim is not None:
        raise Refusal("claimed")
    s.saved.claim = SeatClaim(seat, entry.at + GRACE, entry.person if name else "", name)
    announce(s, "claimed", seat, by=name)


def object_to(s: "Sitting", action: do.Object, entry: do.Entry, seat: int) -> None:
    claim = s.saved.claim
    if claim is None:
        raise Refusal("no_claim")
    if claim.person:
        s.saved.turned_down = [*s.saved.turned_down[-(MOST_TURNED_DOWN - 1) :], claim.person]
        seats.let_rest(s, claim.seat, entry.at)
    s.saved.claim = None
    announce(s, "kept", claim.seat)


def agree(s: "Sitting", action: do.Agree, entry: do.Entry, seat: int) -> None:
    claim = s.saved.claim
    if claim is None or not claim.person:
        raise Refusal("no_claim")
    if s.seats[seat].newcomer:  # whoever has just come in speaks for nobody
        raise Refusal("newcomer")
    s.saved.claim = replace(claim, agreed=sorted({*claim.agreed, seat}))


def come_back(s: "Sitting", action: do.Here, entry: do.Entry, seat: int) -> None:
    """Does nothing itself: every action already marks its sender as present."""


def review(s: "Sitting", entry: do.Entry) -> None:
    """To be called after an entry. A claim ends when the seat's person has acted, or when its reason no longer
    holds."""
    claim = s.saved.claim
    if claim is None:
        return
    answered = s.seat_of(entry.person) == claim.seat
    if claim.person:
        stands = claim.seat in claimable(s) and s.seat_of(claim.person) is None and may_ask(s, claim.person)
        if s.seat_of(claim.person) is not None:  # otherwise asking, sitting down and leaving could go on for ever
            seats.let_rest(s, claim.seat, entry.at)
    else:
        its = s.seats[claim.seat] if claim.seat < len(s.seats) else Seat()
        needed = s.phase == "playing" or s.seat_of(s.saved.host) == claim.seat
        stands = needed and its.person and not its.bot
    if answered or not stands:
        s.saved.claim = None


def grant(s: "Sitting", action: do.Grant, entry: do.Entry) -> None:
    claim = s.saved.claim
    if claim is None or claim.seat != action.seat:
        raise Refusal("no_claim")
    if entry.at < claim.at:
        raise Refusal("not_yet")
    s.saved.claim = None
    if claim.person and not (claim.agreed or s.saved.silence):
        announce(s, "lapsed", claim.seat)
        return
    if not claim.person:
        if s.phase == "playing":
            let_bot_play(s, claim.seat)
        else:
            seats.pass_hosting(s, silent=True)
        return
    seats.sit_down(s, claim.person, claim.name, claim.seat, "")


def let_bot_play(s: "Sitting", seat: int) -> None:
    s.seats[seat].bot = seats.best_bot(s)
    announce(s, "stand_in", seat)
    seats.pass_hosting(s)


HANDLERS: dict[type[do.Action], Callable[..., Any]] = {
    do.Claim: claim_seat,
    do.StandIn: stand_in,
    do.Object: object_to,
    do.Agree: agree,
    do.Here: come_back,
    do.Grant: grant,
}
