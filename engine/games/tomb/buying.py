"""Steps that move cards: opening, hiring, reserving, refreshing, replacing."""

from engine import Draft, Move, Step
from engine.games.tomb import facts
from engine.games.tomb.cards import CARDS
from engine.games.tomb.deeds import DEEDS, Deed, Happening, NextStep, Resolve, SetsOff, TombAsk, child, fire
from engine.games.tomb.effects import GLORY, Hire, HireOrReserve, Open, Refresh, ReplaceSelf, Reserve, SwapHelper
from engine.games.tomb.goods import paid_by, pay_words, payments
from engine.games.tomb.places import Cell
from engine.games.tomb.state import CAMP, Context, Digs, Owned


def named(word: Move) -> str:
    """What "open crane" or "at c21" names."""
    return word.split()[1]


def offered(g: Digs, seat: int, sort: str, source: str) -> list[str]:
    """Rooms or helpers that this seat might buy: those on the market, then its camp."""
    market = g.rooms_market if sort == "room" else g.helpers_market
    shown = [card for card in market.shown if card] if source == "both" else []
    return [*shown, *(card for card in g.players[seat].camp if CARDS[card].sort == sort)]


def payable(g: Digs, seat: int, sort: str, source: str, discount: int) -> list[str]:
    return [card for card in offered(g, seat, sort, source) if payments(g, seat, card, discount)]


def can_buy(g: Digs, seat: int, sort: str, source: str, discount: int) -> bool:
    return any(payments(g, seat, card, discount) for card in offered(g, seat, sort, source))


def buy(g: Digs, context: Context, card: str, word: Move) -> str:
    """Pay for a card and take it; returns where it was. The market is not refilled."""
    g.pay(context.seat, paid_by(word), card)
    return g.take_card(context.seat, card)


def put_room(g: Digs, context: Context, card: str, cell: Cell, source: str, replaces: str = "") -> list[Happening]:
    """T-74 The room is laid and brings its glory; returns what happened, for `fire`."""
    seat = context.seat
    g.rooms[cell] = Owned(card, seat)
    g.tell(facts.RoomOpened(seat, card, cell, source, replaces))
    happened: list[Happening] = [("open", seat, cell, card)]
    if g.take_chest(seat, cell):  # T-75
        happened.append(("chest_pick", seat, cell, ""))
    g.check_rooms()
    g.honour(seat, CARDS[card].glory, "opened", cell, card)
    return happened


class OpenDeed(Deed[Open]):
    """T-73 Card, cell and payment are one answer; a cell is named if there are several."""

    def cells(self, g: Digs, context: Context, step: Open) -> list[Cell]:
        wanted = None if step.free else context.seat  # T-75
        return [cell for cell in g.layout.cells if cell not in g.rooms and g.paws.get(cell) == wanted]

    def possible(self, g: Digs, context: Context, step: Open) -> bool:
        if not g.players[context.seat].tokens or not self.cells(g, context, step):
            return False
        return can_buy(g, context.seat, "room", step.source, step.discount)

    def options(self, g: Digs, context: Context, step: Open, draft: Draft) -> list[Move]:
        if not draft:
            return [f"open {card}" for card in payable(g, context.seat, "room", step.source, step.discount)]
        if draft[-1].startswith("pay "):
            return []
        cells = self.cells(g, context, step)
        if len(draft) == 1 and len(cells) > 1:
            return [f"at {cell}" for cell in cells]
        return list(pay_words(payments(g, context.seat, named(draft[0]), step.discount)))

    def take(self, g: Digs, context: Context, step: Open, words: Draft) -> None:
        card = named(words[0])
        cell = named(words[1]) if len(words) > 2 else self.cells(g, context, step)[0]
        source = buy(g, context, card, words[-1])
        g.refill()
        g.players[context.seat].tokens -= 1
        happened = put_room(g, context, card, cell, source)
        if step.apply and card not in context.above:  # T-100
            g.next(Resolve(child(context, card, place=cell)), SetsOff(context.above, tuple(happened)))
        else:
            fire(g, context.above, *happened)


