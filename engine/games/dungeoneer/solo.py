"""D-102 to D-108 The solo game: dice for peril, and the cards that they draw from the peril deck."""

from engine import Step
from engine.games.dungeoneer import battle_facts, facts
from engine.games.dungeoneer.battle import begin
from engine.games.dungeoneer.cards import LAIR
from engine.games.dungeoneer.effects import Apply
from engine.games.dungeoneer.group import EndGroup, Reward, SpringTrap, best_forms
from engine.games.dungeoneer.inventory import ReapPhase
from engine.games.dungeoneer.state import Attack, Battle, Delve, Foe, Group, Hex, Item, Snare


class SoloPeril(Step["Delve"], frozen=True):
    """D-104 For every n points of peril n dice: each that shows n or less draws a card of the peril deck. All dice are
    rolled first, then all cards are drawn, shown and played together."""

    def do(self, g: Delve) -> None:
        cards = []
        while g.owed:
            number = g.owed.pop(0)
            dice = tuple(g.die() for _ in range(number))
            g.tell(facts.PerilRolled(dice, number))
            for _ in range(sum(die <= number for die in dice)):
                if "peril" in g.piles():
                    cards.append(g.draw("peril"))
        if cards:
            g.tell(facts.PerilDrawn(tuple(cards)))
            play_all(g, cards)


def play_all(g: Delve, cards: list[str]) -> None:
    """D-105 Curses first, then the traps in drawn order, then the monsters in one battle."""
    me = g.me
    group = Group(-1)
    falls: list[Step[Delve]] = []
    for name in cards:
        card = g.card(name)
        if card.type == "trap":
            group.snares.append(Snare(name, me.seat, me.at))
        elif card.monster:
            form = best_forms(card.monster)[0]
            group.foes.append(Foe(name, "deck", -1, me.seat, me.at, form, card.monster.hp))
        elif card.duration == "permanent":
            me.curses.append(Hex(name, -1))
        elif card.host or card.does("doom"):  # it waits for the next monster or the next check
            g.waiting.append(name)
        else:
            g.discard(name)
            falls.append(Apply(me.seat, card.effects, name))
    g.group = group
    traps = [SpringTrap(n) for n, _ in enumerate(group.snares)]
    g.next(*falls, *traps, SoloBattle(), SoloLair(), Reward(), ReapPhase(me.seat), EndGroup(), SoloPeril())


class SoloBattle(Step["Delve"], frozen=True):
    """D-105 All monsters attack by the ordinary rules. D-106 Those of the lair join, each once a turn."""

    def do(self, g: Delve) -> None:
        assert g.group
        me, group = g.me, g.group
        if not group.foes:
            return
        if "lair" not in me.used and me.lair:
            me.used.append("lair")
            for item in me.lair:
                monster = g.card(item.card).monster
                assert monster
                form = best_forms(monster)[0]
                group.foes.append(Foe(item.card, "lair", -1, me.seat, me.at, form, monster.hp, item.tucked))
            me.lair = []
        group.foes[0].tucked += [card for card in g.waiting if g.card(card).host]
        g.waiting = [card for card in g.waiting if not g.card(card).host]
        attacks = [Attack(f"m{n}", f"h{me.seat}", foe.form) for n, foe in enumerate(group.foes)]
        begin(g, Battle(me.at, attacks, [me.seat]))


class SoloLair(Step["Delve"], frozen=True):
    """D-105 Monsters are discarded at the end of the battle; a boss goes back into its deck. D-106 In the harder game
    the costliest of those drawn goes to the lair."""

    def do(self, g: Delve) -> None:
        assert g.group
        me, left = g.me, [foe for foe in g.group.foes if not foe.gone]
        drawn = [foe for foe in left if foe.source == "deck"]
        costliest = max(drawn, key=lambda foe: foe.cost, default=None) if "harder" in g.variants else None
        for foe in left:
            foe.gone = True
            stays = foe is costliest or foe.source == "lair"
            if stays:
                me.lair.append(Item(foe.card, foe.tucked))
                g.tell(battle_facts.LairChosen(me.seat, foe.card, "lair"))
            else:
                let_go(g, Item(foe.card, foe.tucked))
            foe.tucked = []
        while len(me.lair) > LAIR:
            item = min(me.lair, key=lambda item: g.card(item.card).cost)
            me.lair.remove(item)
            let_go(g, item)


def let_go(g: Delve, item: Item) -> None:
    """D-105 A monster is discarded; a boss is shuffled back into the peril deck."""
    g.discard(*item.tucked)
    boss = g.card(item.card).kind == "boss"
    if boss:
        g.decks["peril"].append(item.card)
        g.chance.shuffle(g.decks["peril"])
    else:
        g.discard(item.card)
    g.tell(battle_facts.LairChosen(g.active, item.card, "deck" if boss else "discard"))
