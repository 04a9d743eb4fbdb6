"""A store on each of the two databases, and on one of them."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from app.settings import Settings
from app.store.store import Store

OpenStore = Callable[[str], Any]


@pytest.fixture
async def open_store() -> AsyncIterator[OpenStore]:
    """Opens stores; they are closed at the end of the test."""
    async with AsyncExitStack() as stack:

        async def open(url: str) -> Store:
            store = await Store.open(Settings(database_url=url))
            stack.push_async_callback(store.close)
            return store

        yield open


@pytest.fixture
async def store(open_store: OpenStore, database_url: str) -> Store:
    opened: Store = await open_store(database_url)
    return opened


@pytest.fixture
async def on_postgres(open_store: OpenStore, postgres_url: str) -> Store:
    opened: Store = await open_store(postgres_url)
    return opened


@pytest.fixture
async def on_sqlite(open_store: OpenStore, sqlite_url: str) -> Store:
    opened: Store = await open_store(sqlite_url)
    return opened
