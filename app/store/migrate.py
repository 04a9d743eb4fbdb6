"""Migrates the database, at every start and by `facedown migrate`."""

from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.paths import MIGRATIONS

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
    return command.upgrade(configure(connection), revision)
