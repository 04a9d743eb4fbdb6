"""One table in memory: its committed state, its listeners, and the actions that wait."""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Protocol

import msgspec

from app import metrics
from app.logs import get
from app.refusals import Reason, Refusal
from app.store.rows import Snapshot, StoredEntry, StoredTable
from app.table import actions as do
from app.table.events import History
from app.table.picture import Picture, draw
from app.table.saved import SavedSitting
from app.table.sitting import Sitting
from engine.proof import canonical

log = get("table")
CALM = 1.0  # seconds between two notifications of what can wait
REMEMBERED = 64  # replies by client id; older ones are looked up in the log
read_action = msgspec.json.Decoder(do.AnyAction).decode
read_saved = msgspec.json.Decoder(SavedSitting).decode


@dataclass(slots=True, frozen=True)
class Done:
    """The reply to an action that was accepted."""

    version: int  # number of events after it
    seq: int  # number of its entry; never shown, because it counts the draft steps of others
    doubled: bool = False  # the action was a duplicate; this is the reply to the first

    @classmethod
    def of(cls, row: StoredEntry) -> "Done":
        return cls(row.version, row.seq)

    def again(self) -> "Done":
        return replace(self, doubled=True)


@dataclass(slots=True, eq=False)
class Pending:
    """An action that waits for its reply."""

    person: str
    action: do.Action
    id: str  # chosen by the sender; "" for none
    json: str  # of the action
    reply: "asyncio.Future[Done]"
    since: float  # monotonic
    tries: int = 0

    def accept(self, done: Done) -> None:
        if not self.reply.done():  # it may have been cancelled
            self.reply.set_result(done)

    def refuse(self, reason: Reason, version: int) -> None:
        self.fail(Refusal(reason, version=version))

    def fail(self, error: BaseException) -> None:
        if not self.reply.done():
            self.reply.set_exception(error)
            self.reply.exception()  # nobody may be there to take it: a socket can close at this moment

    def follow(self, first: "asyncio.Future[Done]") -> None:
        """Take over the reply to an equal message that came first."""
        if first.cancelled():
            self.reply.cancel()
        elif error := first.exception():
            self.fail(error)
        else:
            self.accept(first.result().again())


class Listener(Protocol):
    def notify(self) -> None:
        """The table has a new picture."""


class Subscription:
    """Waits for new pictures. A context manager."""

    def __init__(self, table: "OpenTable") -> None:
        self._table = table
        self._changed = False
        self._waiter: asyncio.Future[None] | None = None

    async def changed(self) -> None:
        """Return once there is a new picture since the last call, or since the subscription began. For one task."""
        if not self._changed:
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        self._changed = False

    def notify(self) -> None:
        self._changed = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def __enter__(self) -> "Subscription":
        self._table.listen(self)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._table.leave(self)


