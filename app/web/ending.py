"""Notices shutdown signals early: uvicorn tells the application only after all requests are answered."""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def before_the_end(tell: Callable[[], None]) -> Iterator[None]:
    """In this block, calls `tell` on SIGINT and SIGTERM, besides the server's own handler."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    theirs: dict[int, Any] = {number: found for number in SIGNALS if callable(found := signal.getsignal(number))}

    def heard(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(tell)
        theirs[number](number, frame)

    for number in theirs:
        signal.signal(number, heard)
    try:
        yield
    finally:
        for number, handler in theirs.items():
            if signal.getsignal(number) is heard:
                signal.signal(number, handler)
