"""Stage II of a battle: what the defender plays against the attacks."""

from collections.abc import Iterator

from engine import Move
from engine.games.dungeoneer import facts
from engine.games.dungeoneer.cards import Adventure, Effect
from engine.games.dungeoneer.effects import (
    Apply,
    Moment,
    can_use_ability,
    could_hold,
    in_hand,
    play_instant,
    use_ability,
    verb,
)
from engine.games.dungeoneer.state import Attack, Battle, Delve, Foe, Group

ANSWERS = ("redirect", "banish", "parry", "smoke")


def fight(g: Delve) -> tuple[Group, Battle]:
    """The fight that is going on."""
    assert g.group
    return g.group, g.group.battles[-1]


def foe_of(g: Delve, side: str) -> Foe | None:
    """The monster of this side, if it is one."""
    return g.group.foes[int(side[1:])] if g.group and side[0] == "m" else None


def hero_of(side: str) -> int:
    """The seat of this side's hero; -1 if it is a monster."""
    return int(side[1:]) if side[0] == "h" else -1


def attacks_on(g: Delve, seat: int) -> list[tuple[int, Attack]]:
    """The attacks on this hero in the current battle, by their numbers from 1."""
    if not g.group or not g.group.battles:
        return []
    _, battle = fight(g)
    return [(n, attack) for n, attack in enumerate(battle.attacks, 1) if attack.on == f"h{seat}" and not attack.off]


def attackers(g: Delve, seat: int) -> Iterator[tuple[int, Foe]]:
    """The monsters that attack this hero, by the numbers of their attacks."""
    for n, attack in attacks_on(g, seat):
        foe = foe_of(g, attack.by)
        if foe and not foe.gone:
            yield n, foe


def can_be_banished(foe: Foe, effect: Effect) -> bool:
    """D-65 A boss cannot be discarded; D-73 nor can a quest monster."""
    kind = foe.monster.kind
    return foe.source != "quest" and kind != "boss" and (not effect.kinds or kind in effect.kinds)


def aims(g: Delve, seat: int, effect: Effect, priced: bool = False) -> list[tuple[str, int]]:
    """How this effect can be used by this defender, each with the cost of the monster concerned. `priced`: the
    defender pays that cost. Monsters of quests have no cost, so they are left out then."""
    if effect.do == "parry":
        return [(str(n), 0) for n, _ in attacks_on(g, seat)]
    if effect.do == "smoke":
        return [("", 0)] if any(True for _ in attackers(g, seat)) else []
    if effect.do == "banish":
        return [(str(n), foe.cost) for n, foe in attackers(g, seat) if can_be_banished(foe, effect)]
    found = []
    for n, foe in attackers(g, seat):
        if (priced and foe.source == "quest") or (effect.kinds and foe.monster.kind not in effect.kinds):
            continue
        found += [(f"{n} {goal}", foe.cost) for goal in detours(g, seat, foe)]
    return found


def detours(g: Delve, seat: int, foe: Foe) -> list[str]:
    """D-53 Where an attack can be led: nowhere, to heroes that have not yet answered, or to monsters of the group."""
    group, battle = fight(g)
    if foe.source == "quest":
        return ["ignore"]
    heroes = [f"hero {other}" for other in g.heroes_at(battle.at) if other != seat and other not in battle.answered]
    others = [f"monster {n}" for n, other in enumerate(group.foes, 1)
              if other is not foe and not other.gone and other.at == battle.at]  # fmt: skip
    return ["ignore", *heroes, *others]


class Respond(Moment, frozen=True):
    """D-53 Response cards and effects, one after the other, and then a pass."""

    def cards(self, g: Delve) -> list[Adventure]:
        """The cards that would do something here and can be paid."""
        glory = g.delvers[self.seat].glory
        found = []
        for card in g.deck.adventures.values():
            if not card.glory or card.cost > glory or card.duration != "instant":
                continue
            effect = card.effects[0]
            if (card.timing == "response" and aims(g, self.seat, effect)) or (
                effect.do == "bonus" and any(attack.form == effect.stat for _, attack in attacks_on(g, self.seat))
            ):
                found.append(card)
        return found

    def ability_aims(self, g: Delve) -> list[tuple[str, int]]:
        delver = g.delvers[self.seat]
        ability = delver.card.ability
        if not can_use_ability(g, self.seat, "response"):
            return []
        left = delver.glory - ability.glory
        return [(aim, cost) for aim, cost in aims(g, self.seat, ability.effects[0], priced=True) if cost <= left]

    def fits(self, g: Delve) -> bool:
        return bool(self.ability_aims(g)) or bool(could_hold(g, self.seat, self.cards(g)))

    def plays(self, g: Delve) -> list[Move]:
        words = []
        for card in in_hand(g, self.seat, self.cards(g)):
            if card.timing == "response":
                words += [f"play {card.name} {aim}".rstrip() for aim, _ in aims(g, self.seat, card.effects[0])]
            else:
                words.append(f"play {card.name}")
        return words + [f"ability {aim}" for aim, _ in self.ability_aims(g)]

    def play(self, g: Delve, word: Move) -> None:
        does, _, rest = word.partition(" ")
        if does == "ability":
            (cost,) = [cost for aim, cost in self.ability_aims(g) if aim == rest]
            use_ability(g, self.seat, cost, rest)
        else:
            card, _, aim = rest.partition(" ")
            play_instant(g, self.seat, card, self.seat, aim)


def aimed_at(g: Delve, step: Apply) -> Attack:
    return fight(g)[1].attacks[int(step.aim.split()[0]) - 1]


@verb("redirect")
def redirect(g: Delve, step: Apply, effect: Effect) -> None:
    """D-53 Form, bonuses and order stay; a hero drawn in gets a response of its own."""
    _, battle = fight(g)
    attack, (_, kind, *number) = aimed_at(g, step), step.aim.split()
    if kind == "ignore":
        attack.off = True
    elif kind == "hero":
        attack.on, attack.parry = f"h{number[0]}", 0
        if int(number[0]) not in battle.defenders:
            battle.defenders.append(int(number[0]))
    else:
        attack.on, attack.parry = f"m{int(number[0]) - 1}", 0


@verb("banish")
def banish(g: Delve, step: Apply, effect: Effect) -> None:
    attack = aimed_at(g, step)
    attack.off = True
    foe = foe_of(g, attack.by)
    assert foe
    remove_foe(g, foe)


def remove_foe(g: Delve, foe: Foe) -> None:
    """D-56 The monster goes to the discard with what is attached to it."""
    foe.gone = True
    cards = (*(() if foe.source == "quest" else (foe.card,)), *foe.tucked)
    foe.tucked = []
    if cards:
        g.discard(*cards)
        g.tell(facts.Discarded(foe.owner, cards, "battle"))


@verb("parry")
def parry(g: Delve, step: Apply, effect: Effect) -> None:
    aimed_at(g, step).parry += effect.n


@verb("smoke")
def smoke(g: Delve, step: Apply, effect: Effect) -> None:
    for n, _ in attackers(g, step.seat):
        fight(g)[1].attacks[n - 1].malus += effect.n
