"""Who may do how much: token buckets by person and by address."""

import ipaddress
import time
from collections.abc import Callable

from app.refusals import Refusal

MOST_KEYS = 20_000


class Limit:
    """For each key a bucket of `burst` tokens that refills at `rate` a second."""

    def __init__(self, burst: float, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.burst = burst
        self.rate = rate
        self.clock = clock
        self.buckets: dict[str, tuple[float, float]] = {}  # key -> tokens, when counted

    def wait(self, key: str) -> float:
        """Seconds until the next token; 0 where there is one."""
        return max(0.0, (1 - self.left(key, self.clock())) / self.rate)

    def spend(self, key: str) -> None:
        """Take a token, though there be none: for what is counted after it happened."""
        now = self.clock()
        self.put(key, max(self.left(key, now) - 1, -self.burst), now)

    def put(self, key: str, tokens: float, now: float) -> None:
        self.buckets[key] = (tokens, now)
        if len(self.buckets) > MOST_KEYS:
            self.forget(now)

    def take(self, key: str) -> None:
        """Take a token or refuse."""
        now = self.clock()
        left = self.left(key, now)
        if left < 1:
            raise Refusal("too_fast", wait=(1 - left) / self.rate)
        self.put(key, left - 1, now)

    def left(self, key: str, now: float) -> float:
        tokens, then = self.buckets.get(key, (self.burst, 0.0))
        return min(self.burst, tokens + max(0.0, now - then) * self.rate)

    def forget(self, now: float) -> None:
        """Drop full buckets; then, under an attack from everywhere, the oldest half."""
        full = [key for key, (tokens, then) in self.buckets.items() if tokens + (now - then) * self.rate >= self.burst]
        for key in full:
            del self.buckets[key]
        if len(self.buckets) > MOST_KEYS // 2:
            for key in list(self.buckets)[: len(self.buckets) - MOST_KEYS // 2]:
                del self.buckets[key]


def neighbourhood(address: str) -> str:
    """What counts as one address: a household's IPv6 network is one, as its IPv4 address is."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if ip.version == 6:
        return str(ip.ipv4_mapped or ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)
