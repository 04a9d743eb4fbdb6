"""Steps that gain, spend and exchange goods; what can be paid, and how."""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import product

from msgspec import structs

from engine import Draft, Move
from engine.games.tomb.cards import CARDS
from engine.games.tomb.deeds import DEEDS, Deed, Happening, NextStep, SetsOff, fire
from engine.games.tomb.effects import (
    GLORY,
    GOLD,
    GOODS,
    NOTHING,
    RESOURCES,
    Amount,
    Choose,
    Exchange,
    Gain,
    Goods,
    IfFew,
)
from engine.games.tomb.state import Context, Digs, Player, five

Split = tuple[int, int, int]
# Helpers that change what cards cost.
CHEAPER = frozenset(card.id for card in CARDS.values() if card.effect.discount or card.effect.food_for_gold)


@cache
def splits(n: int) -> tuple[Split, ...]:
    """T-26 All ways to split n units over food, torch and pickaxe."""
    return tuple((f, t, n - f - t) for f in range(n, -1, -1) for t in range(n - f, -1, -1))


def words(name: str, amounts: Sequence[int]) -> Move:
    return f"{name} {' '.join(map(str, amounts))}"


def numbers(word: Move) -> list[int]:
    """The numbers of "gain 1 0 2" or "pay 0 0 2 1"."""
    return [int(part) for part in word.split()[1:] if part.isdigit()]


def added(goods: Goods, split: Sequence[int]) -> Goods:
    food, torch, pickaxe, gold, glory = goods
    return food + split[0], torch + split[1], pickaxe + split[2], gold, glory


# Payments -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def ways(cost: Goods, any: int, discount: int, food_for_gold: bool, gold_allowed: bool) -> tuple[Goods, ...]:
    """All distinct ways to pay this, whether or not they can be afforded; those with the least gold come first.

    T-68 The discount takes off resource units of the player's choice. T-22 Gold stands for any resource. T-112 With
    `food_for_gold` food stands for the gold of the printed cost.
    """
    found = set()
    for more in splits(any):
        due = [cost[good] + more[good] for good in range(RESOURCES)]
        less = min(discount, sum(due))
        for off in product(*(range(n + 1) for n in due)):
            if sum(off) != less:
                continue
            left = [n - o for n, o in zip(due, off, strict=True)]
            for swap in product(*(range(n + 1) if gold_allowed else (0,) for n in left)):
                for fed in range(cost[GOLD] + 1) if food_for_gold else (0,):
                    food, torch, pickaxe = (n - s for n, s in zip(left, swap, strict=True))
                    found.add((food + fed, torch, pickaxe, cost[GOLD] - fed + sum(swap), cost[GLORY]))
    return tuple(sorted(found, key=lambda paid: (paid[GOLD], paid)))


def affordable(goods: Goods, found: Sequence[Goods]) -> tuple[Goods, ...]:
    """The least gold first, then what leaves the most of the scarcest resource: the first is the cheapest way."""
    food, torch, pickaxe, gold, glory = goods
    left = [
        (paid[GOLD], -min(food - paid[0], torch - paid[1], pickaxe - paid[2]), paid)
        for paid in found
        if paid[0] <= food and paid[1] <= torch and paid[2] <= pickaxe and paid[3] <= gold and paid[4] <= glory
    ]
    left.sort()
    return tuple([paid for _, _, paid in left])


@lru_cache(maxsize=16384)
def affordable_ways(
    goods: Goods, cost: Goods, any: int, discount: int, food_for_gold: bool, gold_allowed: bool
) -> tuple[Goods, ...]:
    return affordable(goods, ways(cost, any, discount, food_for_gold, gold_allowed))


def payments(g: Digs, seat: int, card: str, discount: int) -> tuple[Goods, ...]:
    """T-67, T-68, T-73, T-78 How this seat can pay for a room or helper, with all its discounts."""
    player, printed, fed = g.players[seat], CARDS[card], False
    if card in player.camp:
        discount += 1
    for helper in g.helpers_of(seat):
        if helper in CHEAPER:
            effect = CARDS[helper].effect
            if printed.sort == "room":
                discount += effect.discount
            else:
                fed = fed or effect.food_for_gold
    return affordable_ways(five(player.goods), printed.cost, 0, discount, fed, True)


