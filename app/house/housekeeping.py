"""Releases tables without viewers from memory, and has old ones deleted from the database."""

import gc
import time
from collections.abc import Awaitable, Callable

from app.house.supervisor import Loop
from app.settings import Settings

COLLECT_SECONDS = 600  # between two full garbage collections
CLEAN_SECONDS = 600  # between two calls of `clean`


class Housekeeping:
    def __init__(
        self,
        settings: Settings,
        let_sleep: Callable[[], bool],
        clean: Callable[[], Awaitable[None]],
        look: Callable[[], Awaitable[None]],
        pause: Callable[[float], Awaitable[bool]],
    ) -> None:
        """`let_sleep` returns whether the last table left memory. `look` looks at the clock, often. `pause` returns
        whether the house closes."""
        self.settings = settings
        self.let_sleep = let_sleep
        self.clean = clean
        self.look = look
        self.pause = pause
        self.next_cleaning = time.monotonic() + 60
        self.next_collecting = time.monotonic() + COLLECT_SECONDS

    async def run(self, loop: Loop) -> None:
        while not await self.pause(min(10.0, max(0.05, self.settings.sleep_seconds / 2))):
            with loop.iteration():
                await self.run_once()

    async def run_once(self) -> None:
        if self.let_sleep() or time.monotonic() > self.next_collecting:
            self.next_collecting = time.monotonic() + COLLECT_SECONDS
            gc.collect()  # closed sockets leave reference cycles
        await self.look()
        if self.settings.keep_days and time.monotonic() > self.next_cleaning:
            self.next_cleaning = time.monotonic() + CLEAN_SECONDS
            await self.clean()
