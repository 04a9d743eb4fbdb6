"""A game may end at any time: an any-time move may finish it while answers are sealed."""

from random import Random
from typing import Any

import msgspec
import pytest

from engine.bots import at_random
from engine.game import find
from engine.move_error import MoveError
from engine.proof import canonical
from engine.saved_table import SavedTable
from engine.simulate import simulate
from engine.steps import Event, Move, Result
from engine.table import Table
from engine.table_events import AnyTime, Opened, Revealed
from engine.testing import deal, make_moves, new_table, whole_log
from engine.verify import export, verify
from engine.views import Own, Shared
from tests.engine import tiny_moves
from tests.engine.logs import Json, broken, log
from tests.engine.tables import everything, refused
from tests.engine.tiny_moves import GaveUp

pytestmark = pytest.mark.usefixtures("tiny_games")


def given_up() -> tuple[Table, list[Event], list[Any]]:
    """Seat 1 gives up in round 2, when seat 0 has handed in and seat 2 has a draft. Returns the table, its log, the
    last events."""
    table, events = Table.begin(tiny_moves.bids, 3, deal(3))
    for seat, words in enumerate((("3", "bluff"), ("1", "no bluff"), ("2", "bluff"))):
        events += make_moves(table, seat, *words)
    assert make_moves(table, 0, "2", "bluff") == make_moves(table, 2, "1") == []
    end = make_moves(table, 1, "give up")
    return table, [*events, *end], end


def test_a_move_at_any_time_may_finish_the_game() -> None:
    table, events, end = given_up()
    kinds = [AnyTime, GaveUp, Result, Opened]
    assert [type(event) for event in end] == kinds
    assert end[0] == AnyTime(2, 1, "give up") and end[2].winners == (0,) and end[3].seed == table.deal.seed
    assert table.over and table.shared().over and table.shared().asks == ""
    assert (table.round, table.version) == (2, len(events))


def test_then_nothing_is_asked_and_nothing_lies_face_down() -> None:
    table, _, _ = given_up()
    assert table.waits == [] and table.shared().asked == [] and table.shared().digests == {}
    assert table.drafts == {} and table.secrets == {}
    for seat in range(3):
        own = table.own(seat)
        assert (own.draft, own.ready, own.moves, own.anytime) == ((), False, [], [])


def test_then_every_move_is_refused_as_over() -> None:
    table, _, _ = given_up()
    for seat in range(3):
        for word in ("1", "bluff", "give up"):
            for round in (1, 2, 3):
                assert refused(table, seat, word, round) == "over"
        with pytest.raises(MoveError, match="over"):
            table.undo(seat, 2)


def test_a_table_restored_afterwards_is_over_too() -> None:
    table, _, _ = given_up()
    restored = Table.restore(msgspec.json.decode(msgspec.json.encode(table.save()), type=SavedTable))
    assert restored.over and everything(restored) == everything(table)


def test_what_an_undecided_round_had_sealed_stays_closed() -> None:
    """Only the kept words of revealed rounds are opened."""
    _, events, end = given_up()
    revealed = [event for event in events if isinstance(event, Revealed)]
    assert [event.round for event in revealed] == [1]
    assert [(kept.round, kept.seat, kept.words) for kept in end[-1].kept] == [
        (1, 0, ("bluff",)), (1, 1, ()), (1, 2, ("bluff",)),
    ]  # fmt: skip


def test_a_log_that_ends_so_holds() -> None:
    _, events, end = given_up()
    report = verify(export(events, []))
    assert report.holds and report.finished and report.rounds == 1, report.say()
    unfinished = verify(export(events[: -len(end)], []))
    assert unfinished.holds and not unfinished.finished


def test_a_log_that_opens_more_than_was_revealed_does_not_hold() -> None:
    _, events, _ = given_up()
    opened = events[-1]
    assert isinstance(opened, Opened)
    more = msgspec.structs.replace(opened.kept[0], round=2)
    events[-1] = msgspec.structs.replace(opened, kept=(*opened.kept, more))
    report = verify(export(events, []))
    assert (report.holds, report.line) == (False, len(events) + 1)


def test_a_game_that_nobody_could_give_up_then_does_not_hold() -> None:
    """Seat 0 is ahead, and only a seat that is behind may give up."""
    _, events, _ = given_up()
    written: list[Json] = [msgspec.json.decode(canonical(event)) for event in events]
    at = next(i for i, event in enumerate(events) if isinstance(event, AnyTime))
    written[at]["seat"] = 0
    assert broken(written) == (at + 1, "Seat 0 could not play “give up” here.")


@pytest.mark.parametrize("seed", range(8))
def test_random_games_that_end_so_hold(seed: int) -> None:
    assert verify(export(whole_log(tiny_moves.bids, 4, seed), [])).finished


def test_random_games_end_in_both_ways() -> None:
    ends = {log(tiny_moves.bids, 3, seed)[-3]["kind"] for seed in range(30)}
    assert ends == {"gave_up", "revealed"}


def loser(shared: Shared, own: Own, luck: Random) -> Move:
    return own.anytime[0] if own.anytime else own.moves[0]


def test_a_simulated_game_may_end_so() -> None:
    events = list(simulate(find("bids"), [at_random, loser], "7", 3))
    assert [type(event) for event in events[-4:]] == [AnyTime, GaveUp, Result, Opened]
    assert verify(canonical(event) for event in events).finished


def test_the_copy_of_a_table_may_end_so_and_the_original_plays_on() -> None:
    table = new_table(tiny_moves.bids, 2)
    make_moves(table, 0, "3", "bluff")
    make_moves(table, 1, "1", "bluff")
    before, other = everything(table), table.copy()
    make_moves(other, 1, "give up")
    assert other.over and everything(table) == before
    assert make_moves(table, 0, "1", "bluff") == [] and table.waits == [1]
