"""The state of a table, and what happens to its goods, cards and paws. No step of the agenda is here."""

from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct, field

from engine import N_, State
from engine.games.tomb import facts
from engine.games.tomb.cards import CARDS, DECK, NO_EFFECT
from engine.games.tomb.effects import GLORY, GOODS, NOTHING, Effect, Goods
from engine.games.tomb.places import Cell, Layout, Place, Slot, layout

MOST = 9  # T-25
PAWS, TOKENS = 5, 8  # T-5, T-76
MARKET = 3
CAMP = 2  # T-66
GLORY_AT_END = {2: 40, 3: 30}  # T-140, T-144
START = (1, 1, 1, 1, 0)  # T-19
CARD_TURNED_UP = N_("a card has been turned up")
CHEST_DRAWN = N_("a chest has been drawn")


class Player(Struct):
    goods: list[int] = field(default_factory=lambda: list(START))
    paws: int = PAWS  # in reserve
    tokens: int = TOKENS
    helpers: list[str] = field(default_factory=list)  # T-79 any number, in order of hiring
    camp: list[str] = field(default_factory=list)  # the oldest first
    chests: list[str] = field(default_factory=list)  # T-58 unused, face up
    used: list[str] = field(default_factory=list)  # face down; only the owner may look
    turns: int = 0  # completed, without extra turns


class Market(Struct):
    """T-17, T-18 A deck with its face-up cards and its discard pile."""

    sort: str  # "room" or "helper"
    deck: list[str]  # the top card first
    shown: list[str]  # by position; "" is an empty place
    discard: list[str]  # T-72 face up, the oldest first


class Owned(Struct, frozen=True, gc=False):
    """A room in the tomb."""

    card: str
    seat: int


class Context(Struct, frozen=True, gc=False):
    """Whose effect is resolved, which card's, and what it is about."""

    seat: int
    card: str
    cause: str  # "lift", "chest", "hired", "applied", or the trigger
    place: Place = ""  # T-104 "here"
    about: str = ""  # a trigger's room or helper
    above: tuple[str, ...] = ()  # T-96, T-100 the cards that are being resolved, this one last


