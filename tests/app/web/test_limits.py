"""Token buckets."""

import pytest

from app.refusals import Refusal
from app.web.limits import MOST_KEYS, AddressLimit, Limit, neighbourhood


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


@pytest.mark.parametrize("address", ["192.0.2.1", "2001:db8::/64"])
def test_what_is_charged_afterwards_is_checked_before(address: str) -> None:
    limit = AddressLimit(2, 1, clock := Clock())
    for _ in range(2):
        limit.check(address)
        limit.charge(address)
    limit.charge(address)  # of an action that was checked at the same time
    with pytest.raises(Refusal) as refused:
        limit.check(address)
    assert refused.value.wait == pytest.approx(1)
    limit.check("192.0.2.2")
    clock.now += 1
    limit.check(address)


def test_a_token_given_back_can_be_taken_again() -> None:
    limit = Limit(2, 1, Clock())
    for _ in range(50):
        limit.take("ada")
        limit.give_back("ada")
    limit.give_back("ada")
    limit.take("ada")
    limit.take("ada")
    with pytest.raises(Refusal):
        limit.take("ada")


def test_many_networks_of_one_customer_share_a_wider_limit() -> None:
    limit = AddressLimit(2, 1, Clock())
    networks = [neighbourhood(f"2001:db8:1:{n:x}::1") for n in range(AddressLimit.WIDER + 1)]
    for network in networks[:-1]:
        limit.take(network)
        limit.take(network)
        with pytest.raises(Refusal):
            limit.take(network)
    with pytest.raises(Refusal):
        limit.take(networks[-1])
    limit.give_back(networks[0])
    limit.take(networks[-1])
    limit.take(neighbourhood("2001:db8:2::1"))
    limit.take(neighbourhood("192.0.2.7"))


def test_keys_do_not_pile_up() -> None:
    clock = Clock()
    limit = Limit(2, 1, clock)
    for n in range(MOST_KEYS + 1):
        limit.take(str(n))
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
