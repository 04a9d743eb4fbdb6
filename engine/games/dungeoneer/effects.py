"""What cards do: one step that carries out effects one by one. Other modules add their verbs with `verb`."""

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, TypeVar

from engine import Ask, Draft, Move, Step
from engine.games.dungeoneer import battle_facts, facts
from engine.games.dungeoneer.cards import HEALTH, Adventure, Effect
from engine.games.dungeoneer.state import Delve

PASS = "pass"
Verb = Callable[[Delve, "Apply", Effect], None]
VERBS: dict[str, Verb] = {}
V = TypeVar("V", bound=Verb)


def verb(name: str) -> Callable[[V], V]:
    """Register what carries out this verb."""

    def registered(does: V) -> V:
        VERBS[name] = does
        return does

    return registered


class Apply(Step["Delve"], frozen=True):
    """D-91, D-100 Effects are carried out one after the other, for this seat's hero."""

    seat: int
    effects: tuple[Effect, ...]
    source: str  # the card, location or quest whose text it is
    by: int = -1  # D-95 who controls it
    foe: int = -1  # the monster of the group that strikes
    aim: str = ""  # what was chosen when it was played
    strike: bool = False

    def do(self, g: Delve) -> None:
        if not self.effects:
            return
        first, *rest = self.effects
        if rest:
            g.next(Apply(self.seat, tuple(rest), self.source, self.by, self.foe, self.aim, self.strike))
        VERBS[first.do](g, self, first)


# Asks -----------------------------------------------------------------------------------------------------------------


