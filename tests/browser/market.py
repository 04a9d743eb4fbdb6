"""A game without templates for two to twelve seats, whose views hold every kind of plain data."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from msgspec import Struct, field

from engine.chance import Chance
from engine.game import Game
from engine.steps import Ask, Draft, Event, Move, Result, Standing, State

TREASURE = "emerald"  # a secret of the state that no view contains
ROUNDS = 2


class Sold(Event, frozen=True):
    seat: int
    lot: str
    price: int


class Settled(Event, frozen=True):
    bids: tuple[int, ...]  # by seat
    next_weather: str | None


class Rang(Event, frozen=True):
    seat: int


class Bid(Ask, frozen=True):
    """Everybody bids one card of their hand; the highest bid buys the lot."""

    def who(self, g: "Market") -> list[int]:
        return list(range(len(g.hands)))

    def options(self, g: "Market", seat: int, draft: Draft) -> list[Move]:
        return [f"bid_{card}" for card in sorted(g.hands[seat])]

    def take(self, g: "Market", answers: dict[int, Draft]) -> None:
        g.bids = [int(word.removeprefix("bid_")) for (word,) in answers.values()]
        for seat, card in enumerate(g.bids):
            g.hands[seat].remove(card)
        buyer = g.bids.index(max(g.bids))
        lot = g.lots.pop(0)
        g.stalls[buyer].goods.append(lot.name)
        g.stalls[buyer].coins += lot.worth
        g.leader = buyer
        g.round += 1
        g.weather = "light_rain"
        g.tell(Sold(buyer, lot.name, max(g.bids)))
        g.tell(Settled(tuple(g.bids), g.weather))
        if g.round <= ROUNDS:
            g.next(Bid())
        else:
            g.finish(scored([stall.coins for stall in g.stalls], g.bids))


class Lot(Struct):
    name: str
    worth: int


class Stall(Struct):
    coins: int
    goods: list[str]
    guild: str | None = None


class Market(State, kw_only=True):
    todo: list[Bid]
    hands: list[list[int]]
    stalls: list[Stall]
    lots: list[Lot]
    treasure: str = TREASURE
    bids: list[int] = field(default_factory=list)
    round: int = 1
    weather: str | None = None
    leader: int | None = None
    rung: bool = False

    def anytime(self, seat: int) -> list[Move]:
        return [] if self.rung else ["ring_bell"]

    def take_anytime(self, seat: int, move: Move) -> None:
        self.rung = True
        self.tell(Rang(seat))


def setup(seats: int, options: Mapping[str, str], chance: Chance) -> Market:
    cards = list(range(1, 3 * seats + 1))
    chance.shuffle(cards)
    lots = [Lot("corn", 3), Lot("salt", 2), Lot("silk", 5)]
    hands = [cards[3 * seat : 3 * seat + 3] for seat in range(seats)]
    return Market(todo=[Bid()], chance=chance, hands=hands, stalls=[Stall(0, []) for _ in range(seats)], lots=lots)


def scored(coins: list[int], bids: list[int]) -> Result:
    places = [1 + sum(other > mine for other in coins) for mine in coins]
    standings = [
        Standing(seat, place, {"coins": coins[seat], "last_bid": bids[seat]}) for seat, place in enumerate(places)
    ]
    winners = tuple(seat for seat, place in enumerate(places) if place == 1)
    return Result(winners, tuple(sorted(standings, key=lambda standing: standing.place)))


@dataclass(frozen=True)
class Rate:
    buy: int
    sell: int


class Public(Struct, frozen=True):
    BY_SEAT: ClassVar = ("stalls", "last_bids")

    round: int
    weather: str | None
    bell_rung: bool
    player: int | None  # who bought the last lot
    stalls: list[Stall]
    last_bids: list[int]
    lots_to_come: list[Lot]  # never by seat, even when there are as many
    harbour_tax: dict[str, Rate]
    map: list[list[int]]
    nothing_yet: tuple[str, ...] = ()


def public(g: Market) -> Public:
    tax = {"corn": Rate(1, 2), "salt": Rate(3, 4)}
    grid = [[1, 0, 2, 0, 0], [0, 0, 0, 3, 0], [0, 4, 0, 0, 0]]
    return Public(g.round, g.weather, g.rung, g.leader, g.stalls, g.bids, g.lots, tax, grid)


class Private(Struct, frozen=True):
    hand: tuple[int, ...]
    hopes: dict[int, str]  # about each seat
    goal: Rate


def private(g: Market, seat: int) -> Private:
    hopes = {n: "envies you" if n != seat else "has a plan" for n in range(len(g.hands))}
    return Private(tuple(sorted(g.hands[seat])), hopes, Rate(seat, 9))


def shuffle_unknown(g: Market, seat: int | None, chance: Chance) -> None:
    """Deal the hidden cards anew."""
    others = [n for n in range(len(g.hands)) if n != seat]
    cards = [card for n in others for card in g.hands[n]]
    chance.shuffle(cards)
    for n in others:
        g.hands[n], cards = cards[: len(g.hands[n])], cards[len(g.hands[n]) :]


game = Game(
    key="market",
    name="Market day",
    rules=1,
    seats=range(2, 13),
    state=Market,
    setup=setup,
    public=public,
    private=private,
    shuffle_unknown=shuffle_unknown,
    package=__name__,
)
