"""The legal words, grouped by what a player clicks for them on the page: a location, a card, a quest or a button."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from engine import Move
from engine.games.dungeoneer.cards import Deck
from engine.games.dungeoneer.grid import passages
from engine.games.dungeoneer.view import Public

Kind = Literal["place", "card", "quest", "other", "button"]
BUTTONS = frozenset({
    "end", "done", "pass", "decline", "group", "explore", "stand", "lie", "none", "nobody", "save", "let_go", "roll",
    "pay", "lair", "hand", "discard", "wound",
})  # fmt: skip
IN_HAND = frozenset({"play", "free", "monster", "trap", "attach", "hand"})  # the second word is a card in the hand
QUESTS = frozenset({"attempt", "search", "take", "complete", "pick_up"})
BY_FIRST_TWO = frozenset({"lair", "lift", "use", "treasure"})  # words that differ only in what follows belong together


class Offered(Struct, frozen=True):
    """What a player can click, and the words that it stands for.

    `key` is the name of a location, card or quest, "x y" for an empty cell, or else the beginning of the words. `x` and
    `y` are where a place lies on the grid.
    """

    kind: Kind
    key: str
    words: tuple[Move, ...]
    x: int = 0
    y: int = 0


def offers(asks: str, public: Public, seat: int, deck: Deck, words: Sequence[Move]) -> tuple[Offered, ...]:
    """All words, each in one offer, in the order in which pages show them."""
    found: dict[tuple[Kind, str], list[Move]] = {}
    for word in words:
        found.setdefault(offer_of(asks, public, seat, deck, word), []).append(word)
    return tuple([Offered(kind, key, tuple(same), *cell(public, kind, key)) for (kind, key), same in found.items()])


def walk_offers(public: Public, steps: Mapping[str, Move]) -> Iterator[Offered]:
    """Locations further away: their word is the first step of the way there."""
    for place, word in steps.items():
        yield Offered("place", place, (word,), *cell(public, "place", place))


def cell(public: Public, kind: Kind, key: str) -> tuple[int, int]:
    if kind != "place":
        return 0, 0
    if key in public.spots:
        return public.spots[key].cell
    x, y = key.split()
    return int(x), int(y)


def offer_of(asks: str, public: Public, seat: int, deck: Deck, word: Move) -> tuple[Kind, str]:
    first, *rest = word.split()
    if word in BUTTONS:
        return "button", word
    match asks:
        case "Lay":
            return "place", f"{first} {rest[0]}"
        case "LayTile":
            return "place", f"{rest[0]} {rest[1]}"
        case "Shift" | "Transfer":
            return "place", first
        case "Forced":
            return "place", forced_to(public, first)
    if first == "move":
        return "place", passages(public.spots, public.delvers[seat].at)[rest[0]]
    if first in QUESTS:
        return "quest", rest[0]
    if first in IN_HAND and rest and rest[0] in deck.adventures:
        return "card", rest[0]
    if asks == "DropCard":
        return "card", word
    if first in BY_FIRST_TWO and asks != "Victim":
        return "other", f"{first} {rest[0]}"
    if first == "attack":
        return "other", f"attack {rest[0]} {rest[1]}" if rest[0] in ("monster", "hero") else f"attack {rest[0]}"
    return "other", first if first in ("ability", "exchange", "golem") else word


def forced_to(public: Public, side: str) -> str:
    """D-90 The location on this side of the hero that a strike moves."""
    assert public.concerns
    return passages(public.spots, public.delvers[public.concerns.seat].at)[side]