class Digs(State, kw_only=True):
    """Everything but the agenda."""

    players: list[Player]
    factions: list[str]
    entrances: dict[Slot, str]  # T-11 the card in each slot
    chests: dict[Cell, str]
    supply: list[str]  # the top first
    unseen: int  # number of chests of the supply, from the top, that nobody has seen
    rooms_market: Market
    helpers_market: Market
    secret: list[str] = field(default_factory=list)  # T-160 entrance cards that hold a token
    turned: dict[str, int] = field(default_factory=dict)  # T-161 owners of turned entrance cards
    paws: dict[Place, int] = field(default_factory=dict)  # whose paw lies there
    rooms: dict[Cell, Owned] = field(default_factory=dict)  # T-77 they stay; anybody may use them
    first: int = 0
    active: int = 0
    turn: int = 0
    sort: str = "turn"  # of the turn: "turn", "extra" or "last"
    ended: str = ""  # T-140 why the end was triggered
    trigger: int = 0
    # T-31 the memory of a turn
    symbols: list[str] = field(default_factory=list)  # T-34 rooms whose extra-action symbol was used
    extra_actions: int = 0
    extra_turn: bool = False
    ignored: int = 0  # T-117 placements opposite a rival
    borrowed: list[str] = field(default_factory=list)
    fired: dict[str, Context] = field(default_factory=dict)  # T-130 helpers that were applied, and for what
    # the memory of an action
    lifts: int = 0
    doubles: int = 0  # T-128 effects that wait
    effective: bool = False  # T-54 a step of the present lift was applied
    movable: bool = False  # T-171 the paw of the present lift is still in reserve
    had: list[int] = field(default_factory=list)
    gained: list[int] = field(default_factory=list)
    spent: list[int] = field(default_factory=list)
    applied: list[bool] = field(default_factory=list)  # T-85 for each effect under way: whether a step was applied

    @property
    def seats(self) -> int:
        return len(self.players)

    @property
    def layout(self) -> Layout:
        return layout(len(self.players))

    def market(self, card: str) -> Market:
        return self.rooms_market if CARDS[card].sort == "room" else self.helpers_market

    @property
    def markets(self) -> tuple[Market, Market]:
        return self.rooms_market, self.helpers_market

    def in_order(self, seat: int) -> tuple[int, ...]:
        """All seats in turn order from this one."""
        return turn_order(len(self.players), seat)

    # helpers --------------------------------------------------------------------------------------------------------

    def helpers_of(self, seat: int) -> Sequence[str]:
        """T-93 In order of hiring; T-98 borrowed ones last."""
        hired = self.players[seat].helpers
        if self.borrowed and seat == self.active:
            return [*hired, *(helper for helper in self.borrowed if helper not in hired)]
        return hired

    def standing(self, seat: int) -> Iterator[Effect]:
        return (CARDS[helper].effect for helper in self.helpers_of(seat))

    def camp_limit(self, seat: int) -> int:
        """T-66, T-122"""
        return max([CAMP, *(effect.camp_limit for effect in self.standing(seat))])

    # goods ----------------------------------------------------------------------------------------------------------

    def gain(self, seat: int, goods: Goods, card: str) -> list[str]:
        """T-6, T-25 What an effect gives; glory has no limit. Returns the names of what was really added (T-27)."""
        mine, added, burned = self.players[seat].goods, [0] * len(GOODS), [0] * len(GOODS)
        names = []
        for good, amount in enumerate(goods):
            if amount:
                more = amount if good == GLORY else min(amount, MOST - mine[good])
                added[good], burned[good] = more, amount - more
                if more:
                    mine[good] += more
                    names.append(GOODS[good])
        lost = five(burned) if any(burned) else None
        self.tell(facts.Gained(seat, five(added), card, lost))
        self.count(seat, self.gained, added)
        if added[GLORY]:
            self.check_glory(seat)
        return names

    def honour(self, seat: int, glory: int, why: str, place: Place = "", card: str = "") -> None:
        """Glory that is no gain of an effect."""
        if glory:
            self.players[seat].goods[GLORY] += glory
            self.tell(facts.Fame(seat, glory, why, place, card))
            self.count(seat, self.gained, (0, 0, 0, 0, glory))
            self.check_glory(seat)

    def pay(self, seat: int, goods: Goods, card: str) -> None:
        """T-24 It must be affordable."""
        mine = self.players[seat].goods
        for good, amount in enumerate(goods):
            mine[good] -= amount
        if goods != NOTHING:
            self.tell(facts.Paid(seat, goods, card))
            self.count(seat, self.spent, goods)

    def count(self, seat: int, ledger: list[int], goods: Sequence[int]) -> None:
        if seat == self.active and ledger:
            for good, amount in enumerate(goods):
                ledger[good] += amount

    # the end --------------------------------------------------------------------------------------------------------

    @property
    def glory_at_end(self) -> int:
        return GLORY_AT_END[len(self.players)]

    def check_glory(self, seat: int) -> None:
        if not self.ended and self.players[seat].goods[GLORY] >= self.glory_at_end:
            self.end("glory")

    def check_rooms(self) -> None:
        if not self.ended and len(self.rooms) == len(self.layout.cells):
            self.end("rooms")

    def check_helpers(self) -> None:
        """T-140 (b)"""
        market = self.helpers_market
        if not (self.ended or market.deck or market.discard) and "" in market.shown:
            self.end("helpers")

    def end(self, why: str, seat: int | None = None) -> None:
        """T-141 Once triggered it stays so. The trigger player is the one in whose turn it happens."""
        self.ended, self.trigger = why, self.active if seat is None else seat
        self.tell(facts.Ends(why, self.trigger))

    # cards ----------------------------------------------------------------------------------------------------------

    def take_card(self, seat: int, card: str) -> str:
        """Take a card from its market or from this seat's camp; returns where it was. The market is not refilled."""
        market = self.market(card)
        if card in market.shown:
            market.shown[market.shown.index(card)] = ""
            return "market"
        self.players[seat].camp.remove(card)
        return "camp"

    def discard(self, seat: int, cards: Sequence[str], source: str) -> None:
        for card in cards:
            self.market(card).discard.append(card)
        self.tell(facts.Discarded(seat, tuple(cards), source))

    def refill(self) -> None:
        """T-69 to T-71, T-91 Fill empty market places, rooms first, the lowest position first."""
        for market in self.markets:
            while "" in market.shown and (market.deck or market.discard):
                if not market.deck:
                    self.reshuffle(market)
                position, card = market.shown.index(""), market.deck.pop(0)
                market.shown[position] = card
                self.uncover(CARD_TURNED_UP)
                self.tell(facts.Refilled(market.sort, position, card))
        self.check_helpers()

    def reshuffle(self, market: Market) -> None:
        """T-70 The discard pile, from its oldest card to its newest, is shuffled."""
        market.deck, market.discard = market.discard, []
        self.chance.shuffle(market.deck)
        self.tell(facts.Reshuffled(market.sort, len(market.deck)))

    # the tomb -------------------------------------------------------------------------------------------------------

    def entrance_effect(self, card: str) -> Effect:
        """T-163 A turned entrance has its stronger effect."""
        entrance = DECK.entrances[card]
        return entrance.reverse or NO_EFFECT if card in self.turned else entrance.effect

    def effect(self, context: Context) -> Effect:
        card = context.card
        if card in CARDS:
            effect = CARDS[card].effect
            if effect.owner_only and not self.owns(context):
                return NO_EFFECT
            return effect
        return DECK.chests[card] if card in DECK.chests else self.entrance_effect(card)

    def owns(self, context: Context) -> bool:
        """T-133 Whether the effect's room lies in the tomb and belongs to the seat."""
        return self.rooms.get(context.place) == Owned(context.card, context.seat)

    def card_at(self, place: Place) -> str:
        """The card that lies there, or ""."""
        if place in self.entrances:
            return self.entrances[place]
        room = self.rooms.get(place)
        return room.card if room else ""

    def paws_of(self, seat: int) -> list[Place]:
        """Entrances, then cells."""
        order = self.layout.order
        return sorted([place for place, other in self.paws.items() if other == seat], key=order.__getitem__)

    def empty(self, cell: Cell) -> bool:
        """T-14 An empty cell, with or without a chest."""
        return cell not in self.rooms and cell not in self.entrances

    def take_chest(self, seat: int, cell: Cell) -> bool:
        """T-41"""
        chest = self.chests.pop(cell, None)
        if chest is None:
            return False
        self.players[seat].chests.append(chest)
        self.tell(facts.ChestTaken(seat, cell, chest))
        return True


@cache
def turn_order(seats: int, first: int) -> tuple[int, ...]:
    return tuple((first + n) % seats for n in range(seats))


def five(goods: Sequence[int]) -> Goods:
    food, torch, pickaxe, gold, glory = goods
    return food, torch, pickaxe, gold, glory