class ReplaceSelfDeed(Deed[ReplaceSelf]):
    """T-133 The owner's room is discarded and another one opened in its place."""

    def possible(self, g: Digs, context: Context, step: ReplaceSelf) -> bool:
        return g.owns(context) and can_buy(g, context.seat, "room", "both", step.discount)

    def options(self, g: Digs, context: Context, step: ReplaceSelf, draft: Draft) -> list[Move]:
        if not draft:
            return [f"replace {card}" for card in payable(g, context.seat, "room", "both", step.discount)]
        return list(pay_words(payments(g, context.seat, named(draft[0]), step.discount))) if len(draft) == 1 else []

    def take(self, g: Digs, context: Context, step: ReplaceSelf, words: Draft) -> None:
        card, old, cell = named(words[0]), context.card, context.place
        source = buy(g, context, card, words[1])
        del g.rooms[cell]
        g.discard(context.seat, [old], "tomb")
        g.refill()
        fire(g, context.above, *put_room(g, context, card, cell, source, old))


class HireDeed(Deed[Hire]):
    """T-78"""

    def possible(self, g: Digs, context: Context, step: Hire) -> bool:
        return can_buy(g, context.seat, "helper", step.source, step.discount)

    def options(self, g: Digs, context: Context, step: Hire, draft: Draft) -> list[Move]:
        if not draft:
            return [f"hire {card}" for card in payable(g, context.seat, "helper", step.source, step.discount)]
        return list(pay_words(payments(g, context.seat, named(draft[0]), step.discount))) if len(draft) == 1 else []

    def take(self, g: Digs, context: Context, step: Hire, words: Draft) -> None:
        seat, card = context.seat, named(words[0])
        source = buy(g, context, card, words[1])
        g.refill()
        g.players[seat].helpers.append(card)
        g.tell(facts.Hired(seat, card, source))
        effect = CARDS[card].effect
        once = [Resolve(child(context, card, "hired"))] if effect.steps and not effect.on else []  # T-99
        g.next(*once, JoinExpedition(seat, card, context.above))


class JoinExpedition(Step["Digs"], frozen=True):
    """T-78 The hired helper's glory, then what its hiring triggers."""

    seat: int
    card: str
    above: tuple[str, ...]

    def do(self, g: Digs) -> None:
        card = CARDS[self.card]
        g.honour(self.seat, card.glory, "hired", "", self.card)
        happened: list[Happening] = [("hire", self.seat, "", self.card)]
        if card.kind == "passive":
            happened.append(("hire passive", self.seat, "", self.card))
        fire(g, self.above, *happened)


class ReserveDeed(Deed[Reserve]):
    """T-65, T-121 Into the camp without paying. T-66 From a full camp a card is discarded first."""

    def cards(self, g: Digs, context: Context, step: Reserve) -> list[str]:
        piles = [market.discard if step.discarded else market.shown for market in g.markets]
        return [card for pile in piles for card in pile if card and step.cards in ("card", CARDS[card].sort)]

    def full(self, g: Digs, seat: int) -> bool:
        return len(g.players[seat].camp) >= g.camp_limit(seat)

    def possible(self, g: Digs, context: Context, step: Reserve) -> bool:
        return bool(self.cards(g, context, step))

    def options(self, g: Digs, context: Context, step: Reserve, draft: Draft) -> list[Move]:
        if not draft:
            return [f"reserve {card}" for card in self.cards(g, context, step)]
        if len(draft) > 1 or not self.full(g, context.seat):
            return []
        return [f"discard {card}" for card in g.players[context.seat].camp]

    def take(self, g: Digs, context: Context, step: Reserve, words: Draft) -> None:
        seat, card = context.seat, named(words[0])
        camp = g.players[seat].camp
        if step.discarded:
            g.market(card).discard.remove(card)
        else:
            g.take_card(seat, card)
        g.tell(facts.Reserved(seat, card, "discard" if step.discarded else "market"))
        if len(words) > 1:
            camp.remove(named(words[1]))
            g.discard(seat, [named(words[1])], "camp")
        camp.append(card)
        g.refill()
        fire(g, context.above, ("reserve", seat, "", ""))


