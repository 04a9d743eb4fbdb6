"""T-150 to T-155 Sets of different factions, and who wins."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from engine import Standing
from engine.games.tomb.cards import CARDS, DECK, NEUTRAL
from engine.games.tomb.effects import GLORY
from engine.games.tomb.facts import Line, TombResult
from engine.games.tomb.state import Digs

MOST_IN_SET = len(DECK.sets)  # T-154


def sizes(factions: Counter[str]) -> list[int]:
    """T-153 The largest set first. T-154 What is more than six goes on to the next set."""
    found, excess = [], 0
    for n in range(1, max(factions.values(), default=0) + 1):
        size = sum(count >= n for count in factions.values()) + excess
        excess = max(0, size - MOST_IN_SET)
        found.append(size - excess)
    return [*found, excess] if excess else found


def worth(found: Sequence[int]) -> int:
    """T-151"""
    return sum(DECK.sets[size - 1] for size in found)


@lru_cache(maxsize=1024)
def best_sets(cards: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """T-152, T-153 The cards in sets, the largest first; a neutral card counts as the faction that brings most."""
    wild = [card for card in cards if CARDS[card].faction == NEUTRAL]
    named = [(CARDS[card].faction, card) for card in cards if card not in wild]
    held = Counter(faction for faction, _ in named)
    if wild:
        chosen = max(DECK.factions, key=lambda faction: worth(sizes(held + Counter([faction] * len(wild)))))
        named += [(chosen, card) for card in wild]
    return laid_in_sets(named)


def laid_in_sets(named: Sequence[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """The n-th card of every faction goes into the n-th set, those beyond six into the next one."""
    seen: Counter[str] = Counter()
    sets: list[list[str]] = []
    over: list[str] = []
    for number in range(1, max(Counter(faction for faction, _ in named).values(), default=0) + 1):
        seen.clear()
        layer = []
        for faction, card in named:
            seen[faction] += 1
            if seen[faction] == number:
                layer.append(card)
        layer = [*over, *layer]
        sets.append(layer[:MOST_IN_SET])
        over = layer[MOST_IN_SET:]
    if over:
        sets.append(over)
    return tuple(tuple(one) for one in sets)


def line(board: int, rooms: Sequence[str], helpers: Sequence[str]) -> Line:
    """T-150 The score of one player, with this glory on the board. T-64 Chests count nothing."""
    room_sets, helper_sets = best_sets(tuple(rooms)), best_sets(tuple(helpers))
    for_rooms, for_helpers = worth([len(one) for one in room_sets]), worth([len(one) for one in helper_sets])
    return Line(board, for_rooms, for_helpers, board + for_rooms + for_helpers, room_sets, helper_sets)


def rooms_of(g: Digs, seat: int) -> list[str]:
    """In the order of the cells."""
    return [room.card for cell in g.layout.cells if (room := g.rooms.get(cell)) and room.seat == seat]


def lines(g: Digs) -> tuple[Line, ...]:
    return tuple(line(p.goods[GLORY], rooms_of(g, seat), p.helpers) for seat, p in enumerate(g.players))


def decide(found: Sequence[Line], ended: str, trigger: int) -> TombResult:
    """T-155 Most points win; in a tie the player in whose turn the end was triggered, or who comes next after."""
    seats = len(found)
    order = sorted(range(seats), key=lambda seat: (-found[seat].total, (seat - trigger) % seats))
    totals = [one.total for one in found]
    standings = []
    for place, seat in enumerate(order, 1):
        tied = totals.count(totals[seat]) > 1
        one = found[seat]
        score = {"total": one.total, "glory": one.glory, "rooms": one.rooms, "helpers": one.helpers}
        why = "points" if not tied else "trigger" if seat == trigger else "turn_order"
        standings.append(Standing(seat, place, score, why))
    return TombResult((order[0],), tuple(standings), tuple(found), ended, trigger)
