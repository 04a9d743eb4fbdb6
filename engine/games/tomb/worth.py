"""What cards, goods and positions are worth to the bot `digger`, in points at the end of the game."""

from collections import Counter
from functools import lru_cache

from engine.games.tomb.cards import CARDS, DECK
from engine.games.tomb.effects import (
    GLORY,
    GOLD,
    RESOURCES,
    Amount,
    Apply,
    ChestDraw,
    ChestFlip,
    Choose,
    Effect,
    EffectStep,
    Exchange,
    ExtraTurn,
    Gain,
    Hire,
    MovePaw,
    Open,
    PlacePaw,
    Refresh,
    Reserve,
)
from engine.games.tomb.scoring import rooms_of, sizes
from engine.games.tomb.scoring import worth as worth_of_sets
from engine.games.tomb.state import Digs

UNIT = (0.45, 0.45, 0.45, 0.55, 1.0)  # food, torch, pickaxe, gold, glory
MANY = 5  # of a resource; what is beyond brings little
OVER = 0.1
CAMP, ROOM = 1.0, 0.7  # a card in the camp, a room of one's own
OWN_USE, RIVAL_USE = 0.09, 0.06  # how often in a turn somebody lifts a paw from a turned entrance, as played
RIVAL, WIN = 0.6, 3.0  # the best rival's points; winning
# How often in a turn a trigger comes to somebody who has the helper.
OFTEN = {
    "gain food": 0.3, "gain torch": 0.3, "gain pickaxe": 0.3, "exchange": 0.1, "open": 0.25, "hire": 0.35,
    "hire passive": 0.3, "reserve": 0.15, "refresh": 0.1, "visited": 0.25, "place own_room": 0.15,
    "place other_room": 0.2, "place empty": 0.5, "chest_pick": 0.35, "chest_use": 0.3, "remove room": 0.4,
    "remove other_room": 0.25, "remove no_effect": 0.4, "after_remove": 0.28,
}  # fmt: skip
STEP = {  # steps other than gains and exchanges
    Open: 2.2, Hire: 2.2, Reserve: 0.8, Refresh: 0.4, MovePaw: 0.4, PlacePaw: 1.2, ChestDraw: 3.0, ChestFlip: 1.2,
    Apply: 1.2, ExtraTurn: 2.5,
}  # fmt: skip


def amount_worth(amount: Amount) -> float:
    return sum(n * unit for n, unit in zip(amount.goods, UNIT, strict=True)) + amount.free * UNIT[0]


def step_worth(step: EffectStep) -> float:
    """How much one step brings on average; it does not depend on the position."""
    if isinstance(step, Gain):
        return amount_worth(step.amount) * (1.7 if step.per else 1.0)
    if isinstance(step, Exchange):
        return max(0.0, amount_worth(step.amount) - amount_worth(step.cost))
    if isinstance(step, Choose):
        return max(step_worth(step.first), step_worth(step.second))
    return STEP.get(type(step), 0.6)


def effect_worth(effect: Effect) -> float:
    return sum(step_worth(step) for step in effect.steps)


@lru_cache(maxsize=256)
def helper_rate(card: str) -> float:
    """What a hired helper brings in a turn."""
    effect = CARDS[card].effect
    standing = 0.2 * effect.discount + 0.1 * effect.food_for_gold + 0.15 * effect.ignore_opposite
    return standing + (OFTEN[effect.on] * effect_worth(effect) if effect.on else 0.0)


def turns_left(g: Digs) -> float:
    """A rough guess: how many turns each player still has."""
    if g.ended:
        return 0.0
    most = max(player.goods[GLORY] for player in g.players)
    cells = len(g.layout.cells) - len(g.rooms)
    market = g.helpers_market
    helpers = len(market.deck) + len(market.discard) + 1
    return max(0.5, min((g.glory_at_end - most) / 1.6, cells * 2.4, helpers * 1.7))


def sets_of(cards: list[str]) -> int:
    """Points for the sets of these cards. Neutral cards count as a faction of their own: simpler, and nearly right."""
    return worth_of_sets(sizes(Counter(CARDS[card].faction for card in cards)))


def card_worth(g: Digs, seat: int, card: str, left: float) -> float:
    """What buying this card brings, without its price."""
    found = CARDS[card]
    mine = rooms_of(g, seat) if found.sort == "room" else g.players[seat].helpers
    more = sets_of([*mine, card]) - sets_of(list(mine))
    engine = ROOM * min(1.0, left / 6) if found.sort == "room" else helper_rate(card) * left
    if found.kind == "once" or (found.effect.camp_limit and found.effect.steps):
        engine += effect_worth(found.effect)
    return found.glory + more + engine


def price_worth(goods: tuple[int, ...], left: float) -> float:
    return sum(n * unit for n, unit in zip(goods, UNIT, strict=True)) * min(1.0, left / 4)


def purse_worth(goods: list[int], left: float) -> float:
    """How much resources and gold are worth. The sixth and further ones of a kind are worth less, and so are all near
    the end."""
    total = goods[GOLD] * UNIT[GOLD]
    for good in range(RESOURCES):
        total += min(goods[good], MANY) * UNIT[good] + max(0, goods[good] - MANY) * OVER
    return total * min(1.0, left / 4)


def score(g: Digs, seat: int) -> float:
    """Points if the game ended now."""
    player = g.players[seat]
    return player.goods[GLORY] + sets_of(rooms_of(g, seat)) + sets_of(player.helpers)


def extra_worth(card: str) -> float:
    """What the other side of an entrance brings more than this one (T-163)."""
    entrance = DECK.entrances[card]
    assert entrance.reverse
    more = effect_worth(entrance.reverse) - effect_worth(entrance.effect)
    return more + UNIT[0] * (discounts(entrance.reverse) - discounts(entrance.effect))


def discounts(effect: Effect) -> int:
    return sum(step.discount for step in effect.steps if isinstance(step, Open | Hire))


def turned_worth(g: Digs, seat: int, left: float) -> float:
    """What turned entrances bring; the owner uses them more, and gains 1 glory from a rival who does (T-164)."""
    total = 0.0
    for card, owner in g.turned.items():
        total += extra_worth(card) * left * (OWN_USE if owner == seat else RIVAL_USE)
        total += left * RIVAL_USE * (owner == seat)
    return total


def prospects(g: Digs, seat: int, left: float) -> float:
    """How much this seat's goods and cards are worth for the rest of the game."""
    player = g.players[seat]
    found = purse_worth(player.goods, left)
    found += sum(helper_rate(card) for card in player.helpers) * left
    found += ROOM * sum(room.seat == seat for room in g.rooms.values()) * min(1.0, left / 6)
    found += CAMP * len(player.camp) * min(1.0, left / 5)
    found += turned_worth(g, seat, left)
    return found + sum(effect_worth(DECK.chests[chest]) for chest in player.chests) * 0.85 * min(1.0, left / 3)


def standing(g: Digs, seat: int) -> float:
    """What this seat's position is worth, in points, against its rivals."""
    left = turns_left(g)
    points = [score(g, other) for other in range(g.seats)]
    if g.ended:
        best = max(points[:seat] + points[seat + 1 :])
        wins = points[seat] >= best if g.trigger == seat else points[seat] > best  # T-155
        return points[seat] - RIVAL * best + (WIN if wins else -WIN)
    points = [one + prospects(g, other, left) for other, one in enumerate(points)]
    return points[seat] - RIVAL * max(points[:seat] + points[seat + 1 :])