class TurnAsk(Ask["Delve"], frozen=True):
    """An ask whose scope is the turn."""

    def scope(self, g: Delve) -> str:
        return f"turn {g.turn}" if g.turn else ""

    def frugal(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        """D-113"""
        return [self.default(g, seat, draft)]


class Choose(TurnAsk, frozen=True):
    """One seat chooses one move. Nobody is asked if there is only one or none. D-113 The first is the default."""

    forced: ClassVar[bool] = True

    seat: int

    def who(self, g: Delve) -> list[int]:
        return [self.seat] if self.options(g, self.seat, ()) else []

    def take(self, g: Delve, answers: dict[int, Draft]) -> None:
        for (word,) in answers.values():
            self.chosen(g, word)

    def chosen(self, g: Delve, word: Move) -> None:
        raise NotImplementedError


class ChooseHidden(Choose, frozen=True):
    """A choice that depends on hidden cards. `who` must not depend on these, so `offer` checks once, before the ask,
    whether there is anything to choose."""

    forced: ClassVar[bool] = False

    def who(self, g: Delve) -> list[int]:
        return [self.seat]


def offer(g: Delve, ask: ChooseHidden) -> None:
    words = ask.options(g, ask.seat, ())
    if len(words) > 1:
        g.next(ask)
    elif words:
        ask.chosen(g, words[0])


class Moment(TurnAsk, frozen=True):
    """D-94 One seat may answer, repeatedly until it passes. Whether it is asked follows from what everybody can see."""

    hush: ClassVar[bool] = True
    no: ClassVar[str] = PASS

    seat: int

    def who(self, g: Delve) -> list[int]:
        return [self.seat] if self.fits(g) else []

    def heeds(self, g: Delve, seat: int, order: str) -> bool:
        hit = seat == g.active or is_pressing(g, seat, self.plays(g))
        return order == "able" or (order == "hit" and hit)

    def fits(self, g: Delve) -> bool:
        """Whether the seat could have something to play, as far as everybody can see."""
        raise NotImplementedError

    def plays(self, g: Delve) -> list[Move]:
        raise NotImplementedError

    def play(self, g: Delve, word: Move) -> None:
        raise NotImplementedError

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        return [self.no, *self.plays(g)]

    def opens(self, g: Delve, answers: dict[int, Draft]) -> list[int]:
        """A pass is not revealed."""
        return [seat for seat, draft in answers.items() if draft != (self.no,)]

    def take(self, g: Delve, answers: dict[int, Draft]) -> None:
        for (word,) in answers.values():
            g.next(self)
            self.play(g, word)


def is_pressing(g: Delve, seat: int, words: Sequence[Move]) -> bool:
    """Whether a player whose hero is hit should be asked even in a rival's turn, if these words can be said. Cards for
    any moment serve in one's own turn as well; they can wait, unless the hero may be defeated or the game may end."""
    cards = [word.split()[1] for word in words if word.startswith("play ")]
    waiting = len(cards) == len(words) and all(g.card(card).timing == "any" for card in cards)
    return not waiting or g.delvers[seat].hp == 1 or g.round == g.last


# Playing cards --------------------------------------------------------------------------------------------------------


def could_hold(g: Delve, seat: int, cards: Iterable[Adventure]) -> list[Adventure]:
    """Those of these cards that this seat may have in hand, as far as everybody can see."""
    delver = g.delvers[seat]
    if len(delver.hand) <= len(delver.known):
        return []
    return [card for card in cards if out_of_sight(g, card)]


def out_of_sight(g: Delve, card: Adventure) -> bool:
    """Whether a copy of this card may be in a hand or in a deck."""
    return card.copies > sum(seen == card.name for seen in in_sight(g))


def in_sight(g: Delve) -> Iterable[str]:
    """Every adventure card whose place everybody knows."""
    yield from g.waiting
    for pile in g.discards.values():
        yield from pile
    if g.group:
        for foe in g.group.foes:
            if foe.source != "quest" and not foe.gone:
                yield foe.card
            yield from foe.tucked
        for snare in g.group.snares:
            if not snare.gone:
                yield snare.card
    for delver in g.delvers:
        yield from delver.known
        yield from delver.prepared()
        for item in delver.lair:
            yield item.card
            yield from item.tucked


def glory_cards(g: Delve, seat: int, *verbs: str) -> list[Adventure]:
    """The instant glory cards with one of these verbs that this seat can pay."""
    known = [card for card in g.deck.adventures.values() if card.glory and any(card.does(verb) for verb in verbs)]
    return [card for card in known if card.duration == "instant" and card.cost <= g.delvers[seat].glory]


def in_hand(g: Delve, seat: int, cards: Iterable[Adventure]) -> list[Adventure]:
    hand = g.delvers[seat].hand
    return [card for card in cards if card.name in hand]


def jinxes(g: Delve, verb: str, victim: int) -> list[Adventure]:
    """The curses for any moment with this verb that the victim's peril can pay."""
    peril = g.delvers[victim].peril
    known = g.deck.adventures.values()
    return [card for card in known if card.type == "curse" and card.does(verb) and card.cost <= peril]


def pay_for(g: Delve, seat: int, card: Adventure, payer: int, target: int, aim: str = "") -> None:
    """D-14, D-15 The card leaves the hand and is paid: a glory card by its player, a peril card by `payer`."""
    g.leave_hand(seat, card.name)
    if card.glory:
        g.delvers[payer].glory -= card.cost
    else:
        g.delvers[payer].peril -= card.cost
    g.tell(facts.Played(seat, card.name, card.cost, payer, target, aim))


def play_instant(g: Delve, seat: int, name: str, target: int, aim: str = "") -> None:
    """D-12 An instant card works at once, on this seat's hero, and is discarded."""
    card = g.card(name)
    pay_for(g, seat, card, seat if card.glory else target, target, aim)
    g.discard(name)
    g.next(Apply(target, card.effects, name, by=seat, aim=aim))


def can_use_ability(g: Delve, seat: int, when: str) -> bool:
    delver = g.delvers[seat]
    ability = delver.card.ability
    return (
        when in ability.when
        and "ability" not in delver.used
        and delver.glory >= ability.glory
        and delver.has_ap(ability.ap)
        and all(useful(g, seat, effect) for effect in ability.effects)
    )


def use_ability(g: Delve, seat: int, more_glory: int = 0, aim: str = "") -> None:
    delver = g.delvers[seat]
    ability = delver.card.ability
    delver.used.append("ability")
    delver.glory -= ability.glory + more_glory
    delver.spend_ap(ability.ap)
    g.tell(facts.AbilityUsed(seat, ability.name, ability.glory + more_glory, ability.ap, aim))
    g.next(Apply(seat, ability.effects, ability.name, by=seat, aim=aim))


# Verbs that change a hero ---------------------------------------------------------------------------------------------

USEFUL: dict[str, Callable[[Delve, int, Effect], bool]] = {
    "heal": lambda g, seat, effect: g.delvers[seat].hp < HEALTH,
    "purge": lambda g, seat, effect: bool(g.delvers[seat].curses),
    "fall": lambda g, seat, effect: not g.delvers[seat].down,
    "draw": lambda g, seat, effect: bool(g.piles()),
}


def useful(g: Delve, seat: int, effect: Effect) -> bool:
    """D-111 Whether this effect could change something for this hero."""
    test = USEFUL.get(effect.do)
    return test is None or test(g, seat, effect)


@verb("heal")
def heal(g: Delve, step: Apply, effect: Effect) -> None:
    g.heal(step.seat, effect.n, step.source)


@verb("fall")
def fall(g: Delve, step: Apply, effect: Effect) -> None:
    g.fall(step.seat, step.source)


@verb("ap")
def gain_ap(g: Delve, step: Apply, effect: Effect) -> None:
    g.delvers[step.seat].ap += effect.n
    g.tell(facts.ApGained(step.seat, effect.n, step.source))


@verb("glory")
def gain_glory(g: Delve, step: Apply, effect: Effect) -> None:
    g.gain(step.seat, step.source, glory=effect.n)


@verb("lose_glory")
def lose_glory(g: Delve, step: Apply, effect: Effect) -> None:
    g.lose(step.seat, step.source, glory=effect.n)


@verb("peril")
def gain_peril(g: Delve, step: Apply, effect: Effect) -> None:
    g.gain(step.seat, step.source, peril=effect.n)


@verb("bonus")
def bonus(g: Delve, step: Apply, effect: Effect) -> None:
    stat = str(effect.stat)
    values = g.delvers[step.seat].bonus
    values[stat] = values.get(stat, 0) + effect.n
    g.tell(facts.Bonus(step.seat, stat, effect.n, step.source))


@verb("steady")
@verb("doom")
def change_threat(g: Delve, step: Apply, effect: Effect) -> None:
    """D-93 Declared before the roll."""
    if g.threat:
        if effect.do == "steady":
            g.threat.bonus += effect.n
        else:
            g.threat.number += effect.n


@verb("mend")
def mend(g: Delve, step: Apply, effect: Effect) -> None:
    foe = g.group.foes[step.foe] if g.group and step.foe >= 0 else None
    if foe and not foe.gone:
        foe.hp += effect.n
        g.tell(battle_facts.FoeHealed(step.foe, foe.card, effect.n, foe.hp))


class Purge(Choose, frozen=True):
    """The owner of the hero chooses the curse that is discarded."""

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        return list(dict.fromkeys(curse.card for curse in g.delvers[seat].curses))

    def chosen(self, g: Delve, word: Move) -> None:
        lift(g, self.seat, word)


def lift(g: Delve, seat: int, card: str) -> None:
    delver = g.delvers[seat]
    delver.curses.remove(next(curse for curse in delver.curses if curse.card == card))
    g.discard(card)
    g.tell(facts.Discarded(seat, (card,), "curse"))


@verb("purge")
def purge(g: Delve, step: Apply, effect: Effect) -> None:
    g.next(Purge(step.seat))


class Draw(Choose, frozen=True):
    """D-48, D-109 Draw one card, with two decks from the one that the player chooses."""

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        return g.piles()

    def chosen(self, g: Delve, word: Move) -> None:
        draw_card(g, self.seat, word)


def draw_card(g: Delve, seat: int, pile: str) -> None:
    """Nothing happens if neither this deck nor its discard pile has a card."""
    if pile in g.piles():
        g.delvers[seat].hand.append(g.draw(pile))
        g.tell(facts.Drew(seat, 1, pile))


@verb("draw")
def draw(g: Delve, step: Apply, effect: Effect) -> None:
    g.next(Draw(step.seat))


class DropCard(ChooseHidden, frozen=True):
    """Discard one card of the hand."""

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        return list(dict.fromkeys(g.deck.cheapest_first(g.delvers[seat].hand)))

    def chosen(self, g: Delve, word: Move) -> None:
        g.leave_hand(self.seat, word)
        g.discard(word)
        g.tell(facts.Discarded(self.seat, (word,), "hand"))


@verb("drop_card")
def drop_card(g: Delve, step: Apply, effect: Effect) -> None:
    offer(g, DropCard(step.seat))
