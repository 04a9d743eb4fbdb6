"""Scopes, and taking back the steps of one's own turn."""

from random import Random

import msgspec
import pytest

from engine.move_error import MoveError
from engine.proof import canonical
from engine.saved_table import SavedTable
from engine.steps import State
from engine.table import Table
from engine.table_events import Revealed, SteppedBack
from engine.testing import make_moves, new_table
from engine.testing.moves import play_at_random
from engine.trail import ACTED, AT_ANY_TIME, CHANCE, SEVERAL, TIME
from engine.verify import Report, export, verify
from engine.views import StepsBack
from tests.engine import tiny
from tests.engine.tables import everything
from tests.engine.tiny_turns import TURNED, Digging, digging


def table_of(seats: int = 3) -> Table:
    return new_table(digging, seats)


def position(table: Table) -> bytes:
    """The state, and what everybody is offered."""
    moves = [[table.moves(seat), table.anytime(seat)] for seat in range(table.seats)]
    return canonical([table.state, table.scope, table.asked, moves])


def cannot(table: Table, seat: int, round: int | None = None) -> str:
    before = everything(table)
    with pytest.raises(MoveError) as caught:
        table.step_back(seat, table.round if round is None else round)
    assert everything(table) == before
    return caught.value.reason


def test_an_ask_says_what_it_is_a_part_of() -> None:
    table = table_of()
    first = make_moves(table, 0, "dig", "here")
    make_moves(table, 0, "ask")
    assert table.shared().scope == "turn 0" and table.asked == [1]
    make_moves(table, 1, "yes")
    make_moves(table, 0, "end")
    assert table.shared().scope == "turn 1"
    assert isinstance(first[0], Revealed) and first[0].scope == "turn 0"
    alone = new_table(tiny.counting, 2)
    assert alone.shared().scope == "" and b"scope" not in canonical(make_moves(alone, 0, "1")[0])
    assert alone.own(0).back is None and cannot(alone, 0) == "nothing_to_undo"


def test_steps_are_taken_back_one_by_one_to_the_beginning_of_the_turn() -> None:
    table = table_of()
    positions = [position(table)]
    for where in ("here", "there", "here"):
        make_moves(table, 0, "dig", where)
        positions.append(position(table))
    version, round = table.version, table.round
    for left in (2, 1, 0):
        assert table.own(0).back == StepsBack(left + 1, "")
        assert table.step_back(0, table.round) == [SteppedBack(round + 2 - left, 0, left + 1, "turn 0")]
        assert position(table) == positions[left]
    assert (table.version, table.round) == (version + 3, round + 3)
    assert table.own(0).back == StepsBack(0, "") and cannot(table, 0) == "no_way_back"
    make_moves(table, 0, "dig", "there")
    assert table.own(0).back == StepsBack(1, "")


def test_the_step_that_ended_a_turn_is_taken_back_until_the_next_player_acts() -> None:
    table = table_of()
    make_moves(table, 0, "dig", "here")
    before = position(table)
    make_moves(table, 0, "end")
    make_moves(table, 1, "dig")  # a draft: nobody is told of it
    assert table.own(0).back == StepsBack(2, "") and table.own(1).back is None
    table.step_back(0, table.round)
    assert position(table) == before and not table.drafts
    make_moves(table, 0, "end")
    make_moves(table, 1, "dig", "here")
    assert table.own(0).back is None and cannot(table, 0) == "nothing_to_undo"
    assert table.own(1).back == StepsBack(1, "")


@pytest.mark.parametrize(("word", "why"), [("turn", TURNED), ("roll", CHANCE)])
def test_nothing_is_taken_back_after_something_has_come_to_light(word: str, why: str) -> None:
    table = table_of()
    make_moves(table, 0, "dig", "here")
    make_moves(table, 0, word)
    assert table.own(0).back == StepsBack(0, why) and cannot(table, 0) == "no_way_back"
    after = position(table)
    make_moves(table, 0, "dig", "here")
    assert table.own(0).back == StepsBack(1, why)
    table.step_back(0, table.round)
    assert position(table) == after and table.own(0).back == StepsBack(0, why)


def test_an_answer_of_another_seat_ends_stepping_back() -> None:
    table = table_of()
    make_moves(table, 0, "dig", "here")
    make_moves(table, 0, "ask")
    assert table.own(0).back == StepsBack(2, "")
    make_moves(table, 1, "yes")
    assert table.own(0).back == StepsBack(0, ACTED) and cannot(table, 0) == "no_way_back"
    assert table.own(1).back == StepsBack(1, ACTED) and table.own(2).back is None
    make_moves(table, 0, "dig", "here")
    assert table.own(0).back == StepsBack(1, ACTED) and table.own(1).back is None


