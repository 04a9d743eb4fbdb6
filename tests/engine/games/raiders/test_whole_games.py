"""Thousands of random games, with what must hold after every step."""

from collections import Counter
from itertools import pairwise
from random import Random

import msgspec
import pytest
from msgspec import UNSET

from engine.games.raiders import facts, game, rules
from engine.games.raiders.modes import Mode, mode_of
from engine.games.raiders.rules import Raiders
from engine.steps import Ask, Event, Result, Step
from engine.table import Table
from engine.testing.moves import deal, new_table, play_at_random, secret
from tests.engine.games.raiders.settings import ALL, SECOND, Setting, named

pytestmark = pytest.mark.no_cover

GAMES = 300  # of each setting

each_setting = pytest.mark.parametrize("setting", ALL, ids=named)


def check_state(g: Raiders, seen: Counter[str]) -> None:
    """`seen` are the rooms that have been entered."""
    mode, deck = g.mode, g.mode.deck
    for raider in g.raiders:
        assert raider.coins >= 0 and raider.wounds >= 0
        assert mode.most_coins is None or raider.coins <= mode.most_coins
        assert all(n >= 0 for n in raider.items.values())
        if mode.deadly:
            assert raider.alive == (raider.wounds < 10)
            assert raider.alive or not (any(raider.items.values()) or raider.hand)
        if raider.alive:
            assert len(raider.hand) >= 5 - len(raider.played)
    for item in facts.ITEMS:
        held = sum(raider.items[item] for raider in g.raiders)
        assert g.supply[item] >= 0 and held + g.supply[item] == {"second": 6, "solo": 0}.get(mode.name, 5)
    to_come = Counter(g.rooms[g.place :] + g.deck + g.away)
    bosses = [room for room in (to_come + seen).elements() if room in deck.bosses]
    assert len(bosses) == (mode.name == "second")
    assert to_come + seen == Counter(deck.rooms) + Counter(bosses)
    assert Counter(g.strengths) + Counter(g.turned) == Counter(deck.strengths)
    met = sum(n for room, n in seen.items() if g.deck_facts[room].kind == "monster")
    assert len(g.turned) == (met if mode.name == "solo" else 0)
    if mode.name != "second":
        assert "".join(g.floors).count("U") == 12 and len(g.floors) == 5


def check_round_trip(g: Raiders) -> None:
    once = msgspec.json.encode(g)
    again = msgspec.json.decode(once, type=Raiders)
    assert msgspec.json.encode(again) == once and again == g


def run_through(setting: Setting, seed: int, closely: bool) -> list[Event]:
    seats, options = setting
    table, events = Table.begin(game, seats, deal(seats, seed), options)
    g, seen = table.state, Counter[str]()
    seen[g.rooms[0]] += 1
    luck = Random(seed)
    for told in play_at_random(table, luck):
        events += told
        for event in told:
            if isinstance(event, facts.Enter):
                seen[g.rooms[event.place - 1]] += 1
        assert table.version == len(events)
        assert table.over or table.waits
        assert all(table.moves(seat) and g.raiders[seat].alive for seat in table.waits)
        if told or closely:
            check_state(g, seen)
        if closely:
            check_round_trip(g)
    return events


def check_events(events: list[Event], setting: Setting) -> None:
    """The rooms of a game fit together."""
    seats, options = setting
    mode = mode_of(options["edition"], seats)
    rooms = [event for event in events if isinstance(event, facts.Room)]
    whole = [(floor, place) for floor in range(1, 6) for place in range(1, 6)]
    assert [(room.floor, room.place) for room in rooms] == whole[: len(rooms)]
    assert sum(isinstance(event, facts.Enter) for event in events) == len(rooms)
    alive = [sum(purse.alive for purse in room.after) for room in rooms]
    assert len(rooms) == 25 or alive[-1] < mode.fewest_alive
    assert all(n >= mode.fewest_alive for n in alive[:-1])
    if mode.name == "second":
        assert len(rooms) == 25 and rooms[24].room.kind == "boss"
    assert all(room.room.kind != "boss" for room in rooms[:24])
    (result,) = [event for event in events if isinstance(event, Result)]
    assert sorted(standing.seat for standing in result.standings) == list(range(seats))
    won = ("most_coins", "fewer_wounds", "shared", "survivor")
    assert [s.seat for s in result.standings if s.why in won] == [*result.winners]
    for room in rooms:
        check_room(room, mode)
    for one, following in pairwise(rooms):
        assert [(p.coins, p.wounds, p.alive) for p in one.after] == [
            (p.coins, p.wounds, p.alive) for p in following.before
        ]
    for first in range(0, len(rooms), 5):
        for seat in range(seats):
            cards = [room.plays[seat] for room in rooms[first : first + 5]]
            power = [card for card in cards if isinstance(card, int)]
            assert len(set(power)) == len(power), "a power card is played once a floor"


