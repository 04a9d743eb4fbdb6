"""`Showing`: a picture of a table, with caches of what was rendered or encoded from it."""

from collections.abc import Mapping
from itertools import count
from typing import Any

import msgspec

from app.table.events import Events
from app.table.names import BOT_NAMES
from app.table.picture import Me, Picture, SeatCard
from app.web.languages import translate
from engine.beats import beats_of
from engine.game import Option
from engine.steps import Draft
from engine.views import Own, Shared

encode = msgspec.json.encode
numbers = count(1)  # of moments; unique across tables


class Showing:
    """A picture and three caches. `seated` is valid while the card and the number of watchers stay the same; `still`
    until the next event or seat change (hand-ins do not invalidate it); `fragments` for this showing only."""

    def __init__(self, picture: Picture, watchers: int, before: "Showing | None" = None) -> None:
        self.picture = picture
        self.card = picture.card
        self.game = picture.game
        self.version = picture.version
        self.ends_at = picture.ends_at
        self.shared = picture.shared
        self.watchers = watchers
        self.seated: dict[Any, Any] = {}
        self.still: dict[Any, Any] = {}
        self.fragments: dict[Any, Any] = {}
        seated = before if before is not None and self.same_seats(before) else None
        still = seated if seated is not None and self.same_moment(seated) else None
        if seated is not None:
            self.seated = seated.seated
        if still is not None:
            self.still = still.still
        self.moment: int = still.moment if still is not None else next(numbers)
        # Showings with the same number differ at most in what single seats see.
        self.number: int = still.number if still is not None and still.shared is self.shared else next(numbers)

    def same_seats(self, before: "Showing") -> bool:
        return before.card is self.card and before.watchers == self.watchers

    def same_moment(self, before: "Showing") -> bool:
        """Has there been no event since?"""
        then, now = before.picture, self.picture
        return then.events_revision == now.events_revision and then.shared_without_answers is now.shared_without_answers

    def me(self, person: str, name: str = "") -> Me:
        return self.picture.me(person, name)

    def own(self, seat: int | None) -> Own | None:
        return self.picture.own(seat)

    def hand(self, seat: int | None) -> tuple[int | None, Draft, bool]:
        """The state of a seat's answer. Between two events, the seat's own view depends only on this."""
        own = self.picture.own(seat)
        return (seat, (), False) if own is None else (seat, own.draft, own.ready)

    def forecast(self, seat: int | None) -> Any:
        """The game's forecasts for the moves of this seat."""
        own = self.own(seat)
        if own is None or self.shared is None or self.shared.over or not self.game.forecast:
            return None
        return self.game.forecast(self.shared, own)

    @property
    def shared_without_answers(self) -> Shared | None:
        """The shared view without who has handed in and the digests."""
        return self.picture.shared_without_answers

    @property
    def summary(self) -> Any:
        """The game's additional data for pages."""
        if self.shared is None or self.game.summary is None:
            return None
        if "summary" not in self.still:
            self.still["summary"] = self.game.summary(self.shared)
        return self.still["summary"]

    @property
    def log(self) -> Events:
        """All events of the game. A new object each time, since it keeps the events that it decodes."""
        return self.picture.events.again()

    @property
    def reveal(self) -> Events:
        """The events that pages animate: those since the last reveal or the start of the game."""
        return self.picture.reveal.again()

    @property
    def beats(self) -> tuple[str, ...]:
        """What pages show one after the other while they play the reveal."""
        if self.shared is None:
            return ()
        if "beats" not in self.still:
            self.still["beats"] = beats_of(self.game, self.reveal, self.shared.options)
        found: tuple[str, ...] = self.still["beats"]
        return found

    def choices(self) -> list[dict[str, Any]]:
        """The game's options, with the choices that fit the number of seats and the options chosen before."""
        chosen, seats = self.card.options, self.picture.seats_to_be
        return [option_card(option, seats, chosen) for option in self.game.options if option.key in chosen]


def option_card(option: Option, seats: int, chosen: Mapping[str, str]) -> dict[str, Any]:
    choices = option.fitting(seats, chosen)
    return {"key": option.key, "label": option.label, "choices": choices, "chosen": chosen[option.key]}


def shown_name(seat: SeatCard, language: str) -> str:
    """The seat's name; names of bots are translated, and may end in a number."""
    if seat.kind == "bot" and not seat.left:
        for name in BOT_NAMES:
            if seat.name.startswith(name):
                return translate(language, name) + seat.name[len(name) :]
    return seat.name
