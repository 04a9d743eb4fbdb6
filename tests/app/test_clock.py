"""The clock follows the system clock forward, and back only if that was far ahead."""

from types import SimpleNamespace

import pytest

from app import clock


def test_it_goes_back_only_far_and_never_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "_ahead", float("-inf"))
    shown = []
    for steady, wall in ((100, 5000), (110, 5010), (120, 4980), (130, 9000), (131, 1420), (132, 1421)):
        fake = SimpleNamespace(monotonic=lambda at=steady: float(at), time=lambda at=wall: float(at))
        monkeypatch.setattr(clock, "time", fake)
        shown.append(clock.now())
    assert shown == [5000, 5010, 5020, 9000, 1420, 1421]
