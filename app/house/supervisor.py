"""Background loops: each has a name, is restarted after an exception or when it hangs, is counted, and is part of
readiness."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress

from app import metrics
from app.logs import get

log = get("supervisor")
SOONEST = 0.1  # seconds between the first exception and the restart; doubled for each further one
SLOWEST = 5.0  # upper limit for this
LOOKS = 10  # at a loop in the time that an iteration may take
LONGEST_END = 20.0  # seconds that all loops may take to end when the house closes; then they are cancelled


class Loop:
    """The state of one loop, which itself reports the start and end of its iterations."""

    def __init__(self, name: str, longest: float, every: float | None) -> None:
        self.name = name
        self.longest = longest  # seconds that an iteration may take
        self.every = every  # seconds within which an iteration must begin; None: it waits for work
        self.up = True  # false from an exception to the end of the next iteration
        self.started: float | None = None  # when the iteration under way began
        self.ended = time.monotonic()  # when the last one ended

    def rest(self) -> None:
        """To be called before the loop waits for work."""
        self.set_up(True)

    @contextmanager
    def iteration(self) -> Iterator[None]:
        self.started = time.monotonic()
        yield
        self.started = None
        self.ended = time.monotonic()
        self.set_up(True)

    def failed(self) -> None:
        """To be called if the current iteration failed."""
        self.started = None
        self.set_up(False)

    def set_up(self, up: bool) -> None:
        if up is not self.up:
            self.up = up
            metrics.LOOP_UP.labels(self.name).set(up)

    def problem(self) -> str:
        """Why the loop is not ready, as a text for the operator; "" if it is."""
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
        self.closed = 0.0  # when it began to close, monotonic
        self.loops: list[Loop] = []
        self.tasks: dict[str, asyncio.Task[None]] = {}

    def start(
        self, name: str, run: Callable[[Loop], Awaitable[None]], *, longest: float = 60.0, every: float | None = None
    ) -> None:
        """Keep `run` running until the house closes."""
        loop = Loop(name, longest, every)
        metrics.LOOP_UP.labels(name).set(1)
        self.loops.append(loop)
        self.tasks[name] = asyncio.create_task(self.keep_running(loop, run), name=name)

    async def keep_running(self, loop: Loop, run: Callable[[Loop], Awaitable[None]]) -> None:
        pause, last_tries = SOONEST, 3  # restarts that are allowed after the house began to close
        while last_tries:
            started = time.monotonic()
            try:
                if await self.hangs(loop, run):
                    log.error("a background loop hangs", loop=loop.name, longest=loop.longest)
                elif self.closing.is_set():
                    return
                else:
                    log.error("a background loop ended", loop=loop.name)
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if task is not None and task.cancelling():
                    raise
                # Something that it awaited was cancelled, not the loop itself.
                log.exception("a background loop broke", loop=loop.name)
            except Exception:
                log.exception("a background loop broke", loop=loop.name)
            loop.failed()
            metrics.LOOP_FAILURES.labels(loop.name).inc()
            pause = SOONEST if time.monotonic() - started > SLOWEST else min(SLOWEST, pause * 2)
            if await self.pause(pause):
                last_tries -= 1

    async def hangs(self, loop: Loop, run: Callable[[Loop], Awaitable[None]]) -> bool:
        """Run the loop until it ends. If an iteration takes too long, it is cancelled. Returns whether it was."""
        task = asyncio.ensure_future(run(loop))
        looks, begun = 0, loop.started
        try:
            # Looks are counted, not seconds: a process that was stopped for a while does not hang.
            while not (await asyncio.wait([task], timeout=loop.longest / LOOKS))[0]:
                looks, begun = (looks + 1, begun) if loop.started == begun is not None else (0, loop.started)
                if looks > LOOKS:
                    return True
            task.result()
            return False
        finally:
            task.cancel()
            await asyncio.wait([task])
            task.cancelled() or task.exception()  # nobody else asks for it

    def problems(self) -> list[str]:
        ended = [f"{name} has ended" for name, task in self.tasks.items() if task.done()]
        return ended + [problem for loop in self.loops if (problem := loop.problem())]

    async def pause(self, seconds: float) -> bool:
        """Sleep, until the house closes at the latest. Returns whether it closes."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.closing.wait(), seconds)
        return self.closing.is_set()

    def close(self) -> None:
        self.closing.set()
        self.closed = time.monotonic()

    def time_to_end(self) -> float:
        """How many seconds to wait for the next loops to end: at least a few, even if others have used up the time."""
        return max(LONGEST_END / 10, self.closed + LONGEST_END - time.monotonic())

    async def ended(self, *names: str) -> None:
        """Wait until these loops have ended. One that hangs is cancelled."""
        tasks = [self.tasks[name] for name in names if name in self.tasks]
        if tasks:
            _, hanging = await asyncio.wait(tasks, timeout=self.time_to_end())
            for task in hanging:
                log.error("a background loop does not end", loop=task.get_name())
                task.cancel()
            if hanging:
                await asyncio.wait(hanging, timeout=1)
