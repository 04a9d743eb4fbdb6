"""What everybody is told about the people at a table."""

import pytest

from app.table import actions as do
from app.table.announcements import MOST_KEPT
from app.table.events import History
from app.table.picture import draw
from app.table.saved import copy_saved
from tests.app.tables import Log

pytestmark = pytest.mark.usefixtures("tiny")


def told(log: Log) -> list[str]:
    return [f"{one.kind} {one.name}{' bot' if one.bot else ''}" for one in log.sitting.saved.announcements]


def test_away_stand_in_back_and_the_host() -> None:
    log = Log("dark", 3)
    log("", do.Away(0))
    log("bo", do.StandIn(0))
    log("", do.Back(0))
    assert told(log) == ["away Ada", "host Bo", "stand_in Ada bot", "back Ada"]
    assert [one.n for one in log.sitting.saved.announcements] == [1, 2, 3, 4]
    before = log.sitting
    log("bo", do.Free(0))
    assert told(log)[4:] == ["freed Ada bot"] and len(before.saved.announcements) == 4
    log("di", do.Sit("Di", 0))
    assert told(log)[5:] == ["took Di bot"] and log.sitting.saved.announcements[-1].by == "Ada"
    assert draw(log.sitting, History()).announcements == tuple(log.sitting.saved.announcements)
    assert copy_saved(log.sitting.saved).announcements == log.sitting.saved.announcements


def test_who_leaves_the_lobby_or_is_removed() -> None:
    log = Log("dark")
    log("bo", do.Sit("Bo"))
    log("cy", do.Sit("Cy"))
    log("ada", do.AddBot())
    log("ada", do.Free(3))  # nobody need be told of a bot
    log("ada", do.Free(1))
    log("ada", do.Leave())
    assert told(log) == ["freed Bo", "left Ada", "host Cy"]
    log("bo", do.Sit("Bo"))
    log("cy", do.Start())
    assert told(log) == [], "a game begins with none"
    log("bo", do.Leave())
    assert [(one.kind, one.bot, one.n) for one in log.sitting.saved.announcements] == [("left", True, 4)]


def test_who_is_alone_is_told_nothing() -> None:
    log = Log("dark")
    log("ada", do.AddBot())
    log("ada", do.Start())
    log("", do.Away(0))
    log("", do.Back(0))
    assert told(log) == []


def test_what_was_played_when_the_time_ran_out_is_told_after_the_reveal() -> None:
    log = Log("dark", 2)
    log("ada", do.Timer(30), at=100)
    log("ada", do.Play(1, "walk"), at=101)
    log("ada", do.Play(1, "south"), at=102)
    for word in ("walk", "north"):
        assert told(log) == []
        log("", do.PlayFor(1, 1, word, "time"), at=140)
    [one] = log.sitting.saved.announcements
    assert (one.kind, one.seat, one.words) == ("time", 1, ("walk", "north"))


def test_only_the_newest_are_kept() -> None:
    log = Log("dark", 2)
    for _ in range(MOST_KEPT):
        log("", do.Away(1))
        log("", do.Back(1))
    kept = log.sitting.saved.announcements
    assert len(kept) == MOST_KEPT and kept[-1].n == 2 * MOST_KEPT
