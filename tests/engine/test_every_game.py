"""The contract between games and the table, checked for each installed game with all numbers of seats and all
options."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from engine.bots import bots_of, choose_move
from engine.game import Game, games
from engine.steps import Event, Result
from engine.table import SavedTable, Table
from engine.verify import export, verify
from tests.engine.leaks import check_views, views
from tests.engine.play import deal, secret, step, told

Setting = tuple[Game, int, dict[str, str]]


def settings() -> Iterator[Setting]:
    """Every number of seats once, and every choice of every option with some number of seats."""
    for game in games().values():
        luck = Random(game.key)
        for seats in game.seats:
            yield game, seats, game.choose_options({}, seats)
        for option in game.options:
            for choice in option.choices:
                seats = luck.choice([seats for seats in game.seats if choice in option.fitting(seats)])
                chosen = game.choose_options({option.key: choice.value}, seats)
                if chosen != game.choose_options({}, seats):
                    yield game, seats, chosen


def named(setting: Setting) -> str:
    game, seats, options = setting
    return "-".join([game.key, str(seats), *options.values()])


every_setting = pytest.mark.parametrize("setting", list(settings()), ids=named)
every_game = pytest.mark.parametrize("game", games().values(), ids=games())


def begin(setting: Setting, seed: int) -> tuple[Table, list[Event]]:
    game, seats, options = setting
    return Table.begin(game, seats, deal(seats, seed), options)


@every_setting
def test_it_can_be_saved_and_read_back_at_any_moment_and_its_log_verifies(setting: Setting) -> None:
    luck = Random(1)
    table, events = begin(setting, 1)
    while not table.over:
        saved = msgspec.json.encode(table.save())
        restored = Table.restore(msgspec.json.decode(saved, type=SavedTable))
        state = luck.getstate()
        more = step(table, luck)
        luck.setstate(state)
        assert told(step(restored, luck)) == told(more)
        assert msgspec.json.encode(restored.save()) == msgspec.json.encode(table.save())
        events += more
    report = verify(export(events, []))
    assert report.holds and report.finished, report.say()


@every_setting
def test_whoever_is_asked_has_something_to_say_and_looking_changes_nothing(setting: Setting) -> None:
    luck = Random(2)
    table, _ = begin(setting, 2)
    while not table.over:
        ask, before = table.ask, msgspec.json.encode(table.state)
        assert ask is not None and table.waits
        assert ask.who(table.state) == sorted(set(ask.who(table.state))) == table.asked
        for seat in range(table.seats):
            moves, anytime = table.moves(seat), table.anytime(seat)
            assert bool(moves) == (seat in table.waits)
            assert len(set(moves)) == len(moves) and not set(moves) & set(anytime)
            if moves:
                assert table.default(seat) in moves
            views(table, seat)
        assert msgspec.json.encode(table.state) == before
        step(table, luck)


@every_setting
def test_what_a_seat_cannot_know_changes_no_byte_of_its_view(setting: Setting) -> None:
    table, _ = begin(setting, 3)
    check_views(table, Random(3))


@every_setting
def test_it_ends_by_defaults_alone(setting: Setting) -> None:
    table, events = begin(setting, 4)
    while not table.over:
        seat = table.waits[0]
        events += table.play(seat, table.default(seat), table.round, "5a" * 16)
    result = next(event for event in events if isinstance(event, Result))
    assert sorted(standing.seat for standing in result.standings) == list(range(table.seats))
    places = [standing.place for standing in result.standings]
    assert places == sorted(places)
    assert {standing.seat for standing in result.standings if standing.place == 1} >= set(result.winners)


@every_game
def test_all_its_bots_play_to_the_end(game: Game) -> None:
    for number, (name, bot) in enumerate(bots_of(game).items()):
        luck = Random(f"{game.key} {name}")
        setting = luck.choice([setting for setting in settings() if setting[0] is game])
        table, _ = begin(setting, 50 + number)
        while not table.over:
            seat = luck.choice(table.waits)
            table.play(seat, choose_move(table, seat, bot, luck), table.round, secret(luck))


@every_game
def test_events_have_no_fields_that_files_of_many_games_need(game: Game) -> None:
    luck, seats = Random(5), game.seats[0]
    table, events = Table.begin(game, seats, deal(seats))
    while not table.over:
        events += step(table, luck)
    assert not any({"game", "kind"} & set(event.__struct_fields__) for event in events)
