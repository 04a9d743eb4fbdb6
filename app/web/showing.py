"""What a table shows after one change, and what has been made of it for pages and programs so far."""

from collections.abc import Mapping
from itertools import count
from typing import Any

import msgspec

from app.table.events import Events
from app.table.names import BOT_NAMES
from app.table.picture import Me, Picture, SeatCard
from app.web.languages import translate
from engine.game import Option
from engine.steps import Draft
from engine.views import Own, Shared

encode = msgspec.json.encode
numbers = count(1)  # of moments, of all tables


class Showing:
    """One picture, and what is kept of it: `still` until something is told or somebody comes or goes, `seated` for as
    long as the card stays the same, `fragments` until the next showing."""

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
        # Showings with the same number look the same to everybody but for what a seat sees besides.
        self.number: int = still.number if still is not None and still.shared is self.shared else next(numbers)

    def same_seats(self, before: "Showing") -> bool:
        return before.card is self.card and before.watchers == self.watchers

    def same_moment(self, before: "Showing") -> bool:
        """Has nothing been told since?"""
        return before.picture.told == self.picture.told and before.picture.unhanded is self.picture.unhanded

    def me(self, person: str, name: str = "") -> Me:
        return self.picture.me(person, name)

    def own(self, seat: int | None) -> Own | None:
        return self.picture.own(seat)

    def hand(self, seat: int | None) -> tuple[int | None, Draft, bool]:
        """Where a seat's answer stands: until something is told, what it sees follows from this."""
        own = self.picture.own(seat)
        return (seat, (), False) if own is None else (seat, own.draft, own.ready)

    def help(self, seat: int | None) -> Any:
        """What each move of this seat would do."""
        own = self.own(seat)
        if own is None or self.shared is None or self.shared.over or not self.game.help:
            return None
        return self.game.help(self.shared, own)

    @property
    def unhanded(self) -> Shared | None:
        """What everybody sees but for who has handed in and what."""
        return self.picture.unhanded

    @property
    def summary(self) -> Any:
        """What the game says besides."""
        if self.shared is None or self.game.summary is None:
            return None
        if "summary" not in self.still:
            self.still["summary"] = self.game.summary(self.shared)
        return self.still["summary"]

    @property
    def log(self) -> Events:
        """All that has happened. A new object each time: it keeps what it decodes."""
        return self.picture.events.again()

    @property
    def reveal(self) -> Events:
        """What pages play out."""
        return self.picture.reveal.again()

    def choices(self) -> list[dict[str, Any]]:
        """The game's options with those choices that fit as many as sit now, and what is chosen before them."""
        chosen, seats = self.card.options, self.picture.seats_to_be
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
