"""Rate limits: token buckets by person and by address."""

import ipaddress
import time
from collections.abc import Callable

from app.refusals import Refusal

MOST_KEYS = 20_000


class Limit:
    """A bucket of `burst` tokens for each key, refilled at `rate` tokens per second."""

    def __init__(self, burst: float, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.burst = burst
        self.rate = rate
        self.clock = clock
        self.buckets: dict[str, tuple[float, float]] = {}  # key -> tokens, time of the count

    def put(self, key: str, tokens: float, now: float) -> None:
        self.buckets[key] = (tokens, now)
        if len(self.buckets) > MOST_KEYS:
            self.forget(now)

    def take(self, key: str) -> None:
        """Take a token. Raises Refusal if there is none. A limit of failures takes the token before it tries, so that
        simultaneous tries count, and gives it back on success."""
        now = self.clock()
        left = self.left(key, now)
        if left < 1:
            raise Refusal("too_fast", wait=(1 - left) / self.rate)
        self.put(key, left - 1, now)

    def give_back(self, key: str) -> None:
        now = self.clock()
        self.put(key, min(self.burst, self.left(key, now) + 1), now)

    def check(self, key: str) -> None:
        """Raises Refusal if there is no token. For what is known only afterwards, together with `charge`: cheaper than
        a token that is nearly always given back, but simultaneous tries may exceed the limit."""
        if key in self.buckets and (left := self.left(key, self.clock())) < 1:
            raise Refusal("too_fast", wait=(1 - left) / self.rate)

    def charge(self, key: str) -> None:
        """Take a token, if there is one."""
        now = self.clock()
        self.put(key, max(0.0, self.left(key, now) - 1), now)

    def left(self, key: str, now: float) -> float:
        tokens, then = self.buckets.get(key, (self.burst, 0.0))
        return min(self.burst, tokens + max(0.0, now - then) * self.rate)

    def forget(self, now: float) -> None:
        """Drop full buckets; if too many remain (an attack from many addresses), also the oldest."""
        full = [key for key, (tokens, then) in self.buckets.items() if tokens + (now - then) * self.rate >= self.burst]
        for key in full:
            del self.buckets[key]
        if len(self.buckets) > MOST_KEYS // 2:
            for key in list(self.buckets)[: len(self.buckets) - MOST_KEYS // 2]:
                del self.buckets[key]


class AddressLimit:
    """A limit for addresses. An IPv6 address counts for its /64 network, usually one household; eight times as much is
    allowed to its /48, which a single customer of a provider may hold."""

    WIDER = 8

    def __init__(self, burst: float, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.near = Limit(burst, rate, clock)
        self.wide = Limit(self.WIDER * burst, self.WIDER * rate, clock)

    def take(self, address: str) -> None:
        """Take a token for an address as `neighbourhood` returns it. Raises Refusal if there is none."""
        self.near.take(address)
        if "/" in address:
            try:
                self.wide.take(wider(address))
            except Refusal:
                self.near.give_back(address)
                raise

    def give_back(self, address: str) -> None:
        self.near.give_back(address)
        if "/" in address:
            self.wide.give_back(wider(address))

    def check(self, address: str) -> None:
        """As `Limit.check`."""
        self.near.check(address)
        if "/" in address:
            self.wide.check(wider(address))

    def charge(self, address: str) -> None:
        self.near.charge(address)
        if "/" in address:
            self.wide.charge(wider(address))


def neighbourhood(address: str) -> str:
    """The key of an address for limits: an IPv4 address, or the /64 network of an IPv6 address."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if ip.version == 6:
        return str(ip.ipv4_mapped or ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)


def wider(network: str) -> str:
    """The /48 network around a /64 network."""
    return str(ipaddress.ip_network(network).supernet(new_prefix=48))
