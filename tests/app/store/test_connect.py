"""Database addresses: as given, for the drivers, and in messages."""

import pytest

from app.settings import Settings
from app.store.connect import address, dsn, place


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("postgres://u:p@h/d", "postgresql+asyncpg://u:p@h/d"),
        ("postgresql://u:p@h:5/d?sslmode=require", "postgresql+asyncpg://u:p@h:5/d?ssl=require"),
        ("postgresql+asyncpg://h/d", "postgresql+asyncpg://h/d"),
        ("sqlite:////srv/f.db", "sqlite+aiosqlite:////srv/f.db"),
        ("", "sqlite+aiosqlite:///data/facedown.sqlite3"),
    ],
)
def test_addresses(given: str, used: str) -> None:
    assert address(Settings(database_url=given)).render_as_string(hide_password=False) == used


def test_the_driver_alone_gets_the_name_that_was_given() -> None:
    given = "postgresql://u:p@h:5/d?sslmode=require"
    assert dsn(address(Settings(database_url=given))) == given


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("postgresql://u:p@h:5/d?password=p", "postgresql://h:5/d"),
        ("postgresql://h/d", "postgresql://h/d"),
        ("sqlite:////srv/f.db", "sqlite:////srv/f.db"),
    ],
)
def test_what_is_shown_holds_no_password(given: str, shown: str) -> None:
    assert place(address(Settings(database_url=given))) == shown
