"""A sitting in memory: as it was committed, what has been told of it, and who wants to hear."""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Protocol, overload

import msgspec

from app.logs import get
from app.refusals import Reason, Refusal
from app.store.rows import Kept, Line, Snapshot
from app.table import actions as do
from app.table.saved import Saved
from app.table.sitting import Sitting
from engine.proof import canonical
from engine.steps import Event

log = get("live")
read_action = msgspec.json.Decoder(do.Any)
read_saved = msgspec.json.Decoder(Saved)
REMEMBERED = 64  # answers by client id; older ones are looked up in the log
read_event = msgspec.json.Decoder(dict[str, Any])
read_raw = msgspec.json.Decoder(list[msgspec.Raw])
TURNING = ('[{"kind":"began"', '[{"kind":"revealed"')  # how a batch begins with which a page starts to play out


@dataclass(slots=True, frozen=True)
class Done:
    """What became of an action."""

    version: int  # events told so far
    seq: int  # its place in the log; for nobody's eyes: it counts the draft steps of others
    told: str | None = None  # its events: a JSON array
    doubled: bool = False  # it had come before; this is the first answer

    @property
    def events(self) -> list[dict[str, Any]]:
        """What it told."""
        return msgspec.json.decode(self.told) if self.told else []

    def again(self) -> "Done":
        return replace(self, doubled=True)


