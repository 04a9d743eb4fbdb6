"""Thousands of random games, with what must hold after every step."""

from collections import Counter
from itertools import pairwise
from random import Random

import msgspec
import pytest

from engine.games.raiders import facts, game, rules
from engine.games.raiders.cards import decks
from engine.games.raiders.rules import Raiders
from engine.steps import Ask, Event, Result, Step
from engine.table import Table
from tests.engine.play import begin, deal, secret, wander

DECK = decks()["second"]
WAYS = [(seats, play) for seats in (3, 4, 5) for play in ("sealed", "open")]
GAMES = 500  # of each way


def check_state(g: Raiders, seen: Counter[str]) -> None:
    """`seen` are the rooms that have been entered."""
    for raider in g.raiders:
        assert 0 <= raider.coins <= 20 and raider.wounds >= 0
        assert all(n >= 0 for n in raider.items.values())
        assert len(raider.hand) >= 5 - len(raider.played)
    for item in facts.ITEMS:
        held = sum(raider.items[item] for raider in g.raiders)
        assert g.supply[item] >= 0 and held + g.supply[item] == 6
    to_come = Counter(g.rooms[g.place :] + g.deck + g.away)
    bosses = [room for room in (to_come + seen).elements() if room in DECK.bosses]
    assert len(bosses) == 1
    assert to_come + seen == Counter(DECK.rooms) + Counter(bosses)


def check_round_trip(g: Raiders) -> None:
    once = msgspec.json.encode(g)
    again = msgspec.json.decode(once, type=Raiders)
    assert msgspec.json.encode(again) == once and again == g


def run_through(seats: int, play: str, seed: int, closely: bool) -> list[Event]:
    table, events = Table.begin(game, seats, deal(seats, seed), {"play": play})
    g, seen = table.state, Counter[str]()
    seen[g.rooms[0]] += 1
    luck = Random(seed)
    for told in wander(table, luck):
        events += told
        for event in told:
            if isinstance(event, facts.Enter):
                seen[g.rooms[event.place - 1]] += 1
        assert table.version == len(events)
        assert table.over or table.waits
        assert all(table.moves(seat) for seat in table.waits)
        if told or closely:
            check_state(g, seen)
        if closely:
            check_round_trip(g)
    return events


def check_events(events: list[Event], seats: int) -> None:
    """The rooms of a game fit together."""
    rooms = [event for event in events if isinstance(event, facts.Room)]
    assert [(room.floor, room.place) for room in rooms] == [(f, p) for f in range(1, 6) for p in range(1, 6)]
    assert sum(isinstance(event, facts.Enter) for event in events) == 25
    assert rooms[24].room.kind == "boss" and all(room.room.kind != "boss" for room in rooms[:24])
    (result,) = [event for event in events if isinstance(event, Result)]
    assert sorted(standing.seat for standing in result.standings) == list(range(seats))
    assert [s.seat for s in result.standings if s.why in ("most_coins", "fewer_wounds", "shared")] == [*result.winners]
    for room in rooms:
        assert len(room.plays) == len(room.before) == len(room.after) == seats
        assert None not in room.plays
        for item in facts.ITEMS:
            for purses, supply in ((room.before, room.supply_before), (room.after, room.supply_after)):
                assert sum(purse.items[item] for purse in purses) + supply[item] == 6
    for one, following in pairwise(rooms):
        assert [(p.coins, p.wounds) for p in one.after] == [(p.coins, p.wounds) for p in following.before]
    for floor in range(5):
        for seat in range(seats):
            cards = [room.plays[seat] for room in rooms[5 * floor : 5 * floor + 5]]
            power = [card for card in cards if isinstance(card, int)]
            assert len(set(power)) == len(power), "a power card is played once a floor"


@pytest.mark.parametrize(("seats", "play"), WAYS)
def test_random_games(seats: int, play: str) -> None:
    for seed in range(GAMES):
        check_events(run_through(seats, play, seed, closely=seed % 25 == 0), seats)


def test_the_states_steps_are_all_in_its_union() -> None:
    """A step that is missing there could be played, but not be loaded."""
    ours = {kind for kind in vars(rules).values() if isinstance(kind, type) and issubclass(kind, Step)}
    assert ours - {Step, Ask} == set(rules.Steps.__args__)


@pytest.mark.parametrize(("seats", "play"), WAYS)
def test_played_by_defaults_alone_every_game_ends(seats: int, play: str) -> None:
    for seed in range(20):
        table = begin(game, seats, seed, play=play)
        while not table.over:
            for seat in table.waits:
                table.play(seat, table.default(seat), table.round, "00" * 16)
        assert table.state.result is not None


@pytest.mark.parametrize("play", ["sealed", "open"])
def test_a_default_completes_any_choice(play: str) -> None:
    """Also after balls, before bosses, with torches about: at any moment the defaults may take over."""
    for seed in range(60):
        table, luck = begin(game, 3, seed, play=play), Random(seed)
        for n, _ in enumerate(wander(table, luck)):
            if n > 4 * seed:
                break
        while not table.over:
            seat = luck.choice(table.waits)
            table.play(seat, table.default(seat), table.round, secret(luck))


def test_a_restored_table_plays_on_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.table.find", lambda key: game)
    for seed in range(20):
        table = begin(game, 4, seed)
        for n, _ in enumerate(wander(table, Random(seed))):
            if n > 10 * seed:
                break
        other = Table.restore(msgspec.json.decode(msgspec.json.encode(table.snapshot()), type=type(table.snapshot())))
        ours = [event for told in wander(table, Random(5)) for event in told]
        theirs = [event for told in wander(other, Random(5)) for event in told]
        assert ours == theirs


def test_the_same_seed_gives_the_same_game() -> None:
    for seed in range(3):
        assert run_through(4, "sealed", seed, False) == run_through(4, "sealed", seed, False)


def test_all_events_are_what_the_facts_say() -> None:
    """They go through JSON as the union that programs read them by."""
    ours = facts.RaidersEvent.__args__
    for seed in range(5):
        for event in run_through(5, "open", seed, False):
            if isinstance(event, ours):
                encoded = msgspec.json.encode(event)
                assert msgspec.json.decode(encoded, type=facts.RaidersEvent) == event


def test_the_state_is_small() -> None:
    assert len(msgspec.json.encode(begin(game, 4).state)) < 2_500
