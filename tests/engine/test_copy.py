"""Copies of a table are independent: moves on one do not change the other."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from engine.game import Game, games
from engine.steps import Event
from engine.table import Table
from engine.testing import GameSetting, deal, game_settings, make_moves, move_at_random, new_table, play_at_random
from engine.verify import export, verify
from tests.engine import tiny
from tests.engine.tables import everything, told

every_setting = pytest.mark.parametrize(
    "setting", [one for game in games().values() for one in game_settings(game)], ids=str
)
every_tiny_game = pytest.mark.parametrize("game", tiny.TINY.values(), ids=tiny.TINY)


def play_on_copies(table: Table, luck: Random) -> None:
    """Play every move on a copy first, then on the original, and go on with either of the two."""
    while not table.over:
        before, other, state = everything(table), table.copy(), luck.getstate()
        events = move_at_random(other, luck)
        assert everything(table) == before
        luck.setstate(state)
        assert move_at_random(table, luck) == events
        assert everything(other) == everything(table)
        assert other.state == table.state and other.ask == table.ask
        table = luck.choice((table, other))


@every_setting
@pytest.mark.no_cover
def test_a_move_on_a_copy_leaves_the_original_as_it_was_and_does_the_same_there(setting: GameSetting) -> None:
    game, seats, options = setting
    play_on_copies(new_table(game, seats, 6, **options), Random(6))


@every_tiny_game
@pytest.mark.parametrize("seed", range(10))
def test_a_move_on_a_copy_of_a_tiny_game(game: Game, seed: int) -> None:
    play_on_copies(new_table(game, game.seats[1], seed), Random(seed))


def middles(game: Game, seats: int, options: dict[str, str]) -> Iterator[Table]:
    """Tables in the middle of a game, of which no view has been made."""
    for moves in range(0, 60, 20):
        table = new_table(game, seats, moves, **options)
        for _ in islice(play_at_random(table, Random(moves)), moves):
            pass
        if not table.over:
            yield Table.restore(table.save())


def check_originals(game: Game, seats: int, options: dict[str, str]) -> None:
    for table in middles(game, seats, options):
        same = Table.restore(table.save())
        for _ in play_at_random(table.copy(), Random(1)):
            pass
        assert everything(table) == everything(same)


@every_setting
@pytest.mark.no_cover
def test_the_original_answers_as_before_when_its_copy_has_played_to_the_end(setting: GameSetting) -> None:
    check_originals(*setting)


@pytest.mark.usefixtures("tiny_games")
@every_tiny_game
def test_a_tiny_original_answers_as_before_when_its_copy_has_played_to_the_end(game: Game) -> None:
    check_originals(game, game.seats[1], game.choose_options({}, game.seats[1]))


@pytest.mark.usefixtures("tiny_games")
@every_tiny_game
def test_two_copies_may_go_different_ways_and_each_log_holds(game: Game) -> None:
    seats = game.seats[1]
    table, first = Table.begin(game, seats, deal(seats))
    events: list[Event] = [*first]
    luck = Random(3)
    for _ in range(4):
        events += move_at_random(table, luck)
    logs = []
    for seed, branch in enumerate((table, table.copy(), table.copy())):
        log = [*events]
        for more in play_at_random(branch, Random(seed)):
            log += more
        report = verify(export(log, []))
        assert report.holds and report.finished, report.say()
        logs.append(told(log))
    assert logs[0] != logs[1] != logs[2] != logs[0]


def test_the_state_is_copied_only_when_it_is_about_to_change() -> None:
    table = new_table(tiny.dark, 2)
    drafting = table.copy()
    make_moves(drafting, 0, "walk", "north")
    assert drafting.state is table.state
    lit = drafting.copy()
    make_moves(lit, 1, "lamp")
    assert lit.state is not drafting.state and drafting.state is table.state
    assert lit.ask is lit.state.todo[-1]
    make_moves(drafting, 1, "walk", "south")
    assert drafting.state is not table.state
    own = drafting.state
    make_moves(drafting, 0, "walk", "south")
    make_moves(drafting, 1, "walk", "south")
    assert drafting.state is own


def test_a_game_that_breaks_while_a_copy_plays_leaves_the_original_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    table = new_table(tiny.counting, 2)
    before, other = everything(table), table.copy()

    def broken(ask: tiny.Say, g: tiny.Counting, answers: object) -> None:
        g.total += 1
        raise RuntimeError

    monkeypatch.setattr(tiny.Say, "take", broken)
    with pytest.raises(RuntimeError):
        make_moves(other, 0, "1")
    assert everything(table) == before
