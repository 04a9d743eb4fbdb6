"""The network addresses of this machine."""

import ipaddress
import socket
import time
from contextlib import suppress

_found: tuple[float, tuple[str, ...]] = (0.0, ())
FRESH = 30.0


def here() -> tuple[str, ...]:
    """IPv4 addresses of this machine except loopback, private ones first; looked up at most twice a minute."""
    global _found
    now = time.monotonic()
    if not _found[1] or now - _found[0] > FRESH:
        _found = (now, tuple(sorted(look(), key=lambda address: not ipaddress.ip_address(address).is_private)))
    return _found[1]


def look() -> set[str]:
    found = set()
    with suppress(OSError):
        found |= {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    # A UDP connect sends nothing; it only shows which local address would be used.
    for far in ("192.0.2.1", "10.255.255.255"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((far, 9))
                found.add(probe.getsockname()[0])
            except OSError:
                continue
    return {str(address) for address in found if not ipaddress.ip_address(address).is_loopback}