def check_room(room: facts.Room, mode: Mode) -> None:
    seats = len(room.before)
    assert len(room.plays) == len(room.after) == seats
    assert [play is None for play in room.plays] == [not purse.alive for purse in room.before], "the dead never play"
    died = () if room.died is UNSET else room.died
    if mode.deadly:
        assert died == tuple(seat for seat in range(seats) if room.before[seat].alive and not room.after[seat].alive)
        for before, after in zip(room.before, room.after, strict=True):
            assert before.alive or before == after, "nothing happens to the dead"
            assert after.alive == (after.wounds < 10)
    else:
        assert room.died is UNSET
    assert (room.drawn is UNSET) == (mode.name != "solo" or room.room.kind != "monster")
    items = {"second": 6, "solo": 0}.get(mode.name, 5)
    for item in facts.ITEMS:
        for purses, supply in ((room.before, room.supply_before), (room.after, room.supply_after)):
            assert sum(purse.items[item] for purse in purses) + supply[item] == items


@each_setting
def test_random_games(setting: Setting) -> None:
    for seed in range(GAMES):
        check_events(run_through(setting, seed, closely=seed % 25 == 0), setting)


def test_the_states_steps_are_all_in_its_union() -> None:
    """A step that is missing there could be played, but not be loaded."""
    ours = {kind for kind in vars(rules).values() if isinstance(kind, type) and issubclass(kind, Step)}
    assert ours - {Step, Ask, rules.PlayCard} == set(rules.Steps.__args__)


@each_setting
def test_played_by_defaults_alone_every_game_ends(setting: Setting) -> None:
    seats, options = setting
    for seed in range(20):
        table = new_table(game, seats, seed, **options)
        while not table.over:
            for seat in table.waits:
                table.play(seat, table.default(seat), table.round, "00" * 16)
        assert table.state.result is not None


@each_setting
def test_a_default_completes_any_choice(setting: Setting) -> None:
    """Also after balls, before bosses, with torches about: at any moment the defaults may take over."""
    seats, options = setting
    for seed in range(30):
        table, luck = new_table(game, seats, seed, **options), Random(seed)
        for n, _ in enumerate(play_at_random(table, luck)):
            if n > 8 * seed:
                break
        while not table.over:
            seat = luck.choice(table.waits)
            table.play(seat, table.default(seat), table.round, secret(luck))


@each_setting
def test_a_restored_table_plays_on_alike(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.table.find", lambda key: game)
    seats, options = setting
    for seed in range(4):
        table = new_table(game, seats, seed, **options)
        for n, _ in enumerate(play_at_random(table, Random(seed))):
            if n > 30 * seed:
                break
        other = Table.restore(msgspec.json.decode(msgspec.json.encode(table.save()), type=type(table.save())))
        ours = [event for told in play_at_random(table, Random(5)) for event in told]
        theirs = [event for told in play_at_random(other, Random(5)) for event in told]
        assert ours == theirs


@each_setting
def test_the_same_seed_gives_the_same_game(setting: Setting) -> None:
    assert run_through(setting, 1, False) == run_through(setting, 1, False)


@each_setting
def test_all_events_are_what_the_facts_say(setting: Setting) -> None:
    """They go through JSON as the union that programs read them by."""
    ours = facts.RaidersEvent.__args__
    for seed in range(3):
        for event in run_through(setting, seed, False):
            if isinstance(event, ours):
                encoded = msgspec.json.encode(event)
                assert msgspec.json.decode(encoded, type=facts.RaidersEvent) == event


def test_what_only_the_first_edition_has_is_not_in_the_events_of_the_second() -> None:
    for event in run_through(SECOND[0], 1, False):
        encoded = msgspec.json.encode(event)
        assert not any(field in encoded for field in (b'"drawn"', b'"died"', b'"by"'))


def test_the_state_is_small() -> None:
    for seats, options in ALL:
        assert len(msgspec.json.encode(new_table(game, seats, 1, **options).state)) < 1_500 + 250 * seats
