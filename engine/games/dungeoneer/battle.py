"""The stages of a battle: responses, checks, comparison, challenge."""

from collections.abc import Sequence
from typing import ClassVar

from engine import Draft, Move, Step
from engine.games.dungeoneer import battle_facts, facts
from engine.games.dungeoneer.cards import Adventure
from engine.games.dungeoneer.checks import Wound
from engine.games.dungeoneer.effects import (
    Apply,
    Choose,
    Moment,
    could_hold,
    draw_card,
    glory_cards,
    in_hand,
    play_instant,
)
from engine.games.dungeoneer.quests import Complete
from engine.games.dungeoneer.response import Respond, fight, foe_of, hero_of, remove_foe
from engine.games.dungeoneer.state import Attack, Battle, Delve, Foe


def begin(g: Delve, battle: Battle) -> None:
    """D-50 Put stages I to VI of this battle on the agenda."""
    assert g.group
    g.group.battles.append(battle)
    g.tell(
        battle_facts.BattleBegan(
            battle.at, tuple(attack_told(g, attack) for attack in battle.attacks), battle.challenge
        )
    )
    g.next(Responses(), Rolls(), EndBattle())


def attack_told(g: Delve, attack: Attack) -> battle_facts.AttackTold:
    foe = foe_of(g, attack.by)
    return battle_facts.AttackTold(attack.by, foe.card if foe else "", attack.on, attack.form)


class Responses(Step["Delve"], frozen=True):
    """D-53 The defenders answer one after another; a hero to whom an attack is redirected answers later."""

    def do(self, g: Delve) -> None:
        _, battle = fight(g)
        for seat in battle.defenders:
            if seat not in battle.answered and g.delvers[seat].alive:
                battle.answered.append(seat)
                g.next(Respond(seat), self)
                return


class Rolls(Step["Delve"], frozen=True):
    """D-54 All attack dice in declared order, then all counter dice."""

    def do(self, g: Delve) -> None:
        _, battle = fight(g)
        for attack in battle.attacks:
            attack.off = attack.off or not takes_place(g, battle, attack)
        rolled = [(n, attack) for n, attack in enumerate(battle.attacks) if not attack.off]
        for n, attack in rolled:
            die, (value, more) = g.die(), attack_value(g, attack)
            attack.total = die + max(0, value + more)
            g.tell(battle_facts.AttackRolled(n, attack.by, attack.on, attack.form, die, value, more, attack.total))
        for n, attack in rolled:
            die, (value, more) = g.die(), counter_value(g, attack)
            attack.counter = die + max(0, value + more)
            g.tell(battle_facts.CounterRolled(n, attack.on, attack.form, die, value, more, attack.counter))
        g.next(*[Compare(n) for n, _ in rolled], *([] if battle.challenge else [Challenges()]))


def takes_place(g: Delve, battle: Battle, attack: Attack) -> bool:
    """D-41, D-53 Whether both sides are still in play and their heroes still in the battle's location."""
    for side in (attack.by, attack.on):
        foe = foe_of(g, side)
        if foe:
            if foe.gone:
                return False
        else:
            delver = g.delvers[hero_of(side)]
            if not delver.alive or delver.at != battle.at:
                return False
    return True


def attack_value(g: Delve, attack: Attack) -> tuple[int, int]:
    """D-54 The printed or current value in the form, and what is added to it in this attack."""
    foe = foe_of(g, attack.by)
    if not foe:
        delver = g.delvers[hero_of(attack.by)]
        return delver.value(attack.form), delver.extra(f"attack_{attack.form}") + attack.bonus
    kind, at = foe.monster.kind, fight(g)[1].at
    more = sum(g.card(card).gives.attack for card in foe.tucked) - attack.malus
    seat = hero_of(attack.on)
    if seat >= 0:
        more += g.deck.locations[at].helps == kind
        more += sum(g.deck.quests[quest].helps == kind for quest in g.affecting(seat))
    return foe.monster.value(attack.form), more


def counter_value(g: Delve, attack: Attack) -> tuple[int, int]:
    foe = foe_of(g, attack.on)
    if foe:
        return foe.monster.value(attack.form), 0
    delver = g.delvers[hero_of(attack.on)]
    return delver.value(attack.form), delver.extra(f"counter_{attack.form}") + attack.parry


