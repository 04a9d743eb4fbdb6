"""Many conflicts are told to the operator, once a minute at most."""

import pytest

from app.house import conflicts
from app.house.conflicts import Conflicts
from tests.app.conftest import Logged


def test_many_conflicts_are_told_and_few_are_not(monkeypatch: pytest.MonkeyPatch, logged: Logged) -> None:
    now = 100.0
    monkeypatch.setattr("app.house.conflicts.time.monotonic", lambda: now)
    found = Conflicts()
    for met, told in ((10, 0), (11, 1), (0, 1)):
        for _ in range(met):
            found.met()
        found.committed(999)
        assert len(logged.troubles()) == told - (met == 11)  # a minute is not over
        now += conflicts.WINDOW + 1
        found.committed(1)
        assert len(logged.troubles()) == told
    assert '"percent": 1.1' in logged.lines[0] and '"commits": 1000' in logged.lines[0]


def test_of_few_commits_nothing_is_said(monkeypatch: pytest.MonkeyPatch, logged: Logged) -> None:
    monkeypatch.setattr(conflicts, "WINDOW", -1.0)
    found = Conflicts()
    for _ in range(conflicts.FEWEST - 1):
        found.met()
        found.committed(1)
    assert not logged.lines
