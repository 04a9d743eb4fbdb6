"""Newcomers: people who have taken a seat in the middle of a game. Until the next reveal a bot plays the seat, and they
see nothing of it, so that nobody reads or takes back what somebody else has laid. From then on they have the seat as it
is. `SavedSitting.held` tells who has seen into which seat.
"""

from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from app.table.sitting import Sitting


def let_newcomers_play(s: "Sitting") -> None:
    """To be called at a reveal and at the end of the game. A bot stands in for those who are away."""
    newcomers = {n: seat for n, seat in enumerate(s.seats) if seat.newcomer}
    if not newcomers:
        return
    s.saved.held = {**s.saved.held, **{person: n for n, seat in newcomers.items() for person in seat.holders}}
    s.saved.seats = [
        replace(seat, newcomer=False, bot=seat.bot if seat.away else "") if n in newcomers else seat
        for n, seat in enumerate(s.seats)
    ]
