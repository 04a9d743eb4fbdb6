"""More tiny games: moves that end the game, and moves that were not made by the player."""

from typing import Any

from engine.chance import Chance
from engine.game import Game
from engine.steps import Ask, By, Draft, Event, Move, State
from tests.engine.scores import rank

# Giving up: a seat that is behind may give up at any time, which ends the game. ---------------------------------------


class GaveUp(Event, frozen=True):
    seat: int


class Bid(Ask["Bids"], frozen=True):
    """A number that counts, and a kept word: whether it was a bluff."""

    def who(self, g: "Bids") -> list[int]:
        return list(range(g.seats))

    def options(self, g: "Bids", seat: int, draft: Draft) -> list[Move]:
        return ["bluff", "no bluff"] if draft else ["1", "2", "3"]

    def unfinished(self, g: "Bids", seat: int, draft: Draft) -> bool:
        return len(draft) < 2

    def kept(self, word: Move) -> bool:
        return word == "bluff"

    def take(self, g: "Bids", answers: dict[int, Draft]) -> None:
        for seat, words in answers.items():
            g.points[seat] += int(words[0])
        g.played += 1
        if g.played < 3:
            g.next(Bid())
        else:
            g.finish(rank(g.points))


class Bids(State, kw_only=True):
    todo: list[Bid]
    seats: int
    points: list[int]
    played: int = 0

    def anytime(self, seat: int) -> list[Move]:
        return ["give up"] if self.points[seat] < max(self.points) else []

    def take_anytime(self, seat: int, move: Move) -> None:
        self.points[seat] = 0
        self.tell(GaveUp(seat))
        self.finish(rank(self.points))


def bids_setup(seats: int, options: Any, chance: Chance) -> Bids:
    return Bids(todo=[Bid()], chance=chance, seats=seats, points=[0] * seats)


bids = Game(
    key="bids",
    name="Bids",
    rules=1,
    seats=range(2, 5),
    state=Bids,
    setup=bids_setup,
    public=lambda g: {"points": g.points},
    private=lambda g, seat: None,
    shuffle_unknown=lambda g, seat, chance: None,
    package=__name__,
)


# Who made a move: only moves that a player chose count, and seats whose time ran out are reported. --------------------


class Counted(Event, frozen=True):
    points: tuple[int, ...]
    made: tuple[By, ...]


class Shouted(Event, frozen=True):
    seat: int
    by: By


class Pick(Ask["Late"], frozen=True):
    """Two numbers."""

    def who(self, g: "Late") -> list[int]:
        return list(range(g.seats))

    def options(self, g: "Late", seat: int, draft: Draft) -> list[Move]:
        return ["1", "2", "3"]

    def unfinished(self, g: "Late", seat: int, draft: Draft) -> bool:
        return len(draft) < 2

    def take(self, g: "Late", answers: dict[int, Draft]) -> None:
        for seat, words in answers.items():
            if g.made_by(seat) == "player":
                g.points[seat] += sum(map(int, words))
        g.tell(Counted(tuple(g.points), tuple(g.made_by(seat) for seat in answers)))
        g.played += 1
        if g.played < 2:
            g.next(Pick())
        else:
            g.finish(rank(g.points))


class Late(State, kw_only=True):
    todo: list[Pick]
    seats: int
    points: list[int]
    voices: list[int]
    played: int = 0

    def anytime(self, seat: int) -> list[Move]:
        return ["shout"] if self.voices[seat] else []

    def take_anytime(self, seat: int, move: Move) -> None:
        self.voices[seat] -= 1
        self.tell(Shouted(seat, self.made_by(seat)))


def late_setup(seats: int, options: Any, chance: Chance) -> Late:
    return Late(todo=[Pick()], chance=chance, seats=seats, points=[0] * seats, voices=[2] * seats)


late = Game(
    key="late",
    name="Late",
    rules=1,
    seats=range(2, 5),
    state=Late,
    setup=late_setup,
    public=lambda g: {"points": g.points, "voices": g.voices},
    private=lambda g, seat: None,
    shuffle_unknown=lambda g, seat, chance: None,
    package=__name__,
)
