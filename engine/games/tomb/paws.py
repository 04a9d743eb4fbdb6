"""Laying paws on entrances and crossings, and moving them."""

from collections.abc import Sequence

from engine import Draft, Move
from engine.games.tomb import facts
from engine.games.tomb.cards import CARDS
from engine.games.tomb.deeds import DEEDS, Deed, Happening, TombAsk, fire
from engine.games.tomb.effects import MovePaw, PlacePaw
from engine.games.tomb.places import Cell, Place, Slot
from engine.games.tomb.state import Context, Digs


def legal_slots(g: Digs, seat: int) -> list[Slot]:
    """T-35 A free entrance; with two players no rival lies opposite. T-117 Once a turn a helper allows that. T-157 With
    three players it is allowed to all."""
    if not g.players[seat].paws:
        return []
    paws, layout = g.paws, g.layout
    free = [slot for slot in layout.slots if slot not in paws]
    if g.seats > 2 or may_ignore(g, seat):
        return free
    opposite = layout.opposite
    return [slot for slot in free if paws.get(opposite[slot], seat) == seat]


def may_ignore(g: Digs, seat: int) -> bool:
    """T-117"""
    helpers = g.helpers_of(seat)
    return bool(helpers) and g.ignored < sum(CARDS[helper].effect.ignore_opposite for helper in helpers)


def lay_on_entrance(g: Digs, seat: int, slot: Slot) -> None:
    """T-48 The paw, the glory that it brings to others, then the crossings."""
    card, rival = g.entrances[slot], g.paws.get(g.layout.opposite[slot], seat)
    lay(g, seat, slot, card, g.turned.get(card))
    if rival != seat:
        if may_ignore(g, seat):
            g.ignored += 1
        else:
            g.honour(rival, 1, "opposite", slot)  # T-157
    owner = g.turned.get(card, seat)
    if owner != seat:
        g.honour(owner, 1, "turned", slot, card)  # T-164
    cells = open_crossings(g, seat) if g.players[seat].paws else []
    if len(cells) > g.players[seat].paws:
        g.next(Crossings())
    else:
        enter_all(g, seat, cells)


def enter_all(g: Digs, seat: int, cells: Sequence[Cell]) -> None:
    """T-44 The cells are entered by row and column; T-48 their triggers come together."""
    if cells:
        fire(g, (), *[happening for cell in cells for happening in enter(g, seat, cell)])


def lay(g: Digs, seat: int, place: Place, card: str, owner: int | None) -> None:
    g.players[seat].paws -= 1
    g.paws[place] = seat
    g.tell(facts.Laid(seat, place, card, owner))


def open_crossings(g: Digs, seat: int) -> list[Cell]:
    """T-37, T-38, T-40 The seat's crossings that hold no paw."""
    paws = g.paws
    mine = {place for place, other in paws.items() if other == seat}
    return [
        cell
        for cell, (west, east), (north, south) in g.layout.crossings
        if (west in mine or east in mine) and (north in mine or south in mine) and cell not in paws
    ]


class Crossings(TombAsk, frozen=True):
    """T-38, T-39 There are more free crossings than paws: which get one?"""

    def who(self, g: Digs) -> list[int]:
        return [g.active]

    def options(self, g: Digs, seat: int, draft: Draft) -> list[Move]:
        cells, paws = open_crossings(g, seat), g.players[seat].paws
        begin = cells.index(draft[-1].split()[1]) + 1 if draft else 0
        return [f"lay {cell}" for cell in cells[begin : len(cells) - (paws - len(draft)) + 1]]

    def unfinished(self, g: Digs, seat: int, draft: Draft) -> bool:
        return len(draft) < g.players[seat].paws

    def choose(self, g: Digs, words: Draft) -> None:
        enter_all(g, g.active, [word.split()[1] for word in words])


def enter(g: Digs, seat: int, cell: Cell) -> list[Happening]:
    """T-41 to T-46 A paw is laid into a cell; returns what happened, for `fire`."""
    room = g.rooms.get(cell)
    lay(g, seat, cell, room.card if room else "", room.seat if room else None)
    if room is None:
        happened = [("place empty", seat, cell, "")]
        return [*happened, ("chest_pick", seat, cell, "")] if g.take_chest(seat, cell) else happened
    if CARDS[room.card].again and room.card not in g.symbols and not g.ended:  # T-34
        g.symbols.append(room.card)
        g.extra_actions += 1
        g.tell(facts.Earned(seat, "action", room.card))
    if room.seat == seat:
        return [("place own_room", seat, cell, room.card)]
    g.honour(room.seat, 1, "visited", cell, room.card)
    return [("place other_room", seat, cell, room.card), ("visited", room.seat, cell, room.card)]


class PlacePawDeed(Deed[PlacePaw]):
    """T-116 One paw under the normal rules."""

    def possible(self, g: Digs, context: Context, step: PlacePaw) -> bool:
        return context.cause == "after_remove" and bool(legal_slots(g, context.seat))

    def options(self, g: Digs, context: Context, step: PlacePaw, draft: Draft) -> list[Move]:
        return [] if draft else [f"place {slot}" for slot in legal_slots(g, context.seat)]

    def take(self, g: Digs, context: Context, step: PlacePaw, words: Draft) -> None:
        lay_on_entrance(g, context.seat, words[0].split()[1])


class MovePawDeed(Deed[MovePaw]):
    """T-82 From a cell to a room without a paw, or to an empty cell without one. T-171 Also from an entrance, and the
    paw that was just lifted from this one."""

    def starts(self, g: Digs, context: Context, step: MovePaw) -> list[Place]:
        found = [place for place in g.paws_of(context.seat) if step.entrances or place not in g.entrances]
        if step.entrances and context.cause == "lift" and g.movable:
            found.insert(0, context.place)
        return found

    def ends(self, g: Digs) -> list[Cell]:
        return [cell for cell in g.layout.cells if cell not in g.paws]

    def possible(self, g: Digs, context: Context, step: MovePaw) -> bool:
        return bool(self.starts(g, context, step) and self.ends(g))

    def options(self, g: Digs, context: Context, step: MovePaw, draft: Draft) -> list[Move]:
        if not draft:
            return [f"move {place}" for place in self.starts(g, context, step)]
        return [] if len(draft) > 1 else [f"to {cell}" for cell in self.ends(g)]

    def take(self, g: Digs, context: Context, step: MovePaw, words: Draft) -> None:
        """T-47, T-83 Moving is not placing: only a chest is taken."""
        seat, begin, end = context.seat, words[0].split()[1], words[1].split()[1]
        reserve = begin not in g.paws
        if reserve:
            g.players[seat].paws -= 1
            g.movable = False
        else:
            del g.paws[begin]
        g.paws[end] = seat
        g.tell(facts.PawMoved(seat, begin, end, reserve))
        if g.take_chest(seat, end):
            fire(g, context.above, ("chest_pick", seat, end, ""))


DEEDS[PlacePaw] = PlacePawDeed()
DEEDS[MovePaw] = MovePawDeed()