class Compare(Step["Delve"], frozen=True):
    """D-55 The higher total strikes; equal totals do nothing."""

    attack: int

    def do(self, g: Delve) -> None:
        attack = fight(g)[1].attacks[self.attack]
        by, on = foe_of(g, attack.by), foe_of(g, attack.on)
        if attack.off or (by and by.gone) or (on and on.gone):
            return
        won = "" if attack.total == attack.counter else attack.by if attack.total > attack.counter else attack.on
        g.tell(battle_facts.Compared(self.attack, attack.total, attack.counter, won))
        if won == attack.by:
            strike(g, attack, attack.by, attack.on, counter=False)
        elif won:
            strike(g, attack, attack.on, attack.by, counter=True)


def strike(g: Delve, attack: Attack, by: str, on: str, counter: bool) -> None:
    """D-55, D-59 An attacking monster's strike does what its text says; every other strike is a plain wound."""
    striker, struck, victim = foe_of(g, by), foe_of(g, on), hero_of(on)
    text = striker.monster.strike(attack.form) if striker and not counter else ()
    if struck:  # D-64 against a monster only the wounds of a strike text count
        wounds = sum(effect.n for effect in text if effect.do == "wound") if text else 1
        hurt_foe(g, on, struck, wounds, hero_of(by), attack.form)
    elif text and striker:
        g.next(Apply(victim, text, striker.card, by=striker.owner, foe=int(by[1:]), strike=True))
    elif striker:
        g.next(Wound(victim, striker.card, strike=True, foe=int(by[1:])))
    elif g.delvers[victim].escorts:
        g.next(StrikeHero(hero_of(by), victim))
    else:
        g.next(Wound(victim, g.delvers[hero_of(by)].hero, strike=True))


def hurt_foe(g: Delve, side: str, foe: Foe, wounds: int, seat: int, form: str) -> None:
    """D-56, D-62 Wounds on a monster bring the hero glory in the reward stage; quest monsters bring none."""
    group, _ = fight(g)
    foe.hp = max(0, foe.hp - wounds)
    foe.wounded = True
    g.tell(battle_facts.FoeWounded(side, foe.card, wounds, foe.hp, seat))
    if foe.source == "quest":
        hunter = g.delvers[foe.target]
        hunter.hurt[foe.card] = hunter.hurt.get(foe.card, 0) + wounds
    elif seat >= 0:
        glory = 1 + g.delvers[seat].extra(f"trophy_{form}")
        group.trophies[seat] = group.trophies.get(seat, 0) + glory
    if not foe.hp:
        g.tell(battle_facts.FoeDefeated(side, foe.card, seat))
        remove_foe(g, foe)
        if foe.source == "quest":
            g.next(Complete(foe.target, foe.card))
        elif g.solo:
            draw_card(g, 0, "glory")  # D-107


class StrikeHero(Choose, frozen=True):
    """D-75 A hero that strikes another may take an escort instead of dealing the wound."""

    hero: int

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        return ["wound", *(f"escort {quest}" for quest in g.delvers[self.hero].escorts)]

    def chosen(self, g: Delve, word: Move) -> None:
        if word == "wound":
            g.next(Wound(self.hero, g.delvers[self.seat].hero, strike=True))
            return
        quest, thief, victim = word.split()[1], g.delvers[self.seat], g.delvers[self.hero]
        victim.quests.remove(quest)
        victim.escorts.remove(quest)
        thief.quests.append(quest)
        thief.escorts.append(quest)
        g.tell(facts.QuestStolen(self.seat, self.hero, quest))


# Stage VI -------------------------------------------------------------------------------------------------------------


class Challenges(Step["Delve"], frozen=True):
    """D-57, D-58 Each hero against whom an attack was rolled may start a challenge. The first defender is asked first,
    then the others in turn order."""

    def do(self, g: Delve) -> None:
        _, battle = fight(g)
        rolled = {hero_of(attack.on) for attack in battle.attacks if attack.total >= 0 and not attack.off}
        g.next(*[Challenge(seat) for seat in g.in_order(battle.defenders[0]) if seat in rolled])


