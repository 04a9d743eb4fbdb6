"""How steps of effects are carried out: the interpreter on the agenda, and what every kind of step defines."""

from typing import Any, Generic, TypeVar

from engine import Ask, Draft, Move, Step
from engine.games.tomb import facts
from engine.games.tomb.cards import CARDS
from engine.games.tomb.effects import GLORY, AnyStep, EffectStep, Gain, IfFew
from engine.games.tomb.state import Context, Digs

SKIP = "skip"
SECRET_GLORY = 2  # T-161

E = TypeVar("E", bound=EffectStep)


class Deed(Generic[E]):
    """What one kind of step does. Only `take` changes the state."""

    counts = True  # T-85 whether doing this step counts as applying it; else the effects that it runs decide

    def possible(self, g: Digs, context: Context, step: E) -> bool:
        """T-84"""
        raise NotImplementedError

    def plain(self, g: Digs, context: Context, step: E) -> bool:
        """Whether there is nothing to choose, and nobody would decline it."""
        return False

    def options(self, g: Digs, context: Context, step: E, draft: Draft) -> list[Move]:
        """The words that may come next; none when the answer is complete."""
        return []

    def take(self, g: Digs, context: Context, step: E, words: Draft) -> None:
        raise NotImplementedError

    def default(self, g: Digs, context: Context, step: E, draft: Draft) -> Move:
        """T-146 Skip, unless a step is only a gain."""
        return self.options(g, context, step, draft)[0] if draft else SKIP


DEEDS: dict[type[EffectStep], Deed[Any]] = {}  # by kind of step


def deed_of(step: EffectStep) -> Deed[Any]:
    return DEEDS[type(step)]


def possible(g: Digs, context: Context, step: EffectStep) -> bool:
    return deed_of(step).possible(g, context, step)


def any_possible(g: Digs, context: Context) -> bool:
    """T-101 Whether the context's card could do anything."""
    return any(possible(g, context, step) for step in g.effect(context).steps)


def child(context: Context, card: str, cause: str = "applied", place: str = "", about: str = "") -> Context:
    """T-100 The context of an effect that another effect runs."""
    return Context(context.seat, card, cause, place, about, (*context.above, card))


# On the agenda ------------------------------------------------------------------------------------------------------


class Resolve(Step["Digs"], frozen=True):
    """T-53 An effect begins: its steps come one after another, in printed order."""

    context: Context
    pays: int | None = None  # T-120 the seat that gains 1 glory if a step is applied
    helper: Context | None = None  # T-120 the helper that put this effect in place of another

    def do(self, g: Digs) -> None:
        context = self.context
        g.applied.append(False)
        steps = [NextStep(context, settle(g, context, step)) for step in g.effect(context).steps]
        g.next(*steps, EndEffect(context, self.pays, self.helper))


def settle(g: Digs, context: Context, step: AnyStep) -> AnyStep:
    """T-170 Choose the branch of an `IfFew` step by the goods that the player has before the whole effect; return other
    steps unchanged."""
    if isinstance(step, IfFew):
        return step.few if g.players[context.seat].goods[step.good] < step.under else step.enough
    return step


class NextStep(Step["Digs"], frozen=True):
    """T-84 to T-86 A step that is not possible is passed over; one without a choice is carried out."""

    context: Context
    step: AnyStep

    def do(self, g: Digs) -> None:
        deed = deed_of(self.step)
        if deed.possible(g, self.context, self.step):
            if deed.plain(g, self.context, self.step):
                carry_out(g, self.context, self.step, ())
            else:
                g.next(Decide(self.context, self.step))


