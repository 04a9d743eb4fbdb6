"""Rodents and Tombs with other values of cards, to see what they would do to the balance.

python -m bench.tomb_variants --games 100 less_glory

plays one variant between two diggers and prints its measures. Only values are changed that the rulebook does not print.
"""

import argparse
from collections.abc import Callable

from msgspec import structs

from bench.balance import table as tabular
from bench.tomb import measures, play
from engine.games.tomb.bot import digger
from engine.games.tomb.cards import CARDS, DECK, Card
from engine.games.tomb.effects import GOLD, parse_effect

# Their costs or glory are printed in the rulebook.
PRINTED = ("living_fire", "sphinx", "pyromancer", "architect")
PLAIN_ENTRANCES = {"7": "open", "11": "hire", "12": "open"}  # like those of the rulebook, 2 and 5


def dearer(card: Card) -> Card:
    """One more unit of the cost's first resource."""
    return costing(card, next(good for good in range(GOLD) if card.cost[good]), 1)


def cheaper(card: Card) -> Card:
    """One unit less of the resource of which the cost has most."""
    return costing(card, card.cost.index(max(card.cost[:GOLD])), -1)


def costing(card: Card, good: int, more: int) -> Card:
    food, torch, pickaxe, gold, glory = (amount + more * (n == good) for n, amount in enumerate(card.cost))
    return structs.replace(card, cost=(food, torch, pickaxe, gold, glory))


def less_glory(card: Card) -> Card:
    return structs.replace(card, glory=max(0, card.glory - 1))


def more_glory(card: Card) -> Card:
    return structs.replace(card, glory=card.glory + 1)


def dearer_helper(card: Card) -> Card:
    return dearer(card) if card.sort == "helper" else card


def cheaper_helper(card: Card) -> Card:
    return cheaper(card) if card.sort == "helper" else card


VARIANTS: dict[str, Callable[[Card], Card]] = {
    "as_it_is": lambda card: card,
    "less_glory": less_glory,
    "more_glory": more_glory,
    "dearer_helpers_less_glory": lambda card: less_glory(dearer_helper(card)),
    "cheaper_helpers_less_glory": lambda card: less_glory(cheaper_helper(card)),
    "cheaper_less_glory": lambda card: less_glory(cheaper(card)),
    "dearer_more_glory": lambda card: more_glory(dearer(card)),
    "dearer_helpers_more_glory": lambda card: more_glory(dearer_helper(card)),
    "dearer_helpers_much_glory": lambda card: more_glory(more_glory(dearer_helper(card))),
    "plain_entrances": lambda card: card,
}


def change(variant: str) -> None:
    """Change the cards of this process."""
    for card in CARDS.values():
        if card.id not in PRINTED:
            CARDS[card.id] = VARIANTS[variant](card)
    if variant == "plain_entrances":
        for number, effect in PLAIN_ENTRANCES.items():
            DECK.entrances[number] = structs.replace(DECK.entrances[number], effect=parse_effect(effect))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variant", choices=VARIANTS)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", default="var")
    given = parser.parse_args()
    change(given.variant)
    games = [play([digger] * 2, given.seed, number) for number in range(given.games)]
    print("\n".join(tabular(["", given.variant], ([name, two] for name, two, _ in measures(games, [])))))
