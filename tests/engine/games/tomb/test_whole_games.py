"""Thousands of random games, and what always holds in them."""

from collections import Counter
from random import Random

import pytest

from engine.games.tomb import game
from engine.games.tomb.cards import CARDS, DECK, NEUTRAL
from engine.games.tomb.effects import GLORY
from engine.games.tomb.places import layout
from engine.games.tomb.rules import MainAction, Tomb
from engine.games.tomb.state import MARKET, MOST, PAWS, TOKENS
from engine.table import Table
from engine.testing import new_table, play_at_random
from engine.testing.moves import SECRET

pytestmark = pytest.mark.no_cover


def sound(g: Tomb) -> None:
    """The invariants of a state in which a player is asked."""
    here = layout(g.seats)
    for seat, player in enumerate(g.players):
        assert player.paws + sum(other == seat for other in g.paws.values()) == PAWS and player.paws >= 0
        owned = sum(room.seat == seat for room in g.rooms.values()) + sum(s == seat for s in g.turned.values())
        assert player.tokens + owned == TOKENS and player.tokens >= 0
        assert all(0 <= n <= MOST for n in player.goods[:GLORY]) and player.goods[GLORY] >= 0
    for market, sort in zip(g.markets, ("room", "helper"), strict=True):
        lying = [*market.deck, *market.discard, *(card for card in market.shown if card)]
        held = [card for player in g.players for card in (*player.camp, *player.helpers) if CARDS[card].sort == sort]
        placed = [room.card for room in g.rooms.values()] if sort == "room" else []
        every = [card.id for card in CARDS.values() if card.sort == sort and card.faction in (*g.factions, NEUTRAL)]
        assert sorted([*lying, *held, *placed]) == sorted(every)
        assert len(market.shown) == MARKET and ("" not in market.shown or not (market.deck or market.discard))
    chests = [*g.chests.values(), *g.supply, *(chest for p in g.players for chest in (*p.chests, *p.used))]
    assert sorted(chests) == list(DECK.chests) and 0 <= g.unseen <= len(g.supply)
    assert set(g.paws) <= set(here.order) and set(g.rooms) <= set(here.cells) and not set(g.rooms) & set(g.chests)
    assert sorted(g.entrances.values()) == sorted(here.slots) and not set(g.secret) & set(g.turned)


def rests(g: Tomb) -> None:
    """Between actions nothing is left of an effect or an action."""
    assert g.applied == [] and g.had == [] and g.doubles == 0
    assert [type(step).__name__ for step in g.todo[:-1]][::-1][:1] == ["EndTurn"]
    ask = g.todo[-1]
    if isinstance(ask, MainAction) and ask.sort != "extra":
        assert not (g.borrowed or g.fired or g.symbols or g.extra_actions or g.ignored)
        assert all(len(player.camp) <= g.camp_limit(seat) for seat, player in enumerate(g.players))


def setting(number: int) -> tuple[int, dict[str, str]]:
    options = {"entrance_layout": ("standard", "random")[number // 2 % 2]}
    if number % 2:
        return 3, options
    return 2, {**options, "secret_entrance": ("off", "on")[number // 4 % 2]}


@pytest.mark.parametrize("batch", range(8))
def test_random_games_are_sound_to_the_end(batch: int) -> None:
    ends: Counter[str] = Counter()
    for number in range(batch * 250, batch * 250 + 250):
        seats, options = setting(number)
        table = new_table(game, seats, number, **options)
        luck = Random(number)
        while not table.over:
            sound(table.state)
            if isinstance(table.ask, MainAction):
                rests(table.state)
            play_a_turn_of_words(table, luck)
        ends[table.state.result.ended] += 1
        lines = table.state.result.lines
        assert all(line.total == line.glory + line.rooms + line.helpers for line in lines)
    assert set(ends) >= {"glory", "helpers"}


def play_a_turn_of_words(table: Table, luck: Random) -> None:
    """Random words until an action is over or the game is."""
    for _ in range(12):
        if table.over:
            return
        seat = table.waits[0]
        table.play(seat, luck.choice(table.moves(seat)), table.round, SECRET)
        if isinstance(table.ask, MainAction):
            return


def test_every_game_that_is_played_at_random_ends_before_the_limit() -> None:
    for seed in range(20):
        table = new_table(game, 2 + seed % 2, seed)
        for _ in play_at_random(table, Random(seed)):
            pass
        assert table.state.result.ended != "turns"
