"""Houses on real databases, with the tiny games of the engine's tests beside the installed ones; what they log."""

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
    """The tiny games beside the installed ones."""
    found = {**game.games(), **TINY}
    monkeypatch.setattr(game, "games", lambda: found)
    return found


@pytest.fixture
async def start_house(tiny: Mapping[str, Game], database_url: str) -> AsyncIterator[StartHouse]:
    """Starts houses on one database, SQLite or Postgres; stops those that still run when the test ends."""
    async with AsyncExitStack() as stack:
        yield starter(stack, database_url)


@pytest.fixture
async def start_worker(tiny: Mapping[str, Game], postgres_url: str) -> AsyncIterator[StartHouse]:
    """The same on Postgres only, where there may be several at once."""
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
    """What was logged meanwhile."""

    def __init__(self, others: pytest.LogCaptureFixture) -> None:
        self.lines: list[str] = []  # our own, as programs read them
        self.others = others

    def troubles(self) -> list[str]:
        """What the lines about anything wrong say; those of libraries, too."""
        ours = [line["event"] for line in map(json.loads, self.lines) if line["level"] != "info"]
        return ours + [line.getMessage() for line in self.others.records if line.levelno >= logging.WARNING]

    # what structlog needs of a logger
    def info(self, line: str) -> None:
        self.lines.append(line)

    warning = error = exception = info


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Iterator[Logged]:
    """Each line is rendered as in a server that writes JSON."""
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