class Challenge(Moment, frozen=True):
    """D-57 For 1 AP the hero may attack one that attacked it, or a hero in the same location."""

    no: ClassVar[str] = "decline"

    def ways(self, g: Delve, lent: int = 0) -> list[str]:
        """The ways to pay for a challenge, as the end of its word: "" with an AP, " lying" by lying down. `lent`: AP
        that a card would bring."""
        delver, (_, battle) = g.delvers[self.seat], fight(g)
        if not delver.alive or delver.at != battle.at or "battle" in delver.used:
            return []
        if (delver.ap + lent > 0 and not delver.down) or delver.spare:
            return [""]
        if delver.down or self.seat == g.active:
            return []
        limited = "limited" in g.variants and "lie" not in delver.used
        return [" lying"] if limited or ("fall_ap" in g.variants and not delver.kept) else []

    def targets(self, g: Delve, ways: list[str]) -> list[tuple[str, str]]:
        """D-57 The monsters that attacked it and are still in play; the heroes beside it, but (V-8) only those that
        attacked it if it lies down for this."""
        group, battle = fight(g)
        mine = {
            attack.by
            for attack in battle.attacks
            if attack.on == f"h{self.seat}" and attack.total >= 0 and not attack.off
        }
        found = [f"monster {n}" for n, foe in enumerate(group.foes, 1) if f"m{n - 1}" in mine and not foe.gone]
        if not g.deck.locations[battle.at].truce:
            found += [f"hero {other}" for other in g.heroes_at(battle.at) if other != self.seat]
        only = {f"hero {hero_of(side)}" for side in mine}
        return [
            (target, way)
            for target in found
            for way in ways
            if target.startswith("monster") or way == "" or "limited" in g.variants or target in only
        ]

    def helpers(self, g: Delve) -> list[Adventure]:
        """D-94 Cards that may be played before the challenge: for an AP, or for a value that the hero attacks with."""
        now = bool(self.targets(g, self.ways(g)))
        found = []
        for card in glory_cards(g, self.seat, "ap", "bonus"):
            effect = card.effects[0]
            if (effect.do == "ap" and self.targets(g, self.ways(g, lent=effect.n))) or (
                effect.do == "bonus" and now and effect.stat in g.delvers[self.seat].card.attacks
            ):
                found.append(card)
        return found

    def fits(self, g: Delve) -> bool:
        return bool(self.targets(g, self.ways(g))) or bool(could_hold(g, self.seat, self.helpers(g)))

    def plays(self, g: Delve) -> list[Move]:
        words = [
            f"attack {target} {form}{spark}{way}"
            for target, way in self.targets(g, self.ways(g))
            for form, spark in forms(g, self.seat)
        ]
        return words + [f"play {card.name}" for card in in_hand(g, self.seat, self.helpers(g))]

    def play(self, g: Delve, word: Move) -> None:
        does, *rest = word.split()
        if does == "play":
            play_instant(g, self.seat, rest[0], self.seat)
            return
        if "lying" in rest:
            lie_down(g, self.seat)
        _, battle = fight(g)
        kind, number = rest[:2]
        on = f"m{int(number) - 1}" if kind == "monster" else f"h{number}"
        hero_attacks(g, self.seat, on, rest[2:], battle.at, challenge=True)


def forms(g: Delve, seat: int) -> list[tuple[str, str]]:
    """D-51 The forms in which this hero attacks, each without and with its ability."""
    delver = g.delvers[seat]
    ability = delver.card.ability
    ready = "attack" in ability.when and "ability" not in delver.used and delver.glory >= ability.glory
    return [
        (form, spark)
        for form in delver.card.attacks
        for spark in (["", f" {ability.name}"] if ready and ability.form == form else [""])
    ]


def lie_down(g: Delve, seat: int) -> None:
    """V-7, V-8 The hero lies down for an AP that is not for movement."""
    delver = g.delvers[seat]
    delver.down = True
    delver.spare += 1
    delver.used.append("lie")
    g.tell(facts.LayDown(seat))


def hero_attacks(g: Delve, seat: int, on: str, words: Sequence[str], at: str, challenge: bool) -> None:
    """D-49 Attack for 1 AP, once per turn. D-52 An ability for attacking is declared now. `words`: the form, and the
    ability if it is used."""
    delver = g.delvers[seat]
    ability = delver.card.ability
    attack = Attack(f"h{seat}", on, words[0])
    delver.used.append("battle")
    delver.spend_ap(1)
    if ability.name in words:
        attack.bonus = ability.bonus
        delver.used.append("ability")
        delver.glory -= ability.glory
        g.tell(facts.AbilityUsed(seat, ability.name, ability.glory, 0, ""))
    begin(g, Battle(at, [attack], [hero_of(on)] if hero_of(on) >= 0 else [], challenge=challenge))


class EndBattle(Step["Delve"], frozen=True):
    def do(self, g: Delve) -> None:
        fight(g)[0].battles.pop()
        g.tell(battle_facts.BattleEnded())
