"""Quests: attempts, searches, escorts, completion and reward."""

from collections.abc import Iterator

from engine import Move, Step
from engine.games.dungeoneer import facts
from engine.games.dungeoneer.cards import QuestCard
from engine.games.dungeoneer.checks import Check, Wound
from engine.games.dungeoneer.effects import Apply
from engine.games.dungeoneer.ending import check_quests
from engine.games.dungeoneer.grid import separation
from engine.games.dungeoneer.inventory import discard_treasure
from engine.games.dungeoneer.state import Delve, Dropped

COMMON = 2  # V-6 common quests that lie open


def open_quests(g: Delve, seat: int) -> list[QuestCard]:
    """D-24, D-80 The quests that this hero may complete."""
    return [g.deck.quests[quest] for quest in (*g.delvers[seat].quests, *g.common)]


def begins_here(g: Delve, seat: int, quest: QuestCard) -> bool:
    return g.delvers[seat].at in g.deck.places(quest.name)


def fill_common(g: Delve) -> None:
    """D-24, D-79 Common quests are drawn until enough lie open."""
    while g.quests and len(g.common) < (COMMON if "impersonal" in g.variants else 1):
        g.common.append(g.draw_quest())
        g.tell(facts.QuestDrawn(-1, g.common[-1]))


# Attempts -------------------------------------------------------------------------------------------------------------


def attempts(g: Delve, seat: int) -> Iterator[Move]:
    """D-72, D-76 What this hero can attempt here and now."""
    delver = g.delvers[seat]
    cost = 1 if delver.tries else 0
    if not delver.has_ap(cost):
        return
    for quest in open_quests(g, seat):
        if not begins_here(g, seat, quest) or quest.goal or (quest.search and delver.found != quest.name):
            continue
        if quest.prices:
            for choice in payments(g, seat, quest, cost):
                yield f"attempt {quest.name} {choice}".rstrip()
        elif quest.chance:
            for more in range(min(quest.chance.add, delver.glory) + 1):
                yield f"attempt {quest.name} {more}"
        else:
            yield f"attempt {quest.name}"


def payments(g: Delve, seat: int, quest: QuestCard, cost: int) -> Iterator[str]:
    """D-73 The ways in which this hero can pay for a sacrifice; the name is left out if there is only one."""
    delver = g.delvers[seat]
    for price in quest.prices:
        name = price.name if len(quest.prices) > 1 else ""
        if price.treasure:
            for card in dict.fromkeys(card for item in delver.treasures for card in (item.card, *item.tucked)):
                yield f"{name} {card}".strip()
        elif delver.has_ap(price.ap + cost) and delver.glory >= price.glory and delver.hp > price.wounds:
            yield name


def count_attempt(g: Delve, seat: int, quest: str, choice: tuple[str, ...] = ()) -> None:
    """D-72 The first attempt of a turn is free, every later one costs 1 AP."""
    delver = g.delvers[seat]
    cost = 1 if delver.tries else 0
    delver.tries += 1
    delver.spend_ap(cost)
    g.tell(facts.QuestTried(seat, quest, cost, " ".join(choice)))


class Attempt(Step["Delve"], frozen=True):
    """D-73 An attempt of any category but a hunt."""

    seat: int
    quest: str
    choice: tuple[str, ...]

    def do(self, g: Delve) -> None:
        delver, quest = g.delvers[self.seat], g.deck.quests[self.quest]
        count_attempt(g, self.seat, self.quest, self.choice)
        if quest.threat:
            threat = quest.threat
            g.next(Check(self.seat, threat.stat, threat.number, quest.name), Judge(self.seat, quest.name))
        elif quest.prices:
            g.next(Complete(self.seat, quest.name))  # after what the payment causes
            self.pay(g, quest)
        elif quest.chance:
            more = int(self.choice[0])
            delver.glory -= more
            dice = tuple(g.die() for _ in range(quest.chance.dice))
            won = sum(dice) + more >= quest.chance.number
            g.tell(facts.ChanceRolled(self.seat, quest.name, dice, more, sum(dice) + more, quest.chance.number, won))
            if won:
                g.next(Complete(self.seat, quest.name))
        else:
            g.next(Complete(self.seat, quest.name))

    def pay(self, g: Delve, quest: QuestCard) -> None:
        """D-73 A wound that is given cannot be prevented."""
        delver = g.delvers[self.seat]
        named = [price for price in quest.prices if price.name in self.choice] or quest.prices
        price = named[0]
        if price.treasure:
            discard_treasure(g, self.seat, self.choice[-1])
        delver.spend_ap(price.ap)
        g.lose(self.seat, quest.name, glory=price.glory)
        g.gain(self.seat, quest.name, peril=price.peril)
        g.next(*[Wound(self.seat, quest.name, price=True)] * price.wounds)


