"""Token buckets."""

import pytest

from app.refusals import Refusal
from app.web.limits import MOST_KEYS, Limit, neighbourhood


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_then_a_rate() -> None:
    clock = Clock()
    limit = Limit(3, 2, clock)
    for _ in range(3):
        limit.take("ada")
    with pytest.raises(Refusal) as refused:
        limit.take("ada")
    assert refused.value.reason == "too_fast"
    assert refused.value.wait == pytest.approx(0.5)
    limit.take("bo")
    clock.now += 0.5
    limit.take("ada")
    with pytest.raises(Refusal):
        limit.take("ada")


def test_a_clock_that_jumps_back_gives_and_takes_little() -> None:
    clock = Clock()
    limit = Limit(2, 1, clock)
    limit.take("ada")
    clock.now -= 1000
    limit.take("ada")
    clock.now += 1001
    limit.take("ada")


def test_costs_charged_afterwards_may_exceed_the_limit() -> None:
    limit = Limit(2, 1, Clock())
    for _ in range(50):
        limit.spend("ada")
    assert limit.wait("ada") == 3


def test_keys_do_not_pile_up() -> None:
    clock = Clock()
    limit = Limit(2, 1, clock)
    for n in range(MOST_KEYS + 1):
        limit.spend(str(n))
    assert len(limit.buckets) <= MOST_KEYS
    clock.now += 10
    limit.forget(clock.now)
    assert not limit.buckets


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("", ""),
        ("unix:", "unix:"),
    ],
)
def test_a_household_is_one_address(address: str, counts_as: str) -> None:
    assert neighbourhood(address) == counts_as
