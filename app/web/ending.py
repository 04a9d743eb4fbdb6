"""Notices shutdown signals early: uvicorn tells the application only after all requests are answered."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import structlog

log = structlog.get_logger("web")
SIGNALS = (signal.SIGINT, signal.SIGTERM)
LONGEST_STOP = 50.0  # seconds from a signal to the end of the process, even if the event loop or a thread hangs


@contextmanager
def before_the_end(tell: Callable[[], None]) -> Iterator[None]:
    """In this block, calls `tell` on SIGINT and SIGTERM, besides the server's own handler. LONGEST_STOP later the
    process is gone, whatever hangs."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    theirs: dict[int, Any] = {number: found for number in SIGNALS if callable(found := signal.getsignal(number))}

    def heard(number: int, frame: FrameType | None) -> None:
        watch = threading.Timer(LONGEST_STOP, exit_at_once)
        watch.daemon = True  # does not keep the process from ending earlier
        watch.start()
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


def exit_at_once() -> None:
    log.error("the process does not stop; something hangs")
    os._exit(1)
