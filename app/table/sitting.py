"""One sitting of a game, lobby and play, as a state machine: entries go in, events come out.

It knows no clock, no disk and no socket. The same entries in the same order always build the same sitting.
"""

from collections.abc import Sequence
from typing import get_args

import msgspec

from app.refusals import Reason, Refusal
from app.table import actions as do
from app.table.names import apart, clean
from app.table.saved import Saved, Seat
from engine.bots import bots
from engine.game import N_, Game, find
from engine.proof import Deal, commit
from engine.steps import Event
from engine.table import Refused as NotPlayed
from engine.table import Revealed, Table

BOT_NAMES = (N_("Wick"), N_("Ember"), N_("Flint"), N_("Soot"), N_("Tallow"), N_("Cinder"), N_("Spark"), N_("Taper"))
LONGEST_TIMER = 3600
NOT_NOW: dict[str, Reason] = {"lobby": "not_started", "playing": "begun", "over": "over"}
MOST_DEVICES = 4
MOST_SPENT = 50  # they run out after minutes anyway
HANDLERS = {kind: f"do_{kind.__name__.lower()}" for kind in get_args(do.Any) if kind is not do.Open}


class Sitting:
    def __init__(self, saved: Saved) -> None:
        self.table = Table.restore(saved.table) if saved.table else None
        self.saved = saved
        saved.table = None  # it plays on; `save` writes it anew

    @classmethod
    def open(cls, entry: do.Entry) -> "Sitting":
        """The first entry of a log."""
        action = entry.action
        assert isinstance(action, do.Open)
        game = find(action.game)
        seats = [Seat() for _ in range(max(game.seats))]
        saved = Saved(action.token, action.code, game.key, entry.person, seats, {}, entry.secret, 1, entry.at)
        sitting = cls(saved)
        sitting.sit_down(entry.person, action.name, 0, "")
        sitting.fit_options()
        return sitting

    def save(self) -> Saved:
        return msgspec.structs.replace(self.saved, table=self.table.snapshot() if self.table else None)

    # what is where ------------------------------------------------------------------------------------------------

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
    def commitment(self) -> str:
        return commit(self.saved.seed)

    def seat_of(self, person: str) -> int | None:
        for n, seat in enumerate(self.saved.seats):
            if person and person in seat.holders:
                return n
        return None

    def is_host(self, person: str) -> bool:
        """The host may have several devices."""
        seat = self.seat_of(self.saved.host)
        return person == self.saved.host or (seat is not None and seat == self.seat_of(person))

    def taken(self) -> list[int]:
        return [n for n, seat in enumerate(self.seats) if seat.taken]

    def bots_to_move(self) -> list[int]:
        """Seats that the table waits for and a bot plays."""
        if self.phase != "playing" or self.table is None:
            return []
        return [seat for seat in self.table.waits if self.seats[seat].bot]

    # entries ------------------------------------------------------------------------------------------------------

    def apply(self, entry: do.Entry) -> Sequence[Event]:
        """Check and do. Raises `Refusal`, having changed nothing."""
        action = entry.action
        handler = getattr(self, HANDLERS[type(action)])
        if isinstance(action, do.ByHost) and not self.is_host(entry.person):
            raise Refusal("not_host")
        if isinstance(action, do.ByHolder):
            seat = self.seat_of(entry.person)
            if seat is None:
                raise Refusal("no_seat")
            events = handler(action, entry, seat)
        else:
            events = handler(action, entry)
        self.pass_over(entry)
        return events or ()

    def pass_over(self, entry: do.Entry) -> None:
        """Count it, and nothing else."""
        self.saved.seq += 1
        self.saved.at = max(self.saved.at, entry.at)

    # sitting down and getting up ----------------------------------------------------------------------------------

    def do_sit(self, action: do.Sit, entry: do.Entry) -> None:
        if self.seat_of(entry.person) is not None:
            raise Refusal("seated")
        if self.saved.locked:
            raise Refusal("locked")
        if self.phase == "lobby":
            free = [n for n, seat in enumerate(self.seats) if not seat.taken]
            wanted = action.seat if action.seat is not None else (free[0] if free else None)
            if wanted is None:
                raise Refusal("full")
            if wanted not in free:
                raise Refusal("taken")
        elif self.phase == "playing":
            wanted = action.seat
            if wanted is None or not 0 <= wanted < len(self.seats) or self.seats[wanted].person:
                raise Refusal("taken")
            if self.saved.held.get(entry.person, wanted) != wanted:
                raise Refusal("held_another")
        else:
            raise Refusal("over")
        if not clean(action.name):
            raise Refusal("no_name")
        self.sit_down(entry.person, action.name, wanted, action.salt)

    def sit_down(self, person: str, name: str, n: int, salt: str) -> None:
        others = [seat.name for i, seat in enumerate(self.seats) if i != n]
        salt = salt if self.phase == "lobby" else self.seats[n].salt
        self.seats[n] = Seat(apart(clean(name), others), [person], salt=salt_checked(salt))
        if self.phase == "playing":
            self.saved.held[person] = n
        self.pass_hosting()
        self.fit_options()

    def do_name(self, action: do.Name, entry: do.Entry, seat: int) -> None:
        if not clean(action.name):
            raise Refusal("no_name")
        others = [other.name for n, other in enumerate(self.seats) if n != seat]
        self.seats[seat].name = apart(clean(action.name), others)

    def do_ready(self, action: do.Ready, entry: do.Entry, seat: int) -> None:
        self.need("lobby")
        self.seats[seat].ready = action.ready

    def do_salt(self, action: do.Salt, entry: do.Entry, seat: int) -> None:
        self.need("lobby")
        if self.seats[seat].salt:
            raise Refusal("salted")
        self.seats[seat].salt = salt_checked(action.salt)

    def do_leave(self, action: do.Leave, entry: do.Entry, seat: int) -> None:
        self.get_up(seat)

    def do_free(self, action: do.Free, entry: do.Entry) -> None:
        if not 0 <= action.seat < len(self.seats) or not self.seats[action.seat].taken:
            raise Refusal("no_such_seat")
        if self.phase != "lobby" and not self.seats[action.seat].person:
            raise Refusal("no_such_seat")
        self.get_up(action.seat)

    def get_up(self, n: int) -> None:
        """In the lobby the seat is free again; in a running table a bot plays on; after the end only the name stays."""
        if self.phase == "lobby":
            self.seats[n] = Seat()
            self.fit_options()
        else:
            seat = self.seats[n]
            seat.holders, seat.away, seat.left = [], False, True
            seat.bot = self.best_bot() if self.phase == "playing" else ""
        self.pass_hosting()

    def pass_hosting(self) -> None:
        """If the host has gone: to the next person who is here; to whoever sits if nobody is here."""
        host = self.seat_of(self.saved.host)
        if host is not None and not self.seats[host].away:
            return
        start = 0 if host is None else host + 1
        order = [*range(start, len(self.seats)), *range(start)]
        people = [n for n in order if self.seats[n].person and n != host]
        here = [n for n in people if not self.seats[n].away]
        if here or (people and host is None):
            self.saved.host = self.seats[(here or people)[0]].holders[0]

    def do_addbot(self, action: do.AddBot, entry: do.Entry) -> None:
        self.need("lobby")
        free = [n for n, seat in enumerate(self.seats) if not seat.taken]
        if not free:
            raise Refusal("full")
        seat = free[0] if action.seat is None else action.seat
        if seat not in free:
            raise Refusal("taken")
        bot = action.bot or self.best_bot()
        if bot not in bots(self.game):
            raise Refusal("no_such_bot")
        taken = {seat.name for seat in self.seats}
        name = next((name for name in BOT_NAMES if name not in taken), BOT_NAMES[0])
        self.seats[seat] = Seat(apart(name, taken), bot=bot, ready=True)
        self.fit_options()

    def best_bot(self) -> str:
        return next(iter(bots(self.game)))

    # the host's settings ------------------------------------------------------------------------------------------

    def do_options(self, action: do.Options, entry: do.Entry) -> None:
        self.need("lobby")
        try:
            self.game.choose_options(action.options, self.seats_to_be())
        except ValueError:
            raise Refusal("no_such_option") from None
        self.saved.wanted.update(action.options)
        self.fit_options()

    def fit_options(self) -> None:
        if self.phase == "lobby":
            try:
                self.saved.options = self.game.choose_options(self.saved.wanted, self.seats_to_be())
            except ValueError:  # chosen under older rules
                self.saved.wanted = {}
                self.saved.options = self.game.choose_options({}, self.seats_to_be())

    def seats_to_be(self) -> int:
        """How many would play if it began now, but at least as many as the game needs."""
        return max(len(self.taken()), min(self.game.seats))

    def do_lock(self, action: do.Lock, entry: do.Entry) -> None:
        self.saved.locked = action.locked

    def do_timer(self, action: do.Timer, entry: do.Entry) -> None:
        if not (action.seconds == 0 or 5 <= action.seconds <= LONGEST_TIMER):
            raise Refusal("bad_timer")
        self.saved.seconds = action.seconds
        self.wind(entry.at, ())

    # play ---------------------------------------------------------------------------------------------------------

    def do_start(self, action: do.Start, entry: do.Entry) -> Sequence[Event]:
        self.need("lobby")
        seats = [seat for seat in self.seats if seat.taken]
        if len(seats) not in self.game.seats:
            raise Refusal("too_few" if len(seats) < max(self.game.seats) else "too_many")
        deal = Deal(self.saved.seed, tuple(seat.salt for seat in seats))
        self.table, events = Table.begin(self.game, len(seats), deal, self.saved.options)
        self.saved.seats = seats
        self.saved.phase = "playing"
        self.saved.plays += 1
        self.saved.held = {person: n for n, seat in enumerate(seats) for person in seat.holders}
        self.wind(entry.at, events)
        self.after(entry.at, events)
        return events

    def do_rematch(self, action: do.Rematch, entry: do.Entry) -> None:
        self.need("over")
        self.saved.phase, self.table, self.saved.ends_at = "lobby", None, None
        self.saved.seed = entry.secret
        self.saved.held = {}
        stay = [seat for seat in self.seats if not seat.left]
        kept = [Seat(s.name, s.holders, "" if s.person else s.bot, ready=not s.person, away=s.away) for s in stay]
        self.saved.seats = kept + [Seat() for _ in range(max(self.game.seats) - len(kept))]
        self.fit_options()

    def do_play(self, action: do.Play, entry: do.Entry, seat: int) -> Sequence[Event]:
        return self.play(seat, action.move, action.round, entry)

    def do_playfor(self, action: do.PlayFor, entry: do.Entry) -> Sequence[Event]:
        if not 0 <= action.seat < len(self.seats):
            raise Refusal("no_such_seat")
        if action.by == "bot" and not self.seats[action.seat].bot:
            raise Refusal("not_a_bot")
        if action.by == "time" and (self.saved.ends_at is None or entry.at < self.saved.ends_at):
            raise Refusal("not_yet")
        return self.play(action.seat, action.move, action.round, entry)

    def play(self, seat: int, move: str, round: int, entry: do.Entry) -> Sequence[Event]:
        table = self.playing()
        try:
            events = table.play(seat, move, round, entry.secret)
        except NotPlayed as refused:
            raise Refusal(refused.reason) from None
        self.after(entry.at, events)
        return events

    def do_undo(self, action: do.Undo, entry: do.Entry, seat: int) -> None:
        try:
            self.playing().undo(seat, action.round)
        except NotPlayed as refused:
            raise Refusal(refused.reason) from None

    def playing(self) -> Table:
        if self.table is None:
            raise Refusal("not_started")
        return self.table

    def after(self, at: float, events: Sequence[Event]) -> None:
        if self.table is not None and self.table.over:
            self.saved.phase, self.saved.ends_at = "over", None
        elif events and type(events[0]) is Revealed:
            self.wind(at, events)

    def wind(self, at: float, events: Sequence[Event]) -> None:
        """Set the clock for the choice that begins now. It starts when the pages have played the reveal out."""
        if self.phase != "playing" or not self.saved.seconds:
            self.saved.ends_at = None
        else:
            self.saved.ends_at = at + self.saved.seconds + self.reveal_seconds(events)

    def reveal_seconds(self, events: Sequence[Event]) -> float:
        return self.game.reveal_seconds(events) if self.game.reveal_seconds and events else 0.0

    # coming and going ---------------------------------------------------------------------------------------------

    def do_away(self, action: do.Away, entry: do.Entry) -> None:
        if not 0 <= action.seat < len(self.seats) or not self.seats[action.seat].person or self.seats[action.seat].away:
            raise Refusal("no_such_seat")
        self.seats[action.seat].away = True
        self.pass_hosting()

    def do_back(self, action: do.Back, entry: do.Entry) -> None:
        """The owner is here again and plays again; what a bot has laid face down may be taken back."""
        if not 0 <= action.seat < len(self.seats) or not self.seats[action.seat].away:
            raise Refusal("no_such_seat")
        self.seats[action.seat].away = False
        self.seats[action.seat].bot = ""
        self.pass_hosting()

    def do_standin(self, action: do.StandIn, entry: do.Entry, seat: int) -> None:
        self.need("playing")
        if not 0 <= action.seat < len(self.seats) or not self.seats[action.seat].away:
            raise Refusal("not_away")
        self.seats[action.seat].bot = self.best_bot()

    def do_device(self, action: do.Device, entry: do.Entry) -> None:
        if not 0 <= action.seat < len(self.seats) or not self.seats[action.seat].person:
            raise Refusal("no_such_seat")
        if action.link in self.saved.spent:
            raise Refusal("link_spent")
        if self.saved.held.get(entry.person, action.seat) != action.seat:
            raise Refusal("held_another")
        holders = self.seats[action.seat].holders
        if entry.person not in holders:
            if self.seat_of(entry.person) is not None:
                raise Refusal("seated")
            self.seats[action.seat].holders = [holders[0], *holders[1:][-(MOST_DEVICES - 2) :], entry.person]
            if self.phase == "playing":
                self.saved.held[entry.person] = action.seat
        if action.link:
            self.saved.spent = [*self.saved.spent[-MOST_SPENT:], action.link]

    def need(self, phase: str) -> None:
        if self.phase != phase:
            raise Refusal(NOT_NOW[self.phase])


def salt_checked(salt: str) -> str:
    """What a browser throws in: up to 64 bytes in hex. Anything else is nothing: it must not stop anybody."""
    if len(salt) > 128 or len(salt) % 2:
        return ""
    try:
        return bytes.fromhex(salt).hex() if salt.isalnum() else ""
    except ValueError:
        return ""
