"""Which hosts this server answers to, by the Host header of a request.

Another site can point a name of its own at this machine (DNS rebinding). Browsers then treat this server as part of
that site, so requests for such a name must not be answered.
"""

import ipaddress
import re
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

HOST = re.compile(r"^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$")
PRIVATE_ENDINGS = (".localhost", ".local", ".internal", ".lan", ".home", ".home.arpa")  # nobody can register these


class Hosts:
    """Addresses, names of this machine and names that only a local network can give are allowed; others must be set."""

    def __init__(self, public_url: str = "", allowed: Iterable[str] = ()) -> None:
        own = urlsplit(public_url).hostname or ""
        self.names = {own, socket.gethostname().lower(), *(name.lower() for name in allowed)} - {""}

    def allows(self, netloc: str) -> bool:
        """Whether to answer; `netloc` is a valid host with an optional port."""
        if "*" in self.names or netloc.startswith("["):
            return True
        name = netloc.partition(":")[0].lower().rstrip(".")
        return name in self.names or "." not in name or name.endswith(PRIVATE_ENDINGS) or is_address(name)


def is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_host(text: str) -> bool:
    """Whether the text is a host name or an address, with an optional port."""
    try:
        return bool(HOST.match(text)) and urlsplit(f"http://{text}").port != 0
    except ValueError:
        return False


def plain_host(netloc: str) -> str:
    """The host without user and default port. The scheme is not compared: a proxy that ends TLS changes it."""
    host = netloc.rpartition("@")[2].lower()
    return host.rstrip("/").removesuffix(":443").removesuffix(":80")