def prices(player: Player, exchange: Exchange) -> tuple[Goods, ...]:
    """T-22 What may be paid for an exchange. T-23 Gold does not buy gold alone."""
    amount = exchange.amount
    only_gold = not amount.free and amount.goods[:GOLD] == (0, 0, 0) and not amount.goods[GLORY]
    cost = exchange.cost
    return affordable_ways(five(player.goods), cost.goods, cost.any, 0, False, not only_gold)


@lru_cache(maxsize=4096)
def pay_words(paid: tuple[Goods, ...]) -> tuple[Move, ...]:
    """Glory is fixed, so words leave it out."""
    return tuple(words("pay", goods[:GLORY]) for goods in paid)


@cache
def gain_words(n: int) -> tuple[Move, ...]:
    return tuple(words("gain", split) for split in splits(n))


def paid_by(word: Move, glory: int = 0) -> Goods:
    food, torch, pickaxe, gold = numbers(word)
    return food, torch, pickaxe, gold, glory


# Gains --------------------------------------------------------------------------------------------------------------


def amount_of(g: Digs, context: Context, gain: Gain) -> Amount:
    """What this gain gives in the present position."""
    if not gain.per:
        return gain.amount
    times = helper_pairs(g, context) if gain.per == "helper_pair" else adjacent_factions(g, context)
    goods = gain.amount.goods
    return Amount(five([n * times for n in goods]), gain.amount.any * times)


