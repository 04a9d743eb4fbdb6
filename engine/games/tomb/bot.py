"""The bot `digger`: it tries every answer in its own turn, plays on by simple rules, and takes the best outcome."""

from collections.abc import Iterator
from random import Random
from typing import Any

from engine import Draft, Move, Own, Shared
from engine.games.tomb.ahead import answer, fork, imagine
from engine.games.tomb.cards import CARDS, DECK
from engine.games.tomb.deeds import SKIP, Decide, Trigger, TurnOver
from engine.games.tomb.effects import (
    BorrowHelper,
    ChestSell,
    Choose,
    DoubleNext,
    Exchange,
    Gain,
    Hire,
    HireOrReserve,
    MovePaw,
    Open,
    Refresh,
    ReplaceSelf,
    Reserve,
    SwapHelper,
)
from engine.games.tomb.goods import payments
from engine.games.tomb.placing import AGAIN, TURN, look, plan_worth, plans, removal_worth
from engine.games.tomb.rules import ApplyLifted, Double, ExtraTurnOffer, LiftPaw, MainAction, Tomb
from engine.games.tomb.seen import Private, Public
from engine.games.tomb.worth import amount_worth, card_worth, price_worth, standing, turns_left

WORLDS = 2  # imagined decks over which an outcome is averaged
MOST_ANSWERS = 24
EXTRA_TURN = 2.5
LONGEST_TURN = 80


def digger(shared: Shared[Public], own: Own[Private], luck: Random) -> Move:
    if len(own.moves) == 1:
        return own.moves[0]
    worlds = [imagine(shared.public, own.seat, own.private, luck) for _ in range(WORLDS)]
    g, ask = worlds[0], worlds[0].todo[-1]
    if isinstance(ask, MainAction):
        return best_action(worlds, own.seat, own.moves)
    best, word = -1e9, own.moves[0]
    for words in answers(g, ask, own.seat, own.draft):
        value = sum(outcome(world, own.seat, words) for world in worlds)
        if value > best:
            best, word = value, words[len(own.draft)]
    return word


def best_action(worlds: list[Tomb], seat: int, moves: list[Move]) -> Move:
    """The action with the highest worth. Placements are valued by plans, the removal by playing it."""
    g = worlds[0]
    outlook, best = look(g, seat), dict[Move, float]()
    for slots in plans(g, seat):
        word, value = f"place {slots[0]}", plan_worth(g, seat, outlook, slots)
        if value > best.get(word, -1e9):
            best[word] = value
    if "remove" in moves:
        mine = [place for place, other in g.paws.items() if other == seat]
        before = standing(g, seat)
        tried = sum(outcome(world, seat, ("remove",)) for world in worlds) / len(worlds) - before
        best["remove"] = max(tried, removal_worth(g, seat, outlook, mine)) - TURN
    for word in ("decline", "pass"):
        if word in moves:
            best[word] = 0.0 if word == "decline" else -2.0
    if g.ended:  # the last action: only what counts at once
        best = {word: sum(outcome(world, seat, (word,)) for world in worlds) for word in moves}
    return max(moves, key=lambda word: best.get(word, -1e9))


# Answers ------------------------------------------------------------------------------------------------------------


def answers(g: Tomb, ask: Any, seat: int, draft: Draft) -> list[Draft]:
    """The answers worth trying that begin with this draft."""
    found = []
    for words in complete(g, ask, seat, draft):
        found.append(words)
        if len(found) == MOST_ANSWERS:
            break
    return found


def complete(g: Tomb, ask: Any, seat: int, draft: Draft) -> Iterator[Draft]:
    if draft and not ask.unfinished(g, seat, draft):
        yield draft
        return
    options = ask.options(g, seat, draft)
    if draft and options[0].startswith("pay "):
        options = options[:2]  # the cheapest ways
    if draft and draft[0].startswith("refresh "):
        options = ["done"] if "done" in options else options[:1]
    for word in options:
        yield from complete(g, ask, seat, (*draft, word))


def outcome(world: Tomb, seat: int, words: Draft) -> float:
    """How good the position is at the end of the turn if this answer is given."""
    g = fork(world)
    turn = g.turn
    answer(g, words)
    bonus = 0.0
    for _ in range(LONGEST_TURN):
        if not g.todo or g.turn != turn:
            break
        ask = g.todo[-1]
        if isinstance(ask, MainAction):
            bonus = AGAIN * (1 + g.extra_actions)
            break
        if isinstance(ask, ExtraTurnOffer):
            bonus = EXTRA_TURN
            break
        answer(g, quick(g, ask, seat))
    mine = [place for place, other in g.paws.items() if other == seat]
    if mine and g.todo and not g.ended:
        bonus += 0.5 * removal_worth(g, seat, look(g, seat), mine)
    return standing(g, seat) + bonus


# Simple rules for the rest of a turn ----------------------------------------------------------------------------------

EARLY, GAINS, TRADES, BUYS, LATE, BARE = range(6)
ORDER: dict[type, int] = {
    DoubleNext: EARLY, BorrowHelper: EARLY, Gain: GAINS, MovePaw: GAINS, Exchange: TRADES, Choose: TRADES,
    Reserve: TRADES, Refresh: TRADES, Open: BUYS, Hire: BUYS,
}  # fmt: skip


def quick(g: Tomb, ask: Any, seat: int) -> Draft:
    """An answer chosen by a simple rule. It may be incomplete; `answer` adds the first moves offered."""
    options = ask.options(g, seat, ())
    if isinstance(ask, LiftPaw):
        return (min(options, key=lambda word: lift_order(g, word)),)
    if isinstance(ask, Decide):
        return quick_step(g, ask, seat, options)
    if isinstance(ask, Trigger | Double | ExtraTurnOffer):
        return (options[0],)
    if isinstance(ask, ApplyLifted | TurnOver):
        return (options[-1],)
    return ()


def lift_order(g: Tomb, word: Move) -> int:
    act, _, what = word.partition(" ")
    if act == "finish":
        return BARE + 1
    if act == "use":
        return max((ORDER.get(type(step), LATE) for step in DECK.chests[what].steps), default=LATE)
    card = g.card_at(what)
    if not card:
        return BARE
    effect = CARDS[card].effect if card in CARDS else g.entrance_effect(card)
    return max((ORDER.get(type(step), LATE) for step in effect.steps), default=LATE)


def quick_step(g: Tomb, ask: Decide, seat: int, options: list[Move]) -> Draft:
    step = ask.step
    left = turns_left(g)
    if isinstance(step, Open | Hire | ReplaceSelf | HireOrReserve):
        discount = getattr(step, "discount", 0)
        best, word = 0.0, SKIP
        for option in options:
            verb, _, card = option.partition(" ")
            if verb in ("open", "hire", "replace"):
                value = card_worth(g, seat, card, left) - price_worth(payments(g, seat, card, discount)[0], left)
                if value > best:
                    best, word = value, option
        return (word,)
    if isinstance(step, Gain):
        return (ask.default(g, seat, ()),)
    if isinstance(step, Exchange):
        gain = amount_worth(step.amount) - amount_worth(step.cost)
        return (options[0],) if gain > 0 else (SKIP,)
    if isinstance(step, Reserve):
        player = g.players[seat]
        if len(player.camp) >= g.camp_limit(seat) or left < 4:
            return (SKIP,)
        cards = [option for option in options if option != SKIP]
        return (max(cards, key=lambda option: card_worth(g, seat, option.partition(" ")[2], left)),)
    if isinstance(step, Refresh | SwapHelper | MovePaw | ChestSell):
        return (SKIP,)
    return (options[0],)
