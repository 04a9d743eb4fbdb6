"""Pledges and salts, the players' part in the deal.

Before the start each seat's browser sends the digest of random numbers, its pledge. After the start, when no pledge can
change any more, the browsers send the numbers themselves, the salts; with the last one the cards are dealt. So nobody,
not even the server with a seat of its own, can choose a salt that suits the others. A salt that does not come in time
calls the deal off.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.refusals import Refusal
from app.table import actions as do
from app.table.announcements import announce
from engine.proof import pledge_to

if TYPE_CHECKING:
    from app.table.sitting import Sitting

OPENING_SECONDS = 10.0
PLEDGE = re.compile("[0-9a-f]{64}")


def pledge(s: "Sitting", action: do.Pledge, entry: do.Entry, seat: int) -> None:
    s.need("lobby")
    if not PLEDGE.fullmatch(action.pledge):
        raise Refusal("malformed")
    if s.seats[seat].pledge or s.seats[seat].salt:
        raise Refusal("salted")
    s.seats[seat].pledge = action.pledge


def take_salt(s: "Sitting", n: int, salt: str) -> None:
    """Take this seat's salt: before the start if it has pledged none, afterwards the pledged one."""
    seat, dealing = s.seats[n], s.saved.dealing is not None
    if not dealing:
        s.need("lobby")
    if seat.salt:
        raise Refusal("salted")
    if not dealing and seat.pledge:
        raise Refusal("not_started")
    if not dealing:
        seat.salt = salt_checked(salt)
    elif salt and salt == salt_checked(salt) and pledge_to(s.commitment, salt) == seat.pledge:
        seat.salt = salt
    else:
        raise Refusal("not_pledged")


def salt_checked(salt: str) -> str:
    """The salt, up to 64 bytes in hex; "" for anything else, which must not prevent a person from playing."""
    if len(salt) > 128 or len(salt) % 2:
        return ""
    try:
        return bytes.fromhex(salt).hex() if salt.isalnum() else ""
    except ValueError:
        return ""


def await_salts(s: "Sitting", entry: do.Entry) -> bool:
    """Wait for the pledged salts, except those of people who are away. Returns False if there are none."""
    for seat in s.seats:
        if seat.away:
            seat.pledge = ""
    if not awaited(s):
        return False
    s.saved.dealing = entry.at + OPENING_SECONDS
    return True


def awaited(s: "Sitting") -> list[int]:
    """Seats that have not opened their salts."""
    return [n for n, seat in enumerate(s.seats) if seat.pledge and not seat.salt]


def call_off(s: "Sitting", action: do.CallOff, entry: do.Entry) -> None:
    if s.saved.dealing is None:
        raise Refusal("begun" if s.phase == "playing" else "not_started")
    if entry.at < s.saved.dealing:
        raise Refusal("not_yet")
    for n in awaited(s):
        announce(s, "unopened", n)
    begin_anew(s, entry)


def begin_anew(s: "Sitting", entry: do.Entry) -> None:
    """End the deal. Some salts may be known by now, so the next deal needs another seed and other pledges."""
    s.saved.dealing = None
    s.saved.seed = entry.secret
    for seat in s.seats:
        if seat.pledge:
            seat.pledge = seat.salt = ""


def review_deal(after: "Sitting", before: "Sitting", entry: do.Entry) -> None:
    """To be called after every entry. A deal in which somebody has left or lost a seat is called off."""
    if after.saved.dealing is not None and before.saved.dealing is not None and pledges(after) != pledges(before):
        begin_anew(after, entry)


def pledges(s: "Sitting") -> list[str]:
    """What each seat has pledged; a salt that was sent without a pledge counts as one."""
    return [seat.pledge or (pledge_to(s.commitment, seat.salt) if seat.salt else "") for seat in s.seats]


HANDLERS: dict[type[do.Action], Callable[..., Any]] = {do.Pledge: pledge, do.CallOff: call_off}
