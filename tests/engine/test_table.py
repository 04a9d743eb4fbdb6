"""The table's contract, tested with tiny games. They are in tiny.py, one for each feature of a table."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from engine import game as installed
from engine.game import Game
from engine.move_error import MoveError
from engine.proof import canonical, commitment_to
from engine.saved_table import SavedTable
from engine.steps import Result
from engine.table import Table
from engine.table_events import AnyTime, Began, Opened, Revealed
from engine.testing import make_moves
from engine.testing.moves import SECRET, deal, new_table, play_at_random, secret, whole_log
from tests.engine import tiny, tiny_moves
from tests.engine.tables import everything, public_bytes, refused, told

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.usefixtures("tiny_games")

every_game = pytest.mark.parametrize(
    ("game", "seats"),
    [
        (tiny.counting, 3),
        (tiny.dice, 8),
        (tiny.dice, 1),
        (tiny.window, 4),
        (tiny.dark, 3),
        (tiny.wishes, 3),
        (tiny_moves.bids, 3),
        (tiny_moves.late, 3),
    ],
    ids=lambda value: value.key if isinstance(value, Game) else str(value),
)


# Beginning and ending -------------------------------------------------------------------------------------------------


def test_a_game_begins_with_what_it_is_and_the_hash_of_its_seed() -> None:
    dealt = deal(2)
    table, events = Table.begin(tiny.counting, 2, dealt)
    assert events == [Began("counting", 1, 2, {"goal": "7"}, commitment_to(dealt.seed), ("00", "01"))]
    assert dealt.seed.encode() not in canonical([events, table.shared(), table.own(0)])
    assert (table.round, table.version, table.waits) == (1, 1, [0])


@pytest.mark.parametrize("seats", [0, 1, 9, -1])
def test_a_number_of_seats_that_the_game_is_not_for(seats: int) -> None:
    with pytest.raises(ValueError, match="counting is not for"):
        Table.begin(tiny.counting, seats, deal(2))


def test_the_end_opens_the_seed() -> None:
    table = new_table(tiny.counting, 2, goal="3")
    make_moves(table, 0, "2")
    *_, result, opened = make_moves(table, 1, "1")
    assert isinstance(result, Result) and result.winners == (1,)
    assert opened == Opened(table.deal.seed)
    assert table.over and table.shared().over and table.shared().asks == ""
    assert table.waits == [] and table.moves(0) == [] and table.anytime(0) == []


@every_game
def test_the_version_counts_events_and_the_round_counts_asks(game: Game, seats: int) -> None:
    table, first = Table.begin(game, seats, deal(seats))
    count, rounds = len(first), 1
    for events in play_at_random(table, Random(3)):
        count += len(events)
        rounds += any(isinstance(event, Revealed) for event in events)
        assert (table.version, table.round) == (count, rounds)


# Turns ----------------------------------------------------------------------------------------------------------------


def test_a_turn_is_a_sealed_round_of_one() -> None:
    table = new_table(tiny.counting, 3)
    revealed, said = make_moves(table, 0, "2")
    assert isinstance(revealed, Revealed)
    assert [(answer.seat, answer.words) for answer in revealed.answers] == [(0, ("2",))]
    assert said == tiny.Said(0, 2)
    assert table.waits == [1]


# Every reason to refuse -----------------------------------------------------------------------------------------------


def test_refusals() -> None:
    table = new_table(tiny.counting, 3)
    assert refused(table, 1, "1") == "not_asked"
    assert refused(table, 7, "1") == "not_asked"
    assert refused(table, -1, "1") == "not_asked"
    for word in ["3", "", "1 ", "one", "١", "1\n", "2" * 100_000]:
        assert refused(table, 0, word) == "not_legal"
    assert refused(table, 0, "1", round=0) == "past_round"
    assert refused(table, 0, "1", round=2) == "future_round"
    make_moves(table, 0, "1")
    assert refused(table, 0, "1", round=1) == "past_round"  # sent twice
    while not table.over:
        make_moves(table, table.waits[0], "1")
    assert refused(table, 0, "1") == "over"
    with pytest.raises(MoveError, match="over"):
        table.undo(0, table.round)


def test_who_has_handed_in_is_told_so() -> None:
    table = new_table(tiny.dice, 2)
    make_moves(table, 0, "0 left", "1 left", "2 right", "done")
    assert refused(table, 0, "3 left") == "already_in"
    assert refused(table, 1, "done") == "not_legal"


def test_an_anytime_move_of_a_bad_seat_is_refused() -> None:
    table = new_table(tiny.dark, 2)
    assert refused(table, -1, "lamp") == "not_asked"
    assert refused(table, 2, "lamp") == "not_asked"


def test_an_anytime_move_does_not_depend_on_the_round_that_the_player_saw() -> None:
    """Others, such as bots, go on while it is on its way. Answers belong to their round."""
    table = new_table(tiny.dark, 2)
    for seat in (0, 1):
        make_moves(table, seat, "walk", "north")
    assert table.round == 2 and "lamp" in table.anytime(0)
    assert refused(table, 0, "lamp", round=3) == "future_round"
    assert refused(table, 0, "walk", round=1) == "past_round"
    (lit, *_) = table.play(0, "lamp", 1, "00" * 16)
    assert isinstance(lit, AnyTime) and lit.round == 2
    assert refused(table, 0, "lamp", round=1) == "past_round"  # it is not offered any more


def test_nothing_to_undo() -> None:
    table = new_table(tiny.dice, 2)
    for seat in (0, 1, 5, -1):
        with pytest.raises(MoveError, match="nothing_to_undo"):
            table.undo(seat, table.round)
    make_moves(table, 0, "0 left")
    with pytest.raises(MoveError, match="past_round"):
        table.undo(0, table.round - 1)
    with pytest.raises(MoveError, match="future_round"):
        table.undo(0, table.round + 1)
    assert table.drafts == {0: ("0 left",)}


# Drafts ---------------------------------------------------------------------------------------------------------------


def test_a_draft_grows_word_by_word() -> None:
    table = new_table(tiny.dice, 8)
    assert len(table.moves(3)) == 10
    assert make_moves(table, 3, "2 left") == []
    assert table.own(3).draft == ("2 left",)
    assert table.moves(3) == ["0 left", "0 right", "1 left", "1 right", "3 left", "3 right", "4 left", "4 right"]
    assert make_moves(table, 3, "0 left") == []
    assert table.moves(3) == ["1 right", "3 right", "4 right"]
    make_moves(table, 3, "4 right")
    assert table.moves(3) == ["done"]
    assert not table.own(3).ready and 3 in table.waits
    assert make_moves(table, 3, "done") == []
    assert table.own(3).ready and 3 not in table.waits and table.moves(3) == []


def test_undo_drops_the_last_word_and_takes_back_a_hand_in() -> None:
    table = new_table(tiny.dice, 2)
    make_moves(table, 0, "0 left", "1 left", "2 right", "done")
    for left in [("0 left", "1 left", "2 right"), ("0 left", "1 left"), ("0 left",), ()]:
        table.undo(0, table.round)
        assert table.own(0).draft == left and not table.own(0).ready
        assert table.waits == [0, 1]
        assert table.shared().digests == {}
    assert table.moves(0) == new_table(tiny.dice, 2).moves(0)


def test_a_take_back_is_possible_until_the_last_is_in_and_never_after() -> None:
    table = new_table(tiny.dice, 3)
    words = ("0 left", "1 left", "2 right", "done")
    make_moves(table, 2, *words)
    make_moves(table, 0, *words)
    table.undo(2, table.round)
    make_moves(table, 1, *words)
    assert table.waits == [2]
    table.undo(0, table.round)
    make_moves(table, 0, "done")
    assert isinstance(make_moves(table, 2, "done")[0], Revealed)
    assert table.drafts == {}
    for seat in range(3):
        with pytest.raises(MoveError, match="past_round"):
            table.undo(seat, table.round - 1)
        with pytest.raises(MoveError, match="nothing_to_undo"):
            table.undo(seat, table.round)


def test_answers_are_taken_in_seat_order_whatever_the_order_of_coming() -> None:
    logs = []
    for order in [range(8), reversed(range(8)), [3, 1, 4, 0, 5, 7, 2, 6]]:
        table = new_table(tiny.dice, 8)
        events: list[Any] = []
        for seat in order:
            events += make_moves(
                table, seat, f"{seat % 5} left", f"{(seat + 1) % 5} right", f"{(seat + 2) % 5} left", "done"
            )
        assert table.state.order == [list(range(8))]
        assert [answer.seat for answer in events[0].answers] == list(range(8))
        logs.append(told(events))
    assert logs[0] == logs[1] == logs[2]


def test_drafts_and_take_backs_change_no_byte_that_others_see() -> None:
    """Except who is ready, and the digests of sealed answers."""
    table, luck = new_table(tiny.dice, 8), Random(5)
    seen, other = public_bytes(table), canonical(table.own(7))
    for _ in range(400):
        seat = luck.randrange(7)
        if table.drafts.get(seat) and luck.random() < 0.4:
            table.undo(seat, table.round)
        elif moves := table.moves(seat):
            assert table.play(seat, luck.choice(moves), table.round, secret(luck)) == []
        assert public_bytes(table) == seen
        assert canonical(table.own(7)) == other
        assert table.shared().waits == [seat for seat in range(8) if not table.own(seat).ready]
        assert sorted(table.shared().digests) == [seat for seat in range(8) if table.own(seat).ready]


def test_a_half_made_draft_is_completed_by_defaults() -> None:
    table = new_table(tiny.dice, 2)
    make_moves(table, 0, "4 right")
    while table.waits:
        seat = table.waits[0]
        table.play(seat, table.default(seat), table.round, SECRET)
        if table.round == 2:
            break
    assert table.round == 2


# Saving ---------------------------------------------------------------------------------------------------------------


def saved_and_restored(table: Table) -> Table:
    data = msgspec.json.encode(table.save())
    restored = Table.restore(msgspec.json.decode(data, type=SavedTable))
    assert everything(restored) == everything(table)
    assert msgspec.json.encode(restored.save()) == data
    return restored


@every_game
@pytest.mark.parametrize("seed", [1, 2])
def test_a_table_restored_at_any_point_goes_on_with_the_same_bytes(game: Game, seats: int, seed: int) -> None:
    """The table is saved and restored after every move; the log is the same as that of a table that never was."""
    whole = told(whole_log(game, seats, seed))
    table, events = Table.begin(game, seats, deal(seats, seed))
    luck = Random(seed)
    while not table.over:
        for more in play_at_random(table, luck):
            events += more
            break
        table = saved_and_restored(table)
    assert told(events) == whole


@every_game
def test_the_same_seed_deals_the_same_and_another_does_not(game: Game, seats: int) -> None:
    assert told(whole_log(game, seats, 4)) == told(whole_log(game, seats, 4))
    assert told(whole_log(game, seats, 4)) != told(whole_log(game, seats, 5))


def test_a_table_can_stand_at_any_position() -> None:
    state = tiny.Counting(todo=[tiny.Say(1)], chance=new_table(tiny.counting, 2).state.chance, seats=2, goal=7, total=6)
    table = Table(tiny.counting, state, seats=2, options={"goal": "7"}, deal=deal(2))
    table.settle(Began("counting", 1, 2, {"goal": "7"}, table.commitment, ()))
    assert table.waits == [1] and table.moves(1) == ["1"]
    assert make_moves(table, 1, "1")[-2].winners == (1,)


SAME_BYTES = """
import hashlib
from tests.engine import tiny, tiny_moves
from engine.testing import whole_log
from tests.engine.tables import told
digest = hashlib.sha256()
for game, seats in [(tiny.dice, 8), (tiny.window, 4), (tiny.dark, 3), (tiny.wishes, 4)]:
    for line in told(whole_log(game, seats, 9)):
        digest.update(line)
print(digest.hexdigest())
"""


def test_python_hash_seeds_change_nothing() -> None:
    def run(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        return subprocess.run(
            [sys.executable, "-c", SAME_BYTES], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
        ).stdout

    assert run("0") == run("1") == run("4711")


def test_the_tiny_games_do_not_hide_the_real_ones_elsewhere() -> None:
    assert installed.games() is tiny.TINY
