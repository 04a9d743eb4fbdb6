"""How often each person has logged out everywhere: cookies and tokens that were signed before the last time are void.

All of it is in memory, since every request asks. Only whoever has logged out has a row.
"""

from collections.abc import Awaitable, Callable

from app.house.supervisor import Loop
from app.logs import get
from app.store.rows import Down
from app.store.store import Store

log = get("logouts")
LOOK_SECONDS = 2.0  # between two looks at what other processes have stored


class Logouts:
    def __init__(self, store: Store, pause: Callable[[float], Awaitable[bool]]) -> None:
        self.store = store
        self.pause = pause
        self.counts: dict[str, int] = {}
        self.after: Callable[[str], None] = lambda person: None  # to be called when a person's cookies have become void

    def stays(self, person: str, count: int) -> bool:
        """Whether what was signed after this many times is valid."""
        return count == self.counts.get(person, 0)

    async def add(self, person: str) -> int:
        """Void everything that was signed for this person so far. Returns the number of times. Raises Down."""
        self.note(person, await self.store.log_out(person))
        return self.counts[person]

    def note(self, person: str, count: int) -> None:
        if count > self.counts.get(person, 0):
            self.counts[person] = count
            self.after(person)

    async def load(self) -> None:
        for person, count in (await self.store.logouts()).items():
            self.note(person, count)

    async def look(self) -> None:
        """Read all, if other processes have stored something: the sum only grows."""
        if await self.store.sum_of_logouts() != sum(self.counts.values()):
            await self.load()

    async def run(self, loop: Loop) -> None:
        while not await self.pause(LOOK_SECONDS):
            try:
                with loop.iteration():
                    await self.look()
            except Down as error:
                if loop.up:
                    log.error("logouts cannot be read", reason=str(error))
                loop.failed()
