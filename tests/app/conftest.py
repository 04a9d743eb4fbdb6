"""Houses on real databases, with the engine's test games besides the installed ones, and their log."""

import json
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from typing import Any

import pytest
import structlog

from app import logs
from app.house.house import House
from app.settings import Settings
from engine import game
from engine.game import Game
from tests.engine.tiny import TINY

StartHouse = Callable[..., Any]


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, Game]:
    """Adds the engine's test games to the installed ones."""
    found = {**game.games(), **TINY}
    monkeypatch.setattr(game, "games", lambda: found)
    return found


@pytest.fixture
async def start_house(tiny: Mapping[str, Game], database_url: str) -> AsyncIterator[StartHouse]:
    """Starts houses on one database, SQLite or Postgres; those still running are stopped at the end of the test."""
    async with AsyncExitStack() as stack:
        yield starter(stack, database_url)


@pytest.fixture
async def start_worker(tiny: Mapping[str, Game], postgres_url: str) -> AsyncIterator[StartHouse]:
    """The same, only on Postgres, where several can run at once."""
    async with AsyncExitStack() as stack:
        yield starter(stack, postgres_url)


@pytest.fixture
async def house(start_house: StartHouse) -> House:
    started: House = await start_house()
    return started


def starter(stack: AsyncExitStack, url: str) -> StartHouse:
    async def start(**settings: Any) -> House:
        house = await House.start(Settings(database_url=url, **{"bot_pause": 0.0, **settings}))
        stack.push_async_callback(stop, house)
        return house

    return start


async def stop(house: House) -> None:
    if not house.journal.closing:
        await house.stop()


class Logged:
    """The log lines of a test."""

    def __init__(self, others: pytest.LogCaptureFixture) -> None:
        self.lines: list[str] = []  # of our own code, as JSON
        self.others = others

    def troubles(self) -> list[str]:
        """The messages above level info, including those of libraries."""
        ours = [line["event"] for line in map(json.loads, self.lines) if line["level"] != "info"]
        return ours + [line.getMessage() for line in self.others.records if line.levelno >= logging.WARNING]

    # methods that structlog calls
    def info(self, line: str) -> None:
        self.lines.append(line)

    warning = error = exception = info

    def debug(self, line: str) -> None:
        """Requests are not kept."""


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Iterator[Logged]:
    """Lines are rendered as JSON, as on a server."""
    found, before = Logged(caplog), structlog.get_config()
    frames = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    structlog.configure(
        processors=[
            structlog.stdlib.add_log_level,
            logs.hide,
            structlog.processors.ExceptionRenderer(frames),
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=lambda *_: found,
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    yield found
    structlog.configure(**before)
