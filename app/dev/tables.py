"""Tables to try a game with: at a seed, at a position, or at a moment of a logged game. They are made as any table is,
by entries; only a position replaces the cards that were dealt."""

import secrets
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct, field

from app import clock
from app.house.commit import snapshot_of
from app.house.house import House
from app.house.open_table import OpenTable, encode_action
from app.refusals import Refusal
from app.store.rows import Opening, StoredEntry, Write
from app.table import actions as do
from app.table import codes
from app.table.sitting import Sitting
from engine.proof import Deal, canonical
from engine.simulate import BadArgument, begin_at, deal_seed, find_game

MADE = ("revealed", "any_time", "stepped_back")  # what players have done


class LoggedAnswer(Struct):
    seat: int
    words: tuple[str, ...]
    round: int = 0  # of kept words only


class Logged(Struct):
    """A line of an exported log, as far as moves and the deal follow from it."""

    kind: str
    number: int = 0  # counted from 1; filled in
    names: tuple[str, ...] = ()
    key: str = ""
    options: dict[str, str] = field(default_factory=dict)
    salts: tuple[str, ...] = ()
    round: int = 0
    answers: tuple[LoggedAnswer, ...] = ()
    seat: int = 0
    move: str = ""
    seed: str = ""
    kept: tuple[LoggedAnswer, ...] = ()


class Beginning(Struct, frozen=True):
    """How a table begins. In the end the first `people` seats are held by people, the others by bots."""

    game: str
    people: int
    seed: str  # of the deal
    options: Mapping[str, str]
    names: tuple[str, ...]  # by seat
    salts: tuple[str, ...]  # by seat
    logged: bool = False  # then all seats are people's until the moves are made
    moves: tuple[Logged, ...] = ()
    kept: Mapping[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)  # words by round and seat
    position: Mapping[str, Any] | None = None


def at_seed(game: str, seats: int, people: int, seed: str, options: Mapping[str, str]) -> Beginning:
    """The deal is that of `facedown simulate` at the same seed."""
    return Beginning(game, people, deal_seed(seed), options, seat_names(seats), ("",) * seats)


def at_position(
    game: str, position: Mapping[str, Any], seats: int, people: int | None, seed: str, options: Mapping[str, str]
) -> Beginning:
    """A position as `facedown simulate --position` takes it, with random numbers from the seed. Raises BadArgument."""
    try:
        begin_at(find_game(game), position, seats, Deal(deal_seed(seed), ("",) * seats), options)
    except ValueError as error:
        raise BadArgument(str(error)) from None
    held = seats if people is None else people
    return Beginning(game, held, deal_seed(seed), options, seat_names(seats), ("",) * seats, position=position)


def seat_names(seats: int) -> tuple[str, ...]:
    return tuple(f"Seat {seat}" for seat in range(seats))


def at_line(data: Iterable[bytes], last: int | None, people: int | None) -> Beginning:
    """A moment of a logged or simulated game: after line `last`, by default the end. Raises BadArgument."""
    lines = list(read_moves(data))
    began = next((line for line in lines if line.kind == "began"), None)
    opened = next((line for line in lines if line.kind == "opened"), None)
    if began is None or not began.salts:
        raise BadArgument("this is no log of a game")
    if opened is None:
        raise BadArgument("this log has no seed: its game was not over")
    seats = len(began.salts)
    names = lines[0].names
    if len(names) != seats:
        names = seat_names(seats)
    end = opened.number if last is None else min(last, opened.number)
    moves = tuple(line for line in lines if line.kind in MADE and line.number <= end)
    return Beginning(
        game=began.key,
        people=seats if people is None else people,
        seed=opened.seed,
        options=began.options,
        names=names,
        salts=began.salts,
        logged=True,
        moves=moves,
        kept={(answer.round, answer.seat): answer.words for answer in opened.kept},
    )


def read_moves(data: Iterable[bytes]) -> Iterable[Logged]:
    for number, line in enumerate(data, 1):
        try:
            found = msgspec.json.decode(line, type=LoggedKind)
            if found.kind in ("log", "began", *MADE, "opened"):
                yield msgspec.structs.replace(msgspec.json.decode(line, type=Logged), number=number)
        except (msgspec.MsgspecError, UnicodeError):
            raise BadArgument(f"line {number} is not a line of a log") from None


