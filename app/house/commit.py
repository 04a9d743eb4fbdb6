"""One change of one table, from its waiting actions to the published picture.

Only this module takes a table's lock. A commit applies the waiting actions to the table's sitting and makes rows of
them; the journal stores the rows together with those of other tables; then the commit publishes the new picture.
Sittings are immutable and replaced at the end, so a commit that fails needs no undo.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from types import TracebackType

from app import clock, metrics
from app.house.open_table import Done, OpenTable, Pending, encode_action, encode_sitting
from app.logs import get
from app.refusals import Reason, Refusal
from app.store.rows import Snapshot, StoredEntry, Write
from app.table import actions as do
from app.table.effects import AwaitObjections, AwaitReturn, AwaitSalts, Effect, WindClock
from app.table.events import History
from app.table.picture import Picture, draw
from app.table.returning import lost_by
from app.table.sitting import Change, Sitting
from app.table.times import is_ahead
from engine.proof import canonical

log = get("commit")
MOST_ENTRIES = 3  # from one action: `SetBack`, and `Back` or `Return`, may come before it
LONGEST_DRAFTING = 40  # entries after which a snapshot is stored even without events

CarryOut = Callable[[OpenTable, Sequence[Effect], bool], None]  # the last: whether this process committed the entries


def busy(table: OpenTable) -> bool:
    """Whether this table is being committed or reloaded."""
    return table.lock.locked()


@asynccontextmanager
async def reading(table: OpenTable) -> AsyncIterator[None]:
    """Prevents commits to this table in this block."""
    async with table.lock:
        yield


class Commit:
    """A context manager that holds the table's lock. At the end, also after an exception, every action that it took
    from the table's inbox has a reply, or was handed over."""

    sitting: Sitting
    history: History
    picture: Picture

    def __init__(self, table: OpenTable) -> None:
        self.table = table
        self.owed: dict[Pending, None] = {}  # the actions that must get a reply from this commit
        self.accepted: list[tuple[Pending, Done]] = []
        self.refused: list[tuple[Pending, Reason]] = []
        self.entries: list[StoredEntry] = []
        self.effects: list[Effect] = []
        self.snapshot_due = False
        self.can_wait = True  # nothing but names has changed

    async def __aenter__(self) -> "Commit":
        table = self.table
        await table.lock.acquire()
        self.owed, table.inbox = dict.fromkeys(table.inbox), []
        self.sitting, self.history, self.picture = table.sitting, table.history, table.picture
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        try:
            self.close()
        finally:
            self.table.lock.release()

    # check --------------------------------------------------------------------------------------------------------

    def check(self, secrets: Iterator[str]) -> Write | None:
        """Apply all waiting actions, each with up to MOST_ENTRIES of the secrets. Returns what must be stored, if
        anything."""
        first: dict[tuple[str, str], Pending] = {}
        for pending in list(self.owed):
            key = pending.person, pending.id
            if pending.id and key in self.table.replies:
                pending.accept(self.table.replies[key].again())
                del self.owed[pending]
            elif pending.id and key in first:
                first[key].reply.add_done_callback(pending.follow)
                del self.owed[pending]
            else:
                first[key] = pending
                self.apply(pending, secrets)
        if not self.entries:
            return None
        # Before storing: an entry after which the picture cannot be drawn must not be accepted.
        self.picture = draw(self.sitting, self.history, self.table.picture)
        return self.write()

    def apply(self, pending: Pending, secrets: Iterator[str]) -> None:
        now = clock.now()
        try:
            if is_ahead(self.sitting, now) and not isinstance(pending.action, do.SetBack):
                self.by_house(do.SetBack(), now, secrets)
            at = now if isinstance(pending.action, do.SetBack) else max(now, self.sitting.saved.at)
            if (first := self.coming_back(pending)) is not None:
                self.by_house(first, at, secrets, pending.person if isinstance(first, do.Return) else "")
            entry = do.Entry(pending.person, pending.action, next(secrets), at)
            change = self.sitting.apply(entry)
            self.note(entry, change, pending.json, pending.id)
        except Refusal as refusal:
            self.refused.append((pending, refusal.reason))
        except Exception:
            fault("check", self.table, kind=type(pending.action).__name__)
            self.refused.append((pending, "broken"))
        else:
            row = self.entries[-1]
            self.accepted.append((pending, Done(row.version, row.seq)))

    def by_house(self, action: do.Action, at: float, secrets: Iterator[str], person: str = "") -> None:
        """Apply an action of the server, before that of the sender."""
        entry = do.Entry(person, action, next(secrets), at)
        self.note(entry, self.sitting.apply(entry), encode_action(action), "")

    def coming_back(self, pending: Pending) -> do.Action | None:
        """What is applied before the action, because a person who acts is present: `Back` if the sender's seat is
        marked as away or played by a bot, except before `Leave`; `Return` if somebody else was given it."""
        seat = self.sitting.seat_of(pending.person)
        if seat is not None:
            absent = self.sitting.seats[seat].absent and not isinstance(pending.action, do.Leave)
            return do.Back(seat) if absent else None
        if lost_by(self.sitting, pending.person) is None or isinstance(pending.action, do.Return):
            return None
        return do.Return()

    def note(self, entry: do.Entry, change: Change, json: str, id: str) -> None:
        """Add an applied entry to the commit."""
        events_json = canonical(change.events).decode() if change.events else None
        history = self.history
        if change.sitting.saved.began != self.sitting.saved.began:
            history = History()
        if events_json:
            history = history.add(events_json)
        self.sitting, self.history = change.sitting, history
        self.effects += change.effects
        self.can_wait = self.can_wait and isinstance(entry.action, do.Name)
        self.snapshot_due = self.snapshot_due or change.sitting.events_revision == change.sitting.seq
        seq, version = self.sitting.seq, self.sitting.version
        self.entries.append(StoredEntry(seq, version, entry.at, entry.person, id, entry.secret, json, events_json))

    def write(self) -> Write:
        write = Write(self.table.id, self.entries)
        if self.snapshot_due or self.sitting.seq - self.table.snapshot_seq >= LONGEST_DRAFTING:
            write.snapshot = snapshot_of(self.sitting)
        for effect in self.effects:
            if isinstance(effect, WindClock):
                write.deadlines["choice"] = effect.at
            elif isinstance(effect, AwaitObjections):
                write.deadlines["claim"] = effect.at
            elif isinstance(effect, AwaitSalts):
                write.deadlines["deal"] = effect.at
            elif isinstance(effect, AwaitReturn):
                write.deadlines["long_away"] = effect.at
        return write

    # outcomes -----------------------------------------------------------------------------------------------------

    def publish(self, write: Write, carry_out: CarryOut) -> None:
        """To be called after storing: replace sitting and picture, reply, notify listeners, carry out effects."""
        table = self.table
        table.publish(self.sitting, self.history, self.picture)
        if write.snapshot is not None:
            table.snapshot_seq = write.snapshot.seq
        self.accept()
        for pending, done in self.accepted:
            table.remember(pending.person, pending.id, done)
        if self.can_wait:  # a new name renders all pages anew
            table.notify_calmly()
        else:
            table.notify()
        carry_out(table, self.effects, True)

    def accept(self) -> None:
        """Reply to the stored actions."""
        for pending, done in self.accepted:
            pending.accept(done)
            self.owed.pop(pending, None)

    def hand_over_refused(self) -> list[tuple[Pending, Reason]]:
        """The refused actions, to which the caller must reply."""
        for pending, _ in self.refused:
            del self.owed[pending]
        return self.refused

    def hand_over(self) -> list[Pending]:
        """All actions without a reply, to which the caller must reply."""
        owed, self.owed = list(self.owed), {}
        return owed

    def close(self, reason: Reason = "broken") -> None:
        """Refuse all actions without a reply."""
        for pending in self.hand_over():
            pending.refuse(reason, self.table.version)


def snapshot_of(sitting: Sitting) -> Snapshot:
    saved = sitting.saved
    return Snapshot(saved.seq, saved.began, saved.phase, encode_sitting(sitting).decode(), saved.at)


def fault(stage: str, table: OpenTable, **more: str) -> None:
    """Log and count the exception being handled, which affects only this table."""
    metrics.FAULTS.labels(stage).inc()
    log.exception("a table broke", table=table.id, stage=stage, **more)
