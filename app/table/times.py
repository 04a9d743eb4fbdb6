"""The times of a table. If its newest entry lies in the future, the clock was ahead then and has been put right. All
times are set back by as much: whatever runs keeps what was left of its time.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from app.refusals import Refusal
from app.table import actions as do

if TYPE_CHECKING:
    from app.table.sitting import Sitting

AHEAD = 60.0  # seconds; clocks of several processes may differ by less


def is_ahead(s: "Sitting", now: float) -> bool:
    return s.saved.at > now + AHEAD


def set_back(s: "Sitting", action: do.SetBack, entry: do.Entry) -> None:
    saved, by = s.saved, s.saved.at - entry.at
    if by <= 0:
        raise Refusal("not_yet")
    saved.at, saved.shown_at = entry.at, saved.shown_at - by
    saved.ends_at, saved.ended_at, saved.dealing = (
        None if at is None else at - by for at in (saved.ends_at, saved.ended_at, saved.dealing)
    )
    for seat in saved.seats:
        seat.rests_until = max(0.0, seat.rests_until - by)
    if saved.claim is not None:
        saved.claim = replace(saved.claim, at=saved.claim.at - by)


HANDLERS: dict[type[do.Action], Callable[..., Any]] = {do.SetBack: set_back}
