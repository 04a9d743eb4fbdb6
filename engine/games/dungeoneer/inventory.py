"""The inventory: what may be prepared, and the treasures that the solo game's battles allow."""

from collections.abc import Iterator

from engine import Draft, Move, Step
from engine.games.dungeoneer.cards import Adventure
from engine.games.dungeoneer.effects import ChooseHidden, offer, pay_for, useful
from engine.games.dungeoneer.state import Delve, Item


def room_for(g: Delve, seat: int, card: Adventure) -> Iterator[str]:
    """D-45, D-92, D-111 How this card can be played: once, or under each host; not at all if a limit or its kind
    forbids it."""
    delver = g.delvers[seat]
    alike = [item for item in delver.treasures if g.card(item.card).kind == card.kind]
    if card.duration == "instant":
        fits = all(useful(g, seat, effect) for effect in card.effects)
    elif card.type == "boon":
        fits = len(delver.boons) < delver.limit("boons") + card.gives.boons
    else:
        fits = not alike and len(delver.treasures) < delver.limit("treasures") + card.gives.treasures
    if card.host:
        for item in delver.treasures:
            if g.card(item.card).kind == card.host and not any(g.card(name).kind == card.kind for name in item.tucked):
                yield item.card
    elif fits:
        yield ""


def play_permanent(g: Delve, seat: int, card: Adventure, aim: list[str]) -> None:
    pay_for(g, seat, card, seat, seat, " ".join(aim))
    prepare(g, seat, card, aim)


def prepare(g: Delve, seat: int, card: Adventure, aim: list[str]) -> None:
    """D-11 The card lies in the inventory from now on."""
    delver = g.delvers[seat]
    if card.host:
        item = delver.holds_card(aim[0])
        assert item
        item.tucked.append(card.name)
    elif card.type == "boon":
        delver.boons.append(card.name)
    else:
        delver.treasures.append(Item(card.name))


class ReapPhase(Step["Delve"], frozen=True):
    """D-108 After the glory of a solo battle."""

    seat: int

    def do(self, g: Delve) -> None:
        if g.group and g.group.foes:
            offer(g, Reap(self.seat))


class Reap(ChooseHidden, frozen=True):
    """D-108 In the reward stage of a solo battle permanent and attached treasures may be played, one by one."""

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        delver = g.delvers[self.seat]
        words = ["done"]
        for name in g.deck.cheapest_first(set(delver.hand)):
            card = g.card(name)
            if card.type == "treasure" and card.duration != "instant" and card.cost <= delver.glory:
                words += [f"play {name} {aim}".rstrip() for aim in room_for(g, self.seat, card)]
        return words

    def chosen(self, g: Delve, word: Move) -> None:
        if word != "done":
            g.next(ReapPhase(self.seat))
            _, name, *aim = word.split()
            play_permanent(g, self.seat, g.card(name), aim)
