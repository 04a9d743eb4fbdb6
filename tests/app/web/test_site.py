"""What pages, API and sockets share."""

import pytest

from app.web.site import is_local


@pytest.mark.parametrize("host", ["localhost", "cards.localhost", "127.0.0.1", "127.1.2.3", "::1"])
def test_a_loopback_address_is_local(host: str) -> None:
    assert is_local(host)


@pytest.mark.parametrize("host", ["", "cards.example.org", "localhost.example.org", "192.168.1.2", "::2"])
def test_others_are_not(host: str) -> None:
    assert not is_local(host)
