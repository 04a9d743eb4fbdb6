"""Steps that run other cards' effects, or change how later ones run; chests; extra turns."""

from engine import Draft, Move
from engine.games.tomb import facts
from engine.games.tomb.cards import CARDS
from engine.games.tomb.deeds import DEEDS, Deed, Resolve, any_possible, child, fire
from engine.games.tomb.effects import (
    Apply,
    BorrowHelper,
    ChestDraw,
    ChestFlip,
    ChestSell,
    DoubleNext,
    ExtraTurn,
    PlacePaw,
    RepeatHelper,
)
from engine.games.tomb.goods import declining_pays, gain
from engine.games.tomb.places import Cell
from engine.games.tomb.state import CHEST_DRAWN, Context, Digs


class ApplyDeed(Deed[Apply]):
    """T-102 Another card's effect, as if it were this one's."""

    counts = False

    def children(self, g: Digs, context: Context, step: Apply) -> dict[str, Context]:
        """What may be applied, by the word that names it."""
        found = {}
        match step.what:
            case "my_entrance":
                found = {slot: child(context, g.entrances[slot], place=slot) for slot in self.entrances(g, context)}
            case "adjacent_room":
                found = {cell: child(context, g.rooms[cell].card, place=cell) for cell in neighbours(g, context.place)}
            case "market_room":
                shown = [card for card in g.rooms_market.shown if card]
                found = {card: child(context, card, place=context.place) for card in shown}
            case "opened_room" if context.about and g.card_at(context.place) == context.about:
                found = {context.about: child(context, context.about, place=context.place)}
            case "hired_helper" if context.about and not (CARDS[context.about].limited and context.about in g.fired):
                found = {context.about: child(context, context.about)}
        return {
            word: one for word, one in found.items() if one.card not in context.above and any_possible(g, one)
        }  # T-100

    def entrances(self, g: Digs, context: Context) -> list[str]:
        """T-115"""
        return [place for place in g.paws_of(context.seat) if place in g.entrances]

    def possible(self, g: Digs, context: Context, step: Apply) -> bool:
        return bool(self.children(g, context, step))

    def plain(self, g: Digs, context: Context, step: Apply) -> bool:
        """One card only, whose own steps may be declined."""
        return step.what in ("opened_room", "hired_helper")

    def options(self, g: Digs, context: Context, step: Apply, draft: Draft) -> list[Move]:
        return [] if draft else [f"apply {word}" for word in self.children(g, context, step)]

    def take(self, g: Digs, context: Context, step: Apply, words: Draft) -> None:
        children = self.children(g, context, step)
        (one,) = children.values() if not words else (children[words[0].split()[1]],)
        owner = g.rooms[one.place].seat if step.what == "adjacent_room" else context.seat
        g.tell(facts.Applies(context.seat, one.card, one.place, context.card))
        g.next(Resolve(one, pays=owner if owner != context.seat else None))


def neighbours(g: Digs, cell: Cell) -> list[Cell]:
    """T-12 The neighbours of a cell that hold rooms."""
    return [other for other in g.layout.near.get(cell, ()) if other in g.rooms]


class RepeatHelperDeed(Deed[RepeatHelper]):
    """T-130 A helper that was applied in this turn, for what it was about."""

    counts = False

    def children(self, g: Digs, context: Context) -> dict[str, Context]:
        found = {}
        for helper, before in g.fired.items():
            if helper not in context.above and repeatable(g, context.seat, before):
                one = child(context, helper, place=before.place, about=before.about)
                if any_possible(g, one):
                    found[helper] = one
        return found

    def possible(self, g: Digs, context: Context, step: RepeatHelper) -> bool:
        return bool(self.children(g, context))

    def options(self, g: Digs, context: Context, step: RepeatHelper, draft: Draft) -> list[Move]:
        return [] if draft else [f"repeat {helper}" for helper in self.children(g, context)]

    def take(self, g: Digs, context: Context, step: RepeatHelper, words: Draft) -> None:
        one = self.children(g, context)[words[0].split()[1]]
        g.tell(facts.Applies(context.seat, one.card, one.place, context.card))
        g.next(Resolve(one))


def repeatable(g: Digs, seat: int, before: Context) -> bool:
    """T-130 Not one that is limited, places a paw or has gone, nor for a card that has gone."""
    card, about = CARDS[before.card], before.about
    if before.seat != seat or card.id not in g.helpers_of(seat) or card.limited:
        return False
    if any(isinstance(step, PlacePaw) for step in card.effect.steps):
        return False
    if about in CARDS and CARDS[about].sort == "room":
        return g.card_at(before.place) == about
    return not about or about in g.helpers_of(seat)


