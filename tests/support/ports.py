"""Free ports, and waiting for a server to answer."""

import os
import random
import socket
import time
from collections.abc import Callable

# Below the ephemeral ports, so that the system does not assign these to connections before a server listens or while it
# restarts. Each process of a test run uses every sixteenth.
PORTS = range(20_000 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 16, 32_000, 16)

_given: set[int] = set()


def free_port() -> int:
    """A loopback port that nobody listens on and that this process has not used before."""
    while True:
        port = random.choice(PORTS)
        if port in _given:
            continue
        _given.add(port)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port


def wait_until(ready: Callable[[], bool], what: str, seconds: float = 120, tail: Callable[[], str] = str) -> None:
    """Poll until `ready()`. On a timeout, fails with `what` and the text of `tail`."""
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
