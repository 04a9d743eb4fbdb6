"""The durations of a reveal in script and style match those that timers wait for."""

import re

from app.paths import STATIC
from engine.beats import BEAT, TURN_AND_READ


def figure(file: str, pattern: str) -> float:
    found = re.search(pattern, (STATIC / file).read_text())
    assert found is not None, pattern
    return float(found[1]) / 1000


def test_the_clock_begins_when_the_reveal_has_been_seen() -> None:
    start = figure("js/player.js", r"START = (\d+)")
    turn, beat, hold = (figure("css/tokens.css", rf"--d-{one}: (\d+)ms") for one in ("turn", "beat", "hold"))
    first = figure("js/player.js", r"i === 1 \? time\(\"--d-beat\"\) \* (0\.\d+)") * 1000
    assert abs(BEAT - beat) < 0.01
    assert abs(TURN_AND_READ - (start + turn + hold - (1 - first) * beat)) < 0.1
