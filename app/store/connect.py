"""Where the data lies, and for how long a database may keep us waiting."""

from pathlib import Path

from sqlalchemy import URL, make_url

from app.settings import Settings

SECONDS = 10.0  # longer than that for a connection or a statement, and the database counts as gone
COMMIT_SECONDS = 15.0  # the same for a whole commit, whatever it is that hangs


def address(settings: Settings) -> URL:
    """Where the data lies, with the driver that we use."""
    if not settings.database_url:
        return URL.create("sqlite+aiosqlite", database=str(Path(settings.data_dir, "facedown.sqlite3")))
    url = make_url(settings.database_url)
    if url.get_backend_name() in ("postgres", "postgresql"):
        query = dict(url.query)
        if "sslmode" in query:  # libpq's name for it
            query["ssl"] = query.pop("sslmode")
        return url.set(drivername="postgresql+asyncpg", query=query)
    return url.set(drivername="sqlite+aiosqlite")


def dsn(url: URL) -> str:
    """The same for the driver alone."""
    query = {"sslmode" if name == "ssl" else name: value for name, value in url.query.items()}
    return url.set(drivername="postgresql", query=query).render_as_string(hide_password=False)


def place(url: URL) -> str:
    """The same for people to read, without names and passwords."""
    shown = URL.create(url.get_backend_name(), host=url.host, port=url.port, database=url.database)
    return shown.render_as_string()
