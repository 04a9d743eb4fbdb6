"""The one way into the log: check, commit, tell.

One task takes what all tables of this process have been handed, tries it on their `working` sittings, commits all of it
in one transaction, and only then lets anybody hear of it. What comes in meanwhile waits for the next round.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import msgspec

from app import actions as do
from app import metrics
from app.live import Ask, Done, Live, shot, written
from app.log import get
from app.sitting import Refused
from app.store.rows import Bad, Chores, Conflict, Down, Line, Write
from app.store.store import Store

log = get("journal")
MOST_TRIES = 20
RETRY_SECONDS = 0.2
LONGEST_DRAFTING = 40  # entries without a snapshot
NEWS_LIMIT = 7000  # bytes; Postgres takes 8000
QUIET = (do.Play, do.PlayFor, do.Undo)  # need no snapshot unless they tell something


@dataclass
class Taken:
    """What one table has handed in and is now being committed."""

    live: Live
    asks: list[Ask] = field(default_factory=list)  # accepted; those that stand for the same message share an answer
    dones: list[Done] = field(default_factory=list)
    refused: list[tuple[Ask, str]] = field(default_factory=list)
    entries: list[do.Entry] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    told: list[list[dict[str, Any]]] = field(default_factory=list)
    began: int = 0
    version: int = 0
    loud: bool = False  # needs a snapshot
    write: Write | None = None


class Journal:
    def __init__(
        self,
        store: Store,
        after: Callable[[Live, bool, bool], None],
        due: Callable[[float | None], None],
        worker: str = "",
    ) -> None:
        """`after(live, social, ours)` is called when a commit has been told: `social` if seats may have changed,
        `ours` if it was made here. `due(at)`: a deadline was committed."""
        self.store = store
        self.after = after
        self.due = due
        self.worker = worker
        self.waiting: dict[Live, None] = {}
        self.openings: list[tuple[Write, asyncio.Future[None]]] = []
        self.chores = Chores()
        self.presence: set[str] = set()  # tables whose seats others may have sockets of
        self.wake = asyncio.Event()
        self.closing = False
        self.held: set[Live] = set()  # waiting, but being read anew
        self.aside: set[asyncio.Task[None]] = set()
        self.down = False

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
        while self.aside:
            await asyncio.wait(self.aside)

    def stop(self) -> None:
        """`run` ends when everything that was handed in is answered."""
        self.closing = True
        self.wake.set()

    async def round(self) -> None:
        batch = [taken for live in self.ready() if (taken := await self.take(live))]
        openings, self.openings = self.openings, []
        chores, self.chores = self.chores, Chores()
        presence, self.presence = self.presence, set()
        writes = [taken.write for taken in batch if taken.write] + [write for write, _ in openings]
        began = time.perf_counter()
        error: Exception | None = None
        try:
            if writes or chores:
                await self.store.commit(writes, chores, self.news(batch, presence))
                self.down = False
        except (Conflict, Bad):
            self.presence |= presence
            await self.one_by_one(batch, openings, chores)
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
        for taken in batch:
            self.settle(taken, error)
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

    def told_chores(self, chores: Chores) -> None:
        for at in chores.away.values():
            self.due(at)

    def keep(self, chores: Chores) -> None:
        """For the next time; what came meanwhile is newer."""
        self.chores.away = {**chores.away, **self.chores.away}
        self.chores.lifted = {**chores.lifted, **self.chores.lifted}

    def went_down(self, error: Exception) -> None:
        if not isinstance(error, Down):
            log.error("the store broke", exc_info=error)
        elif not self.down:
            log.error("the database is away", reason=str(error))
        self.down = True

    def news(self, batch: list[Taken], presence: set[str]) -> str:
        """What other workers are told: `worker table:seq table:seq … ?table`."""
        words = [f"{taken.live.id}:{taken.lines[-1].seq}" for taken in batch if taken.lines]
        words += [f"?{table}" for table in presence]
        if not words or not self.store.postgres:
            return ""
        text = " ".join([self.worker, *words])
        return text if len(text) < NEWS_LIMIT else f"{self.worker} *"

    # check --------------------------------------------------------------------------------------------------------

    async def take(self, live: Live) -> Taken | None:
        if live.unsure:
            self.start(self.recover(live, []))
            return None
        await live.lock.acquire()
        asks, live.inbox = live.inbox, []
        taken = Taken(live, began=live.began, version=live.version)
        try:
            self.check(taken, asks)
        except Exception:
            log.exception("a table broke", table=live.id)
            self.spoil(live, asks)
            return None
        return taken

    def spoil(self, live: Live, asks: Sequence[Ask]) -> None:
        live.working = None
        live.lock.release()
        for ask in asks:
            refuse(ask, "broken", live.version)

    def check(self, taken: Taken, asks: Sequence[Ask]) -> None:
        live = taken.live
        first: dict[tuple[str, str], Ask] = {}
        for ask in asks:
            key = ask.person, ask.id
            if ask.id and key in live.answers:
                answer(ask, replace(live.answers[key], doubled=True))
            elif ask.id and key in first:
                first[key].answer.add_done_callback(partial(pass_on, ask))
            else:
                first[key] = ask
                self.try_out(taken, ask)
        if not taken.lines:
            return
        sitting = live.ahead()
        write = taken.write = Write(live.id, taken.lines)
        if taken.loud or taken.lines[-1].seq - live.snapshot_seq >= LONGEST_DRAFTING:
            write.snapshot = shot(sitting, taken.began)
        if sitting.saved.ends_at != live.sitting.saved.ends_at:
            write.choice, write.ends_at = True, sitting.saved.ends_at

    def try_out(self, taken: Taken, ask: Ask) -> None:
        sitting = taken.live.ahead()
        at = max(time.time(), sitting.saved.at)
        entries = [do.Entry(ask.person, ask.action, secrets.token_hex(32), at)]
        seat = sitting.seat_of(ask.person)
        if seat is not None and sitting.seats[seat].away and not isinstance(ask.action, do.Leave):
            # Whoever acts is here, connected or not.
            entries.insert(0, do.Entry("", do.Back(seat), secrets.token_hex(32), at))
        for entry in entries:
            try:
                events = sitting.apply(entry)
            except Refused as refused:
                taken.refused.append((ask, refused.reason))
                return
            except Exception:
                log.exception("an action broke", table=taken.live.id, kind=type(ask.action).__name__)
                self.put_back(taken)
                taken.refused.append((ask, "broken"))
                return
            self.note(taken, entry, ask, written(events))
        taken.asks.append(ask)
        taken.dones.append(Done(taken.version, taken.lines[-1].seq, taken.told[-1]))

    def note(self, taken: Taken, entry: do.Entry, ask: Ask, events: str | None) -> None:
        mine = entry.action is ask.action
        seq = taken.live.ahead().saved.seq
        if isinstance(entry.action, do.Start):
            taken.began, taken.version = seq, 0
        elif isinstance(entry.action, do.Rematch):
            taken.began, taken.version = 0, 0
        told = msgspec.json.decode(events) if events else []
        taken.version += len(told)
        taken.loud |= bool(told) or not isinstance(entry.action, QUIET)
        taken.entries.append(entry)
        taken.told.append(told)
        json = ask.json if mine else msgspec.json.encode(entry.action).decode()
        id = ask.id if mine else ""
        taken.lines.append(Line(seq, taken.version, entry.at, entry.person, id, entry.secret, json, events))

    def put_back(self, taken: Taken) -> None:
        """The sitting is not to be trusted: what is committed once more, then what was accepted since."""
        taken.live.working = None
        sitting = taken.live.ahead()
        for entry in taken.entries:
            sitting.apply(entry)

    # tell ---------------------------------------------------------------------------------------------------------

    def settle(self, taken: Taken, error: Exception | None) -> None:
        """After the commit: everybody hears of it, or nobody."""
        live = taken.live
        if error is not None:
            live.working = None
            live.unsure = True
        else:
            self.publish(taken)
        live.lock.release()
        if error is not None:
            for ask in [*taken.asks, *(ask for ask, _ in taken.refused)]:
                refuse(ask, "store_down", live.version)
            return
        for ask, done in zip(taken.asks, taken.dones, strict=True):
            answer(ask, done)
        for ask, reason in taken.refused:
            if ask.id:
                self.start(self.look_up(live, ask, reason))
            else:
                refuse(ask, reason, live.version)
        if taken.lines:
            live.tell()
            self.after(live, any(not isinstance(entry.action, QUIET) for entry in taken.entries), True)

    def publish(self, taken: Taken) -> None:
        live = taken.live
        live.publish(taken.entries, taken.told)
        for ask, done in zip(taken.asks, taken.dones, strict=True):
            live.remember(ask.person, ask.id, done)
        if taken.write and taken.write.snapshot:
            live.snapshot_seq = taken.write.snapshot.seq
        live.used = time.monotonic()

    async def look_up(self, live: Live, ask: Ask, reason: str) -> None:
        """A message that is refused now may have been accepted before, by whoever served this table then."""
        try:
            line = await self.store.answered(live.id, ask.person, ask.id)
        except Down:
            reason, line = "store_down", None
        if line is None:
            refuse(ask, reason, live.version)
        else:
            answer(ask, doubled(line))

    # when it goes wrong -------------------------------------------------------------------------------------------

    async def one_by_one(
        self, batch: list[Taken], openings: list[tuple[Write, asyncio.Future[None]]], chores: Chores
    ) -> None:
        """Something in the batch stands in the way; only its own table is to suffer for it."""
        for taken in batch:
            asks = [*taken.asks, *(ask for ask, _ in taken.refused)]
            error: Exception | None = None
            try:
                if taken.write:
                    await self.store.commit([taken.write], Chores(), self.news([taken], set()))
            except Conflict:
                self.start(self.recover(taken.live, asks, locked=True))
                continue
            except Bad as bad:
                log.error("a row was not taken", table=taken.live.id, reason=str(bad))
                self.spoil(taken.live, asks)
                continue
            except Exception as unknown:
                error = unknown
                self.went_down(unknown)
            self.settle(taken, error)
        for write, future in openings:
            try:
                await self.store.commit([write], Chores())
            except Exception as unknown:
                finish(future, unknown)
            else:
                finish(future, None)
        await self.chores_one_by_one(chores)

    async def chores_one_by_one(self, chores: Chores) -> None:
        one = [Chores(away={key: at}) for key, at in chores.away.items()]
        one += [Chores(lifted={key: what}) for key, what in chores.lifted.items()]
        for chore in one:
            try:
                await self.store.commit([], chore)
                self.told_chores(chore)
            except (Conflict, Bad) as error:  # the table is gone
                log.info("a chore was dropped", reason=str(error))
            except Down as error:
                self.went_down(error)
                self.keep(chore)

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
            live.working, live.unsure = None, True
            for ask in asks:
                refuse(ask, "store_down", live.version)
            return
        finally:
            live.lock.release()
        for ask in again:
            ask.tries += 1
            if ask.tries < MOST_TRIES:
                self.hand_in(live, ask)
            else:
                refuse(ask, "store_down", live.version)

    async def read_anew(self, live: Live) -> None:
        """The lock is held."""
        if kept := await self.store.since(live.id, live.seq):
            live.take_in(kept)
        live.working, live.unsure = None, False
        if kept:
            live.tell()
            self.after(live, True, False)

    async def had_come(self, live: Live, ask: Ask) -> bool:
        line = await self.store.answered(live.id, ask.person, ask.id) if ask.id else None
        if line is not None:
            answer(ask, doubled(line))
        return line is not None

    async def catch_up(self, live: Live, seq: int | None = None) -> None:
        """Another worker wrote: read it. `seq`: how far its log went then."""
        async with live.lock:
            if seq is None or seq > live.seq or live.unsure:
                await self.read_anew(live)


def doubled(line: Line) -> Done:
    return Done(line.version, line.seq, msgspec.json.decode(line.events) if line.events else [], doubled=True)


def answer(ask: Ask, done: Done) -> None:
    if not ask.answer.done():
        ask.answer.set_result(done)


def refuse(ask: Ask, reason: str, version: int) -> None:
    fail(ask.answer, Refused(reason, version))


def fail(future: "asyncio.Future[Any]", error: Exception) -> None:
    if not future.done():
        future.set_exception(error)


def finish(future: "asyncio.Future[None]", error: Exception | None) -> None:
    if error is not None:
        fail(future, error)
    elif not future.done():
        future.set_result(None)


def pass_on(ask: Ask, first: "asyncio.Future[Done]") -> None:
    """The second of two equal messages gets the first one's answer."""
    if first.cancelled():
        ask.answer.cancel()
    elif error := first.exception():
        fail(ask.answer, error if isinstance(error, Exception) else RuntimeError())
    else:
        answer(ask, replace(first.result(), doubled=True))
