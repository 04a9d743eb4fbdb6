"""What a table shows after one change: built up from its public card and the engine's views, once for all viewers."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any, overload

import msgspec
from msgspec import Struct

from app.house.open_table import Events
from app.table.saved import Seat
from app.table.sitting import BOT_NAMES, Sitting
from app.web.languages import translate
from engine.game import Game, Option
from engine.steps import Draft
from engine.views import Own, Shared

encode = msgspec.json.encode
decode = msgspec.json.Decoder(dict[str, Any]).decode
numbers = count(1)  # of moments, of all tables


class SeatCard(Struct, frozen=True):
    n: int
    name: str
    kind: str  # "person", "bot" or "free"
    bot: str  # which one plays
    ready: bool
    away: bool
    host: bool
    stand_in: bool  # a bot plays for an owner who is away
    left: bool  # its person got up in the middle of the game; the name stays


class Card(Struct, frozen=True):
    """What everybody may know of a table whatever it plays."""

    code: str
    game: str
    phase: str  # "lobby", "playing" or "over"
    plays: int  # how many games have begun here
    locked: bool
    seconds: int  # for a choice; 0: any time
    options: dict[str, str]
    seats: list[SeatCard]
    commitment: str  # of the seed of this game or, in the lobby, of the next

    @classmethod
    def of(cls, sitting: Sitting) -> "Card":
        saved = sitting.saved
        return cls(
            code=saved.code,
            game=saved.game,
            phase=saved.phase,
            plays=saved.plays,
            locked=saved.locked,
            seconds=saved.seconds,
            options=dict(saved.options),
            seats=[seat_card(n, seat, saved.host) for n, seat in enumerate(saved.seats)],
            commitment=sitting.commitment,
        )


def seat_card(n: int, seat: Seat, host: str) -> SeatCard:
    kind = "person" if seat.person else "bot" if seat.bot or seat.left else "free"
    return SeatCard(
        n=n,
        name=seat.name,
        kind=kind,
        bot=seat.bot,
        ready=seat.ready,
        away=seat.away,
        host=bool(host) and host in seat.holders,
        stand_in=bool(seat.person and seat.bot),
        left=seat.left,
    )


class Me(Struct, frozen=True):
    """Who looks, as far as a page may depend on it."""

    seat: int | None
    host: bool
    name: str
    person: bool  # is known by a cookie; false: a stranger, who may watch
    can_take: tuple[int, ...]  # seats that this person may take over now


class Log(Sequence[dict[str, Any]]):
    """What was told after a version, for templates: an event is decoded when they look at it, and kept no longer than
    they look."""

    def __init__(self, events: Events, after: int = 0) -> None:
        self.raw = events.raw
        self.told = range(after, len(events))
        self.decoded: dict[int, dict[str, Any]] = {}

    def __len__(self) -> int:
        return len(self.told)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(self.event, self.told)

    @overload
    def __getitem__(self, at: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, at: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, at: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        found = self.told[at]
        return self.event(found) if isinstance(found, int) else [self.event(n) for n in found]

    def event(self, n: int) -> dict[str, Any]:
        found = self.decoded.get(n)
        if found is None:
            found = self.decoded[n] = decode(self.raw[n])
            found["version"] = n + 1
        return found


class Showing:
    """One table after one entry. Never kept across a change: what it holds is the live state's own.

    The next showing takes over what stays true: `still`, which follows from what was told and who sits where, whoever
    has handed in meanwhile; and `seated`, which follows from the card. `fragments` holds all else.
    """

    def __init__(
        self,
        sitting: Sitting,
        events: Events,
        last_reveal: int,
        watchers: int,
        before: "Showing | None" = None,
    ) -> None:
        self.sitting = sitting
        self.card = Card.of(sitting)
        self.game: Game = sitting.game
        self.version = sitting.table.version if sitting.table else 0
        self.ends_at = sitting.saved.ends_at
        self.watchers = watchers
        self.events = events
        self.last_reveal = last_reveal
        self.shared: Shared | None = None
        self.moment = next(numbers)  # until something is told or somebody comes or goes
        self.seated: dict[Any, Any] = {}
        self.still: dict[Any, Any] = {}
        self.fragments: dict[Any, Any] = {}
        seated = before if before is not None and self.same_seats(before) else None
        still = seated if seated is not None and self.same_moment(seated) else None
        if seated is not None:
            self.seated = seated.seated
        if still is not None:
            self.still, self.moment = still.still, still.moment
        if sitting.table:
            self.shared = sitting.table.shared(self.still.get("public"))
            self.still["public"] = self.shared.public
        # Showings with the same number look the same to everybody but for what a seat sees besides.
        self.number: int = still.number if still is not None and self.same_answers(still) else next(numbers)

    def same_seats(self, before: "Showing") -> bool:
        """Is everybody where they were?"""
        return before.sitting is self.sitting and before.watchers == self.watchers and before.card == self.card

    def same_moment(self, before: "Showing") -> bool:
        """Has nothing been told since?"""
        return before.version == self.version and before.ends_at == self.ends_at

    def same_answers(self, before: "Showing") -> bool:
        """Has nobody handed in since, or taken back?"""
        if self.shared is None or before.shared is None:
            return self.shared is before.shared
        return before.shared.waits == self.shared.waits and before.shared.digests == self.shared.digests

    # who looks ----------------------------------------------------------------------------------------------------

    def me(self, person: str, name: str = "") -> Me:
        seat = self.sitting.seat_of(person)
        host = bool(person) and self.sitting.is_host(person)
        shown = self.card.seats[seat].name if seat is not None else name
        return Me(seat, host, shown, bool(person), () if seat is not None else self.open_to(person))

    def open_to(self, person: str) -> tuple[int, ...]:
        """Seats that this person could sit down on."""
        if self.card.locked or self.card.phase == "over":
            return ()
        if self.card.phase == "lobby":
            return tuple(seat.n for seat in self.card.seats if seat.kind == "free")
        held = self.sitting.saved.held.get(person) if person else None
        return tuple(seat.n for seat in self.card.seats if seat.kind == "bot" and held in (None, seat.n))

    # what there is ------------------------------------------------------------------------------------------------

    def own(self, seat: int | None) -> Own | None:
        table = self.sitting.table
        if seat is None or table is None:
            return None
        key = ("own", self.hand(seat))
        if key not in self.still:
            self.still[key] = table.own(seat)
        found: Own = self.still[key]
        return found

    def hand(self, seat: int | None) -> tuple[int | None, Draft, bool]:
        """Where a seat's answer stands: until something is told, what it sees follows from this."""
        table = self.sitting.table
        if seat is None or table is None:
            return seat, (), False
        return seat, table.drafts.get(seat, ()), seat in table.secrets

    def help(self, seat: int | None) -> Any:
        """What each move of this seat would do."""
        own = self.own(seat)
        if own is None or self.shared is None or self.shared.over or not self.game.help:
            return None
        return self.game.help(self.shared, own)

    @property
    def unhanded(self) -> Shared | None:
        """What everybody sees but for who has handed in and what."""
        if self.shared is None:
            return None
        if "unhanded" not in self.still:
            self.still["unhanded"] = msgspec.structs.replace(self.shared, waits=None, digests={})
        found: Shared = self.still["unhanded"]
        return found

    @property
    def summary(self) -> Any:
        """What the game says besides."""
        if self.shared is None or self.game.summary is None:
            return None
        if "summary" not in self.still:
            self.still["summary"] = self.game.summary(self.shared)
        return self.still["summary"]

    @property
    def log(self) -> Log:
        """All that has happened."""
        return Log(self.events)

    @property
    def reveal(self) -> Log:
        """What pages play out: the last reveal, or how the game began, and all that followed from it."""
        return Log(self.events, self.last_reveal)

    def choices(self) -> list[dict[str, Any]]:
        """The game's options with those choices that fit as many as sit now, and what is chosen before them."""
        seats = self.sitting.seats_to_be() if self.card.phase == "lobby" else len(self.card.seats)
        chosen = self.card.options
        return [option_card(option, seats, chosen) for option in self.game.options if option.key in chosen]


def option_card(option: Option, seats: int, chosen: Mapping[str, str]) -> dict[str, Any]:
    choices = option.fitting(seats, chosen)
    return {"key": option.key, "label": option.label, "choices": choices, "chosen": chosen[option.key]}


def shown_name(seat: SeatCard, language: str) -> str:
    """Bots' names are words, and some of them are numbered."""
    if seat.kind == "bot" and not seat.left:
        for name in BOT_NAMES:
            if seat.name.startswith(name):
                return translate(language, name) + seat.name[len(name) :]
    return seat.name