class EndEffect(Step["Digs"], frozen=True):
    """An effect is over; what ran it learns whether a step was applied."""

    context: Context
    pays: int | None = None
    helper: Context | None = None

    def do(self, g: Digs) -> None:
        context, applied = self.context, g.applied.pop()
        if not applied:
            if context.cause == "chest":
                put_away(g, context)
            return
        match context.cause:
            case "lift":
                g.effective = True
            case "applied":
                g.applied[-1] = True
                if context.card in g.secret:
                    g.next(TurnOver(context.place))
                elif context.card in CARDS and CARDS[context.card].limited:
                    g.fired[context.card] = context  # T-123
            case "chest":
                put_away(g, context)
                fire(g, context.above, ("chest_use", context.seat, "", ""))
            case "hired":
                pass
            case _:
                g.fired[context.card] = context
        if self.helper:
            g.fired[self.helper.card] = self.helper
        if self.pays is not None:
            g.honour(self.pays, 1, "neighbour", context.place, context.card)


def put_away(g: Digs, context: Context) -> None:
    """T-60 The used chest is turned face down after its last step."""
    player = g.players[context.seat]
    player.chests.remove(context.card)
    player.used.append(context.card)
    g.tell(facts.ChestUsed(context.seat, context.card))


def carry_out(g: Digs, context: Context, step: EffectStep, words: Draft) -> None:
    deed = deed_of(step)
    if deed.counts:
        g.applied[-1] = True
    deed.take(g, context, step, words)


class TombAsk(Ask["Digs"], frozen=True):
    """An ask of the active player. Its scope is the turn."""

    forced = True

    def who(self, g: Digs) -> list[int]:
        return [g.active] if self.options(g, g.active, ()) else []

    def scope(self, g: Digs) -> str:
        return f"turn {g.turn}"

    def frugal(self, g: Digs, seat: int, draft: Draft) -> list[Move]:
        """T-146"""
        return [self.default(g, seat, draft)]

    def take(self, g: Digs, answers: dict[int, Draft]) -> None:
        self.choose(g, answers.get(g.active, ()))

    def choose(self, g: Digs, words: Draft) -> None:
        """Carry out the answer; `words` is empty if nothing is possible."""
        raise NotImplementedError


class TurnOver(TombAsk, frozen=True):
    """T-161, T-162 After an entrance with a token: spend 2 glory to turn it over. T-165, T-166 It is no room, but takes
    an ownership token."""

    slot: str

    def options(self, g: Digs, seat: int, draft: Draft) -> list[Move]:
        player = g.players[seat]
        able = g.entrances[self.slot] in g.secret and player.goods[GLORY] >= SECRET_GLORY and player.tokens
        return ["yes", "no"] if able else []

    def default(self, g: Digs, seat: int, draft: Draft) -> Move:
        return "no"

    def choose(self, g: Digs, words: Draft) -> None:
        if words == ("yes",):
            seat, card = g.active, g.entrances[self.slot]
            g.pay(seat, (0, 0, 0, 0, SECRET_GLORY), card)
            g.secret.remove(card)
            g.turned[card] = seat
            g.players[seat].tokens -= 1
            g.tell(facts.TurnedOver(seat, self.slot, card))


class Decide(TombAsk, frozen=True):
    """T-53 Every step may be skipped on its own."""

    context: Context
    step: AnyStep

    def who(self, g: Digs) -> list[int]:
        return [g.active]

    def options(self, g: Digs, seat: int, draft: Draft) -> list[Move]:
        words = deed_of(self.step).options(g, self.context, self.step, draft)
        return words if draft else [*words, SKIP]

    def unfinished(self, g: Digs, seat: int, draft: Draft) -> bool:
        if not draft:
            return True
        return draft[-1] != SKIP and bool(deed_of(self.step).options(g, self.context, self.step, draft))

    def default(self, g: Digs, seat: int, draft: Draft) -> Move:
        return deed_of(self.step).default(g, self.context, self.step, draft)

    def choose(self, g: Digs, words: Draft) -> None:
        if words != (SKIP,):
            carry_out(g, self.context, self.step, words)


# Triggers -----------------------------------------------------------------------------------------------------------

