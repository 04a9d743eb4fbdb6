"""Which hosts are answered."""

import pytest

from app.web.hosts import Hosts


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8000",
        "raspberrypi",
        "raspberrypi.local",
        "box.home.arpa",
        "192.168.1.7",
        "10.0.0.1:80",
        "[::1]",
        "[2001:db8::7]:8000",
        "cards.example.org",
        "CARDS.example.org.",
        "other.example.org:444",
    ],
)
def test_a_host_that_is_ours(host: str) -> None:
    assert Hosts("https://cards.example.org", ["other.example.org"]).allows(host)


@pytest.mark.parametrize(
    "host", ["example.org", "x.cards.example.org", "evil.test", "127.0.0.1.evil.test", "evil.localhost.test", "1.2.3"]
)
def test_a_host_that_another_site_may_own(host: str) -> None:
    assert not Hosts("https://cards.example.org", ["other.example.org"]).allows(host)
    assert Hosts("", ["*"]).allows(host)
