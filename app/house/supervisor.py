"""Background loops: each has a name, is started again after an exception, is counted, and is part of readiness."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress

from app import metrics
from app.logs import get

log = get("supervisor")
SLOWEST = 5.0  # seconds between an exception and the next start; the first start comes at once, then it doubles
SOONEST = 0.1
LONGEST_END = 20.0  # seconds that a loop may take to end when the house closes; then it is cancelled


class Loop:
    """What is known of one loop. The loop itself reports the start and end of its iterations."""

    def __init__(self, name: str, longest: float, every: float | None) -> None:
        self.name = name
        self.longest = longest  # seconds that an iteration may take
        self.every = every  # seconds within which an iteration must begin; None: it waits for work
        self.up = True  # false from an exception to the end of the next iteration
        self.started: float | None = None  # when the iteration under way began
        self.ended = time.monotonic()  # when the last one ended

    def rest(self) -> None:
        """It waits for work, and is well."""
        self.set_up(True)

    @contextmanager
    def iteration(self) -> Iterator[None]:
        self.started = time.monotonic()
        yield
        self.started = None
        self.ended = time.monotonic()
        self.set_up(True)

    def failed(self) -> None:
        """The iteration under way failed."""
        self.started = None
        self.set_up(False)

    def set_up(self, up: bool) -> None:
        if up is not self.up:
            self.up = up
            metrics.LOOP_UP.labels(self.name).set(up)

    def problem(self) -> str:
        """Why players should not come; "" where all is well."""
        now = time.monotonic()
        if not self.up:
            return f"{self.name} has failed and is starting again"
        if self.started is not None and now - self.started > self.longest:
            return f"{self.name} has been busy for {now - self.started:.0f} seconds"
        if self.started is None and self.every is not None and now - self.ended > self.every:
            return f"{self.name} has done nothing for {now - self.ended:.0f} seconds"
        return ""


class Supervisor:
    def __init__(self) -> None:
        self.closing = asyncio.Event()
        self.loops: list[Loop] = []
        self.tasks: dict[str, asyncio.Task[None]] = {}

    def start(
        self, name: str, run: Callable[[Loop], Awaitable[None]], *, longest: float = 60.0, every: float | None = None
    ) -> None:
        """`run` goes on until the house closes."""
        loop = Loop(name, longest, every)
        metrics.LOOP_UP.labels(name).set(1)
        self.loops.append(loop)
        self.tasks[name] = asyncio.create_task(self.keep_running(loop, run), name=name)

    async def keep_running(self, loop: Loop, run: Callable[[Loop], Awaitable[None]]) -> None:
        pause, last_tries = SOONEST, 3  # the tries that are left once the house closes
        while last_tries:
            began = time.monotonic()
            try:
                await run(loop)
                if self.closing.is_set():
                    return
                log.error("a background loop ended", loop=loop.name)
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if task is not None and task.cancelling():
                    raise
                log.exception("a background loop broke", loop=loop.name)  # something that it waited for was cancelled
            except Exception:
                log.exception("a background loop broke", loop=loop.name)
            loop.failed()
            metrics.LOOP_FAILURES.labels(loop.name).inc()
            pause = SOONEST if time.monotonic() - began > SLOWEST else min(SLOWEST, pause * 2)
            if await self.pause(pause):
                last_tries -= 1

    def problems(self) -> list[str]:
        ended = [f"{name} has ended" for name, task in self.tasks.items() if task.done()]
        return ended + [problem for loop in self.loops if (problem := loop.problem())]

    async def pause(self, seconds: float) -> bool:
        """Sleeps; at once true when the house closes."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.closing.wait(), seconds)
        return self.closing.is_set()

    def close(self) -> None:
        self.closing.set()

    async def ended(self, *names: str) -> None:
        """Until those of these loops that were started have ended. One that hangs is cancelled."""
        tasks = [self.tasks[name] for name in names if name in self.tasks]
        if tasks:
            _, hanging = await asyncio.wait(tasks, timeout=LONGEST_END)
            for task in hanging:
                log.error("a background loop does not end", loop=task.get_name())
                task.cancel()
            if hanging:
                await asyncio.wait(hanging, timeout=1)