def helper_pairs(g: Digs, context: Context) -> int:
    return min(3, len(g.players[context.seat].helpers) // 2)


def adjacent_factions(g: Digs, context: Context) -> int:
    """T-12, T-114 Different factions of the neighbours, without the card's own and without neutral rooms."""
    if not context.place or context.place in g.entrances:
        return 0
    own = CARDS[context.about or context.card].faction
    near = {CARDS[g.rooms[cell].card].faction for cell in g.layout.near[context.place] if cell in g.rooms}
    return len(near - {own, "neutral"})


def gain(g: Digs, context: Context, goods: Goods) -> list[Happening]:
    """Gain, and return what happened, for `fire`: T-95 one event for each type."""
    return [(f"gain {name}", context.seat, "", "") for name in g.gain(context.seat, goods, context.card)]


def reaches_end(g: Digs, seat: int, glory: int) -> bool:
    """T-97 A gain of glory that would trigger the end may be declined."""
    mine = g.players[seat].goods[GLORY]
    return not g.ended and mine < g.glory_at_end <= mine + glory


def declining_pays(g: Digs, context: Context) -> bool:
    """T-54 Whether a helper would reward a lift without effect, so that declining may bring more."""
    if context.cause != "lift" or context.place in g.entrances or g.effective or g.applied[-1]:
        return False
    return any(effect.on == "remove no_effect" for effect in g.standing(context.seat))


def least_first(g: Digs, context: Context, options: Sequence[Move]) -> Move:
    """T-146 Each unit goes to the resource of which there is least."""
    best = list(g.players[context.seat].goods[:RESOURCES])
    total = sum(numbers(options[0]))
    split = [0] * RESOURCES
    for _ in range(total):
        good = best.index(min(best))
        best[good] += 1
        split[good] += 1
    wanted = words("gain", split)
    return wanted if wanted in options else options[0]


class GainDeed(Deed[Gain]):
    """T-80"""

    def possible(self, g: Digs, context: Context, step: Gain) -> bool:
        return not step.per or amount_of(g, context, step) != Amount()

    def plain(self, g: Digs, context: Context, step: Gain) -> bool:
        amount = amount_of(g, context, step)
        if amount.free or step.others != NOTHING:
            return False
        glory = amount.goods[GLORY]
        asked = glory and context.seat == g.active and reaches_end(g, context.seat, glory)
        return not asked and not declining_pays(g, context)

    def options(self, g: Digs, context: Context, step: Gain, draft: Draft) -> list[Move]:
        if draft:
            return []
        amount = amount_of(g, context, step)
        return list(gain_words(amount.any)) if amount.any else ["gain"]

    def default(self, g: Digs, context: Context, step: Gain, draft: Draft) -> Move:
        found = self.options(g, context, step, ())
        return found[0] if found == ["gain"] else least_first(g, context, found)

    def take(self, g: Digs, context: Context, step: Gain, words: Draft) -> None:
        goods = amount_of(g, context, step).goods
        if words and words[0] != "gain":
            goods = added(goods, numbers(words[0]))
        happened = gain(g, context, goods)
        if step.others != NOTHING:  # T-87, T-137
            for seat in g.in_order(context.seat)[1:]:
                happened += [(f"gain {name}", seat, "", "") for name in g.gain(seat, step.others, context.card)]
        fire(g, context.above, *happened)


class ExchangeDeed(Deed[Exchange]):
    """T-81 Pay all of it, get all of it."""

    def possible(self, g: Digs, context: Context, step: Exchange) -> bool:
        return bool(prices(g.players[context.seat], step))

    def options(self, g: Digs, context: Context, step: Exchange, draft: Draft) -> list[Move]:
        amount = step.amount
        if not draft:
            found = list(pay_words(prices(g.players[context.seat], step)))
            if amount.other and (gold := words("pay", (0, 0, 0, 1))) in found:  # T-23
                found.remove(gold)
                found += [f"{gold} as {name}" for name in GOODS[:RESOURCES]]
            return found
        if len(draft) > 1 or not amount.free:
            return []
        spent = spent_type(draft[0]) if amount.other else -1
        return [words("gain", split) for split in splits(amount.free) if spent < 0 or not split[spent]]

    def take(self, g: Digs, context: Context, step: Exchange, words: Draft) -> None:
        g.pay(context.seat, paid_by(words[0], step.cost.goods[GLORY]), context.card)
        goods = step.amount.goods
        if step.amount.free:
            goods = added(goods, numbers(words[1]))
        happened, exchanged = gain(g, context, goods), ("exchange", context.seat, "", "")
        if step.times > 1 or step.again:  # one trigger for the whole step
            more = structs.replace(step, times=step.times - 1, again=True)
            ends = () if step.again else (SetsOff(context.above, (exchanged,)),)
            g.next(*([NextStep(context, more)] if more.times else []), *ends)
        else:
            happened.append(exchanged)
        fire(g, context.above, *happened)


def spent_type(word: Move) -> int:
    """Which type "pay 0 1 0 0" or "pay 0 0 0 1 as torch" spends."""
    _, _, name = word.partition(" as ")
    return GOODS.index(name) if name else numbers(word).index(1)


class ChooseDeed(Deed[Choose]):
    """One of two exchanges; if only one can be paid, it is offered alone."""

    def chosen(self, g: Digs, context: Context, step: Choose, draft: Draft) -> tuple[Exchange | None, Draft]:
        if draft and draft[0].startswith("choose "):
            return (step.first, step.second)[int(draft[0].split()[1]) - 1], draft[1:]
        able = [each for each in (step.first, step.second) if exchanging.possible(g, context, each)]
        return (able[0] if len(able) == 1 else None), draft

    def possible(self, g: Digs, context: Context, step: Choose) -> bool:
        return any(exchanging.possible(g, context, each) for each in (step.first, step.second))

    def options(self, g: Digs, context: Context, step: Choose, draft: Draft) -> list[Move]:
        exchange, rest = self.chosen(g, context, step, draft)
        return exchanging.options(g, context, exchange, rest) if exchange else ["choose 1", "choose 2"]

    def take(self, g: Digs, context: Context, step: Choose, words: Draft) -> None:
        exchange, rest = self.chosen(g, context, step, words)
        assert exchange is not None
        exchanging.take(g, context, exchange, rest)


class IfFewDeed(Deed[IfFew]):
    """T-170 Only asked whether it is possible: the effect settles it at its beginning."""

    def possible(self, g: Digs, context: Context, step: IfFew) -> bool:
        return True


exchanging = ExchangeDeed()
DEEDS[Gain] = GainDeed()
DEEDS[Exchange] = exchanging
DEEDS[Choose] = ChooseDeed()
DEEDS[IfFew] = IfFewDeed()