class LoggedKind(Struct):
    kind: str


# making a table -------------------------------------------------------------------------------------------------------


def person(seat: int) -> str:
    return f"dev-{seat}"


class Making:
    """A sitting, and the entries of its log."""

    def __init__(self, beginning: Beginning) -> None:
        self.beginning = beginning
        self.opening = do.Open(codes.new_token(), codes.new_code(), beginning.game, beginning.names[0])
        entry = do.Entry(person(0), self.opening, beginning.seed, clock.now())
        self.sitting = Sitting.open(entry)
        self.entries: list[StoredEntry] = []
        self.note(entry, [])

    def note(self, entry: do.Entry, events: Any) -> None:
        told = canonical(events).decode() if events else None
        action = encode_action(entry.action)
        seq, version = self.sitting.seq, self.sitting.version
        self.entries.append(StoredEntry(seq, version, entry.at, entry.person, "", entry.secret, action, told))

    def act(self, seat: int, action: do.Action) -> None:
        """Raises Refusal."""
        entry = do.Entry(person(seat), action, secrets.token_hex(32), clock.now())
        change = self.sitting.apply(entry)
        self.sitting = change.sitting
        self.note(entry, change.events)

    def make(self) -> Write:
        """Raises BadArgument if the seats, options or moves are not those of this game's rules."""
        beginning = self.beginning
        self.attempt("the seats", self.fill)
        options = dict(beginning.options)
        if beginning.logged:
            options = self.sitting.game.with_later_options(options)
        if options:
            self.attempt("the options", partial(self.act, 0, do.Options(options)))
        self.attempt("the start", partial(self.act, 0, do.Start()))
        if beginning.position is not None:
            self.set_up(beginning.position)
        for line in beginning.moves:
            self.attempt(f"line {line.number}", partial(self.follow, line))
        if beginning.logged and self.sitting.phase == "playing":
            for seat in range(beginning.people, len(beginning.names)):
                self.act(seat, do.Leave())  # a bot plays on
        opening = Opening(self.opening.token, self.opening.code, beginning.game)
        return Write(secrets.token_hex(12), self.entries, snapshot_of(self.sitting), opening)

    def set_up(self, position: Mapping[str, Any]) -> None:
        """Put the table that has just begun into this position."""
        begun = self.sitting.table
        assert begun is not None
        table, events = begin_at(self.sitting.game, position, begun.seats, begun.deal, begun.options)
        self.sitting.table = table
        began = self.entries[-1]
        began.version, began.events = table.version, canonical(events).decode()

    def fill(self) -> None:
        beginning = self.beginning
        if beginning.salts[0]:
            self.act(0, do.Salt(beginning.salts[0]))
        for seat in range(1, len(beginning.names)):
            if beginning.logged or seat < beginning.people:
                self.act(seat, do.Sit(beginning.names[seat], seat, beginning.salts[seat]))
            else:
                self.act(0, do.AddBot(seat=seat))

    def attempt(self, what: str, act: Callable[[], None]) -> None:
        try:
            act()
        except Refusal as refusal:
            raise BadArgument(f"{what} will not do here: {refusal.text}") from None

    def follow(self, line: Logged) -> None:
        if line.kind == "any_time":
            self.act(line.seat, do.Play(line.round, line.move))
            return
        if line.kind == "stepped_back":
            self.act(line.seat, do.StepBack(line.round))
            return
        for answer in line.answers:
            for word in (*answer.words, *self.beginning.kept.get((line.round, answer.seat), ())):
                self.act(answer.seat, do.Play(line.round, word))
        # Answers that were never opened are not in the log, and nothing depends on them.
        while (table := self.sitting.table) and table.round == line.round and table.waits:
            seat = table.waits[0]
            self.act(seat, do.Play(line.round, table.default(seat)))


async def lay(house: House, beginning: Beginning) -> OpenTable:
    """A new table. Raises BadArgument."""
    write = Making(beginning).make()
    assert write.opening is not None
    await house.journal.open(write)
    table = await house.by_token(write.opening.token)
    assert table is not None
    return table
