"""The clock follows the wall's forward, never back."""

import pytest

from app import clock


def test_it_never_goes_back_and_never_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "_ahead", float("-inf"))
    steady, wall = 100.0, 5000.0
    monkeypatch.setattr(clock.time, "monotonic", lambda: steady)
    monkeypatch.setattr(clock.time, "time", lambda: wall)
    assert clock.now() == 5000.0
    steady, wall = 110.0, 5010.0
    assert clock.now() == 5010.0
    steady, wall = 120.0, 1420.0  # set back by an hour
    assert clock.now() == 5020.0
    steady, wall = 130.0, 9000.0  # set forward
    assert clock.now() == 9000.0
    steady, wall = 131.0, 8000.0
    assert clock.now() == 9001.0
