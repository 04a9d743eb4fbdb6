"""Standing orders: who is spared in a window, and that nobody else can tell."""

from random import Random

import msgspec
import pytest

from engine.chance import Chance
from engine.move_error import MoveError
from engine.proof import canonical
from engine.saved_table import SavedTable
from engine.table import Table
from engine.testing import deal, make_moves, play_defaults, table_at
from engine.testing.moves import secret
from tests.engine.tiny import counting, window, window_setup


def attacked(*shields: int) -> Table:
    """Seat 0 has hit seat 1; these shields are held."""
    state = window_setup(len(shields), {}, chance())
    state.shields = list(shields)
    table = table_at(window, state, len(shields))
    make_moves(table, 0, "hit 1")
    return table


def chance() -> Chance:
    return Chance(deal(3).mixed())


def spared(table: Table) -> list[int]:
    return [seat for seat in range(table.seats) if table.own(seat).spared]


def test_who_can_only_pass_is_spared() -> None:
    table = attacked(1, 0, 1)
    assert spared(table) == [1]
    play_defaults(table, 1)
    assert spared(table) == []  # it has answered


def test_an_order_spares_a_seat_of_windows_that_it_does_not_want() -> None:
    table = attacked(1, 1, 1, 1)
    table.give_order(1, "hit")
    table.give_order(2, "hit")
    table.give_order(3, "never")
    assert spared(table) == [2, 3]
    assert [table.own(seat).order for seat in range(4)] == ["always", "hit", "hit", "never"]
    table.give_order(3, "always")
    assert spared(table) == [2]


def test_an_order_for_a_scope_ends_with_it_and_the_lasting_one_counts_again() -> None:
    table = attacked(1, 1, 1)
    table.give_order(2, "never", scope=True)
    assert table.order(2) == "never" and spared(table) == [2]
    play_defaults(table)
    make_moves(table, 1, "hit 2")
    assert table.order(2) == "always" and spared(table) == []
    table.give_order(2, "hit")
    table.give_order(2, "never", scope=True)
    table.give_order(2, "hit")
    assert table.order(2) == "hit"  # the last one counts


def test_orders_are_stored_and_copied_with_the_table() -> None:
    table = attacked(1, 1, 1)
    table.give_order(2, "never", scope=True)
    saved = msgspec.json.decode(msgspec.json.encode(table.save()), type=SavedTable)
    assert Table.restore(saved, window).order(2) == "never"
    other = table.copy()
    other.give_order(2, "hit")
    assert (table.order(2), other.order(2)) == ("never", "hit")


def test_nobody_else_is_told_of_an_order() -> None:
    table, other = attacked(1, 1, 1), attacked(1, 1, 1)
    other.give_order(2, "never")
    for seat in (0, 1):
        assert canonical([table.shared(), table.own(seat)]) == canonical([other.shared(), other.own(seat)])
    luck = Random(1)
    keys = [secret(luck) for _ in range(2)]
    told = [
        [t.play(seat, "pass", t.round, key) for seat, key in zip((1, 2), keys, strict=True)] for t in (table, other)
    ]
    assert canonical(told[0]) == canonical(told[1])


def test_a_turn_cannot_be_spared() -> None:
    table = table_at(counting, counting.setup(2, {"goal": "3"}, chance()), 2)
    assert spared(table) == [] and table.order(0) == ""


def test_only_orders_of_the_game_can_be_given() -> None:
    with pytest.raises(MoveError):
        attacked(1, 1, 1).give_order(1, "maybe")
    table = table_at(counting, counting.setup(2, {"goal": "3"}, chance()), 2)
    with pytest.raises(MoveError):
        table.give_order(0, "never", scope=True)  # nothing here ends it
