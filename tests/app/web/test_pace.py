"""The durations of a reveal in script and style match those that timers wait for."""

import re

from app.paths import STATIC
from engine.beats import BEAT, TURN_AND_READ


def figure(file: str, pattern: str) -> float:
    found = re.search(pattern, (STATIC / file).read_text())
    assert found is not None, pattern
    return float(found[1]) / 1000


def test_the_clock_begins_when_the_reveal_has_been_seen() -> None:
    start, hold = figure("js/player.js", r"START = (\d+)"), figure("js/player.js", r"HOLD = (\d+)")
    turn, beat = figure("css/tokens.css", r"--d-turn: (\d+)ms"), figure("css/tokens.css", r"--d-beat: (\d+)ms")
    first = figure("js/player.js", r"i === 1 \? time\(\"--d-beat\"\) \* (0\.\d+)") * 1000
    assert abs(BEAT - beat) < 0.01
    assert abs(TURN_AND_READ - (start + turn + hold - (1 - first) * beat)) < 0.1
