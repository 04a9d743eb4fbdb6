"""Laying locations: phase III, exploring, and V-1 the whole map before the game."""

from engine import Draft, Move, Step
from engine.games.dungeoneer import facts
from engine.games.dungeoneer.effects import Choose, ChooseHidden, offer
from engine.games.dungeoneer.grid import Fit, Spot
from engine.games.dungeoneer.state import DRAWN, Delve


class LayOne(Step["Delve"], frozen=True):
    """D-43, D-32 Draw a location, open to all, that fits somewhere; what does not goes to the bottom of the deck."""

    seat: int
    paid: bool = False  # an AP, which comes back if nothing fits

    def do(self, g: Delve) -> None:
        for _ in range(len(g.unlaid)):
            card = g.unlaid.pop(0)
            g.uncover(DRAWN)
            g.bottom = min(g.bottom, len(g.unlaid))
            g.tell(facts.LocationDrawn(self.seat, card))
            if Fit(g.spots, bool(g.unlaid)).places(card):
                g.next(Lay(placer(g, self.seat, card), card))
                return
            g.unlaid.append(card)
            g.bottom += 1
            g.tell(facts.NotFitting(card))
        if self.paid:
            g.delvers[self.seat].ap += 1


def placer(g: Delve, seat: int, card: str) -> int:
    """V-5 A location where one of your own quests can be done is laid by the next player whom it does not concern."""
    if "impartial" not in g.variants:
        return seat

    def concerned(other: int) -> bool:
        return any(card in g.deck.quests[quest].places for quest in g.delvers[other].quests)

    order = g.in_order(seat)
    return next((other for other in order if not concerned(other)), seat)


class Lay(Choose, frozen=True):
    """D-27 to D-31 Where the card is laid."""

    card: str

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        return [f"{x} {y} {turn}" for x, y, turn in Fit(g.spots, bool(g.unlaid)).places(self.card)]

    def chosen(self, g: Delve, word: Move) -> None:
        x, y, turn = map(int, word.split())
        put(g, self.seat, self.card, x, y, bool(turn))


def put(g: Delve, seat: int, card: str, x: int, y: int, turned: bool) -> None:
    g.spots[card] = Spot(x, y, turned)
    g.tell(facts.Laid(seat, card, x, y, turned))
    if card in g.owing:  # D-35
        g.owing.remove(card)
        g.spots[card].silenced = True
        g.tell(facts.TokenPut("deactivation", card))


# V-1 ------------------------------------------------------------------------------------------------------------------


class LayTiles(Step["Delve"], frozen=True):
    """V-1 Clockwise, each lays one of its locations at a time; who has none that fits passes. When all pass, what is
    left leaves the game."""

    seat: int
    passes: int = 0  # one after the other

    def do(self, g: Delve) -> None:
        seats = len(g.delvers)
        if self.passes == seats:
            g.aside += [card for tiles in g.tiles for card in tiles]
            g.tiles = []
        elif LayTile(self.seat).options(g, self.seat, ()):
            g.next(LayTiles((self.seat + 1) % seats))
            offer(g, LayTile(self.seat))
        else:
            g.next(LayTiles((self.seat + 1) % seats, self.passes + 1))


class LayTile(ChooseHidden, frozen=True):
    """V-1 Locations that the common quest names come last."""

    def options(self, g: Delve, seat: int, draft: Draft) -> list[Move]:
        named = {place for quest in g.common for place in (*g.deck.quests[quest].places, g.deck.quests[quest].goal)}
        fit = Fit(g.spots, sum(map(len, g.tiles)) > 1)
        found: dict[bool, list[Move]] = {False: [], True: []}
        for card in g.deck.locations:
            if card in g.tiles[self.seat]:
                found[card in named] += [f"{card} {x} {y} {turn}" for x, y, turn in fit.places(card)]
        return found[False] or found[True]

    def chosen(self, g: Delve, word: Move) -> None:
        card, *place = word.split()
        x, y, turn = map(int, place)
        g.tiles[self.seat].remove(card)
        put(g, self.seat, card, x, y, bool(turn))
