"""What pages show besides the views: the cards with their names and effects as plain data, and where entrances lie."""

from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from engine import Shared
from engine.games.tomb.card_names import FACTIONS, HELPERS, ROOMS
from engine.games.tomb.cards import CARDS, DECK
from engine.games.tomb.effects import Effect, Goods
from engine.games.tomb.places import COLUMNS, ROWS, Cell, Place, Slot, layout
from engine.games.tomb.seen import Public

PlainEffect = dict[str, Any]  # an `Effect`; each of its steps has a `verb`


class CardFace(Struct, frozen=True):
    id: str
    name: str
    sort: str  # "room" or "helper"
    faction: str
    guild: str  # the faction's name
    cost: Goods
    glory: int
    again: bool
    kind: str
    limited: bool
    effect: PlainEffect


class EntranceFace(Struct, frozen=True):
    id: str
    faction: str
    guild: str
    effect: PlainEffect
    reverse: PlainEffect | None


class DeckFace(Struct, frozen=True):
    """All printed cards; the same for every table."""

    cards: dict[str, CardFace]
    entrances: dict[str, EntranceFace]
    chests: dict[str, PlainEffect]
    factions: dict[str, str]
    sets: tuple[int, ...]


class SlotFace(Struct, frozen=True):
    """Where an entrance lies, and who cannot use it because of the paw opposite."""

    slot: Slot
    card: str
    side: str  # "left", "top", "right" or "bottom"
    paw: int | None
    rival: int | None  # whose paw lies opposite
    token: bool
    owner: int | None
    effect: PlainEffect


class Summary(Struct, frozen=True):
    deck: DeckFace
    rows: int
    slots: tuple[SlotFace, ...]
    titles: dict[Cell, str]  # of cells: their left and their upper entrance
    cards_at: dict[Place, str]  # the entrance or room that lies there; "" on an empty place
    asks: str  # what kind of choice is due: "choosing", "lifting" or "deciding"
    laid: dict[int, tuple[Place, ...]]  # by seat: where its paws lie
    rooms: int  # opened


@cache
def deck() -> DeckFace:
    names = ROOMS | HELPERS
    return DeckFace(
        cards={
            card.id: CardFace(
                card.id, names[card.id], card.sort, card.faction, FACTIONS[card.faction], card.cost, card.glory,
                card.again, card.kind, card.limited, plain(card.effect),
            )
            for card in CARDS.values()
        },
        entrances={
            card.id: EntranceFace(
                card.id, card.faction, FACTIONS.get(card.faction, ""), plain(card.effect),
                plain(card.reverse) if card.reverse else None,
            )
            for card in DECK.entrances.values()
        },
        chests={chest: plain(effect) for chest, effect in DECK.chests.items()},
        factions=FACTIONS,
        sets=DECK.sets,
    )  # fmt: skip


def plain(effect: Effect) -> PlainEffect:
    found: PlainEffect = msgspec.to_builtins(effect)
    return found


@cache
def sides(seats: int) -> dict[Slot, str]:
    return {
        **{slot: side for row in ROWS[seats] for slot, side in zip(row, ("left", "right"), strict=True)},
        **{slot: side for column in COLUMNS for slot, side in zip(column, ("top", "bottom"), strict=True)},
    }


@cache
def titles(seats: int) -> dict[Cell, str]:
    """ "2 × 7" is where the row of entrance 2 meets the column of entrance 7."""
    return {cell: f"{row[0]}\u00a0×\u00a0{column[0]}" for cell, row, column in layout(seats).crossings}


def summary(shared: Shared[Public]) -> Summary:
    public, seats = shared.public, shared.seats
    paws = {one.slot: one.paw for one in public.entrances}
    slots = []
    for one in public.entrances:
        entrance = deck().entrances[one.card]
        effect = entrance.reverse if one.owner is not None and entrance.reverse else entrance.effect
        rival = paws[one.opposite] if one.paw is None else None
        slots.append(SlotFace(one.slot, one.card, sides(seats)[one.slot], one.paw, rival, one.token, one.owner, effect))
    laid: dict[int, tuple[Place, ...]] = {seat: () for seat in range(seats)}
    for place, paw in [*paws.items(), *((one.cell, one.paw) for one in public.cells)]:
        if paw is not None:
            laid[paw] = (*laid[paw], place)
    asks = {"MainAction": "choosing", "LiftPaw": "lifting"}.get(shared.asks, "deciding")
    rooms = sum(1 for one in public.cells if one.room)
    cards = {one.slot: one.card for one in public.entrances} | {one.cell: one.room for one in public.cells}
    return Summary(deck(), len(ROWS[seats]), tuple(slots), titles(seats), cards, asks, laid, rooms)
