"""The inventory: what may be prepared, what must be discarded, and the treasures that the solo game's battles allow."""

from collections.abc import Iterator

from engine import Draft, Move, Step
from engine.games.dungeoneer import facts
from engine.games.dungeoneer.cards import LAIR, Adventure
from engine.games.dungeoneer.effects import Choose, ChooseHidden, offer, pay_for, useful
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


def discard_treasure(g: Delve, seat: int, card: str) -> None:
    """D-46 A prepared treasure with what is attached to it, or an attached one alone. If the limit falls with it, the
    owner at once discards what is too much."""
    delver = g.delvers[seat]
    item = delver.holds_card(card)
    if item:
        delver.treasures.remove(item)
        cards = (item.card, *item.tucked)
    else:
        next(item for item in delver.treasures if card in item.tucked).tucked.remove(card)
        cards = (card,)
    g.discard(*cards)
    g.tell(facts.Discarded(seat, cards, "treasure"))
    g.next(Excess(seat))


class Excess(Choose, frozen=True):
    """D-46, D-60 Too many boons, treasures or monsters in the lair: the owner discards what is too much."""

    def too_many(self, g: Delve) -> tuple[str, list[str]]:
        delver = g.delvers[self.seat]
        treasures = [item.card for item in delver.treasures]
        if len(delver.boons) > delver.limit("boons"):
            return "boon", delver.boons
        if len(treasures) > delver.limit("treasures"):
            return "treasure", treasures
        if len(delver.lair) > LAIR:
            return "lair", [item.card for item in delver.lair if g.card(item.card).kind != "boss"]
        return "", []

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        return list(dict.fromkeys(g.deck.cheapest_first(self.too_many(g)[1])))

    def chosen(self, g: Delve, word: Move) -> None:
        kind, _ = self.too_many(g)
        delver = g.delvers[self.seat]
        if kind == "boon":
            delver.boons.remove(word)
            cards: tuple[str, ...] = (word,)
        else:
            place = delver.lair if kind == "lair" else delver.treasures
            item = next(item for item in place if item.card == word)
            place.remove(item)
            cards = (item.card, *item.tucked)
        g.discard(*cards)
        g.tell(facts.Discarded(self.seat, cards, kind))
        g.next(self)


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