@dataclass(slots=True)
class Ask:
    """An action on its way."""

    person: str
    action: Any
    id: str
    answer: "asyncio.Future[Done]"
    json: str
    tries: int = 0

    def accept(self, done: Done) -> None:
        if not self.answer.done():  # whoever asked may have gone
            self.answer.set_result(done)

    def refuse(self, reason: Reason, version: int) -> None:
        self.fail(Refusal(reason, version=version))

    def fail(self, error: BaseException) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class Events(Sequence[dict[str, Any]]):
    """What was told in the running game: event i has version i + 1. Kept as the bytes that were committed, which take a
    quarter of the room, and decoded for whoever looks."""

    def __init__(self) -> None:
        self.raw: list[msgspec.Raw] = []

    def add(self, told: str) -> None:
        """A batch."""
        self.raw += read_raw.decode(told)

    def __len__(self) -> int:
        return len(self.raw)

    @overload
    def __getitem__(self, at: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, at: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, at: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        found = self.raw[at]
        return [read_event.decode(raw) for raw in found] if isinstance(found, list) else read_event.decode(found)


class Listener(Protocol):
    def tell(self) -> None:
        """Something was committed."""


class Subscription:
    """Hears of every commit; several in a row are heard as one. A context manager."""

    def __init__(self, live: "Live") -> None:
        self._live = live
        self._told = False
        self._waiter: asyncio.Future[None] | None = None

    async def changed(self) -> None:
        """Returns when something was committed since the last time, or since the subscription began. One task waits."""
        if not self._told:
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        self._told = False

    def tell(self) -> None:
        self._told = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def __enter__(self) -> "Subscription":
        self._live.listen(self)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._live.leave(self)


class Live:
    """`sitting`, `events` and `last_reveal` are always what is committed, and change together in one go: whoever reads
    them without awaiting in between sees one moment. `lock` is held while the log is written or read anew."""

    sitting: Sitting
    events: Events
    last_reveal: int  # the version before the newest batch that a page plays out
    shown_at: float  # monotonic: when pages will have played it out
    began: int
    snapshot_seq: int
    working: Sitting | None  # runs ahead of `sitting` while a commit is under way
    unsure: bool  # a commit's outcome is unknown: the log must be read before anything else

    def __init__(self, kept: Kept) -> None:
        self.id = kept.table
        self.lock = asyncio.Lock()
        self.inbox: list[Ask] = []
        self.answers: OrderedDict[tuple[str, str], Done] = OrderedDict()
        self.listeners: set[Listener] = set()
        self.sockets: Counter[str] = Counter()  # open ones, by person
        self.watched: set[int] = set()  # seats whose away-deadline is a row by now
        self.used = time.monotonic()
        self.read(kept)

    def read(self, kept: Kept) -> None:
        """From its newest snapshot and the lines that `Store.find` gives."""
        self.sitting = Sitting(read_saved.decode(kept.snapshot.saved))
        self.events, self.last_reveal, self.shown_at = Events(), 0, 0.0
        self.began, self.snapshot_seq = kept.snapshot.began, kept.snapshot.seq
        self.working, self.unsure = None, False
        for line in kept.lines:
            self.follow(line)

    # reading ------------------------------------------------------------------------------------------------------

    @property
    def seq(self) -> int:
        return self.sitting.saved.seq

    @property
    def version(self) -> int:
        return len(self.events)

    def subscribe(self) -> Subscription:
        return Subscription(self)

    def listen(self, listener: Listener) -> None:
        self.listeners.add(listener)

    def leave(self, listener: Listener) -> None:
        self.listeners.discard(listener)
        self.used = time.monotonic()

    def present(self, seat: int) -> bool:
        """Has somebody who holds this seat a socket open in this process?"""
        return any(self.sockets[person] for person in self.sitting.seats[seat].holders)

    def tell(self) -> None:
        for listener in self.listeners:
            listener.tell()

    # following the log --------------------------------------------------------------------------------------------

    def take_in(self, kept: Kept) -> None:
        """Lines that others wrote. Where there is a newer snapshot it decides, not this process's rules."""
        if kept.snapshot.seq > self.seq:
            self.sitting = Sitting(read_saved.decode(kept.snapshot.saved))
            self.snapshot_seq = kept.snapshot.seq
            if kept.snapshot.began != self.began:
                self.began = kept.snapshot.began
                self.events, self.last_reveal = Events(), 0
        for line in kept.lines:
            self.follow(line)
        self.working, self.unsure = None, False

    def follow(self, line: Line) -> None:
        """One line of the log that is committed; the snapshot may already hold what it did."""
        seconds = 0.0
        if line.seq > self.seq:
            action = read_action.decode(line.action)
            entry = do.Entry(line.person, action, line.secret, line.at)
            try:
                seconds = self.sitting.reveal_seconds(self.sitting.apply(entry))
            except Refusal as refused:
                # Only where it was begun under older rules: what lay face down is chosen again.
                log.warning("passed over", table=self.id, seq=line.seq, reason=refused.reason)
                self.sitting.pass_over(entry)
            self.mark(action, line.seq)
        self.hear(line, seconds)
        self.remember(line.person, line.client_id, answered(line))

    def mark(self, action: Any, seq: int) -> None:
        """Where the running game begins in the log."""
        if isinstance(action, do.Start):
            self.began, self.events, self.last_reveal = seq, Events(), 0
        elif isinstance(action, do.Rematch):
            self.began, self.events, self.last_reveal = 0, Events(), 0

    def hear(self, line: Line, seconds: float) -> None:
        """`seconds`: how long pages play it out."""
        if line.events and self.began and line.seq >= self.began:
            if line.events.startswith(TURNING):
                self.last_reveal = len(self.events)
                self.shown_at = time.monotonic() + seconds
            self.events.add(line.events)

    def remember(self, person: str, id: str, done: Done) -> None:
        if id:
            self.answers[person, id] = done
            if len(self.answers) > REMEMBERED:
                self.answers.popitem(last=False)

    # running ahead ------------------------------------------------------------------------------------------------

    def ahead(self) -> Sitting:
        """The sitting that may be changed before the commit."""
        if self.working is None:
            self.working = copied(self.sitting)
        return self.working

    def publish(self, entries: Sequence[do.Entry], lines: Sequence[Line]) -> None:
        """These entries, which `working` has taken, are committed: the same again on what everybody sees."""
        for entry, line in zip(entries, lines, strict=True):
            seconds = 0.0
            try:
                seconds = self.sitting.reveal_seconds(self.sitting.apply(entry))
            except Exception:
                log.exception("a sitting went another way the second time", table=self.id)
                assert self.working is not None
                self.sitting = copied(self.working)
            self.mark(entry.action, line.seq)
            self.hear(line, seconds)


def answered(line: Line) -> Done:
    """The answer that a line of the log was given."""
    return Done(line.version, line.seq, line.events)


def copied(sitting: Sitting) -> Sitting:
    return Sitting(read_saved.decode(encoded(sitting)))


def encoded(sitting: Sitting) -> bytes:
    return canonical(sitting.save())


def written(events: Sequence[Event]) -> str | None:
    return canonical(list(events)).decode() if events else None


def shot(sitting: Sitting, began: int) -> Snapshot:
    saved = sitting.saved
    return Snapshot(saved.seq, began, saved.phase, encoded(sitting).decode(), saved.at)


def encode_action(action: do.Action) -> str:
    return msgspec.json.encode(action).decode()
