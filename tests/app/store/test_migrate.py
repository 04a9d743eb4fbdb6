"""Migrations: they build the schema, are applied once, and completely or not at all."""

import asyncio
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from app.settings import Settings
from app.store import migrate
from app.store.rows import Bad, Chores, Down
from app.store.schema import metadata
from app.store.store import Store
from tests.app.store.conftest import OpenStore
from tests.app.store.making import log, opening


async def test_migrations_build_what_the_schema_says(store: Store) -> None:
    def differences(connection: Connection) -> Any:
        options = {"compare_type": True, "compare_server_default": True}
        found = compare_metadata(MigrationContext.configure(connection, opts=options), metadata)
        index = next(i for i in inspect(connection).get_indexes("moves") if i["name"] == "ix_moves_doubles")
        where = index["dialect_options"][f"{connection.dialect.name}_where"]
        return found, index["unique"], index["column_names"], str(where)

    async with store.reading() as connection:
        found, unique, columns, where = await connection.run_sync(differences)
    assert found == []
    assert "client_id" in where
    assert unique and columns == ["table_id", "person", "client_id"]


async def test_snapshots_have_room_to_be_written_again(on_postgres: Store) -> None:
    async with on_postgres.reading() as connection:
        found = await connection.scalar(text("SELECT reloptions FROM pg_class WHERE relname = 'tables'"))
    assert found == ["fillfactor=50", "toast_tuple_target=8160"]


def test_there_is_one_line_of_migrations() -> None:
    assert len(ScriptDirectory.from_config(migrate.configure()).get_heads()) == 1


async def test_migrating_again_changes_nothing(store: Store, open_store: OpenStore, database_url: str) -> None:
    await store.commit([opening()], Chores())
    for other in await asyncio.gather(*[open_store(database_url) for _ in range(3)]):
        assert await log(other) == [1]


async def test_a_migration_that_fails_leaves_nothing_behind(
    open_store: OpenStore, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE half (n INTEGER)"))
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(migrate, "upgrade", half)
        with pytest.raises(ZeroDivisionError):
            await Store.open(Settings(database_url=database_url))
    store = await open_store(database_url)
    async with store.reading() as connection:
        names = await connection.run_sync(lambda c: inspect(c).get_table_names())
    assert set(names) == {*metadata.tables, "alembic_version"}


async def test_a_database_of_a_newer_version_is_not_opened(store: Store, database_url: str) -> None:
    async with store.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(Bad, match="9999"):
        await Store.open(Settings(database_url=database_url))


async def test_a_database_with_other_tables_is_not_opened(store: Store, database_url: str) -> None:
    async with store.begin() as connection:
        await connection.execute(text("DELETE FROM alembic_version"))
    with pytest.raises((Bad, Down)):
        await Store.open(Settings(database_url=database_url))
