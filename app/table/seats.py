"""Actions on seats: sitting down, leaving, hosting, bots, absence. Each function changes the copy of a sitting that it
gets."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from app.refusals import Refusal
from app.table import actions as do
from app.table import codes, options, returning
from app.table.announcements import announce, announce_presence
from app.table.dealing import salt_checked
from app.table.effects import WatchSeats
from app.table.names import BOT_NAMES, clean, distinct
from app.table.saved import Seat
from engine.bots import bots_of, usual_bot

if TYPE_CHECKING:
    from app.table.sitting import Sitting

MOST_DEVICES = 4
REST = 600.0  # seconds away before others may ask for a seat, and again after somebody has objected
MOST_SPENT = 50  # used one-time links that are remembered; links expire after minutes anyway


# sitting down ---------------------------------------------------------------------------------------------------------


def sit(s: "Sitting", action: do.Sit, entry: do.Entry) -> None:
    if s.seat_of(entry.person) is not None:
        raise Refusal("seated")
    if s.saved.locked:
        raise Refusal("locked")
    if s.saved.dealing is not None:
        raise Refusal("begun")
    if s.phase == "lobby":
        free = open_seats(s)
        wanted = action.seat if action.seat is not None else (free[0] if free else None)
        if wanted is None:
            raise Refusal("full")
        if wanted not in free:
            raise Refusal("taken")
    elif s.phase == "playing":
        wanted = action.seat
        if wanted is None or not 0 <= wanted < len(s.seats) or s.seats[wanted].person:
            raise Refusal("taken")
        if s.saved.held.get(entry.person, wanted) != wanted:
            raise Refusal("held_another")
    else:
        raise Refusal("over")
    if not clean(action.name):
        raise Refusal("no_name")
    sit_down(s, entry.person, action.name, wanted, action.salt)


def free_seats(s: "Sitting") -> list[int]:
    return [n for n, seat in enumerate(s.seats) if not seat.taken]


def open_seats(s: "Sitting") -> list[int]:
    """The seats that anybody may take in the lobby: the free ones. If bots have all seats, theirs."""
    return free_seats(s) or ([] if any(seat.person for seat in s.seats) else list(range(len(s.seats))))


def sit_down(s: "Sitting", person: str, name: str, n: int, salt: str) -> None:
    """Give this person the seat. In a running game a bot plays it until the next reveal, except if the person held it
    before."""
    others = [seat.name for i, seat in enumerate(s.seats) if i != n]
    before = s.seats[n]
    seat = s.seats[n] = Seat(distinct(clean(name), others), [person], formers=returning.formers_after(before))
    returning.give_up(s, person)
    if s.phase == "playing":
        seat.salt, seat.newcomer = before.salt, person not in s.saved.held  # see newcomers.py
        seat.bot = (before.bot or best_bot(s)) if seat.newcomer else ""
        announce(s, "took", n, by=before.name if before.person or before.left else "")
    else:
        seat.salt = salt_checked(salt)
    seats_changed(s)


def seats_changed(s: "Sitting") -> None:
    """To be called after somebody has sat down or left. A table at which nobody sits is open: a host who has gone, too,
    would keep it locked for ever."""
    if not any(seat.person for seat in s.seats):
        s.saved.locked = False
    pass_hosting(s)
    if s.phase == "lobby":
        furnish(s)
    s.effects.append(WatchSeats())


def rename(s: "Sitting", action: do.Name, entry: do.Entry, seat: int) -> None:
    if not clean(action.name):
        raise Refusal("no_name")
    others = [other.name for n, other in enumerate(s.seats) if n != seat]
    s.seats[seat].name = distinct(clean(action.name), others)


def ready(s: "Sitting", action: do.Ready, entry: do.Entry, seat: int) -> None:
    s.need("lobby")
    s.seats[seat].ready = action.ready


def furnish(s: "Sitting") -> None:
    """The seats of a lobby: as many as the game is for, more only if people sit on them. Bots over the number leave."""
    most = max(s.game.seats)
    for n in reversed(range(len(s.seats))):
        if len(s.taken()) > most and s.seats[n].bot:
            s.seats[n] = Seat()
        if len(s.seats) > most and not s.seats[n].taken:
            del s.seats[n]
    s.seats.extend(Seat() for _ in range(most - len(s.seats)))
    options.fit(s)


# leaving --------------------------------------------------------------------------------------------------------------


def leave(s: "Sitting", action: do.Leave, entry: do.Entry, seat: int) -> None:
    get_up(s, seat, "left")


def free(s: "Sitting", action: do.Free, entry: do.Entry) -> None:
    if not 0 <= action.seat < len(s.seats) or not s.seats[action.seat].taken:
        raise Refusal("no_such_seat")
    if s.phase != "lobby" and not s.seats[action.seat].person:
        raise Refusal("no_such_seat")
    get_up(s, action.seat, "freed")


def get_up(s: "Sitting", n: int, kind: Literal["left", "freed"]) -> None:
    """In the lobby the seat becomes free; during a game a bot plays on; after the end only the name stays."""
    seat = s.seats[n]
    was_person = seat.person
    if kind == "freed" and seat.away:  # who is away had no say; whoever is freed while present has lost the seat
        seat.formers = returning.formers_after(seat)
    seat.holders, seat.away, seat.left, seat.newcomer = [], False, True, False
    seat.rests_until, seat.long_away = 0.0, False
    seat.bot = best_bot(s) if s.phase == "playing" else ""
    if was_person:
        announce(s, kind, n)
    if s.phase == "lobby":
        s.seats[n] = Seat()
    seats_changed(s)


def pass_hosting(s: "Sitting", silent: bool = False) -> None:
    """Choose another host if the host has left, is absent, or `silent`: the next person who is not absent. If all are
    absent, a host who has a seat stays host, and one who has left is replaced by the next person."""
    host = s.seat_of(s.saved.host)
    if host is not None and not s.seats[host].absent and not silent:
        return
    start = 0 if host is None else host + 1
    order = [*range(start, len(s.seats)), *range(start)]
    people = [n for n in order if s.seats[n].person and n != host]
    present = [n for n in people if not s.seats[n].absent]
    if present or (people and host is None):
        found = (present or people)[0]
        s.saved.host = s.seats[found].holders[0]
        announce(s, "host", found)


# bots -----------------------------------------------------------------------------------------------------------------


def add_bot(s: "Sitting", action: do.AddBot, entry: do.Entry) -> None:
    s.need("lobby")
    free = free_seats(s)
    if not free:
        raise Refusal("full")
    n = free[0] if action.seat is None else action.seat
    if n not in free:
        raise Refusal("taken")
    bot = action.bot or usual_bot(s.game)
    if bot not in bots_of(s.game):
        raise Refusal("no_such_bot")
    names = [seat.name for seat in s.seats if seat.taken]
    unused = next((name for name in BOT_NAMES if name not in names), BOT_NAMES[len(names) % len(BOT_NAMES)])
    s.seats[n] = Seat(distinct(unused, names), bot=bot, ready=True)
    options.fit(s)


def best_bot(s: "Sitting") -> str:
    return next(iter(bots_of(s.game)))


# absence --------------------------------------------------------------------------------------------------------------


def away(s: "Sitting", action: do.Away, entry: do.Entry) -> None:
    if not 0 <= action.seat < len(s.seats) or not s.seats[action.seat].person or s.seats[action.seat].away:
        raise Refusal("no_such_seat")
    s.seats[action.seat].away = True
    let_rest(s, action.seat, entry.at)
    announce_presence(s, "away", action.seat)
    pass_hosting(s)
    s.effects.append(WatchSeats())


def back(s: "Sitting", action: do.Back, entry: do.Entry) -> None:
    """The person is back and plays again; an answer that a bot has handed in can be taken back."""
    if not 0 <= action.seat < len(s.seats) or not s.seats[action.seat].absent:
        raise Refusal("no_such_seat")
    its = s.seats[action.seat]
    its.away, its.rests_until, its.long_away = False, 0.0, False
    if not s.seats[action.seat].newcomer:
        s.seats[action.seat].bot = ""
    announce_presence(s, "back", action.seat)
    pass_hosting(s)
    s.effects.append(WatchSeats())


def let_rest(s: "Sitting", n: int, at: float) -> None:
    """Let nobody ask for the seat of this person, who is away, for a while."""
    if s.seats[n].person and s.seats[n].away:
        s.seats[n].rests_until, s.seats[n].long_away = at + REST, False


def rest_ends(seats: list[Seat]) -> float | None:
    """When others may ask for the next seat."""
    return min([seat.rests_until for seat in seats if seat.resting], default=None)


def long_away(s: "Sitting", action: do.LongAway, entry: do.Entry) -> None:
    if not 0 <= action.seat < len(s.seats) or not s.seats[action.seat].resting:
        raise Refusal("no_such_seat")
    if entry.at < s.seats[action.seat].rests_until:
        raise Refusal("not_yet")
    s.seats[action.seat].long_away = True


def seat_of_mark(s: "Sitting", mark: str) -> int | None:
    return next((n for n, seat in enumerate(s.seats) if mark in map(codes.mark, seat.holders)), None)


def add_device(s: "Sitting", action: do.Device, entry: do.Entry) -> None:
    n = seat_of_mark(s, action.of) if action.of else action.seat
    if n is None:  # whoever made the link has left
        raise Refusal("link_spent")
    if not 0 <= n < len(s.seats) or not s.seats[n].person:
        raise Refusal("no_such_seat")
    if action.link in s.saved.spent:
        raise Refusal("link_spent")
    if s.saved.held.get(entry.person, n) != n:
        raise Refusal("held_another")
    holders = s.seats[n].holders
    if entry.person not in holders:
        if s.seat_of(entry.person) is not None:
            raise Refusal("seated")
        returning.give_up(s, entry.person)
        s.seats[n].holders = [holders[0], *holders[1:][-(MOST_DEVICES - 2) :], entry.person]
        if s.phase == "playing" and not s.seats[n].newcomer:
            s.saved.held[entry.person] = n
        s.effects.append(WatchSeats())
    if action.link:
        s.saved.spent = [*s.saved.spent[-MOST_SPENT:], action.link]


def stay_alone(s: "Sitting", action: do.Alone, entry: do.Entry) -> None:
    n = s.seat_of(entry.person)
    if n is None or n != action.seat:
        raise Refusal("no_seat")
    if s.saved.host in s.seats[n].holders:
        s.saved.host = entry.person
    s.seats[n].holders = [entry.person]
    s.effects.append(WatchSeats())


HANDLERS: dict[type[do.Action], Callable[..., Any]] = {
    do.Sit: sit,
    do.Name: rename,
    do.Ready: ready,
    do.Leave: leave,
    do.Free: free,
    do.AddBot: add_bot,
    do.Away: away,
    do.Back: back,
    do.LongAway: long_away,
    do.Device: add_device,
    do.Alone: stay_alone,
}
