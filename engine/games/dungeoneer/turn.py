"""A turn in its five phases, and who is next."""

from collections.abc import Iterator

from engine import Draft, Move, Step
from engine.games.dungeoneer import facts
from engine.games.dungeoneer.cards import HAND
from engine.games.dungeoneer.checks import Window
from engine.games.dungeoneer.deeds import DeedsPhase
from engine.games.dungeoneer.effects import Choose, ChooseHidden, Draw, draw_card, offer
from engine.games.dungeoneer.ending import finish_rounds
from engine.games.dungeoneer.inventory import discard_treasure
from engine.games.dungeoneer.lay import LayOne
from engine.games.dungeoneer.solo import SoloPeril
from engine.games.dungeoneer.state import Delve
from engine.games.dungeoneer.villainy import VillainyPhase

LIMITED_AP = 3  # V-7


class NextTurn(Step["Delve"], frozen=True):
    """D-26 The next living player to the left has a turn. This step stays the first of the agenda to the end. D-110 The
    game ends after the last round."""

    def do(self, g: Delve) -> None:
        seats = len(g.delvers)
        if g.turn:
            while True:
                g.active = (g.active + 1) % seats
                g.round += g.active == g.first
                if g.delvers[g.active].alive:
                    break
        if g.round > g.last:
            finish_rounds(g)
            return
        g.turn += 1
        g.next(self)
        g.next(Recovery(), Phase("villainy"), Phase("locations"), Phase("deeds"), Phase("discard"))


class Recovery(Step["Delve"], frozen=True):
    """D-36 Marks and effects of the last turn end, for everybody. D-6 The hero gets as many AP as it has speed."""

    def do(self, g: Delve) -> None:
        g.phase, g.over, g.grouped = "recovery", False, False
        for delver in g.delvers:
            delver.used, delver.bonus, delver.visited, delver.given_up, delver.hurt = [], {}, [], [], {}
            delver.moved, delver.tries, delver.spare, delver.found = False, 0, 0, ""
        me = g.me
        me.ap = LIMITED_AP if "limited" in g.variants else me.value("speed")
        me.kept = False
        me.visited = [me.at]  # D-85
        g.tell(facts.TurnBegan(g.turn, g.round, g.active, me.ap))


class Phase(Step["Delve"], frozen=True):
    """One of the phases II to V."""

    name: str

    def do(self, g: Delve) -> None:
        g.phase = self.name
        seat = g.active
        if self.name == "villainy":
            if not g.solo:  # D-104
                g.next(VillainyPhase())
        elif self.name == "locations":
            g.next(LayOne(seat))
        elif self.name == "deeds":
            g.next(Window(seat, "dawn"), DeedsPhase())
        else:
            g.next(Stay(seat), Save(seat), DrawHand(seat))
            if not g.solo:  # D-107
                offer(g, DiscardOne(seat))


# Phase V --------------------------------------------------------------------------------------------------------------


class DiscardOne(ChooseHidden, frozen=True):
    """D-48 a. A player who has cards in hand must discard one card: from the hand, a treasure or a monster of the lair.
    V-4 This is optional."""

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        delver = g.delvers[self.seat]
        words = [] if delver.hand and "optional" not in g.variants else ["none"]
        words += [f"hand {card}" for card in dict.fromkeys(g.deck.cheapest_first(delver.hand))]
        treasures = [card for item in delver.treasures for card in (item.card, *item.tucked)]
        words += [f"treasure {card}" for card in dict.fromkeys(g.deck.cheapest_first(treasures))]
        return words + list(lair_monsters(g, self.seat))

    def chosen(self, g: Delve, word: Move) -> None:
        delver = g.delvers[self.seat]
        kind, *rest = word.split()
        if kind == "hand":
            g.leave_hand(self.seat, rest[0])
            g.discard(rest[0])
            g.tell(facts.Discarded(self.seat, (rest[0],), "hand"))
        elif kind == "treasure":
            discard_treasure(g, self.seat, rest[0])
        elif kind == "lair":
            item = delver.lair.pop(int(rest[0]) - 1)
            g.discard(item.card, *item.tucked)
            g.tell(facts.Discarded(self.seat, (item.card, *item.tucked), "lair"))


def lair_monsters(g: Delve, seat: int) -> Iterator[Move]:
    """D-65 Not a boss."""
    lair = list(enumerate(g.delvers[seat].lair, 1))
    for n, item in sorted(lair, key=lambda one: (g.card(one[1].card).cost, one[0])):
        if g.card(item.card).kind != "boss":
            yield f"lair {n}"


class Stay(Step["Delve"], frozen=True):
    """D-48 b. A hero that did not move gains the points of its location, without effects and hazards."""

    seat: int

    def do(self, g: Delve) -> None:
        if not g.delvers[self.seat].moved:
            card = g.location(self.seat)
            g.gain(self.seat, "stay", card.glory, card.peril)
        if g.owed:
            g.next(SoloPeril())


class Save(Choose, frozen=True):
    """D-48 c. One AP may be saved for the turns of others; the rest is lost."""

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        delver = g.delvers[self.seat]
        can = delver.ap and not g.solo and "limited" not in g.variants  # D-107, V-7
        return ["save", "let_go"] if can else ["let_go"]

    def chosen(self, g: Delve, word: Move) -> None:
        delver = g.delvers[self.seat]
        delver.kept = word == "save"
        delver.ap, delver.spare = int(delver.kept), 0
        if delver.kept:
            g.tell(facts.ApSaved(self.seat))


class DrawHand(Step["Delve"], frozen=True):
    """D-48 d. Draw up to five cards. D-107 Alone, one card of glory."""

    seat: int

    def do(self, g: Delve) -> None:
        if g.solo:
            draw_card(g, self.seat, "glory")
        elif len(g.delvers[self.seat].hand) < HAND and g.piles():
            g.next(Draw(self.seat), self)
