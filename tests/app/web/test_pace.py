"""The durations of a reveal in script and style match those that games use for timers."""

import re
from typing import Any

import pytest

from app.paths import STATIC
from engine.games.raiders import face as raiders
from engine.games.scrawl import face as scrawl


def figure(file: str, pattern: str) -> float:
    found = re.search(pattern, (STATIC / file).read_text())
    assert found is not None, pattern
    return float(found[1]) / 1000


@pytest.mark.parametrize("face", [raiders, scrawl])
def test_the_clock_begins_when_the_reveal_has_been_seen(face: Any) -> None:
    start, hold = figure("js/player.js", r"START = (\d+)"), figure("js/player.js", r"HOLD = (\d+)")
    turn, beat = figure("css/tokens.css", r"--d-turn: (\d+)ms"), figure("css/tokens.css", r"--d-beat: (\d+)ms")
    first = figure("js/player.js", r"i === 1 \? beat \* (0\.\d+)") * 1000
    assert abs(face.BEAT - beat) < 0.01
    assert abs(face.TURN_AND_READ - (start + turn + hold - (1 - first) * beat)) < 0.1
