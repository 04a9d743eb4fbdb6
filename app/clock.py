"""The wall's clock, which may jump; in one place, so that tests can make it."""

import time


def now() -> float:
    """Seconds since 1970."""
    return time.time()