LISTENERS = {card.id: card.effect for card in CARDS.values() if card.effect.on and not card.effect.instead}
Happening = tuple[str, int, str, str]  # what happened (as in `Effect.on`), to which seat, at which cell, to which card


def fire(g: Digs, above: tuple[str, ...], *happenings: Happening) -> None:
    """T-95, T-98 Put on the agenda what these events trigger. T-96 A helper never triggers on what it has set off
    itself, T-78 nor on its own hiring."""
    if not happenings:
        return
    waiting: list[Context] = []
    for seat in g.in_order(g.active):
        for helper in g.helpers_of(seat):
            effect = LISTENERS.get(helper)
            if effect and helper not in above:
                for on, who, place, about in happenings:
                    if on == effect.on and who == seat and helper != about and g.lifts >= effect.least:
                        waiting.append(Context(seat, helper, on, place, about, (*above, helper)))
    if waiting:
        g.next(Triggers(tuple(waiting)))


class SetsOff(Step["Digs"], frozen=True):
    """Fires these events once the steps before it are done."""

    above: tuple[str, ...]
    happenings: tuple[Happening, ...]

    def do(self, g: Digs) -> None:
        fire(g, self.above, *self.happenings)


class Triggers(Step["Digs"], frozen=True):
    """T-97, T-98 The active player's helpers first; of each player first what needs no choice, in order of hiring, then
    the others, in an order that the player chooses. T-101 What can do nothing when its turn comes is passed over."""

    waiting: tuple[Context, ...]

    def do(self, g: Digs) -> None:
        if not self.waiting:
            return
        seat = self.waiting[0].seat
        own = [context for context in self.waiting if context.seat == seat]
        others = tuple(context for context in self.waiting if context.seat != seat)
        able = [context for context in own if able_to_trigger(g, context)]
        chosen = next((context for context in able if without_choice(g, context)), None)
        if chosen is None and len(able) == 1:
            chosen = able[0]
        if chosen is not None:
            # What cannot do anything yet keeps waiting: this one may make it possible.
            g.next(Resolve(chosen), Triggers((*(one for one in own if one is not chosen), *others)))
        elif able:
            g.next(Trigger(tuple(own)), Triggers(others))
        else:
            g.next(Triggers(others))


def able_to_trigger(g: Digs, context: Context) -> bool:
    """T-101 Something is possible. T-113 Some only once a turn."""
    if context.card not in g.helpers_of(context.seat) or (CARDS[context.card].limited and context.card in g.fired):
        return False
    return any_possible(g, context)


def without_choice(g: Digs, context: Context) -> bool:
    """T-97 Only gains, and nobody would decline one of them."""
    steps = [step for step in g.effect(context).steps if possible(g, context, step)]
    return all(isinstance(step, Gain) and deed_of(step).plain(g, context, step) for step in steps)


class Trigger(TombAsk, frozen=True):
    """T-98 Several of the player's helpers wait: which is next? Declining drops those that are left."""

    waiting: tuple[Context, ...]  # also those that can do nothing yet

    def offers(self, g: Digs) -> dict[Move, Context]:
        """One helper may wait for several events."""
        able = [context for context in self.waiting if able_to_trigger(g, context)]
        cards = [context.card for context in able]
        names = [
            f"use {card}" if cards.count(card) == 1 else f"use {card} {cards[:n].count(card) + 1}"
            for n, card in enumerate(cards)
        ]
        return dict(zip(names, able, strict=True))

    def options(self, g: Digs, seat: int, draft: Draft) -> list[Move]:
        return [*self.offers(g), "decline"]

    def default(self, g: Digs, seat: int, draft: Draft) -> Move:
        return "decline"

    def choose(self, g: Digs, words: Draft) -> None:
        if words != ("decline",):
            chosen = self.offers(g)[words[0]]
            g.next(Resolve(chosen), Triggers(tuple(one for one in self.waiting if one is not chosen)))