class RefreshDeed(Deed[Refresh]):
    """T-71 One word for each card, then "done"."""

    def shown(self, g: Digs) -> list[str]:
        return [card for market in g.markets for card in market.shown if card]

    def possible(self, g: Digs, context: Context, step: Refresh) -> bool:
        return bool(self.shown(g))

    def options(self, g: Digs, context: Context, step: Refresh, draft: Draft) -> list[Move]:
        if draft and (draft[-1] == "done" or len(draft) == step.most):
            return []
        found = [word for card in self.shown(g) if (word := f"refresh {card}") not in draft]
        return [*found, "done"] if draft else found

    def default(self, g: Digs, context: Context, step: Refresh, draft: Draft) -> Move:
        return "done" if draft else super().default(g, context, step, draft)

    def take(self, g: Digs, context: Context, step: Refresh, words: Draft) -> None:
        chosen = [card for card in self.shown(g) if f"refresh {card}" in words]
        for card in chosen:
            g.take_card(context.seat, card)
        g.discard(context.seat, chosen, "market")
        g.refill()
        fire(g, context.above, ("refresh", context.seat, "", ""))


class SwapHelperDeed(Deed[SwapHelper]):
    """T-135 Discard a helper and spend the glory of its hiring; then hire or reserve another one."""

    def helpers(self, g: Digs, seat: int) -> list[str]:
        player = g.players[seat]
        hired = [card for card in player.helpers if CARDS[card].glory <= player.goods[GLORY]]
        return [*hired, *(card for card in player.camp if CARDS[card].sort == "helper")]

    def possible(self, g: Digs, context: Context, step: SwapHelper) -> bool:
        return bool(self.helpers(g, context.seat))

    def options(self, g: Digs, context: Context, step: SwapHelper, draft: Draft) -> list[Move]:
        return [] if draft else [f"dismiss {card}" for card in self.helpers(g, context.seat)]

    def take(self, g: Digs, context: Context, step: SwapHelper, words: Draft) -> None:
        seat, card = context.seat, named(words[0])
        player = g.players[seat]
        hired = card in player.helpers
        if hired:
            g.pay(seat, (0, 0, 0, 0, CARDS[card].glory), card)
        (player.helpers if hired else player.camp).remove(card)
        g.discard(seat, [card], "helpers" if hired else "camp")
        g.refill()
        g.next(Overflow(), NextStep(context, HireOrReserve()))


class HireOrReserveDeed(Deed[HireOrReserve]):
    """T-135"""

    def __init__(self) -> None:
        self.hire, self.reserve = (HireDeed(), Hire()), (ReserveDeed(), Reserve("helper"))

    def possible(self, g: Digs, context: Context, step: HireOrReserve) -> bool:
        (hire, hiring), (reserve, reserving) = self.hire, self.reserve
        return hire.possible(g, context, hiring) or reserve.possible(g, context, reserving)

    def options(self, g: Digs, context: Context, step: HireOrReserve, draft: Draft) -> list[Move]:
        (hire, hiring), (reserve, reserving) = self.hire, self.reserve
        words = hire.options(g, context, hiring, draft) if not draft or draft[0].startswith("hire ") else []
        if not draft or draft[0].startswith("reserve "):
            words = [*words, *reserve.options(g, context, reserving, draft)]
        return words

    def take(self, g: Digs, context: Context, step: HireOrReserve, words: Draft) -> None:
        (hire, hiring), (reserve, reserving) = self.hire, self.reserve
        if words[0].startswith("hire "):
            hire.take(g, context, hiring, words)
        else:
            reserve.take(g, context, reserving, words)


class Overflow(TombAsk, frozen=True):
    """T-122 The camp holds more cards than it may: one after another is discarded."""

    def who(self, g: Digs) -> list[int]:
        held = len(g.players[g.active].camp)
        return [g.active] if held > CAMP and held > g.camp_limit(g.active) else []

    def options(self, g: Digs, seat: int, draft: Draft) -> list[Move]:
        return [f"discard {card}" for card in g.players[seat].camp]

    def take(self, g: Digs, answers: dict[int, Draft]) -> None:
        for seat, (word,) in answers.items():
            g.players[seat].camp.remove(named(word))
            g.discard(seat, [named(word)], "camp")
            g.refill()
            g.next(Overflow())


DEEDS[Open] = OpenDeed()
DEEDS[ReplaceSelf] = ReplaceSelfDeed()
DEEDS[Hire] = HireDeed()
DEEDS[Reserve] = ReserveDeed()
DEEDS[Refresh] = RefreshDeed()
DEEDS[SwapHelper] = SwapHelperDeed()
DEEDS[HireOrReserve] = HireOrReserveDeed()