def test_sealed_answers_of_others_are_not_thrown_away() -> None:
    table = table_of()
    make_moves(table, 0, "vote")
    assert table.own(0).back == StepsBack(0, SEVERAL) and cannot(table, 0) == "no_way_back"
    for seat in range(3):
        make_moves(table, seat, "yes")
    assert table.own(0).back == StepsBack(0, ACTED)


def test_other_ways_to_move_cannot_be_taken_back() -> None:
    table = table_of()
    make_moves(table, 0, "dig", "there")
    make_moves(table, 0, "dig", "there", by="time")
    assert table.own(0).back == StepsBack(0, TIME)
    make_moves(table, 0, "dig", "there", by="bot")
    assert table.own(0).back == StepsBack(1, TIME)
    make_moves(table, 0, "shout")
    assert table.own(0).back == StepsBack(0, AT_ANY_TIME)
    make_moves(table, 0, "ask")
    table.state.points[1] = 5
    make_moves(table, 1, "shout")
    assert table.own(0).back == StepsBack(0, ACTED)


def test_a_stale_round_is_refused() -> None:
    table = table_of()
    make_moves(table, 0, "dig", "here")
    assert (cannot(table, 0, 1), cannot(table, 0, 9)) == ("past_round", "future_round")
    assert cannot(table, 1) == "nothing_to_undo"
    table.step_back(0, 2)
    assert cannot(table, 0, 2) == "past_round"


def test_an_answer_without_a_choice_is_not_asked_and_goes_back_with_the_step_before() -> None:
    table = table_of()
    for _ in range(3):
        make_moves(table, 0, "dig", "here")
    before = position(table)
    events = make_moves(table, 0, "dig", "here")
    assert table.asked == [1] and [type(event).__name__ for event in events] == ["Revealed", "Dug"]
    table.step_back(0, table.round)
    assert position(table) == before and table.asked == [0]


def test_steps_are_taken_back_after_a_restart() -> None:
    table = table_of()
    make_moves(table, 0, "dig", "here")
    before = position(table)
    make_moves(table, 0, "dig", "there", by="bot")
    make_moves(table, 0, "end")
    again = Table.restore(msgspec.json.decode(canonical(table.save()), type=SavedTable), digging)
    assert again.own(0).back == StepsBack(3, "")
    for other in (table.copy(), again):
        other.step_back(0, other.round)
        other.step_back(0, other.round)
        assert position(other) == before
    assert canonical(again.save()) != canonical(table.save())  # the copy shares nothing that a step back changes


def played_back() -> list[bytes]:
    """The log of a game in which a step was taken back."""
    table, events = Table.begin(digging, 3, new_table(digging, 3).deal)
    events += make_moves(table, 0, "dig", "here")
    events += make_moves(table, 0, "dig", "there")
    events += table.step_back(0, table.round)
    for happened in play_at_random(table, Random(1)):
        events += happened
    return list(export(events, []))


def checked(lines: list[bytes]) -> Report:
    return verify(lines, {"digging": digging}.__getitem__)


def test_verify_follows_steps_back() -> None:
    lines = played_back()
    at = next(n for n, line in enumerate(lines) if b"stepped_back" in line)
    assert checked(lines).holds and checked(lines[: at + 2]).holds
    for wrong in (
        lines[at].replace(b'"seat":0', b'"seat":1'),
        lines[at].replace(b'"round":3', b'"round":2'),
        lines[at].replace(b'"taken":2', b'"taken":1'),
    ):
        assert wrong != lines[at]
        report = checked([*lines[:at], wrong, *lines[at + 1 :]])
        assert not report.holds and report.line == at + 1
    assert not checked([*lines[:at], *lines[at + 1 :]]).holds
    assert checked([*lines[:at], lines[at], lines[at], *lines[at + 1 :]]).line == at + 2
    assert not checked([line.replace(b',"scope":"turn 1"', b"") for line in lines]).holds


def test_saved_tables_without_a_trail_are_read() -> None:
    table = table_of()
    make_moves(table, 0, "dig", "here")
    saved = msgspec.json.decode(canonical(table.save()))
    del saved["trail"]
    again = Table.restore(msgspec.json.decode(canonical(saved), type=SavedTable), digging)
    assert again.own(0).back is None and position(again) == position(table)


def test_the_state_does_not_keep_what_the_table_clears() -> None:
    table = table_of()
    make_moves(table, 0, "turn")
    assert isinstance(table.state, Digging) and isinstance(table.state, State) and not table.state.uncovered
