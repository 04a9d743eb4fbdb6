"""One table in memory: replies, listeners, and entries of other processes."""

import asyncio
import gc
from collections.abc import Iterator

import pytest

from app.house.commit import snapshot_of
from app.house.open_table import REMEMBERED, Done, OpenTable, Pending, encode_action
from app.refusals import Refusal
from app.store.rows import StoredEntry, StoredTable
from app.table import actions as do
from app.table.sitting import Sitting
from tests.app.conftest import Logged
from tests.app.tables import Log, act_alone

pytestmark = pytest.mark.usefixtures("tiny")


def opened(log: Log) -> OpenTable:
    return OpenTable(StoredTable("t", snapshot_of(log.sitting), []))


def pending(loop: asyncio.AbstractEventLoop) -> Pending:
    return Pending("ada", do.Lock(), "", "", loop.create_future(), 0.0)


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


# replies --------------------------------------------------------------------------------------------------------------


def test_actions_of_disconnected_callers_are_carried_out(loop: asyncio.AbstractEventLoop) -> None:
    gone = pending(loop)
    gone.reply.cancel()
    gone.refuse("broken", 0)
    gone.accept(Done(0, 1))
    assert gone.reply.cancelled()


async def test_a_double_gets_the_answer_of_the_first() -> None:
    loop = asyncio.get_running_loop()
    accepted, refused, gone = pending(loop), pending(loop), pending(loop)
    doubles = [pending(loop) for _ in range(3)]
    for first, double in zip((accepted, refused, gone), doubles, strict=True):
        first.reply.add_done_callback(double.follow)
    accepted.accept(Done(3, 7))
    refused.refuse("locked", 3)
    gone.reply.cancel()
    assert await doubles[0].reply == Done(3, 7, doubled=True)
    for error in (refused.reply, doubles[1].reply):
        with pytest.raises(Refusal, match="locked"):
            await error
    with pytest.raises(asyncio.CancelledError):
        await doubles[2].reply


def test_so_many_answers_are_remembered() -> None:
    table = opened(Log())
    for n in range(REMEMBERED + 3):
        table.remember("ada", str(n), Done(0, n))
    table.remember("ada", "", Done(0, 0))
    assert [id for _, id in table.replies] == [str(n) for n in range(3, REMEMBERED + 3)]


# listeners ------------------------------------------------------------------------------------------------------------


async def test_a_listener_gets_several_pictures_in_a_row_as_one() -> None:
    table = opened(Log())
    with table.subscribe() as subscription:
        await act_alone(table, "ada", do.Lock())
        await act_alone(table, "ada", do.Lock(False))
        await subscription.changed()
        hearing = asyncio.create_task(subscription.changed())
        await asyncio.sleep(0)
        assert not hearing.done()
        await act_alone(table, "ada", do.Lock())
        await hearing
    assert not table.listeners


async def test_a_failing_listener_is_removed_and_the_others_are_notified(logged: Logged) -> None:
    told = []

    class Listener:
        def __init__(self, breaks: bool) -> None:
            self.breaks = breaks

        def notify(self) -> None:
            told.append(self)
            if self.breaks:
                raise ZeroDivisionError

    table, bad, good = opened(Log()), Listener(True), [Listener(False) for _ in range(4)]
    for one in (*good[:2], bad, *good[2:]):
        table.listen(one)
    for locked in (True, False):
        await act_alone(table, "ada", do.Lock(locked))
    assert told.count(bad) == 1 and [told.count(one) for one in good] == [2] * 4
    assert logged.troubles() == ["a listener broke"]


def test_a_seat_is_present_while_one_of_its_devices_has_a_socket() -> None:
    log = Log()
    log("phone", do.Device(0, "link"))
    table = opened(log)
    assert not table.present(0)
    table.sockets["phone"] += 1
    table.sockets["bo"] += 1
    assert table.present(0) and not table.present(1)


# entries of other processes -------------------------------------------------------------------------------------------


def test_what_cannot_be_taken_in_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it fails: at an entry, or when the picture is drawn."""
    log = Log("dark", 2)
    table = opened(log)
    sitting, history, picture = table.sitting, table.history, table.picture
    for person, word in (("ada", "walk"), ("bo", "hide")):
        log(person, do.Play(1, word))
    stored = StoredTable("t", snapshot_of(sitting), rows(log, 3))

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    for name in ("draw", "read_action"):
        with monkeypatch.context() as patch:
            patch.setattr(f"app.house.open_table.{name}", broken)
            with pytest.raises(ZeroDivisionError):
                table.take_in(stored)
        assert (table.sitting, table.history, table.picture) == (sitting, history, picture)
    table.take_in(stored)
    assert table.seq == table.picture.seq == log.sitting.seq and table.picture.seq > picture.seq


def rows(log: Log, after: int) -> list[StoredEntry]:
    """The log after this entry, as rows without events."""
    return [
        StoredEntry(seq, 0, entry.at, entry.person, "", entry.secret, encode_action(entry.action), None)
        for seq, entry in enumerate(log.entries, 1)
        if seq > after
    ]


def test_a_newer_snapshot_decides_and_not_the_rules_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    log = Log("dark", 2)
    table = opened(log)
    log("ada", do.Lock())
    log("bo", do.Play(1, "walk"))
    table.take_in(StoredTable("t", snapshot_of(log.sitting), rows(log, 3)))
    monkeypatch.setattr(Sitting, "apply", None)  # all entries are in the snapshot
    table.take_in(StoredTable("t", snapshot_of(log.sitting), rows(log, 3)))
    assert table.snapshot_seq == table.seq == 5 and table.picture.card.locked


async def test_a_refusal_that_nobody_takes_any_more_is_no_error(logged: Logged) -> None:
    """As when a socket closes at the moment of the reply."""
    pending = Pending("ada", do.Lock(), "", "", asyncio.get_running_loop().create_future(), 0.0)
    pending.refuse("not_yet", 0)
    del pending
    gc.collect()
    assert not logged.troubles()