class OpenTable:
    """`sitting`, `history` and `picture` are always those of the newest committed entry known to this process; they
    change together. `lock` is used only by `app/house/commit.py`."""

    sitting: Sitting
    history: History
    picture: Picture
    snapshot_seq: int  # the entry after which the newest stored snapshot was taken

    def __init__(self, stored: StoredTable) -> None:
        self.id = stored.table
        self.lock = asyncio.Lock()
        self.inbox: list[Pending] = []
        self.gone = False  # it was deleted from the database
        self.unsure = False  # this state may differ from the log, which must be read before the next commit
        self.holders: set[str] = set()  # other processes that have it in memory, and are told of every commit
        self.left = False  # others do not tell this process of it any more: it must be read before it is used again
        self.replies: OrderedDict[tuple[str, str], Done] = OrderedDict()
        self.listeners: set[Listener] = set()
        self.sockets: Counter[str] = Counter()  # open ones, by person
        self.watched: set[int] = set()  # seats with an `away` deadline in the store
        self.used = time.monotonic()
        self.later: asyncio.TimerHandle | None = None  # notifies of what has waited
        self.calm_until = 0.0  # monotonic: when listeners may next be notified of what can wait
        self.shown_at = 0.0  # monotonic: when the pages will have animated the last reveal
        self.read(stored)

    @property
    def seq(self) -> int:
        return self.sitting.seq

    @property
    def version(self) -> int:
        return self.picture.version

    # committed state ----------------------------------------------------------------------------------------------

    def read(self, stored: StoredTable) -> None:
        """Build the state from the newest snapshot and the entries that `Store.find` returns with it."""
        sitting, history = self.followed(restored(stored.snapshot), History(), stored.entries)
        self.sitting, self.history, self.picture = sitting, history, draw(sitting, history)
        self.snapshot_seq = stored.snapshot.seq
        self.replies.clear()
        for row in stored.entries:
            self.remember(row.person, row.client_id, Done.of(row))

    def take_in(self, stored: StoredTable) -> None:
        """Add entries of other processes. A newer snapshot takes precedence over replaying with our rules."""
        sitting, history, snapshot_seq = self.sitting, self.history, self.snapshot_seq
        if stored.snapshot.seq > sitting.seq:
            sitting, snapshot_seq = restored(stored.snapshot), stored.snapshot.seq
            if sitting.saved.began != self.sitting.saved.began:
                history = History()
        sitting, history = self.followed(sitting, history, stored.entries)
        self.sitting, self.history, self.picture = sitting, history, draw(sitting, history)
        self.snapshot_seq = snapshot_seq
        for row in stored.entries:
            self.remember(row.person, row.client_id, Done.of(row))

    def follow(self, rows: Sequence[StoredEntry]) -> bool:
        """Add entries that another process has just committed, the first one after ours. Returns whether our rules make
        the same of them; otherwise nothing has changed, and its snapshot must be read."""
        sitting, history, snapshot_seq = self.sitting, self.history, self.snapshot_seq
        for row in rows:
            entry = do.Entry(row.person, read_action(row.action), row.secret, row.at)
            try:
                change = sitting.apply(entry)
            except Refusal:
                return False
            after = change.sitting
            events = canonical(change.events).decode() if change.events else None
            if (after.seq, after.version, events) != (row.seq, row.version, row.events):
                return False
            if after.saved.began != sitting.saved.began:
                history = History()
            if events:
                history = history.add(events)
            if after.events_revision == after.seq:  # then a snapshot was stored, too
                snapshot_seq = row.seq
            sitting = after
        picture = draw(sitting, history, self.picture)
        self.sitting, self.history, self.picture, self.snapshot_seq = sitting, history, picture, snapshot_seq
        for row in rows:
            self.remember(row.person, row.client_id, Done.of(row))
        return True

    def followed(self, sitting: Sitting, history: History, rows: list[StoredEntry]) -> tuple[Sitting, History]:
        """The state after these entries. Of those that the snapshot contains already, only the events are added."""
        for row in rows:
            if row.seq > sitting.seq:
                after = self.applied(sitting, row)
                if after.saved.began != sitting.saved.began:
                    history = History()
                sitting = after
            began = sitting.saved.began
            if row.events and began and row.seq >= began:
                history = history.add(row.events)
        return sitting, history

    def applied(self, sitting: Sitting, row: StoredEntry) -> Sitting:
        entry = do.Entry(row.person, read_action(row.action), row.secret, row.at)
        try:
            return sitting.apply(entry).sitting
        except Refusal as refusal:
            # Possible only if the table was begun under older rules: the seat has to choose again.
            log.warning("an entry was passed over", table=self.id, seq=row.seq, reason=refusal.reason)
            return sitting.skip(entry)

    def publish(self, sitting: Sitting, history: History, picture: Picture) -> None:
        """Replace the state after a commit of this process."""
        self.sitting, self.history, self.picture = sitting, history, picture
        self.used = time.monotonic()

    def remember(self, person: str, id: str, done: Done) -> None:
        if id:
            self.replies[person, id] = done
            if len(self.replies) > REMEMBERED:
                self.replies.popitem(last=False)

    # listeners ----------------------------------------------------------------------------------------------------

    def subscribe(self) -> Subscription:
        return Subscription(self)

    def listen(self, listener: Listener) -> None:
        self.listeners.add(listener)

    def leave(self, listener: Listener) -> None:
        self.listeners.discard(listener)
        self.used = time.monotonic()

    def present(self, seat: int) -> bool:
        """Whether a holder of this seat has an open socket in this process."""
        return any(self.sockets[person] for person in self.picture.holders(seat))

    def notify_calmly(self) -> None:
        """Notify all listeners of what can wait: at once, but not more than once a second."""
        now = time.monotonic()
        if now >= self.calm_until:
            self.calm_until = now + CALM
            self.notify()
        elif self.later is None:
            self.later = asyncio.get_running_loop().call_later(self.calm_until - now, self.notify_late)

    def notify_late(self) -> None:
        self.later, self.calm_until = None, time.monotonic() + CALM
        self.notify()

    def notify(self) -> None:
        """Notify all listeners of the new picture. One that raises is removed."""
        for listener in list(self.listeners):
            try:
                listener.notify()
            except Exception:
                metrics.FAULTS.labels("tell").inc()
                log.exception("a listener broke", table=self.id)
                self.listeners.discard(listener)


def restored(snapshot: Snapshot) -> Sitting:
    saved = read_saved(snapshot.saved)
    saved.began = snapshot.began  # older snapshots have it only as a column
    return Sitting.restore(saved)


def encode_sitting(sitting: Sitting) -> bytes:
    return canonical(sitting.save())


def encode_action(action: do.Action) -> str:
    return msgspec.json.encode(action).decode()
