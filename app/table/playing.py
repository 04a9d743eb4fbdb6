"""Actions on the game: start, moves, timer, rematch, another game. Each function changes the copy of a sitting that it
gets."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from app.refusals import Refusal, no_game
from app.table import actions as do
from app.table import seats
from app.table.announcements import announce_time
from app.table.dealing import await_salts, awaited, take_salt
from app.table.effects import PlayOut, WatchSeats
from app.table.newcomers import let_newcomers_play
from app.table.saved import Seat
from engine.beats import beats_of, seconds
from engine.bots import bots_of
from engine.game import UnknownGame, find
from engine.move_error import MoveError
from engine.proof import Deal
from engine.steps import By, Event
from engine.table import Table
from engine.table_events import Revealed

if TYPE_CHECKING:
    from app.table.sitting import Sitting

LONGEST_TIMER = 3600
ON_ITS_WAY = 2.0  # seconds after the end of the time in which an answer still counts
CLOCKS_TURN = 60.0  # seconds after it in which only the clock plays; should it fail, people can go on
MOST_RETURNS = 3  # steps back from the choice of another seat until that seat acts


def start(s: "Sitting", action: do.Start, entry: do.Entry) -> Sequence[Event]:
    s.need("lobby")
    taken = [seat for seat in s.seats if seat.taken]
    if len(taken) not in s.game.seats:
        raise Refusal("too_few" if len(taken) < max(s.game.seats) else "too_many")
    return [] if await_salts(s, entry) else deal_cards(s, entry)


def open_salt(s: "Sitting", action: do.Salt, entry: do.Entry, seat: int) -> Sequence[Event]:
    take_salt(s, seat, action.salt)
    return deal_cards(s, entry) if s.saved.dealing is not None and not awaited(s) else []


def deal_cards(s: "Sitting", entry: do.Entry) -> Sequence[Event]:
    taken = [seat for seat in s.seats if seat.taken]
    s.saved.dealing = None
    deal = Deal(s.saved.seed, tuple(seat.salt for seat in taken))
    s.table, events = Table.begin(s.game, len(taken), deal, s.saved.options)
    s.saved.seats = taken
    s.saved.phase = "playing"
    s.saved.plays += 1
    s.saved.began = s.saved.seq + 1
    s.saved.held = {person: n for n, seat in enumerate(taken) for person in seat.holders}
    s.saved.announcements, s.saved.claim, s.saved.turned_down = [], None, []
    s.saved.returns = []
    s.effects.append(WatchSeats())
    play_out(s, events, entry.at)
    begin_choice(s)
    end_if_over(s)
    return events


def rematch(s: "Sitting", action: do.Rematch, entry: do.Entry) -> None:
    s.need("over")
    back_to_lobby(s, entry)
    seats.furnish(s)


def change_game(s: "Sitting", action: do.ChangeGame, entry: do.Entry) -> None:
    if s.phase == "playing" or s.saved.dealing is not None:
        raise Refusal("begun")
    try:
        game = find(action.game)
    except UnknownGame as error:
        raise no_game(error) from None
    if s.phase == "over":
        back_to_lobby(s, entry)
    s.saved.game, s.saved.wanted = game.key, {}
    for seat in s.seats:
        seat.ready = not seat.person
        seat.bot = seats.best_bot(s) if seat.bot and seat.bot not in bots_of(game) else seat.bot
    seats.furnish(s)


def back_to_lobby(s: "Sitting", entry: do.Entry) -> None:
    """All who have not left keep their seats; the deal of the next game gets a new seed."""
    s.saved.phase, s.table, s.saved.ends_at = "lobby", None, None
    s.saved.seed = entry.secret
    s.saved.began = 0
    s.saved.held = {}
    s.saved.announcements, s.saved.claim, s.saved.turned_down = [], None, []
    stay = [seat for seat in s.seats if not seat.left]
    s.saved.seats = [
        Seat(
            one.name,
            one.holders,
            "" if one.person else one.bot,
            not one.person,
            away=one.away,
            rests_until=one.rests_until,
            long_away=one.long_away,
            formers=one.formers,
        )
        for one in stay
    ]
    s.effects.append(WatchSeats())


def play(s: "Sitting", action: do.Play, entry: do.Entry, seat: int) -> Sequence[Event]:
    need_time(s, entry, seat)
    words = (action.move, *action.then)
    return [event for word in words for event in make_move(s, seat, word, action.round, entry)]


def play_for(s: "Sitting", action: do.PlayFor, entry: do.Entry) -> Sequence[Event]:
    if not 0 <= action.seat < len(s.seats):
        raise Refusal("no_such_seat")
    if action.by == "bot" and not s.seats[action.seat].bot:
        raise Refusal("not_a_bot")
    if action.by == "time" and (s.saved.ends_at is None or entry.at < s.saved.ends_at):
        raise Refusal("not_yet")
    if action.by == "player" and action.seat not in s.spared():
        raise Refusal("not_asked")
    events = make_move(s, action.seat, action.move, action.round, entry, action.by)
    while action.by == "player" and s.table and s.table.round == action.round and action.seat in s.table.waits:
        events = make_move(s, action.seat, s.table.default(action.seat), action.round, entry)
    return events


def make_move(s: "Sitting", seat: int, move: str, round: int, entry: do.Entry, by: By = "player") -> Sequence[Event]:
    table = running(s)
    before = table.scope, table.asked
    try:
        events = table.play(seat, move, round, entry.secret, by)
    except MoveError as error:
        raise Refusal(error.reason) from None
    if events and type(events[0]) is Revealed:
        announce_time(s, events[0])
        let_newcomers_play(s)
        play_out(s, events, entry.at)
        if s.saved.returns and seat != s.saved.returns[-1]:
            s.saved.returns = []
        if not table.scope or (table.scope, table.asked) != before:  # the clock runs once for a seat's part of a scope
            s.saved.ended_at = s.saved.ends_at
            begin_choice(s)
    end_if_over(s)
    return events


def step_back(s: "Sitting", action: do.StepBack, entry: do.Entry, seat: int) -> Sequence[Event]:
    need_time(s, entry, seat)
    table = running(s)
    before = table.scope, table.asked
    try:
        events = table.step_back(seat, action.round)
    except MoveError as error:
        raise Refusal(error.reason) from None
    if (table.scope, table.asked) != before:
        if seat not in before[1]:
            count_return(s, seat)
        s.saved.ends_at = s.saved.ended_at
        s.saved.reminded = [seat]  # it has had its time; stepping back gives no more
    return events


def count_return(s: "Sitting", seat: int) -> None:
    """Raises Refusal if this seat has taken the choice away from another one too often: handing over and stepping back
    again and again would leave the other no time to act."""
    if len(s.saved.returns) == MOST_RETURNS:
        raise Refusal("no_way_back")
    s.saved.returns = [*s.saved.returns, seat]


def undo(s: "Sitting", action: do.Undo, entry: do.Entry, seat: int) -> None:
    need_time(s, entry, seat)
    try:
        running(s).undo(seat, action.round)
    except MoveError as error:
        raise Refusal(error.reason) from None


def order(s: "Sitting", action: do.Order, entry: do.Entry, seat: int) -> None:
    s.need("playing")
    try:
        running(s).give_order(seat, action.value, action.scope)
    except MoveError as error:
        raise Refusal(error.reason) from None


def need_time(s: "Sitting", entry: do.Entry, seat: int) -> None:
    """Raises Refusal if the time for the answer of this seat has run out: it is played for now, and must not be able to
    take back each word of that, or to play faster than the clock, without end."""
    over, asked = s.saved.ends_at, s.table.asked if s.table else ()
    if over is not None and seat in asked and over + ON_ITS_WAY < entry.at < over + CLOCKS_TURN:
        raise Refusal("time_up")


def running(s: "Sitting") -> Table:
    """The engine's table, for a change: the sitting's table is replaced by a copy first."""
    if s.table is None:
        raise Refusal("not_started")
    s.table = s.table.copy()
    return s.table


def play_out(s: "Sitting", events: Sequence[Event], at: float) -> None:
    """Note when the pages will have told these events. What happens in a scope is told after what they still tell."""
    assert s.table is not None
    plain = msgspec.to_builtins(events, str_keys=True)
    scope = plain[0].get("scope", "")
    after = seconds(beats_of(s.table.game, plain, s.table.options), scope)
    s.saved.shown_at = (max(at, s.saved.shown_at) if scope else at) + after
    s.effects.append(PlayOut(s.saved.shown_at - at))


def end_if_over(s: "Sitting") -> None:
    if s.table is not None and s.table.over:
        s.saved.phase, s.saved.ends_at, s.saved.reminded = "over", None, []
        let_newcomers_play(s)


def set_timer(s: "Sitting", action: do.Timer, entry: do.Entry) -> None:
    if not (action.seconds == 0 or 5 <= action.seconds <= LONGEST_TIMER):
        raise Refusal("bad_timer")
    s.saved.seconds = action.seconds
    before = s.saved.ends_at
    wind(s, entry.at)
    if s.saved.reminded and before is not None:  # the host cannot prolong a choice that others wait for
        s.saved.ends_at = min(before, s.saved.ends_at or before)
    s.saved.ended_at = s.saved.ends_at


def begin_choice(s: "Sitting") -> None:
    """To be called when another choice is asked for. Its time starts when the pages have told what happened."""
    s.saved.reminded = []
    wind(s, s.saved.shown_at)


def wind(s: "Sitting", at: float) -> None:
    """Set the timer for the current choice, whose time starts at `at`."""
    running = s.phase == "playing" and s.saved.seconds
    s.saved.ends_at = at + s.saved.seconds if running else None


HANDLERS: dict[type[do.Action], Callable[..., Any]] = {
    do.Start: start,
    do.Salt: open_salt,
    do.Rematch: rematch,
    do.ChangeGame: change_game,
    do.Play: play,
    do.PlayFor: play_for,
    do.Undo: undo,
    do.StepBack: step_back,
    do.Order: order,
    do.Timer: set_timer,
}
