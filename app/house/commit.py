"""Check: what one table has been handed is tried on the sitting that runs ahead, and becomes lines for the log."""

import os
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from app import clock
from app.house.open_table import Ask, Done, Live, answered, encode_action, shot, written
from app.logs import get
from app.refusals import Reason, Refusal
from app.store.rows import Line, Write
from app.table import actions as do
from engine.steps import Event

log = get("trial")
LONGEST_DRAFTING = 40  # entries without a snapshot
QUIET = (do.Play, do.PlayFor, do.Undo)  # need no snapshot unless they tell something, and change no seats


class Trial:
    """The table's lock is held from here until it is known what became of the commit."""

    def __init__(self, live: Live, asks: Sequence[Ask], secrets: Iterator[str]) -> None:
        self.live = live
        self.secrets = secrets
        self.accepted: list[tuple[Ask, Done]] = []
        self.refused: list[tuple[Ask, Reason]] = []
        self.entries: list[do.Entry] = []
        self.lines: list[Line] = []
        self.began = live.began
        self.version = live.version
        first: dict[tuple[str, str], Ask] = {}
        for ask in asks:
            key = ask.person, ask.id
            if ask.id and key in live.answers:
                ask.accept(live.answers[key].again())
            elif ask.id and key in first:
                first[key].answer.add_done_callback(partial(pass_on, ask))
            else:
                first[key] = ask
                self.try_out(ask)
        self.write = self.to_write() if self.lines else None

    @property
    def asks(self) -> list[Ask]:
        """All that wait for an answer."""
        return [ask for ask, _ in self.accepted] + [ask for ask, _ in self.refused]

    @property
    def social(self) -> bool:
        return any(not isinstance(entry.action, QUIET) for entry in self.entries)

    def try_out(self, ask: Ask) -> None:
        sitting = self.live.ahead()
        at = max(clock.now(), sitting.saved.at)  # the clock may have jumped back
        entries = [do.Entry(ask.person, ask.action, next(self.secrets), at)]
        seat = sitting.seat_of(ask.person)
        if seat is not None and sitting.seats[seat].away and not isinstance(ask.action, do.Leave):
            # Whoever acts is here, connected or not.
            entries.insert(0, do.Entry("", do.Back(seat), next(self.secrets), at))
        for entry in entries:
            try:
                events = sitting.apply(entry)
            except Refusal as refused:
                self.refused.append((ask, refused.reason))
                return
            except Exception:
                log.exception("an action broke", table=self.live.id, kind=type(ask.action).__name__)
                self.put_back()
                self.refused.append((ask, "broken"))
                return
            self.note(entry, ask, events)
        self.accepted.append((ask, answered(self.lines[-1])))

    def note(self, entry: do.Entry, ask: Ask, events: Sequence[Event]) -> None:
        seq = self.live.ahead().saved.seq
        if isinstance(entry.action, do.Start):
            self.began, self.version = seq, 0
        elif isinstance(entry.action, do.Rematch):
            self.began, self.version = 0, 0
        self.version += len(events)
        self.entries.append(entry)
        json, id = (ask.json, ask.id) if entry.action is ask.action else (encode_action(entry.action), "")
        told = written(events)
        self.lines.append(Line(seq, self.version, entry.at, entry.person, id, entry.secret, json, told))

    def put_back(self) -> None:
        """The sitting is not to be trusted any more: what is committed once more, and what was accepted since."""
        self.live.working = None
        sitting = self.live.ahead()
        for entry in self.entries:
            sitting.apply(entry)

    def to_write(self) -> Write:
        sitting = self.live.ahead()
        write = Write(self.live.id, self.lines)
        if (
            self.social
            or any(line.events for line in self.lines)
            or self.lines[-1].seq - self.live.snapshot_seq >= LONGEST_DRAFTING
        ):
            write.snapshot = shot(sitting, self.began)
        if sitting.saved.ends_at != self.live.sitting.saved.ends_at:
            write.choice, write.ends_at = True, sitting.saved.ends_at
        return write

    def publish(self) -> None:
        """It is committed: now it is so for everybody."""
        live = self.live
        live.publish(self.entries, self.lines)
        for ask, done in self.accepted:
            live.remember(ask.person, ask.id, done)
        if self.write and self.write.snapshot:
            live.snapshot_seq = self.write.snapshot.seq
        live.used = time.monotonic()


def drawn(count: int) -> Iterator[str]:
    """The secrets of that many entries, and of more if need be. To ask the system for many at a time costs hardly more
    than for one; none is left for another time, which after a fork might be two."""
    while True:
        found = os.urandom(32 * count).hex()
        yield from (found[at : at + 64] for at in range(0, len(found), 64))
        count = 1


def pass_on(ask: Ask, first: Any) -> None:
    """The second of two equal messages gets the first one's answer."""
    if first.cancelled():
        ask.answer.cancel()
    elif error := first.exception():
        ask.fail(error)
    else:
        ask.accept(first.result().again())
