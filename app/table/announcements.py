"""What happens to the people at a table, told on every face: somebody leaves, is away, is back, the time ran out."""

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from engine.table_events import Revealed

if TYPE_CHECKING:
    from app.table.sitting import Sitting

MOST_KEPT = 12  # the newest ones of a game

AnnouncementKind = Literal[
    "left",
    "freed",
    "away",
    "back",
    "stand_in",
    "took",
    "returned",
    "host",
    "time",
    "claimed",
    "kept",
    "lapsed",
    "hurried",
    "unopened",
]


class Announcement(Struct, frozen=True):
    n: int  # counts all announcements of the table, from 1
    kind: AnnouncementKind
    seat: int
    name: str  # of the person who had the seat then
    bot: bool = False  # a bot plays for the seat from now on
    # "claimed": the name of who asks for the seat; "": others, for a bot. "took": whose seat it was; "": a bot's.
    # "returned": who had the seat meanwhile; "": a bot.
    by: str = ""
    words: tuple[str, ...] = ()  # what was played when the time ran out; without words that stay secret


def announce(s: "Sitting", kind: AnnouncementKind, seat: int, words: tuple[str, ...] = (), by: str = "") -> None:
    """To be called when the seat has changed, but before its name is gone."""
    saved, its = s.saved, s.seats[seat]
    saved.announced += 1
    new = Announcement(saved.announced, kind, seat, its.name, bool(its.bot), by, words)
    saved.announcements = [*saved.announcements[-(MOST_KEPT - 1) :], new]


def announce_presence(s: "Sitting", kind: Literal["away", "back"], seat: int) -> None:
    """Announce this, unless no other person sits at the table."""
    if any(other.person for n, other in enumerate(s.seats) if n != seat):
        announce(s, kind, seat)


def announce_time(s: "Sitting", revealed: Revealed) -> None:
    """For each person who did not answer in time."""
    for answer in revealed.answers:
        if answer.by == "time" and s.seats[answer.seat].person:
            announce(s, "time", answer.seat, tuple(answer.words))
