"""Settings from environment variables. The table in `docs/hosting.md` repeats them; a test compares the two."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from ipaddress import ip_network
from typing import Any, TypeVar
from urllib.parse import urlsplit

T = TypeVar("T")
SHORTEST_KEY = 32  # characters: whoever guesses the key can sign the cookie of anybody
ALIKE = 0.85  # from which likeness on a variable may be a misspelt setting: TRUSTED_PROXY, but not XDG_DATA_DIR


class BadSetting(ValueError):
    """A variable has an invalid value; the text names it and says what it takes."""


def whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise ValueError(f"a whole number from {least} to {most}")
        return int(text)

    return read


def number(least: float, most: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise ValueError(f"a number from {least:g} to {most:g}")
        return value

    return read


def one_of(*values: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() not in values:
            raise ValueError(" or ".join(values))
        return text.lower()

    return read


def database(text: str) -> str:
    scheme, _, rest = text.partition(":")
    if scheme in ("postgres", "postgresql", "postgresql+asyncpg"):
        return text
    if scheme in ("sqlite", "sqlite+aiosqlite") and len(rest) > 3 and rest.startswith("///") and ":memory:" not in rest:
        return text
    raise ValueError("postgresql://user:password@host/database, sqlite:///file, or nothing for SQLite in DATA_DIR")


def web_address(text: str) -> str:
    parts = urlsplit(text)
    path = parts.path.strip("/")
    if parts.scheme not in ("http", "https") or not parts.hostname or path or parts.query or parts.fragment:
        raise ValueError("an address like https://cards.example.org, without a path")
    return text.rstrip("/")


def networks(text: str) -> str:
    for part in text.split(","):
        try:
            ip_network(part.strip(), strict=False)
        except ValueError:
            raise ValueError("addresses or networks with commas between, like 127.0.0.1,10.0.0.0/8") from None
    return text


def host_names(text: str) -> str:
    for part in text.split(","):
        if not re.fullmatch(r"\*|[A-Za-z0-9][A-Za-z0-9._-]*", part.strip()):
            raise ValueError("names with commas between, like cards.example.org,cards.example.net")
    return text


def signing_key(text: str) -> str:
    if len(text) < SHORTEST_KEY:
        raise ValueError(f"at least {SHORTEST_KEY} characters, for example from `openssl rand -hex 32`")
    return text


def setting(default: T, help: str, read: Callable[[str], T], secret: bool = False) -> T:
    made: Any = field(default=default, repr=not secret, metadata={"help": help, "read": read})
    return made  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Settings:
    port: int = setting(8000, "Port to listen on.", whole(1, 65535))
    host: str = setting("127.0.0.1", "Address to listen on; 0.0.0.0: all addresses of this machine.", str)
    workers: int = setting(1, "Number of server processes; more than one needs Postgres.", whole(1, 64))
    database_url: str = setting(
        "", "Postgres, as postgresql://user:password@host/database; empty: a SQLite file in DATA_DIR.", database, True
    )
    data_dir: str = setting("data", "Folder for the SQLite file.", str)
    public_url: str = setting("", "Address for links and QR codes; empty: the address of the request.", web_address)
    allowed_hosts: str = setting(
        "", "More names that this server answers to, separated by commas; *: any name.", host_names
    )
    trusted_proxies: str = setting(
        "", "Proxies whose X-Forwarded headers are trusted: addresses or networks, separated by commas.", networks
    )
    table_password: str = setting("", "Password for opening tables; empty: everybody may open tables.", str, True)
    secret_key: str = setting(
        "",
        "Key that signs cookies, at least 32 characters; empty: generated once and stored in the database.",
        signing_key,
        True,
    )
    metrics_token: str = setting("", "Bearer token for /metrics; empty: only this machine may read them.", str, True)
    log_level: str = setting("info", "debug, info, warning or error.", one_of("debug", "info", "warning", "error"))
    log_format: str = setting("text", "text for people, json for programs.", one_of("text", "json"))
    keep_days: int = setting(180, "Days after which unused tables are deleted; 0: never.", whole(0, 36500))
    away_seconds: float = setting(60.0, "Seconds after which a seat without a connection is away.", number(0, 86400))
    sleep_seconds: float = setting(
        300.0, "Seconds after which a table without viewers leaves memory.", number(0, 86400)
    )
    bot_pause: float = setting(1.0, "Length of the pause before bots play: 1 is natural, 0 is none.", number(0, 100))
    limit_actions: int = setting(20, "Messages per second from one person.", whole(1, 1000000))
    limit_requests: int = setting(100, "Requests per second from one address.", whole(1, 1000000))
    limit_unshown: int = setting(
        1000, "Actions of one person at one table that others do not see, such as drafts.", whole(1, 1000000)
    )
    limit_sockets: int = setting(200, "Open sockets from one address.", whole(1, 1000000))
    limit_codes: int = setting(30, "Wrong table codes per minute from one address.", whole(1, 1000000))
    limit_tables: int = setting(60, "New tables per hour from one address.", whole(1, 1000000))

    @classmethod
    def read(cls, environ: Mapping[str, str] = os.environ) -> "Settings":
        """Read the environment; an empty variable counts as not set. Raises BadSetting."""
        given: dict[str, Any] = {}
        for one in fields(cls):
            text = environ.get(variable(one), "").strip()
            if text:
                try:
                    given[one.name] = one.metadata["read"](text)
                except ValueError as error:
                    shown = text if one.repr else "…"
                    raise BadSetting(f"{variable(one)}={shown} will not do; it takes {error}.") from None
        settings = cls(**given)
        if settings.workers > 1 and settings.sqlite:
            raise BadSetting("WORKERS above 1 needs Postgres: set DATABASE_URL.")
        return settings

    @property
    def sqlite(self) -> bool:
        return self.database_url.startswith("sqlite") or not self.database_url


def variable(one: "Field[Any]") -> str:
    return one.name.upper()


def described() -> list[tuple[str, str, str]]:
    """For every setting: variable, default as text, help text."""
    return [(variable(one), shown(one.default), one.metadata["help"]) for one in fields(Settings)]


def near_misses(environ: Mapping[str, str] = os.environ) -> list[tuple[str, str]]:
    """Variables that are no settings but look like ones that are not set, each with the setting that may be meant."""
    known = {variable(one) for one in fields(Settings)}
    unset = sorted(one for one in known if not environ.get(one, "").strip())
    others = sorted(name for name in environ if name not in known)
    found = ((name, get_close_matches(name.upper(), unset, 1, ALIKE)) for name in others)
    return [(name, meant[0]) for name, meant in found if meant]


def shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
