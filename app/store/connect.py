"""Database addresses and timeouts."""

from pathlib import Path

from sqlalchemy import URL, make_url

from app.settings import Settings

TIMEOUT = 10.0  # seconds for a connection or a statement; after it the database counts as down
COMMIT_TIMEOUT = 15.0  # seconds for a whole commit
READ_TIMEOUT = 15.0  # seconds for reading or a small write


def address(settings: Settings) -> URL:
    """The database URL, with our driver."""
    if not settings.database_url:
        return URL.create("sqlite+aiosqlite", database=str(Path(settings.data_dir, "facedown.sqlite3")))
    url = make_url(settings.database_url)
    if url.get_backend_name() in ("postgres", "postgresql"):
        query = dict(url.query)
        if "sslmode" in query:  # libpq's name; asyncpg's is ssl
            query["ssl"] = query.pop("sslmode")
        return url.set(drivername="postgresql+asyncpg", query=query)
    return url.set(drivername="sqlite+aiosqlite")


def dsn(url: URL) -> str:
    """The URL as asyncpg takes it without SQLAlchemy."""
    query = {"sslmode" if name == "ssl" else name: value for name, value in url.query.items()}
    return url.set(drivername="postgresql", query=query).render_as_string(hide_password=False)


def place(url: URL) -> str:
    """The URL for messages, without user and password."""
    shown = URL.create(url.get_backend_name(), host=url.host, port=url.port, database=url.database)
    return shown.render_as_string()
