"""The clock follows the system clock forward, never back."""

from types import SimpleNamespace

import pytest

from app import clock


def test_it_never_goes_back_and_never_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "_ahead", float("-inf"))
    shown = []
    for steady, wall in ((100, 5000), (110, 5010), (120, 1420), (130, 9000), (131, 8000)):
        fake = SimpleNamespace(monotonic=lambda at=steady: float(at), time=lambda at=wall: float(at))
        monkeypatch.setattr(clock, "time", fake)
        shown.append(clock.now())
    assert shown == [5000, 5010, 5020, 9000, 9001]
