"""The time of day for log and deadlines. It never goes back: when the wall's clock does, this one runs on."""

import time

_ahead = float("-inf")  # of the monotonic clock, the most that was ever seen


def now() -> float:
    """Seconds since 1970."""
    global _ahead
    steady = time.monotonic()
    _ahead = max(_ahead, time.time() - steady)
    return steady + _ahead
