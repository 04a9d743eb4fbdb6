"""The one way into the log: check, commit, tell.

One task takes what all tables of this process have been handed, tries it on the sittings that run ahead, commits all
of it in one transaction, and only then lets anybody hear of it. What comes in meanwhile waits for the next round.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any

from app import metrics
from app.house.commit import Trial, drawn
from app.house.open_table import Ask, Live, answered
from app.logs import get
from app.refusals import Reason
from app.store.rows import Bad, Chores, Conflict, Down, Write
from app.store.store import Store

log = get("journal")
MOST_TRIES = 20
RETRY_SECONDS = 0.2
NEWS_LIMIT = 7000  # bytes; Postgres takes 8000

Opening = tuple[Write, "asyncio.Future[None]"]


class Journal:
    def __init__(
        self,
        store: Store,
        after: Callable[[Live, bool, bool], None],
        due: Callable[[float | None], None],
        worker: str,
    ) -> None:
        """`after(live, social, ours)` is called when a commit has been told: `social` if seats may have changed,
        `ours` if it was made here. `due(at)`: a deadline was committed."""
        self.store = store
        self.after = after
        self.due = due
        self.worker = worker
        self.waiting: dict[Live, None] = {}
        self.openings: list[Opening] = []
        self.chores = Chores()
        self.presence: set[str] = set()  # tables of which other workers may have sockets
        self.wake = asyncio.Event()
        self.closing = False
        self.down = False
        self.held: set[Live] = set()  # waiting, but being read anew
        self.unsure: set[Live] = set()  # with a commit whose outcome is unknown
        self.mending: asyncio.Task[None] | None = None
        self.aside: set[asyncio.Task[None]] = set()

    # handing in ---------------------------------------------------------------------------------------------------

    def hand_in(self, live: Live, ask: Ask) -> None:
        live.inbox.append(ask)
        self.poke(live)

    def poke(self, live: Live) -> None:
        self.waiting[live] = None
        self.wake.set()

    async def open(self, write: Write) -> None:
        """A new table's first entry. Raises what the store raises."""
        done = asyncio.get_running_loop().create_future()
        self.openings.append((write, done))
        self.wake.set()
        await done

    def note_away(self, live: Live, seat: int, at: float | None) -> None:
        self.chores.away[live.id, seat] = at
        if at is not None:
            self.presence.add(live.id)
        self.wake.set()

    def note_lifted(self, live: Live, seat: int, round: int, move: str | None) -> None:
        self.chores.lifted[live.id, seat] = (round, move) if move is not None else None
        self.wake.set()

    # the loop -----------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        while True:
            if not (self.waiting or self.openings or self.chores):
                if self.closing:
                    break
                await self.wake.wait()
            elif self.closing and self.down and not (self.waiting or self.openings):
                break  # what is left are chores, which can be found out again
            self.wake.clear()
            await self.round()
        if self.mending is not None:
            self.mending.cancel()
        while self.aside:
            await asyncio.wait(self.aside)

    def stop(self) -> None:
        """`run` ends when everything that was handed in is answered."""
        self.closing = True
        self.wake.set()

    async def round(self) -> None:
        lives = self.ready()
        secrets = drawn(sum([len(live.inbox) for live in lives], start=1))
        trials = [trial for live in lives if (trial := await self.take(live, secrets))]
        openings, self.openings = self.openings, []
        chores, self.chores = self.chores, Chores()
        presence, self.presence = self.presence, set()
        writes = [trial.write for trial in trials if trial.write] + [write for write, _ in openings]
        began = time.perf_counter()
        error: Exception | None = None
        try:
            if writes or chores:
                await self.store.commit(writes, chores, self.news(trials, presence))
        except (Conflict, Bad):
            self.presence |= presence
            await self.one_by_one(trials, openings, chores)
            return
        except Exception as unknown:
            error = unknown
            self.went_down(error)
            self.keep(chores)
            self.presence |= presence
        else:
            self.told_chores(chores)
            metrics.COMMIT.observe(time.perf_counter() - began)
            metrics.ENTRIES.inc(sum(len(write.lines) for write in writes))
        for trial in trials:
            self.settle(trial, error)
        for _, future in openings:
            finish(future, error)
        if error and chores:
            await asyncio.sleep(RETRY_SECONDS)

    def ready(self) -> list[Live]:
        """Tables that wait and that nobody reads anew just now."""
        lives = []
        for live in self.waiting:
            if live.lock.locked():
                self.later(live)
            else:
                lives.append(live)
        self.waiting.clear()
        return lives

    def later(self, live: Live) -> None:
        async def wait() -> None:
            async with live.lock:
                self.held.discard(live)
            self.poke(live)

        if live not in self.held:
            self.held.add(live)
            self.start(wait())

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.aside.add(task)
        task.add_done_callback(self.aside.discard)

    async def take(self, live: Live, secrets: Iterator[str]) -> Trial | None:
        if live.unsure:
            self.start(self.recover(live, []))
            return None
        await live.lock.acquire()
        asks, live.inbox = live.inbox, []
        try:
            return Trial(live, asks, secrets)
        except Exception:
            log.exception("a table broke", table=live.id)
            self.spoil(live, asks)
            return None

    def spoil(self, live: Live, asks: Sequence[Ask]) -> None:
        live.working = None
        live.lock.release()
        for ask in asks:
            ask.refuse("broken", live.version)

    # tell ---------------------------------------------------------------------------------------------------------

    def settle(self, trial: Trial, error: Exception | None) -> None:
        """After the commit: everybody hears of it, or nobody."""
        live = trial.live
        if error is not None:
            self.doubt(live)
            live.lock.release()
            for ask in trial.asks:
                ask.refuse("store_down", live.version)
            return
        trial.publish()
        live.lock.release()
        for ask, done in trial.accepted:
            ask.accept(done)
        for ask, reason in trial.refused:
            if ask.id or self.store.postgres:
                self.start(self.look_up(live, ask, reason))
            else:
                ask.refuse(reason, live.version)
        if trial.lines:
            self.told(live, trial.social, True)

    def told(self, live: Live, social: bool, ours: bool) -> None:
        live.tell()
        try:
            self.after(live, social, ours)
        except Exception:
            log.exception("what should follow from a commit broke", table=live.id)

    async def look_up(self, live: Live, ask: Ask, reason: Reason) -> None:
        """A message that is refused now may have been accepted before, by whoever served this table then; or it may
        be ahead of us: sent by somebody who has heard from another worker what we have not."""
        try:
            if await self.had_come(live, ask):
                return
            behind = self.store.postgres and await self.store.seq(live.id) > live.seq
        except Down:
            reason, behind = "store_down", False
        if behind and ask.tries < MOST_TRIES:
            await self.recover(live, [ask])
        else:
            ask.refuse(reason, live.version)

    async def had_come(self, live: Live, ask: Ask) -> bool:
        line = await self.store.answered(live.id, ask.person, ask.id) if ask.id else None
        if line is not None:
            ask.accept(answered(line).again())
        return line is not None

    def news(self, trials: Sequence[Trial], presence: set[str]) -> str:
        """What other workers are told: `worker table:seq table:seq … ?table`."""
        words = [f"{trial.live.id}:{trial.lines[-1].seq}" for trial in trials if trial.lines]
        words += [f"?{table}" for table in presence]
        if not words or not self.store.postgres:
            return ""
        text = " ".join([self.worker, *words])
        return text if len(text) < NEWS_LIMIT else f"{self.worker} *"

    def told_chores(self, chores: Chores) -> None:
        for at in chores.away.values():
            self.due(at)

    # when it goes wrong -------------------------------------------------------------------------------------------

    async def one_by_one(self, trials: Sequence[Trial], openings: Sequence[Opening], chores: Chores) -> None:
        """Something in the batch stands in the way; only its own table is to suffer for it."""
        for trial in trials:
            error: Exception | None = None
            try:
                if trial.write:
                    await self.store.commit([trial.write], Chores(), self.news([trial], set()))
            except Conflict:
                self.start(self.recover(trial.live, trial.asks, locked=True))
                continue
            except Bad as bad:
                log.error("a row was not taken", table=trial.live.id, reason=str(bad))
                self.spoil(trial.live, trial.asks)
                continue
            except Exception as unknown:
                error = unknown
                self.went_down(unknown)
            self.settle(trial, error)
        for write, future in openings:
            try:
                await self.store.commit([write], Chores())
            except Exception as unknown:
                finish(future, unknown)
            else:
                finish(future, None)
        one = [Chores(away={key: at}) for key, at in chores.away.items()]
        one += [Chores(lifted={key: what}) for key, what in chores.lifted.items()]
        for chore in one:
            try:
                await self.store.commit([], chore)
                self.told_chores(chore)
            except (Conflict, Bad) as gone:
                log.info("a chore was dropped", reason=str(gone))  # with its table
            except Down as down:
                self.went_down(down)
                self.keep(chore)

    def keep(self, chores: Chores) -> None:
        """For the next time; what came meanwhile is newer."""
        self.chores.away = {**chores.away, **self.chores.away}
        self.chores.lifted = {**chores.lifted, **self.chores.lifted}

    async def recover(self, live: Live, asks: Sequence[Ask], locked: bool = False) -> None:
        """Read what others wrote, or what became of a commit; then try again."""
        if not locked:
            await live.lock.acquire()
        asks, live.inbox = [*asks, *live.inbox], []
        try:
            await self.read_anew(live)
            again = [ask for ask in asks if not await self.had_come(live, ask)]
        except Exception as error:
            self.went_down(error)
            self.doubt(live)
            for ask in asks:
                ask.refuse("store_down", live.version)
            return
        finally:
            live.lock.release()
        for ask in again:
            ask.tries += 1
            if ask.tries < MOST_TRIES:
                self.hand_in(live, ask)
            else:
                ask.refuse("store_down", live.version)

    async def read_anew(self, live: Live) -> None:
        """The lock is held."""
        changed = True
        if kept := await self.store.since(live.id, live.seq):
            live.take_in(kept)
        elif live.unsure and await self.store.seq(live.id) < live.seq and (kept := await self.store.by_id(live.id)):
            log.error("the database has forgotten what it had stored", table=live.id)
            live.answers.clear()
            live.read(kept)
        else:
            changed = False
        live.working, live.unsure = None, False
        self.unsure.discard(live)
        if changed:
            self.told(live, True, False)

    async def catch_up(self, live: Live, seq: int | None = None) -> None:
        """Another worker wrote: read it. `seq`: how far its log went then."""
        async with live.lock:
            if seq is None or seq > live.seq or live.unsure:
                await self.read_anew(live)

    def doubt(self, live: Live) -> None:
        """What was committed before is all that is known of this table."""
        live.working, live.unsure = None, True
        self.unsure.add(live)

    def went_down(self, error: Exception) -> None:
        if not isinstance(error, Down):
            log.error("the store broke", exc_info=error)
        elif not self.down:
            log.error("the database is away", reason=str(error))
        self.down = True
        if self.mending is None and not self.closing:
            self.mending = asyncio.create_task(self.mend())

    async def mend(self) -> None:
        """Until the database is back; then find out what became of the commits that were under way."""
        try:
            while self.down or self.unsure:
                await asyncio.sleep(RETRY_SECONDS)
                try:
                    await self.store.ping()
                except Down:
                    continue
                self.down = False
                for live in list(self.unsure):
                    await self.recover(live, [])
            log.info("the database is back")
        finally:
            self.mending = None


def finish(future: "asyncio.Future[None]", error: Exception | None) -> None:
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(None)
