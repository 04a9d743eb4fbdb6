"""Free ports, and waiting for a server to answer."""

import socket
import time
from collections.abc import Callable


def free_port() -> int:
    """A port of the loopback that nobody listens on. Somebody else could take it before you do, rarely."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(ready: Callable[[], bool], what: str, seconds: float = 30, tail: Callable[[], str] = str) -> None:
    """Polls until `ready()`; fails with `what` and what `tail` gives when it takes too long."""
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come within {seconds:g} s\n{tail()}")
        time.sleep(0.02)


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
