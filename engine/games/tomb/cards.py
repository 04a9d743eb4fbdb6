"""The cards as data: read from a TOML file and validated."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from importlib.resources import files
from typing import Annotated, Literal

from msgspec import Meta, Struct

from engine.cards import CardFile, CardRecord, Count, Some, Word
from engine.games.tomb.effects import (
    GLORY,
    NOTHING,
    Apply,
    Effect,
    EffectFault,
    Gain,
    Goods,
    PlacePaw,
    parse_amount,
    parse_effect,
)

NEUTRAL = "neutral"  # T-2 the faction of Sphinx and Murmia
CHESTS = 20

Back = Literal["green", "blue"]


class Entry(CardRecord, frozen=True):
    """A card in the file, with its effect as a text."""

    named = "id"
    effect: str

    def faults(self) -> Iterable[str]:
        yield from fault_of("effect", self.effect)


class Bought(Entry, frozen=True):
    """T-2, T-3 What rooms and helpers have in common."""

    id: Word
    faction: Word
    back: Back
    cost: str
    glory: Count

    def faults(self) -> Iterable[str]:
        yield from super().faults()
        try:
            cost = parse_amount(self.cost)
        except EffectFault as fault:
            yield f"cost: {fault}"
        else:
            if cost.free or cost.goods[GLORY]:
                yield "cost: resources and gold only"


class RoomEntry(Bought, frozen=True):
    again: bool = False

    def faults(self) -> Iterable[str]:
        yield from super().faults()
        if self.effect.startswith("on_"):
            yield "effect: a room has no trigger"


class HelperEntry(Bought, frozen=True):
    kind: Literal["passive", "static", "once"]
    limited: bool = False

    def faults(self) -> Iterable[str]:
        if found := list(super().faults()):
            yield from found
            return
        effect = parse_effect(self.effect)
        kind = "passive" if effect.on else "once" if effect == Effect(effect.steps) else "static"
        if kind != self.kind:
            yield f"kind: its effect is {kind}"
        if self.limited and not effect.on:
            yield "limited: only a helper with a trigger"
        if (effect.on == "visited" or effect.on.startswith("gain ")) and not all(fixed(one) for one in effect.steps):
            yield "effect: others would have to choose outside their turn"  # T-103
        if any(isinstance(one, PlacePaw) for one in effect.steps) and effect.on != "after_remove":
            yield "effect: only an effect that follows the removal of paws can place a paw"  # T-116
        if effect.instead and (effect.on, effect.steps) != ("remove room", (Apply("adjacent_room"),)):
            yield "effect: instead: only of a lifted room, and a neighbour's effect"  # T-120


class ChestEntry(Entry, frozen=True):
    named = "effect"
    copies: Some


class EntranceEntry(Entry, frozen=True):
    id: Annotated[str, Meta(pattern=r"\A\d+(\.5)?\Z")]
    faction: Word | Literal[""] = ""
    reverse: str = ""

    def faults(self) -> Iterable[str]:
        yield from super().faults()
        if self.reverse:
            yield from fault_of("reverse", self.reverse)
        if bool(self.reverse) != bool(self.faction):
            yield "reverse: an entrance has a faction and a reverse, or neither"  # T-160


def fixed(step: object) -> bool:
    """Whether a step is a gain without a choice."""
    return isinstance(step, Gain) and not step.amount.free


def fault_of(field: str, text: str) -> Iterator[str]:
    try:
        parse_effect(text)
    except EffectFault as fault:
        yield f"{field}: {fault}"


# The deck -----------------------------------------------------------------------------------------------------------


class Card(Struct, frozen=True, dict=True):
    """A room or a helper."""

    id: str
    sort: Literal["room", "helper"]
    faction: str
    back: str
    cost: Goods
    glory: int
    effect: Effect
    again: bool = False  # room: T-49 shows the extra-action symbol
    kind: str = ""  # helper: "passive", "static" or "once"
    limited: bool = False  # helper: once a turn

    @cached_property
    def lendable(self) -> bool:
        """T-131 Whether the helper can be borrowed. One with a one-time effect cannot: that belongs to hiring."""
        return self.kind in ("passive", "static")


class Entrance(Struct, frozen=True):
    id: str
    faction: str
    effect: Effect
    reverse: Effect | None


class Deck(Struct, frozen=True):
    """All printed components. Every dictionary is in the order of the tables, which is the order before a shuffle."""

    factions: tuple[str, ...]
    first_game: tuple[str, ...]
    sets: tuple[int, ...]
    cards: dict[str, Card]  # rooms, then helpers
    chests: dict[str, Effect]
    entrances: dict[str, Entrance]


def load(text: str, source: str = "cards.toml") -> Deck:
    """Parse and validate a card file. Raises CardError."""
    file = CardFile(text, {"first_game", "factions", "sets", "room", "helper", "chest", "entrance"}, source)
    rooms, helpers = file.cards("room", RoomEntry), file.cards("helper", HelperEntry)
    chests = [chest for chest in file.cards("chest", ChestEntry) for _ in range(chest.copies)]
    entrances = file.cards("entrance", EntranceEntry)
    file.no_two("cards", [entry.id for entry in (*rooms, *helpers)])
    found = Deck(
        factions=file.read("factions", tuple[Word, ...], file.data.get("factions")),
        first_game=file.read("first_game", tuple[Word, ...], file.data.get("first_game")),
        sets=file.read("sets", tuple[Count, ...], file.data.get("sets")),
        cards={**{entry.id: room(entry) for entry in rooms}, **{entry.id: helper(entry) for entry in helpers}},
        chests={f"chest_{n:02}": parse_effect(entry.effect) for n, entry in enumerate(chests, 1)},
        entrances={entry.id: entrance(entry) for entry in entrances},
    )
    for where, fault in faults(found):
        raise file.error(where, fault)
    return found


def room(entry: RoomEntry) -> Card:
    cost, effect = parse_amount(entry.cost).goods, parse_effect(entry.effect)
    return Card(entry.id, "room", entry.faction, entry.back, cost, entry.glory, effect, again=entry.again)


def helper(entry: HelperEntry) -> Card:
    cost, effect = parse_amount(entry.cost).goods, parse_effect(entry.effect)
    return Card(
        entry.id, "helper", entry.faction, entry.back, cost, entry.glory, effect, kind=entry.kind, limited=entry.limited
    )


def entrance(entry: EntranceEntry) -> Entrance:
    reverse = parse_effect(entry.reverse) if entry.reverse else None
    return Entrance(entry.id, entry.faction, parse_effect(entry.effect), reverse)


def faults(deck: Deck) -> Iterable[tuple[str, str]]:
    """Errors of the cards as a whole: where, and what is wrong."""
    for name in (*deck.cards, *deck.chests):
        if name in deck.entrances:
            yield f"entrance {name}", "id: another card has it"
    known = (*deck.factions, NEUTRAL)
    for one in deck.cards.values():
        if one.faction not in known:
            yield f"{one.sort} {one.id}", f"faction: no {one.faction}"
    for faction in deck.factions:
        for sort in ("room", "helper"):
            backs = sorted(c.back for c in deck.cards.values() if (c.sort, c.faction) == (sort, faction))
            if backs != ["blue", "green", "green"]:
                yield f"factions {faction}", f"{sort}: two green cards and a blue one are needed"
    if len(deck.chests) != CHESTS:
        yield "chest", f"{len(deck.chests)} chests, {CHESTS} are needed"
    for gate in deck.entrances.values():
        if gate.faction and gate.faction not in deck.factions:
            yield f"entrance {gate.id}", f"faction: no {gate.faction}"
    if set(deck.first_game) - set(deck.factions) or len(set(deck.first_game)) < 7:
        yield "first_game", "seven factions are needed"
    if len(deck.sets) != 6:
        yield "sets", "six numbers are needed"


DECK = load((files(__package__) / "cards.toml").read_text("utf-8"))
CARDS = DECK.cards
NO_EFFECT = Effect()
NO_COST = NOTHING
