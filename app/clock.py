"""The time of day for the log and deadlines. It never goes back, even when the system clock does."""

import time

_ahead = float("-inf")  # largest difference between the system clock and the monotonic clock so far


def now() -> float:
    """Seconds since 1970."""
    global _ahead
    steady = time.monotonic()
    _ahead = max(_ahead, time.time() - steady)
    return steady + _ahead


def steady() -> float:
    """Seconds that have passed since some moment, if possible also while the machine was asleep."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()
