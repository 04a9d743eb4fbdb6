"""Migrates the database, at every start and by `facedown migrate`."""

from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.paths import MIGRATIONS
from app.store.rows import Newer

LOCK = 0xFACED0  # Postgres advisory lock: workers that start together migrate one at a time


def configure(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


async def migrate(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        writing = await connection.execution_options(write=True)
        async with writing.begin():
            if engine.dialect.name == "postgresql":
                await writing.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
            await writing.run_sync(upgrade)


def upgrade(connection: Connection, revision: str = "head") -> Any:
    """Raises Newer."""
    config = configure(connection)
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if unknown := set(MigrationContext.configure(connection).get_current_heads()) - known:
        raise Newer(f"a newer version of Facedown ({', '.join(sorted(unknown))}, this one knows {max(known)})")
    return command.upgrade(config, revision)
