"""Where the bot `digger` lays its paws: plans of up to three placements and the removal after them, and their worth."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from engine.games.tomb.cards import CARDS, DECK
from engine.games.tomb.effects import RESOURCES, Effect, Exchange, Gain, Hire, Open
from engine.games.tomb.goods import payments
from engine.games.tomb.paws import legal_slots
from engine.games.tomb.places import Cell, Place, Slot
from engine.games.tomb.state import Digs
from engine.games.tomb.worth import (
    RIVAL,
    UNIT,
    card_worth,
    discounts,
    effect_worth,
    price_worth,
    purse_worth,
    step_worth,
    turns_left,
)

TURN = 2.6  # what a turn is worth: a plan must bring more than that for each turn that it takes
AGAIN = 2.0  # an extra action


class Outlook(Struct):
    """What each place would bring, found once for all plans of a decision."""

    left: float
    gains: dict[Place, tuple[float, ...]]  # food, torch, pickaxe, gold: by place
    other: dict[Place, float]  # other value of lifting there
    opens: dict[Place, int]
    hires: dict[Place, int]
    laying: dict[Cell, float]  # what laying a paw there brings at once
    rooms: list[tuple[float, tuple[int, ...]]]  # the best rooms to open: what they bring, their price
    helpers: list[tuple[float, tuple[int, ...]]]


def look(g: Digs, seat: int) -> Outlook:
    left = turns_left(g)
    found = Outlook(left, {}, {}, {}, {}, {}, wanted(g, seat, "room", left), wanted(g, seat, "helper", left))
    camp: set[str] = {CARDS[card].sort for card in g.players[seat].camp}
    for slot, card in g.entrances.items():
        value_of(found, slot, g.entrance_effect(card), 1.0, camp)
        if card in g.turned:
            found.other[slot] += UNIT[0] * discounts(g.entrance_effect(card))
    for cell in g.layout.cells:
        room = g.rooms.get(cell)
        if room is None:
            chest = g.chests.get(cell)
            found.laying[cell] = effect_worth(DECK.chests[chest]) * 0.85 if chest else 0.0
            found.gains[cell], found.other[cell] = (0.0,) * 4, 0.0
            continue
        own = room.seat == seat
        found.laying[cell] = (AGAIN if CARDS[room.card].again else 0.0) - (0.0 if own else 0.6)
        effect = CARDS[room.card].effect
        value_of(found, cell, effect, 0.0 if effect.owner_only and not own else 1.0, camp)
    return found


def value_of(found: Outlook, place: Place, effect: Effect, share: float, camp: set[str]) -> None:
    gains, other = [0.0] * 4, 0.0
    for step in effect.steps:
        if isinstance(step, Gain) and not step.per:
            for good in range(4):
                gains[good] += step.amount.goods[good] * share
            for good in range(RESOURCES):
                gains[good] += step.amount.any * share / RESOURCES
            other += step.amount.goods[4] * share
        elif isinstance(step, Open):
            found.opens[place] = found.opens.get(place, 0) + (step.source == "both" or "room" in camp)
        elif isinstance(step, Hire):
            found.hires[place] = found.hires.get(place, 0) + (step.source == "both" or "helper" in camp)
        elif isinstance(step, Exchange):
            other += step_worth(step) * 0.7 * share
        else:
            other += step_worth(step) * 0.8 * share
    found.gains[place], found.other[place] = tuple(gains), other


def wanted(g: Digs, seat: int, sort: str, left: float) -> list[tuple[float, tuple[int, ...]]]:
    """Cards that could be bought, the best first: what each brings above its price, and its price."""
    market = g.rooms_market if sort == "room" else g.helpers_market
    cards = [*(c for c in market.shown if c), *(c for c in g.players[seat].camp if CARDS[c].sort == sort)]
    found = []
    for card in cards:
        paid = payments(g, seat, card, 0)
        price = paid[0] if paid else CARDS[card].cost
        found.append((card_worth(g, seat, card, left) - price_worth(price, left), price))
    return sorted(found, reverse=True)


def plans(g: Digs, seat: int, most: int = 3) -> Iterator[tuple[Slot, ...]]:
    """Sequences of up to `most` placements. Of those that differ only in the order after the first, one is tried."""
    slots = legal_slots(g, seat)
    reserve = g.players[seat].paws
    for first in slots:
        yield (first,)
        if most < 2 or reserve < 2:
            continue
        rest = [slot for slot in slots if slot != first]
        for n, second in enumerate(rest):
            yield first, second
            if most > 2 and reserve > 2:
                for third in rest[n + 1 :]:
                    yield first, second, third


def crossings(g: Digs, mine: Sequence[Slot], taken: set[Place]) -> list[Cell]:
    held = set(mine)
    return [
        cell
        for cell, row, column in g.layout.crossings
        if (row[0] in held or row[1] in held) and (column[0] in held or column[1] in held) and cell not in taken
    ]


def plan_worth(g: Digs, seat: int, outlook: Outlook, slots: Sequence[Slot]) -> float:
    """How much these placements and the removal after them bring, less what the same number of turns usually brings."""
    mine = [place for place, other in g.paws.items() if other == seat]
    taken = set(g.paws)
    held = [place for place in mine if place in g.entrances]
    paws, total = g.players[seat].paws, 0.0
    turns = 1.0 + len(slots)
    for slot in slots:
        if not paws:
            return -99.0
        paws -= 1
        held.append(slot)
        mine.append(slot)
        taken.add(slot)
        rival = g.paws.get(g.layout.opposite[slot])
        if g.turned.get(g.entrances[slot], seat) != seat:
            total -= RIVAL  # T-164
        if g.seats > 2 and rival is not None and rival != seat:
            total -= 0.6
        cells = crossings(g, held, taken)
        if len(cells) > paws:
            cells = sorted(cells, key=lambda cell: -outlook.laying[cell] - outlook.other[cell])[:paws]
        for cell in cells:
            paws -= 1
            mine.append(cell)
            taken.add(cell)
            total += outlook.laying[cell]
    return total + removal_worth(g, seat, outlook, mine) - TURN * turns


def removal_worth(g: Digs, seat: int, outlook: Outlook, mine: Sequence[Place]) -> float:
    """How much lifting these paws brings, with the cards that can then be bought."""
    goods = [float(n) for n in g.players[seat].goods]
    before = purse_worth(g.players[seat].goods, outlook.left)
    total, opens, hires, bare = 0.0, 0, 0, 0
    for place in mine:
        for good, n in enumerate(outlook.gains[place]):
            goods[good] = min(9.0, goods[good] + n)
        total += outlook.other[place]
        opens += outlook.opens.get(place, 0)
        hires += outlook.hires.get(place, 0)
        bare += place not in g.entrances and place not in g.rooms
    rooms = buy(outlook.rooms, min(opens, bare, g.players[seat].tokens), goods)
    helpers = buy(outlook.helpers, hires, goods)
    after = purse_worth([int(n) for n in goods], outlook.left)
    return total + rooms + helpers + after - before


def buy(cards: Sequence[tuple[float, tuple[int, ...]]], times: int, goods: list[float]) -> float:
    """Buy the best cards that `goods` can pay for. Returns what these bring above their prices, plus the worth of the
    goods spent, which the caller subtracts with the purse."""
    total = 0.0
    for worth, price in cards:
        if not times or worth <= 0:
            break
        gold = goods[3] - price[3]
        short = sum(max(0.0, price[n] - goods[n]) for n in range(RESOURCES))
        if gold < short:
            continue
        spent = 0.0
        for n in range(RESOURCES):
            used = min(goods[n], float(price[n]))
            goods[n] -= used
            spent += used * UNIT[n]
        goods[3] = gold - short
        total += worth + spent + (price[3] + short) * UNIT[3]
        times -= 1
    return total
