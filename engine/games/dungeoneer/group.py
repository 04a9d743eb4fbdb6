"""A group of encounters from its declaration to the lair and the reward; hunts, and attacks on heroes."""

from engine import Draft, Move, Step
from engine.games.dungeoneer import battle_facts
from engine.games.dungeoneer.battle import begin, hero_attacks
from engine.games.dungeoneer.cards import FORMS, MonsterCard, QuestCard
from engine.games.dungeoneer.checks import Check
from engine.games.dungeoneer.effects import Apply, Choose
from engine.games.dungeoneer.inventory import Excess, ReapPhase
from engine.games.dungeoneer.state import Attack, Battle, Delve, Foe, Group, Item


def start_group(g: Delve, group: Group) -> None:
    """D-40 The golem and the traps first, then the battles, one target after the other in turn order; D-50 lair and
    reward once, at the end."""
    g.group = group
    first: list[Step[Delve]] = [Golem(group.golem)] if group.golem >= 0 else []
    traps = [SpringTrap(n) for n, _ in enumerate(group.snares)]
    battles = [AttackHero(seat) for seat in g.in_order() if any(foe.target == seat for foe in group.foes)]
    g.next(*first, *traps, *battles, ToLair(), Reward(), EndGroup())


def golem_quest(g: Delve) -> QuestCard | None:
    """D-42 The quest whose monster can be part of a group now."""
    held = {*g.common, *(quest for delver in g.delvers for quest in delver.quests)}
    for quest in g.deck.quests.values():
        place = quest.places[0]
        if quest.golem and quest.name in held and place in g.spots and not g.spots[place].silenced:
            return quest
    return None


class Golem(Step["Delve"], frozen=True):
    """D-42 The hero checks; failing wounds every hero in the location, it first, then clockwise."""

    hero: int

    def do(self, g: Delve) -> None:
        quest, delver = golem_quest(g), g.delvers[self.hero]
        if quest and quest.threat and delver.alive and delver.at == quest.places[0]:
            threat = quest.threat
            g.next(Check(self.hero, threat.stat, threat.number, quest.name), GolemStrikes(self.hero, quest.name))


class GolemStrikes(Step["Delve"], frozen=True):
    seat: int
    quest: str

    def do(self, g: Delve) -> None:
        threat = g.deck.quests[self.quest].threat
        if threat and not g.passed:
            struck = g.heroes_at(g.delvers[self.seat].at, self.seat)
            g.next(*[Apply(seat, threat.fail, self.quest) for seat in struck])


class SpringTrap(Step["Delve"], frozen=True):
    """D-68 to D-70 Every hero in the location checks, the target first, then clockwise. D-41 Without its target the
    trap is discarded unused."""

    snare: int

    def do(self, g: Delve) -> None:
        assert g.group
        snare = g.group.snares[self.snare]
        g.next(SettleTrap(self.snare))
        if snare.target >= 0 and g.delvers[snare.target].at == snare.at:
            danger = g.deck.locations[snare.at].danger
            card = g.card(snare.card)
            g.tell(battle_facts.TrapSprung(snare.card, snare.target, snare.at, danger))
            struck = g.heroes_at(snare.at, snare.target)
            g.next(*[Apply(seat, card.effects, card.name, by=g.group.owner, aim=str(danger)) for seat in struck])


class SettleTrap(Step["Delve"], frozen=True):
    """D-70 After the last hero the trap is discarded at once."""

    snare: int

    def do(self, g: Delve) -> None:
        assert g.group
        snare = g.group.snares[self.snare]
        snare.gone = True
        g.discard(snare.card)


class AttackHero(Step["Delve"], frozen=True):
    """D-50 All monsters of the group that were sent against this hero. D-41 It must still be where it was when
    the group was declared."""

    seat: int

    def do(self, g: Delve) -> None:
        assert g.group
        delver = g.delvers[self.seat]
        attacks = [
            Attack(f"m{n}", f"h{self.seat}", foe.form)
            for n, foe in enumerate(g.group.foes)
            if foe.target == self.seat and foe.at == delver.at and not foe.gone
        ]
        if attacks:
            begin(g, Battle(delver.at, attacks, [self.seat]))


