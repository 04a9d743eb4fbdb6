"""Random players and the bot play whole games. Tests check the invariants of the rules after each step."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from engine.bots import choose_move
from engine.games.dungeoneer import battle_facts, facts, game
from engine.games.dungeoneer.bot import hero
from engine.games.dungeoneer.cards import HEALTH, LAIR, deck
from engine.games.dungeoneer.grid import Fit, distances
from engine.games.dungeoneer.lay import Lay
from engine.games.dungeoneer.rules import Dungeoneer
from engine.saved_table import SavedTable
from engine.table import Table
from engine.testing import deal, play_at_random
from engine.testing.game_settings import game_settings
from engine.testing.moves import secret
from tests.engine.games.dungeoneer.sitting import found

pytestmark = pytest.mark.no_cover

DECK = deck()


def adventures(g: Dungeoneer) -> Counter[str]:
    """Every adventure card wherever it is."""
    found: list[str] = list(g.waiting)
    for pile in (*g.decks.values(), *g.discards.values()):
        found += pile
    for delver in g.delvers:
        found += [*delver.hand, *delver.prepared()]
        found += [card for item in delver.lair for card in (item.card, *item.tucked)]
    if g.group:
        found += [foe.card for foe in g.group.foes if not foe.gone and foe.source != "quest"]
        found += [card for foe in g.group.foes for card in foe.tucked]
        found += [snare.card for snare in g.group.snares if not snare.gone]
    return Counter(found)


def sound(g: Dungeoneer, cards: Counter[str]) -> None:
    assert adventures(g) == cards, "every card is in exactly one place"
    quests = [*g.quests, *g.common, *g.gone, *(lost.quest for lost in g.dropped)]
    quests += [quest for delver in g.delvers for quest in (*delver.quests, *delver.completed)]
    assert sorted([*quests, *(name for name in g.aside if name in DECK.quests)]) == sorted(DECK.quests)
    laying = [step.card for step in g.todo if isinstance(step, Lay)]
    places = [*g.spots, *g.unlaid, *laying, *(card for tiles in g.tiles for card in tiles)]
    assert sorted([*places, *(name for name in g.aside if name in DECK.locations)]) == sorted(DECK.locations)
    assert len({spot.cell for spot in g.spots.values()}) == len(g.spots)
    assert len(distances(g.spots, DECK.start)) == len(g.spots), "the map is connected"
    if g.unlaid or any(g.tiles):
        assert Fit(g.spots, True).ends, "and open while cards remain"
    for delver in g.delvers:
        assert delver.glory >= 0 and delver.peril >= 0 and delver.ap >= 0 and 0 <= delver.hp <= HEALTH
        assert delver.alive is (delver.hp > 0) or not delver.hero or g.result or "ChooseHero" in str(g.todo[-1:])
        assert len(delver.lair) <= LAIR or g.group
        assert set(delver.escorts) <= set(delver.quests) and len(delver.completed) <= 3
        assert not Counter(delver.known) - Counter(delver.hand)
    assert sum(len(delver.escorts) for delver in g.delvers) + len(g.dropped) <= 4
    assert 0 <= g.bottom <= len(g.unlaid)


def some_games(part: int, games: int) -> Iterator[tuple[Table, list[Any], int]]:
    settings = list(game_settings(game))
    for seed in range(part, games, 4):
        setting = settings[seed % len(settings)]
        table, told = Table.begin(game, setting.seats, deal(setting.seats, seed), setting.options)
        yield table, told, seed


@pytest.mark.parametrize("part", range(4))
def test_random_games_stay_sound(part: int) -> None:
    turns = 0
    for table, told, seed in some_games(part, 84):
        g: Dungeoneer = table.state
        cards = Counter(DECK.all_adventures(g.solo))
        watch(told)
        for n, happened in enumerate(play_at_random(table, Random(seed))):
            turns += len(found(happened, facts.TurnBegan))
            watch(happened)
            if happened and (n % 3 == 0 or table.over):
                sound(table.state, cards)
    assert turns > 500, "every turn ends"


def watch(told: list[Any]) -> None:
    """Nobody's own peril is spent by himself, and sums are right."""
    for event in told:
        if isinstance(event, facts.Played) and not DECK.adventures[event.card].glory:
            assert event.payer != event.seat
        elif isinstance(event, battle_facts.GroupShown):
            assert event.seat not in event.paid
        elif isinstance(event, facts.Checked):
            assert event.total == event.die + event.value + event.more
            assert event.passed is (event.total >= event.number) and 1 <= event.die <= 6
        elif isinstance(event, (battle_facts.AttackRolled, battle_facts.CounterRolled)):
            assert event.total == event.die + max(0, event.value + event.more)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_games_of_the_bot_stay_sound_and_end(seats: int) -> None:
    for seed in range(6):
        table = Table.begin(game, seats, deal(seats, seed), {})[0]
        luck, cards = Random(seed), Counter(DECK.all_adventures(seats == 1))
        while not table.over:
            seat = table.waits[0]
            watch(table.play(seat, choose_move(table, seat, hero, luck), table.round, secret(luck), "bot"))
            sound(table.state, cards)


def test_a_table_can_be_stored_in_the_middle_of_a_battle() -> None:
    luck, battles = Random(3), 0
    table = Table.begin(game, 3, deal(3, 3), {})[0]
    while not table.over and battles < 40:
        if table.state.group:
            battles += 1
            stored = msgspec.json.encode(table.save())
            again = Table.restore(msgspec.json.decode(stored, type=SavedTable), game)
            assert msgspec.json.encode(again.save()) == stored and again.asked == table.asked
        seat = luck.choice(table.waits)
        table.play(seat, choose_move(table, seat, hero, luck), table.round, secret(luck))
    assert battles == 40
