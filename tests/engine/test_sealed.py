"""Sealed answers: seals, response windows in which some stay sealed, any-time moves."""

from random import Random

import pytest

from engine.proof import canonical, seal
from engine.table import Table
from engine.table_events import AnyTime
from engine.testing import make_moves, new_table, play_at_random
from engine.testing.moves import SECRET
from tests.engine import tiny
from tests.engine.tables import refused

pytestmark = pytest.mark.usefixtures("tiny_games")


# Seals ----------------------------------------------------------------------------------------------------------------


def test_the_digest_is_shown_at_once_and_opened_at_the_reveal() -> None:
    table = new_table(tiny.dice, 2)
    words = ("0 left", "1 left", "2 right", "done")
    make_moves(table, 1, *words)
    [digest] = table.shared().digests[1]
    assert table.shared().digests == {1: [digest]}
    revealed = make_moves(table, 0, *words)[0]
    answer = revealed.answers[1]
    assert answer.digest == digest and answer.kept == ""
    assert seal(table.commitment, 1, 1, words, answer.nonce) == digest


def test_the_same_words_have_another_digest_with_another_secret() -> None:
    table = new_table(tiny.dice, 2)
    digests = []
    for given in (SECRET, "6b" * 16):
        for word in ("0 left", "1 left", "2 right", "done")[len(table.drafts.get(0, ())) :]:
            table.play(0, word, table.round, given)
        digests += table.shared().digests[0]
        table.undo(0, table.round)
    assert digests[0] != digests[1]


def test_kept_words_stay_closed_until_the_end() -> None:
    table = new_table(tiny.wishes, 2)
    first = table.moves(0)[0]
    make_moves(table, 0, first, "wish gold")
    digests = table.shared().digests[0]
    assert len(digests) == 2
    revealed = make_moves(table, 1, table.moves(1)[0], "no wish")[0]
    answer, other = revealed.answers
    assert answer.words == (first,) and [answer.digest, answer.kept] == digests
    assert other.words[1:] == ("no wish",)
    assert b"wish gold" not in canonical([revealed, table.shared(), table.own(1)])
    for seat in (0, 1):
        events = make_moves(table, seat, table.moves(seat)[0], "wish fame")
    kept = events[-1].kept
    assert [(part.round, part.seat, part.words) for part in kept] == [
        (1, 0, ("wish gold",)), (1, 1, ()), (2, 0, ("wish fame",)), (2, 1, ("wish fame",)),
    ]  # fmt: skip
    for part in kept:
        assert seal(table.commitment, part.round, part.seat, part.words, part.nonce) == part.digest
    assert kept[0].digest == answer.kept


def test_nobody_sees_whether_something_is_kept_before_the_reveal() -> None:
    shapes = []
    for wish in ("wish gold", "no wish"):
        table = new_table(tiny.wishes, 2)
        make_moves(table, 0, table.moves(0)[0], wish)
        shapes.append([len(digest) for digest in table.shared().digests[0]])
    assert shapes[0] == shapes[1]


# Response windows -----------------------------------------------------------------------------------------------------


def window_with(shields: list[int]) -> Table:
    table = new_table(tiny.window, len(shields))
    table.state.shields = list(shields)
    make_moves(table, 0, "hit 2")
    return table


def test_a_window_names_nobody() -> None:
    table = window_with([0, 1, 1, 1])
    shared = table.shared()
    assert shared.asks == "Respond"
    assert shared.asked is None and shared.waits is None
    before = canonical(shared)
    make_moves(table, 2, "pass")
    make_moves(table, 1, "shield")
    table.undo(2, table.round)
    assert canonical(table.shared()) == before  # not even who is ready
    assert table.waits == [2, 3]


def test_answers_that_are_not_needed_stay_closed() -> None:
    table = window_with([0, 0, 1, 1])
    make_moves(table, 3, "shield")
    make_moves(table, 2, "shield")
    revealed, hit = make_moves(table, 1, "pass")
    assert [(answer.seat, answer.words) for answer in revealed.answers] == [(1, ("pass",)), (2, ("shield",))]
    assert hit == tiny.Hit(2, stopped_by=2)
    assert table.state.shields == [0, 0, 0, 1]


def test_when_all_pass_all_are_opened() -> None:
    table = window_with([1, 1, 1])
    make_moves(table, 1, "pass")
    revealed, hit = make_moves(table, 2, "pass")
    assert [answer.seat for answer in revealed.answers] == [1, 2]
    assert hit == tiny.Hit(2, stopped_by=None)


@pytest.mark.parametrize("viewer", [None, 0, 3])
def test_what_a_seat_cannot_know_changes_no_byte_of_its_view(viewer: int | None) -> None:
    table = new_table(tiny.window, 4)
    for _ in play_at_random(table, Random(2)):
        if table.over:
            break
        copy = Table.restore(table.save())
        tiny.window.shuffle_unknown(copy.state, viewer, copy.state.chance)
        assert canonical(copy.shared()) == canonical(table.shared())
        if viewer is not None:
            assert canonical(copy.own(viewer)) == canonical(table.own(viewer))


# Any-time moves -------------------------------------------------------------------------------------------------------


def test_an_anytime_move_takes_effect_at_once_and_asks_nothing() -> None:
    table = new_table(tiny.dark, 3)
    events = make_moves(table, 1, "lamp")
    assert events == [AnyTime(1, 1, "lamp"), tiny.Lit(1)]
    assert (table.round, table.version, table.waits) == (1, 3, [0, 1, 2])
    assert table.moves(0) == ["walk"]  # not the cached words


def test_it_may_be_made_after_handing_in() -> None:
    table = new_table(tiny.dark, 3)
    make_moves(table, 1, "walk", "north")
    assert table.own(1).anytime == ["lamp"]
    make_moves(table, 1, "lamp")
    assert table.own(1).ready
    assert refused(table, 1, "lamp") == "already_in"


def test_it_hands_back_drafts_that_it_made_illegal() -> None:
    table = new_table(tiny.dark, 3)
    make_moves(table, 0, "hide", "north")
    make_moves(table, 1, "hide")
    make_moves(table, 2, "walk")
    assert table.waits == [1, 2]
    make_moves(table, 2, "lamp")
    assert table.drafts == {2: ("walk",)}
    assert table.waits == [0, 1, 2]
    assert table.shared().digests == {}
    assert table.moves(0) == ["walk"] and table.moves(2) == ["north", "south"]


def test_it_hands_back_an_answer_that_is_no_longer_whole() -> None:
    table = new_table(tiny.dark, 3, light="longer")
    make_moves(table, 0, "walk", "north")
    make_moves(table, 1, "walk")
    make_moves(table, 2, "lamp")
    assert table.drafts == {1: ("walk",)}
    assert table.waits == [0, 1, 2]
    make_moves(table, 0, "walk", "north")
    assert not table.own(0).ready
