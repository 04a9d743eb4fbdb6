"""The time of day for the log and deadlines. It does not follow a system clock that goes back by less than a minute."""

import time

BACK = 60.0  # seconds; a clock that goes back by more was ahead, and has been put right

_ahead = float("-inf")  # by how much the time of day is ahead of the monotonic clock


def now() -> float:
    """Seconds since 1970."""
    global _ahead
    passed = time.monotonic()
    ahead = time.time() - passed
    if ahead > _ahead or ahead < _ahead - BACK:
        _ahead = ahead
    return passed + _ahead


def steady() -> float:
    """Seconds that have passed since some moment, if possible also while the machine was asleep."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()