class BorrowHelperDeed(Deed[BorrowHelper]):
    """T-131 A helper on the market, until the end of the turn."""

    def helpers(self, g: Digs, seat: int) -> list[str]:
        own = g.helpers_of(seat)
        return [card for card in g.helpers_market.shown if card and CARDS[card].lendable and card not in own]

    def possible(self, g: Digs, context: Context, step: BorrowHelper) -> bool:
        return bool(self.helpers(g, context.seat))

    def options(self, g: Digs, context: Context, step: BorrowHelper, draft: Draft) -> list[Move]:
        return [] if draft else [f"borrow {helper}" for helper in self.helpers(g, context.seat)]

    def take(self, g: Digs, context: Context, step: BorrowHelper, words: Draft) -> None:
        helper = words[0].split()[1]
        g.borrowed.append(helper)
        g.tell(facts.Borrowed(context.seat, helper))


class DoubleNextDeed(Deed[DoubleNext]):
    """T-128 A later lift's effect may be applied twice."""

    def possible(self, g: Digs, context: Context, step: DoubleNext) -> bool:
        return True

    def plain(self, g: Digs, context: Context, step: DoubleNext) -> bool:
        return not declining_pays(g, context)

    def options(self, g: Digs, context: Context, step: DoubleNext, draft: Draft) -> list[Move]:
        return [] if draft else ["apply"]

    def take(self, g: Digs, context: Context, step: DoubleNext, words: Draft) -> None:
        g.doubles += 1


class ExtraTurnDeed(Deed[ExtraTurn]):
    """T-33, T-34, T-136 At most one, and not in an extra turn."""

    def possible(self, g: Digs, context: Context, step: ExtraTurn) -> bool:
        return not (g.ended or g.extra_turn or g.sort != "turn")

    def plain(self, g: Digs, context: Context, step: ExtraTurn) -> bool:
        return not declining_pays(g, context)

    def options(self, g: Digs, context: Context, step: ExtraTurn, draft: Draft) -> list[Move]:
        return [] if draft else ["apply"]

    def take(self, g: Digs, context: Context, step: ExtraTurn, words: Draft) -> None:
        g.extra_turn = True
        g.tell(facts.Earned(context.seat, "turn", context.card))


# Chests -------------------------------------------------------------------------------------------------------------


class ChestDrawDeed(Deed[ChestDraw]):
    """T-63 From the top of the supply."""

    def possible(self, g: Digs, context: Context, step: ChestDraw) -> bool:
        return bool(g.supply)

    def plain(self, g: Digs, context: Context, step: ChestDraw) -> bool:
        return not declining_pays(g, context)

    def options(self, g: Digs, context: Context, step: ChestDraw, draft: Draft) -> list[Move]:
        return [] if draft else ["apply"]

    def take(self, g: Digs, context: Context, step: ChestDraw, words: Draft) -> None:
        drawn = g.supply[: step.count]
        del g.supply[: step.count]
        g.unseen = max(0, g.unseen - len(drawn))
        g.players[context.seat].chests += drawn
        g.uncover(CHEST_DRAWN)
        g.tell(facts.ChestsDrawn(context.seat, tuple(drawn)))


class ChestFlipDeed(Deed[ChestFlip]):
    """T-62, T-118, T-134"""

    def possible(self, g: Digs, context: Context, step: ChestFlip) -> bool:
        return bool(g.players[context.seat].used)

    def options(self, g: Digs, context: Context, step: ChestFlip, draft: Draft) -> list[Move]:
        return [] if draft else [f"flip {chest}" for chest in g.players[context.seat].used]

    def take(self, g: Digs, context: Context, step: ChestFlip, words: Draft) -> None:
        player, chest = g.players[context.seat], words[0].split()[1]
        player.used.remove(chest)
        player.chests.append(chest)
        g.tell(facts.ChestFlipped(context.seat, chest))


class ChestSellDeed(Deed[ChestSell]):
    """T-132 Any chest but one that is just being used. T-63 It is shown and goes to the bottom of the supply."""

    def chests(self, g: Digs, context: Context) -> list[str]:
        player = g.players[context.seat]
        return [chest for chest in (*player.chests, *player.used) if chest not in context.above]

    def possible(self, g: Digs, context: Context, step: ChestSell) -> bool:
        return bool(self.chests(g, context))

    def options(self, g: Digs, context: Context, step: ChestSell, draft: Draft) -> list[Move]:
        return [] if draft else [f"sell {chest}" for chest in self.chests(g, context)]

    def take(self, g: Digs, context: Context, step: ChestSell, words: Draft) -> None:
        player, chest = g.players[context.seat], words[0].split()[1]
        used = chest in player.used
        (player.used if used else player.chests).remove(chest)
        g.supply.append(chest)
        g.tell(facts.ChestSold(context.seat, chest, used))
        fire(g, context.above, *gain(g, context, step.goods))


DEEDS[Apply] = ApplyDeed()
DEEDS[RepeatHelper] = RepeatHelperDeed()
DEEDS[BorrowHelper] = BorrowHelperDeed()
DEEDS[DoubleNext] = DoubleNextDeed()
DEEDS[ExtraTurn] = ExtraTurnDeed()
DEEDS[ChestDraw] = ChestDrawDeed()
DEEDS[ChestFlip] = ChestFlipDeed()
DEEDS[ChestSell] = ChestSellDeed()
