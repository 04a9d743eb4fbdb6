"""Windows and standing orders at a table: for whom it answers, and that nobody can tell."""

import pytest

from app.house.open_table import read_saved
from app.table import actions as do
from app.table.effects import WakeBots
from app.table.sitting import Sitting
from engine.table_events import Revealed
from tests.app.tables import Log

pytestmark = pytest.mark.usefixtures("tiny")


def attacked(*shields: int) -> Log:
    """Ada has hit Bo; these shields are held."""
    log = Log("window", len(shields))
    assert log.sitting.table is not None
    log.sitting.table.state.shields = list(shields)
    log("ada", do.Play(1, "hit 1"))
    return log


def test_the_table_answers_for_whom_a_window_need_not_disturb() -> None:
    log = attacked(1, 1, 0)
    assert log.sitting.spared() == (2,) and WakeBots((2,)) in log.effects
    assert log.refused("", do.PlayFor(1, 2, "pass", "player")) == "not_asked"
    log("", do.PlayFor(2, 2, "pass", "player"))
    (revealed, *_) = log("bo", do.Play(2, "pass"))
    assert isinstance(revealed, Revealed) and {answer.by for answer in revealed.answers} == {"player"}


def test_who_takes_back_the_pass_of_the_table_decides_alone() -> None:
    log = attacked(1, 1, 0)
    log("", do.PlayFor(2, 2, "pass", "player"))
    log("cy", do.Undo(2))
    assert log.sitting.spared() == () and not log.effects
    assert Sitting.restore(read_saved(log.saved)).spared() == ()
    log("cy", do.Play(2, "pass"))
    log("bo", do.Play(2, "pass"))
    log("bo", do.Play(3, "hit 0"))
    assert log.sitting.spared() == (2,)  # the next window


def test_a_bot_plays_its_seat_in_a_window() -> None:
    log = attacked(1, 1, 0)
    log("", do.Away(2))
    log("ada", do.StandIn(2))
    assert log.sitting.spared() == () and log.sitting.bots_to_move() == (2,)


def test_an_order_changes_nothing_that_others_see() -> None:
    log = attacked(1, 1, 1)
    before = log.sitting
    assert log("cy", do.Order("hit")) == [] and log.effects == [WakeBots((2,))]
    after = log.sitting
    assert (after.seats_revision, after.events_revision, after.ready_revision, after.version) == (
        before.seats_revision,
        before.events_revision,
        before.ready_revision,
        before.version,
    )
    log("cy", do.Order("always", scope=True))
    assert after.spared() == (2,) and log.sitting.spared() == ()


def test_orders_that_are_refused() -> None:
    log = Log("window", 0)
    assert log.refused("ada", do.Order("never")) == "not_started"
    log = attacked(1, 1, 1)
    assert log.refused("ada", do.Order("maybe")) == "not_legal"
    assert log.refused("eve", do.Order("never")) == "no_seat"
    log = Log("counting", 2)
    assert log.refused("ada", do.Order("never", scope=True)) == "not_legal"