# Stage VII ------------------------------------------------------------------------------------------------------------


class ToLair(Step["Delve"], frozen=True):
    """D-60 For each monster of the group still in play, in declared order."""

    def do(self, g: Delve) -> None:
        assert g.group
        owner = g.group.owner
        g.next(*[LairOrHand(owner, n) for n, foe in enumerate(g.group.foes) if not foe.gone], Excess(owner))


class LairOrHand(Choose, frozen=True):
    """D-60 Unwounded: lair or hand; wounded: lair or discard. D-65 A wounded boss goes to the lair."""

    foe: int

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        assert g.group
        foe = g.group.foes[self.foe]
        if not foe.wounded:
            return ["lair", "hand"]
        return ["lair"] if foe.monster.kind == "boss" else ["lair", "discard"]

    def chosen(self, g: Delve, word: Move) -> None:
        assert g.group
        foe, delver = g.group.foes[self.foe], g.delvers[self.seat]
        foe.gone = True
        if word == "lair":
            delver.lair.append(Item(foe.card, foe.tucked))
        else:
            g.discard(*foe.tucked)
            if word == "hand":
                delver.hand.append(foe.card)
                delver.known.append(foe.card)
            else:
                g.discard(foe.card)
        foe.tucked = []
        g.tell(battle_facts.LairChosen(self.seat, foe.card, word))


# Stage VIII -----------------------------------------------------------------------------------------------------------


class Reward(Step["Delve"], frozen=True):
    """D-62 Glory for the wounds that heroes dealt to monsters; peril for each that a monster dealt to a hero."""

    def do(self, g: Delve) -> None:
        assert g.group
        group = g.group
        for seat in g.in_order():
            if group.trophies.get(seat):
                g.gain(seat, "battle", glory=group.trophies[seat])
        if group.owner >= 0:
            g.next(*[GivePeril(group.owner)] * group.bites)


class GivePeril(Choose, frozen=True):
    """D-62 To an opponent, or to nobody; each wound separately."""

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        return [*(f"hero {other}" for other in g.opponents(seat)), "nobody"]

    def chosen(self, g: Delve, word: Move) -> None:
        if word != "nobody":
            g.gain(int(word.split()[1]), "reward", peril=1)


class EndGroup(Step["Delve"], frozen=True):
    def do(self, g: Delve) -> None:
        if g.group:  # a table of older rules may have kept its traps until now
            g.discard(*[snare.card for snare in g.group.snares if not snare.gone])
        g.group = None
        g.tell(battle_facts.GroupEnded())


# Hunts and attacks on heroes ------------------------------------------------------------------------------------------


def best_forms(monster: MonsterCard) -> list[str]:
    """The forms in which it attacks, the highest value first."""
    return sorted(monster.attacks, key=lambda form: (-monster.value(form), FORMS.index(form)))


class Hunt(Choose, frozen=True):
    """D-73 The player to the left of the hunter picks the form in which the quest monster attacks; alone, its best."""

    hero: int
    quest: str

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        monster = g.deck.quests[self.quest].monster
        assert monster
        found = best_forms(monster)
        return found[:1] if g.solo else found

    def chosen(self, g: Delve, word: Move) -> None:
        delver, monster = g.delvers[self.hero], g.deck.quests[self.quest].monster
        assert monster
        foe = Foe(self.quest, "quest", -1, self.hero, delver.at, word, hp=monster.hp - delver.hurt.get(self.quest, 0))
        g.group = Group(-1, [foe])
        g.next(AttackHero(self.hero), EndHunt(), *([ReapPhase(self.hero)] if g.solo else []), EndGroup())


class EndHunt(Step["Delve"], frozen=True):
    """D-73 A quest monster never goes to a hand or a lair."""

    def do(self, g: Delve) -> None:
        assert g.group
        g.group.foes[0].gone = True


def attack_hero(g: Delve, seat: int, target: int, words: list[str]) -> None:
    """D-49 A battle against a hero in the same location."""
    g.group = Group(-1)
    g.next(EndGroup())
    hero_attacks(g, seat, f"h{target}", words, g.delvers[seat].at, challenge=False)
