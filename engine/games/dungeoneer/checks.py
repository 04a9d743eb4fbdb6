"""Threat checks and wounds, with the moments in which they can be changed; the sealed windows."""

from typing import ClassVar

from engine import Draft, Move, Step
from engine.games.dungeoneer import facts
from engine.games.dungeoneer.cards import HEALTH, Adventure, Effect
from engine.games.dungeoneer.effects import (
    PASS,
    Apply,
    Choose,
    Moment,
    TurnAsk,
    can_use_ability,
    could_hold,
    glory_cards,
    in_hand,
    is_pressing,
    jinxes,
    play_instant,
    use_ability,
    verb,
)
from engine.games.dungeoneer.ending import defeat
from engine.games.dungeoneer.inventory import discard_treasure
from engine.games.dungeoneer.state import Delve, Threat


class Window(TurnAsk, frozen=True):
    """D-94 W1 dawn, W2 check, W4 arrival: all who could act, as far as everybody can see, answer in secret. The first
    in turn order who does not pass acts, and they are asked again."""

    hush: ClassVar[bool] = True

    seat: int  # whose hero is concerned
    kind: str  # "dawn", "check" or "arrival"

    def who(self, g: Delve) -> list[int]:
        return [seat for seat in g.in_order() if self.fits(g, seat)]

    def fits(self, g: Delve, seat: int) -> bool:
        if seat == self.seat and self.kind == "check" and can_use_ability(g, seat, "check"):
            return True
        return bool(could_hold(g, seat, self.cards(g, seat)))

    def cards(self, g: Delve, seat: int) -> list[Adventure]:
        """The cards that may be played here if they are in the hand."""
        if seat != self.seat:
            if self.kind == "check":
                return jinxes(g, "doom", self.seat)
            return [] if g.delvers[self.seat].down else jinxes(g, "fall", self.seat)
        if self.kind == "check" and g.threat and g.threat.stat == "speed":
            return glory_cards(g, seat, "bonus")
        return []

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        words = [PASS]
        for card in in_hand(g, seat, self.cards(g, seat)):
            words.append(f"play {card.name}" if card.glory else f"play {card.name} {self.seat}")
        if seat == self.seat and self.kind == "check" and can_use_ability(g, seat, "check"):
            words.append("ability")
        return words

    def heeds(self, g: Delve, seat: int, order: str) -> bool:
        hit = seat == self.seat and is_pressing(g, seat, self.options(g, seat, ())[1:])
        return order == "able" or (order == "hit" and (hit or seat == g.active))

    def opens(self, g: Delve, answers: dict[int, Draft]) -> list[int]:
        acting = [seat for seat in g.in_order() if answers.get(seat, (PASS,)) != (PASS,)]
        return acting[:1]

    def take(self, g: Delve, answers: dict[int, Draft]) -> None:
        for seat, (word,) in answers.items():
            g.next(self)
            if word == "ability":
                use_ability(g, seat)
            else:
                play_instant(g, seat, word.split()[1], self.seat)


# Threats --------------------------------------------------------------------------------------------------------------


class Check(Step["Delve"], frozen=True):
    """D-66, D-67 A hero checks a value against a number; effects for failing and for overcoming the threat follow."""

    seat: int
    stat: str
    number: int
    source: str
    fail: tuple[Effect, ...] = ()
    success: tuple[Effect, ...] = ()
    by: int = -1

    def do(self, g: Delve) -> None:
        g.threat = Threat(self.seat, self.stat, self.number, self.source)
        for card in [card for card in g.waiting if g.card(card).does("doom")]:  # D-105
            g.waiting.remove(card)
            g.discard(card)
            g.threat.number += sum(effect.n for effect in g.card(card).effects)
        g.next(Window(self.seat, "check"), RollThreat(self.seat, self.fail, self.success, self.by))


class RollThreat(Step["Delve"], frozen=True):
    """D-66 One die and the value reach the number, or not."""

    seat: int
    fail: tuple[Effect, ...]
    success: tuple[Effect, ...]
    by: int

    def do(self, g: Delve) -> None:
        assert g.threat
        threat, g.threat, hero = g.threat, None, g.delvers[self.seat]
        die, value = g.die(), hero.value(threat.stat)
        more = threat.bonus + hero.extra(f"threat_{threat.stat}")
        total = die + value + more
        g.passed = total >= threat.number
        g.tell(facts.Checked(self.seat, threat.source, threat.stat, die, value, more, total, threat.number, g.passed))
        g.next(Apply(self.seat, self.success if g.passed else self.fail, threat.source, by=self.by))


