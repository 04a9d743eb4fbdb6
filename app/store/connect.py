"""Engines for both databases, with what each needs to be safe."""

from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, event, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.settings import Settings

SECONDS = 10.0  # longer than that, and the database counts as gone


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


def connect(url: URL, only: int = 0) -> AsyncEngine:
    """`only`: so many connections and no more."""
    if url.get_backend_name() == "sqlite":
        file = Path(url.database or "")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)  # it holds the key and what lies face down
        engine = create_async_engine(
            url, pool_size=only or 4, max_overflow=0 if only else 4, connect_args={"timeout": SECONDS / 2}
        )
        event.listen(engine.sync_engine, "connect", prepare_sqlite)
        event.listen(engine.sync_engine, "begin", begin_sqlite)
        return engine
    return create_async_engine(
        url,
        pool_size=only or 4,
        max_overflow=0 if only else 4,
        pool_timeout=SECONDS,
        pool_pre_ping=not only,  # the journal finds out by itself, and tries again
        connect_args={"timeout": SECONDS, "command_timeout": SECONDS},
    )


def prepare_sqlite(connection: Any, record: Any) -> None:
    connection.isolation_level = None  # we begin transactions ourselves; the driver's way splits up migrations
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")  # small computers get unplugged
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute(f"PRAGMA busy_timeout = {int(SECONDS * 500)}")
    cursor.close()


def begin_sqlite(connection: Connection) -> None:
    # A transaction that will write takes its lock at once: upgrading later can fail without waiting.
    write = connection.get_execution_options().get("write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
