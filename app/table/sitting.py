"""The state of one table, in the lobby and in play, as a value: an entry turns it into a new sitting, with events and
effects.

It uses no clock, disk or socket. The same entries in the same order always build the same sitting.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from app.refusals import Reason, Refusal
from app.table import actions as do
from app.table import claims, dealing, options, playing, returning, seats, times
from app.table.effects import AwaitObjections, AwaitReturn, AwaitSalts, Effect, WakeBots, WatchSeats, WindClock
from app.table.saved import SavedSitting, Seat, copy_saved
from engine.game import Game, find
from engine.proof import commitment_to
from engine.steps import Event
from engine.table import Table

# The function for each action except `Open`.
HANDLERS: dict[type[do.Action], Callable[..., Any]] = {
    **seats.HANDLERS,
    **claims.HANDLERS,
    **returning.HANDLERS,
    **dealing.HANDLERS,
    **options.HANDLERS,
    **playing.HANDLERS,
    **times.HANDLERS,
}
NOT_NOW: dict[str, Reason] = {"lobby": "not_started", "playing": "begun", "over": "over"}
DRAFTING = (do.Play, do.PlayFor, do.Undo, do.StepBack, do.Order)  # they change no seats or settings


@dataclass(slots=True, frozen=True)
class Change:
    """The result of applying an entry."""

    sitting: "Sitting"
    events: Sequence[Event]
    effects: Sequence[Effect]


class Sitting:
    """Only `apply` changes a sitting, on the copy that it returns.

    Each revision is the number of an entry. `seats_revision`: the last entry that changed seats, settings, claim,
    phase, or for whom a bot was asked. `events_revision`: the last entry that changed any of these or had events.
    `ready_revision`: the last entry that changed any of these, had events, or changed who has handed in. After loading
    they are the number of the snapshot's entry."""

    def __init__(self, saved: SavedSitting, table: Table | None = None) -> None:
        self.saved = saved
        self.table = table
        self.seats_revision = self.events_revision = self.ready_revision = saved.seq
        self.effects: list[Effect] = []  # of the entry that is being applied

    @classmethod
    def restore(cls, saved: SavedSitting) -> "Sitting":
        sitting = cls(saved, Table.restore(saved.table) if saved.table else None)
        saved.table = None  # outdated with the next move; `save` makes it again
        return sitting

    @classmethod
    def open(cls, entry: do.Entry) -> "Sitting":
        """The first entry of a log. Raises `engine.game.UnknownGame`."""
        action = entry.action
        assert isinstance(action, do.Open)
        game = find(action.game)
        empty = [Seat() for _ in range(max(game.seats))]
        saved = SavedSitting(action.token, action.code, game.key, entry.person, empty, {}, entry.secret, 1, entry.at)
        sitting = cls(saved)
        if action.name:
            seats.sit_down(sitting, entry.person, action.name, 0, "")
        else:
            seats.furnish(sitting)
        return sitting

    def save(self) -> SavedSitting:
        return msgspec.structs.replace(self.saved, table=self.table.save() if self.table else None)

    # reading ------------------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        return find(self.saved.game)

    @property
    def seats(self) -> list[Seat]:
        return self.saved.seats

    @property
    def phase(self) -> str:
        return self.saved.phase

    @property
    def seq(self) -> int:
        """The number of the newest entry."""
        return self.saved.seq

    @property
    def version(self) -> int:
        """The number of the running game's events."""
        return self.table.version if self.table else 0

    @property
    def commitment(self) -> str:
        return commitment_to(self.saved.seed)

    def seat_of(self, person: str) -> int | None:
        if person:
            for n, seat in enumerate(self.saved.seats):
                if person in seat.holders:
                    return n
        return None

    def is_host(self, person: str) -> bool:
        """Whether this person, or another device of theirs, is the host."""
        seat = self.seat_of(self.saved.host)
        return person == self.saved.host or (seat is not None and seat == self.seat_of(person))

    def need(self, phase: str) -> None:
        """Raises Refusal in another phase. While salts are awaited nothing of the lobby may change."""
        if self.phase != phase:
            raise Refusal(NOT_NOW[self.phase])
        if self.saved.dealing is not None:
            raise Refusal("begun")

    def taken(self) -> list[int]:
        return [n for n, seat in enumerate(self.seats) if seat.taken]

    def bots_to_move(self) -> tuple[int, ...]:
        """Seats that the table waits for and that a bot plays."""
        if self.phase != "playing" or self.table is None:
            return ()
        return tuple([seat for seat in self.table.waits if self.seats[seat].bot])

    def spared(self) -> tuple[int, ...]:
        """Seats of people for whom the table answers: a window need not disturb them."""
        if self.phase != "playing" or self.table is None:
            return ()
        table = self.table
        return tuple([seat for seat in table.waits if not self.seats[seat].bot and table.spared(seat)])

    # entries ------------------------------------------------------------------------------------------------------

    def apply(self, entry: do.Entry) -> Change:
        """The sitting after this entry. Raises `Refusal`. This sitting never changes."""
        action = entry.action
        after = self.copy(whole=not isinstance(action, DRAFTING))
        handler = HANDLERS[type(action)]
        if isinstance(action, do.ByHost) and not self.is_host(entry.person):
            raise Refusal("not_host")
        if isinstance(action, do.ByHolder):
            seat = self.seat_of(entry.person)
            if seat is None:
                raise Refusal("no_seat")
            if self.seats[seat].newcomer and isinstance(action, DRAFTING):
                raise Refusal("newcomer")
            events = handler(after, action, entry, seat)
        else:
            events = handler(after, action, entry)
        claims.review(after, entry)
        dealing.review_deal(after, self, entry)
        return after.finish(self, entry, events or ())

    def skip(self, entry: do.Entry) -> "Sitting":
        """The sitting after an entry that newer rules refuse: only its number changes."""
        return self.copy(whole=False).finish(self, entry, ()).sitting

    def copy(self, whole: bool) -> "Sitting":
        """A copy. The engine's table is shared; seats and settings too, except if `whole`."""
        saved = copy_saved(self.saved) if whole else msgspec.structs.replace(self.saved)
        after = Sitting(saved, self.table)
        after.seats_revision = self.seats_revision
        after.events_revision = self.events_revision
        after.ready_revision = self.ready_revision
        return after

    def finish(self, before: "Sitting", entry: do.Entry, events: Sequence[Event]) -> Change:
        """Count the entry, and add the effects of the differences to the sitting before it."""
        saved, effects = self.saved, self.effects
        saved.seq += 1
        saved.at = max(saved.at, entry.at)
        claimed = saved.claim != before.saved.claim
        seated = not isinstance(entry.action, DRAFTING) or saved.seats is not before.saved.seats
        seated = seated or saved.reminded != before.saved.reminded
        if seated or saved.phase != before.saved.phase or claimed:
            self.seats_revision = self.events_revision = self.ready_revision = saved.seq
        elif events:
            self.events_revision = self.ready_revision = saved.seq
        elif self.table and before.table and self.table.secrets.keys() != before.table.secrets.keys():
            self.ready_revision = saved.seq
        if self.events_revision == saved.seq or isinstance(entry.action, do.Order):
            effects += self.wake_bots()
        if saved.ends_at != before.saved.ends_at:
            effects.append(WindClock(saved.ends_at))
        if claimed:
            effects.append(AwaitObjections(saved.claim.at if saved.claim else None))
        if saved.dealing != before.saved.dealing:
            effects.append(AwaitSalts(saved.dealing))
        if seated and (rest := seats.rest_ends(saved.seats)) != seats.rest_ends(before.saved.seats):
            effects.append(AwaitReturn(rest))
        self.effects = []
        return Change(self, events, effects)

    def ongoing_effects(self) -> list[Effect]:
        """The effects to carry out after a table is loaded, or if earlier ones may have been lost."""
        claim = self.saved.claim
        objections, salts = AwaitObjections(claim.at if claim else None), AwaitSalts(self.saved.dealing)
        rest = AwaitReturn(seats.rest_ends(self.seats))
        return [WatchSeats(), WindClock(self.saved.ends_at), objections, salts, rest, *self.wake_bots()]

    def wake_bots(self) -> list[Effect]:
        seats = self.bots_to_move() + self.spared()
        return [WakeBots(seats)] if seats else []