@verb("check")
def check(g: Delve, step: Apply, effect: Effect) -> None:
    """D-86 The number of a trap is raised by the danger of the location; `aim` says by how much."""
    number = (effect.number or 0) + int(step.aim or 0)
    g.next(Check(step.seat, str(effect.stat), number, step.source, effect.fail, effect.success, step.by))


class Victim(Choose, frozen=True):
    """The player names a living hero, or a monster in a lair, that must overcome a threat."""

    source: str
    effect: Effect

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        heroes = [f"hero {other}" for other in g.in_order()]
        lairs = [f"lair {other} {n}" for other in g.in_order() for n, _ in enumerate(g.delvers[other].lair, 1)]
        return heroes + lairs

    def chosen(self, g: Delve, word: Move) -> None:
        kind, seat, *place = word.split()
        effect = self.effect
        if kind == "hero":
            g.next(Check(int(seat), str(effect.stat), effect.number or 0, self.source, effect.fail, (), by=self.seat))
            return
        item = g.delvers[int(seat)].lair[int(place[0]) - 1]
        monster = g.card(item.card).monster
        assert monster
        die, value = g.die(), monster.value(str(effect.stat))
        overcome = die + value >= (effect.number or 0)
        g.tell(facts.LairChecked(int(seat), item.card, die, value, die + value, effect.number or 0, overcome))
        if not overcome and monster.hp == 1 and monster.kind != "boss":  # D-60, D-65
            g.delvers[int(seat)].lair.remove(item)
            g.discard(item.card, *item.tucked)
            g.tell(facts.Discarded(int(seat), (item.card, *item.tucked), "lair"))


@verb("victim")
def victim(g: Delve, step: Apply, effect: Effect) -> None:
    g.next(Victim(step.seat, step.source, effect))


# Wounds ---------------------------------------------------------------------------------------------------------------


class Wound(Step["Delve"], frozen=True):
    """D-63 One wound on a hero. Its player may prevent it, or heal before it is taken, unless the wound is a price."""

    seat: int
    source: str
    strike: bool = False
    foe: int = -1  # the monster that deals it
    price: bool = False

    def do(self, g: Delve) -> None:
        g.prevented = False
        moment = () if self.price else (WoundMoment(self.seat, self.strike),)
        g.next(*moment, TakeWound(self.seat, self.source, self.foe))


class WoundMoment(Moment, frozen=True):
    """D-94 W3: before each wound."""

    strike: bool

    def healing(self, g: Delve) -> list[Adventure]:
        if g.delvers[self.seat].hp == HEALTH:
            return []
        return [card for card in glory_cards(g, self.seat, "heal") if card.timing == "any"]

    def wards(self, g: Delve) -> list[str]:
        delver = g.delvers[self.seat]
        found = []
        for item in delver.treasures:
            ward = g.card(item.card).ward
            if not ward or ward.glory > delver.glory or (ward.strikes and not self.strike):
                continue
            if ward.discard or item.card not in delver.used:
                found.append(item.card)
        return found

    def fits(self, g: Delve) -> bool:
        if g.prevented:
            return False
        if self.wards(g) or can_use_ability(g, self.seat, "wound"):
            return True
        return bool(could_hold(g, self.seat, self.healing(g)))

    def plays(self, g: Delve) -> list[Move]:
        words = [f"use {card}" for card in self.wards(g)]
        words += [f"play {card.name}" for card in in_hand(g, self.seat, self.healing(g))]
        return words + ["ability"] * can_use_ability(g, self.seat, "wound")

    def play(self, g: Delve, word: Move) -> None:
        if word == "ability":
            use_ability(g, self.seat)
            return
        does, card = word.split()
        if does == "play":
            play_instant(g, self.seat, card, self.seat)
            return
        ward, delver = g.card(card).ward, g.delvers[self.seat]
        assert ward
        g.prevented = True
        delver.glory -= ward.glory
        delver.used.append(card)
        g.tell(facts.Prevented(self.seat, card, ward.glory))
        if ward.discard:
            discard_treasure(g, self.seat, card)


class TakeWound(Step["Delve"], frozen=True):
    """D-55, D-56 The wound is taken; at 0 health the hero is defeated."""

    seat: int
    source: str
    foe: int

    def do(self, g: Delve) -> None:
        if g.prevented:
            g.prevented = False
            return
        delver = g.delvers[self.seat]
        delver.hp -= 1
        g.tell(facts.Wounded(self.seat, delver.hp, self.source))
        if self.foe >= 0 and g.group and g.group.foes[self.foe].source != "quest":
            g.group.bites += 1  # D-62
        if not delver.hp:
            defeat(g, self.seat)


@verb("wound")
def wound(g: Delve, step: Apply, effect: Effect) -> None:
    g.next(*[Wound(step.seat, step.source, step.strike, step.foe)] * effect.n)