class Judge(Step["Delve"], frozen=True):
    """D-73 The threat was overcome, or its failure hits all heroes in the location: this one, and then clockwise."""

    seat: int
    quest: str

    def do(self, g: Delve) -> None:
        quest = g.deck.quests[self.quest]
        assert quest.threat
        if g.passed:
            g.next(Complete(self.seat, self.quest))
            return
        struck = [self.seat] if quest.threat.alone else g.heroes_at(g.delvers[self.seat].at, self.seat)
        g.next(*[Apply(seat, quest.threat.fail, quest.name) for seat in struck])


def searches(g: Delve, seat: int) -> Iterator[Move]:
    """D-73"""
    delver = g.delvers[seat]
    for quest in open_quests(g, seat):
        if quest.search and delver.found != quest.name and begins_here(g, seat, quest) and delver.has_ap(1):
            yield f"search {quest.name}"


def search(g: Delve, seat: int, name: str) -> None:
    delver, number = g.delvers[seat], g.deck.quests[name].search
    delver.spend_ap(1)
    die, between = g.die(), separation(g.spots, delver.at, g.deck.start)
    found = die + between >= number
    if found:
        delver.found = name
    g.tell(facts.Searched(seat, name, die, between, die + between, number, found))


# Escorts --------------------------------------------------------------------------------------------------------------


def escort_steps(g: Delve, seat: int) -> Iterator[Move]:
    """D-74 They cost no AP and are no attempts."""
    delver = g.delvers[seat]
    for quest in open_quests(g, seat):
        if quest.goal and quest.name in delver.escorts and delver.at == quest.goal:
            yield f"complete {quest.name}"
        elif quest.goal and quest.name not in delver.escorts and begins_here(g, seat, quest) and g.trackers_left():
            yield f"take {quest.name}"
    for lost in g.dropped:
        if lost.at == delver.at and lost.quest not in delver.given_up:
            yield f"pick_up {lost.quest}"


def escort(g: Delve, seat: int, does: str, quest: str) -> None:
    """D-74, D-79 A common escort becomes personal, and a new common quest is drawn at once."""
    delver = g.delvers[seat]
    if does == "complete":
        g.next(Complete(seat, quest))
        return
    common = quest in g.common
    if common:
        g.common.remove(quest)
    g.dropped[:] = [lost for lost in g.dropped if lost.quest != quest]
    if quest not in delver.quests:
        delver.quests.append(quest)
    delver.escorts.append(quest)
    g.tell(facts.QuestBegun(seat, quest))
    if common:
        fill_common_after(g, quest)


def fill_common_after(g: Delve, quest: str) -> None:
    """D-79 A common quest that has become personal or was completed is replaced; an artifact in V-6 and V-10 only."""
    artifact = "artifact" in g.deck.quests[quest].categories
    if not g.solo and not (artifact and not {"fresh", "impersonal"} & set(g.variants)):
        fill_common(g)


def give_up(g: Delve, seat: int, quest: str) -> None:
    """D-74 The card lies in the location and belongs to nobody."""
    delver = g.delvers[seat]
    delver.quests.remove(quest)
    delver.escorts.remove(quest)
    delver.given_up.append(quest)
    g.dropped.append(Dropped(quest, delver.at))
    g.tell(facts.QuestDropped(seat, quest, delver.at))


# Completion -----------------------------------------------------------------------------------------------------------


class Complete(Step["Delve"], frozen=True):
    """D-77 The reward is taken, the quest leaves the game, and the deeds phase ends at once."""

    seat: int
    quest: str

    def do(self, g: Delve) -> None:
        delver, quest = g.delvers[self.seat], g.deck.quests[self.quest]
        common = self.quest in g.common
        for quests in (g.common, delver.quests, delver.escorts):
            if self.quest in quests:
                quests.remove(self.quest)
        delver.completed.append(self.quest)
        delver.found = ""
        g.over = True
        g.tell(facts.QuestCompleted(self.seat, self.quest, len(delver.completed)))
        if "artifact" not in quest.categories:  # D-78
            g.raise_level(self.seat)
        if quest.token:
            silence(g, quest.token)
        if not check_quests(g, self.seat) and common:
            fill_common_after(g, self.quest)


def silence(g: Delve, location: str) -> None:
    """D-35 A deactivation token, as soon as the location is laid."""
    if not g.tokens_left():
        return
    if location in g.spots:
        g.spots[location].silenced = True
        g.tell(facts.TokenPut("deactivation", location))
    else:
        g.owing.append(location)


def exchange(g: Delve, seat: int, quest: str) -> None:
    """A personal quest leaves the game for a new one."""
    delver = g.delvers[seat]
    delver.quests.remove(quest)
    if quest in delver.escorts:
        delver.escorts.remove(quest)
    g.gone.append(quest)
    delver.quests.append(g.draw_quest())
    g.tell(facts.QuestExchanged(seat, quest, delver.quests[-1]))
