"""The modes of play side by side. All their differences are here or on the cards (`cards.toml`)."""

from collections.abc import Mapping
from functools import cache
from typing import Literal, TypedDict

from msgspec import Struct

from engine.games.raiders.cards import MOST_COINS, Deck, decks
from engine.games.raiders.facts import RoomFacts


class Differences(TypedDict):
    most_coins: int | None
    monsters: Literal["by_sum", "by_lower_card", "by_drawn_card"]  # R-42; R-97
    chests: Literal["by_rank", "all_below_card"]  # R-30; R-98
    bleeding: Literal["ties_of_four_and_more", "ties_too", "nobody"]  # who is out for most wounds: R-80; R-81; R-91
    fewest_alive: int  # with fewer alive the game ends at once
    fallen: Literal["stone", "dead"]  # the word for those who were out before the end
    alone: Literal["most_coins", "survivor"]  # the word for a winner with nobody left to be compared with


SECOND = Differences(
    most_coins=MOST_COINS, monsters="by_sum", chests="by_rank", bleeding="ties_of_four_and_more",
    fewest_alive=0, fallen="stone", alone="most_coins",
)  # fmt: skip
FIRST = Differences(
    most_coins=MOST_COINS, monsters="by_sum", chests="by_rank", bleeding="ties_too",
    fewest_alive=1, fallen="dead", alone="survivor",
)  # fmt: skip
DUEL = Differences(
    most_coins=MOST_COINS, monsters="by_lower_card", chests="by_rank", bleeding="nobody",
    fewest_alive=2, fallen="dead", alone="survivor",
)  # fmt: skip
SOLO = Differences(
    most_coins=None, monsters="by_drawn_card", chests="all_below_card", bleeding="nobody",
    fewest_alive=1, fallen="dead", alone="survivor",
)  # fmt: skip
MODES = {"second": SECOND, "first": FIRST, "duel": DUEL, "solo": SOLO}


class Mode(Struct, frozen=True, kw_only=True):
    """An edition for one number of players: its cards and `Differences`."""

    name: str  # "second", "first", "duel" or "solo"
    deck: Deck
    facts: Mapping[str, RoomFacts]  # the rooms for this number of players, by id
    deadly: int | None  # with this many wounds a hero dies at once
    most_coins: int | None
    monsters: str
    chests: str
    bleeding: str
    fewest_alive: int
    fallen: str
    alone: str


@cache
def mode_of(edition: str, players: int) -> Mode:
    name = {1: "solo", 2: "duel"}.get(players, edition)
    deck = decks()[edition]
    if players == 1 and deck.solo:
        deck = deck.solo
    if players not in deck.facts:
        raise ValueError(f"no {edition} edition for {players}")
    return Mode(name=name, deck=deck, facts=deck.facts[players], deadly=deck.deadly, **MODES[name])
