"""Memory and disk are finite: tables that nobody looks at leave memory, and old ones the database."""

import gc
import time
from collections.abc import Awaitable, Callable

from app.house.supervisor import Loop
from app.settings import Settings

COLLECT_SECONDS = 600  # between two full looks for garbage
CLEAN_SECONDS = 3600  # between two looks for old tables


class Housekeeping:
    def __init__(
        self,
        settings: Settings,
        let_sleep: Callable[[], bool],
        clean: Callable[[], Awaitable[None]],
        pause: Callable[[float], Awaitable[bool]],
    ) -> None:
        """`let_sleep` says whether the last table left memory. `pause` says whether the house closes."""
        self.settings = settings
        self.let_sleep = let_sleep
        self.clean = clean
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
            gc.collect()  # what closed sockets leave behind refers to itself
        if self.settings.keep_days and time.monotonic() > self.next_cleaning:
            self.next_cleaning = time.monotonic() + CLEAN_SECONDS
            await self.clean()
