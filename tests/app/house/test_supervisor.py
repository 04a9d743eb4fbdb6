"""Background loops: each has a name, is restarted and counted, and the server is not ready while one is down."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest
from prometheus_client import REGISTRY

from app.house.deadlines import Deadlines
from app.house.house import House
from app.house.housekeeping import Housekeeping
from app.house.journal import Journal
from app.house.logouts import Logouts
from app.house.open_table import OpenTable
from app.house.presence import Presence
from app.house.recovery import Recovery
from app.house.supervisor import Loop, Supervisor
from app.house.workers import Workers
from app.refusals import Refusal
from app.table import actions as do
from tests.app.conftest import Logged, StartHouse
from tests.app.tables import Clock, again, seated, soon, state, until


class Broken(Exception):
    """Raised on purpose."""


def failures(loop: str) -> float:
    return REGISTRY.get_sample_value("facedown_loop_failures_total", {"loop": loop}) or 0.0


def up(loop: str) -> bool:
    return REGISTRY.get_sample_value("facedown_loop_up", {"loop": loop}) == 1


# one loop -------------------------------------------------------------------------------------------------------------


class Supervised(Supervisor):
    """Does not wait between restarts."""

    def __init__(self) -> None:
        super().__init__()
        self.pauses: list[float] = []

    async def pause(self, seconds: float) -> bool:
        self.pauses.append(seconds)
        await asyncio.sleep(0)
        return self.closing.is_set()


async def returns(loop: Loop) -> None:
    pass


async def raises(loop: Loop) -> None:
    with loop.iteration():
        raise Broken


async def waits_for_what_is_cancelled(loop: Loop) -> None:
    lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    lost.cancel()
    await lost


@pytest.mark.parametrize("run", [returns, raises, waits_for_what_is_cancelled])
async def test_a_loop_that_ends_is_started_again_later_and_later(run: Any, logged: Logged) -> None:
    supervisor, before = Supervised(), failures("work")
    supervisor.start("work", run)
    await soon(lambda: len(supervisor.pauses) >= 7)
    assert supervisor.problems() == ["work has failed and is starting again"] and not up("work")
    assert supervisor.pauses[:7] == [0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
    assert failures("work") - before == len(supervisor.pauses) == len(logged.troubles())
    assert set(logged.troubles()) == {"a background loop ended" if run is returns else "a background loop broke"}
    supervisor.close()
    await supervisor.ended("work")


async def test_a_loop_that_was_well_for_long_is_started_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    supervisor, now = Supervised(), 0.0
    monkeypatch.setattr("app.house.supervisor.time.monotonic", lambda: now)

    async def run(loop: Loop) -> None:
        nonlocal now
        now += 6.0 if len(supervisor.pauses) > 2 else 1.0
        raise Broken

    supervisor.start("work", run)
    await soon(lambda: len(supervisor.pauses) >= 5)
    assert supervisor.pauses[:5] == [0.2, 0.4, 0.8, 0.1, 0.1]
    supervisor.close()
    await supervisor.ended("work")


async def test_a_loop_is_well_again_when_a_round_has_ended_or_it_waits_for_work() -> None:
    for well in (lambda loop: loop.rest(), do_a_round):
        loop = Loop("work", longest=1, every=None)
        loop.failed()
        assert loop.problem() and not up("work")
        well(loop)
        assert not loop.problem() and up("work")


def do_a_round(loop: Loop) -> None:
    with loop.iteration():
        assert loop.problem()


def test_a_round_may_neither_last_too_long_nor_begin_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("app.house.supervisor.time.monotonic", lambda: now)
    waits, begins = Loop("waits", longest=10, every=None), Loop("begins", longest=10, every=20)
    now = 121.0
    assert (waits.problem(), begins.problem()) == ("", "begins has done nothing for 21 seconds")
    with waits.iteration(), begins.iteration():
        now += 10
        assert waits.problem() == begins.problem() == ""
        now += 2
        assert waits.problem() == "waits has been busy for 12 seconds"
        assert begins.problem() == "begins has been busy for 12 seconds"
    assert waits.problem() == begins.problem() == ""


async def test_a_loop_that_hangs_is_cut_off_and_started_again(logged: Logged) -> None:
    supervisor, before, runs = Supervised(), failures("work"), 0

    async def run(loop: Loop) -> None:
        nonlocal runs
        runs += 1
        with loop.iteration():
            if runs == 1:
                await asyncio.Event().wait()
        await supervisor.closing.wait()

    supervisor.start("work", run, longest=0.05)
    await soon(lambda: runs == 2)
    assert not supervisor.problems() and failures("work") == before + 1
    assert logged.troubles() == ["a background loop hangs"]
    supervisor.close()
    await supervisor.ended("work")


async def test_when_the_house_closes_a_loop_that_breaks_gets_three_more_tries() -> None:
    supervisor, runs = Supervised(), 0

    async def run(loop: Loop) -> None:
        nonlocal runs
        runs += 1
        raise Broken

    supervisor.close()
    supervisor.start("work", run)
    await supervisor.ended("work")
    assert runs == 3


async def test_a_loop_that_hangs_when_the_house_closes_is_cancelled(
    monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    monkeypatch.setattr("app.house.supervisor.LONGEST_END", 0.05)
    supervisor = Supervisor()

    async def hang(loop: Loop) -> None:
        await asyncio.Event().wait()

    supervisor.start("work", hang)
    assert not supervisor.problems()
    supervisor.close()
    await supervisor.ended("work")
    assert supervisor.tasks["work"].cancelled() and supervisor.problems() == ["work has ended"]
    assert logged.troubles() == ["a background loop does not end"]


def test_all_have_the_same_time_to_end_and_the_last_ones_a_little(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([100.0, 100.0, 112.0, 119.0, 150.0])
    monkeypatch.setattr("app.house.supervisor.time.monotonic", lambda: next(times))
    supervisor = Supervisor()
    supervisor.close()
    assert [supervisor.time_to_end() for _ in range(4)] == [20.0, 8.0, 2.0, 2.0]


# all loops of a house -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A loop: the function of one iteration, what triggers it, and how to see that it works."""

    name: str
    owner: type
    iteration: str
    stir: Callable[[House, OpenTable], None]
    goes_on: Callable[[House, OpenTable, StartHouse], Awaitable[None]]


def nothing(house: House, table: OpenTable) -> None:
    """Iterations need no trigger."""


def hand_something_in(house: House, table: OpenTable) -> None:
    house.submit(table, "ada", do.Name("Augusta"))


async def moves_are_accepted(house: House, table: OpenTable, start: StartHouse) -> None:
    await soon(lambda: table.picture.card.seats[0].name == "Augusta")  # submitted while the loop was down
    await house.act(table, "bo", do.Play(1, "walk"))


def make_unsure(house: House, table: OpenTable) -> None:
    house.recovery.mark_unsure(table)
    house.awake.discard(table)  # the check of idle tables would mark it again


async def tables_are_mended(house: House, table: OpenTable, start: StartHouse) -> None:
    await soon(lambda: not table.unsure)


def look_now(house: House, table: OpenTable) -> None:
    house.deadlines.note(0.0)


async def timers_run_out(house: House, table: OpenTable, start: StartHouse) -> None:
    with pytest.MonkeyPatch.context() as patch:
        clock = Clock(patch)
        await house.act(table, "ada", do.Timer(30))
        clock.jump(31, house)
        await until(table, lambda: table.history.reveal.after > 0)


async def bots_are_woken(house: House, table: OpenTable, start: StartHouse) -> None:
    """Bots whose tasks have ended."""
    await house.act(table, "bo", do.Leave())
    for task in house.bot_runner.tasks.values():
        task.cancel()
    await until(table, lambda: not table.picture.bots_to_move)


async def others_are_heard(house: House, table: OpenTable, start: StartHouse) -> None:
    there = await start()
    other = await there.by_token(table.picture.token)
    await there.act(other, "ada", do.Lock())
    await until(table, lambda: table.picture.card.locked)


async def logouts_are_learnt(house: House, table: OpenTable, start: StartHouse) -> None:
    there = await start()
    count = await there.log_out_everywhere("cy")
    await soon(lambda: house.logouts.stays("cy", count))


async def tables_fall_asleep(house: House, table: OpenTable, start: StartHouse) -> None:
    await soon(lambda: table not in house.awake)


CASES = [
    Case("journal", Journal, "commit_batch", hand_something_in, moves_are_accepted),
    Case("mending", Recovery, "mend", make_unsure, tables_are_mended),
    Case("deadlines", Deadlines, "start_due", look_now, timers_run_out),
    Case("presence", Presence, "audit", nothing, bots_are_woken),
    Case("workers", Workers, "watch", nothing, others_are_heard),
    Case("logouts", Logouts, "look", nothing, logouts_are_learnt),
    Case("housekeeping", Housekeeping, "run_once", nothing, tables_fall_asleep),
]
HANGING = [case for case in CASES if case.name != "presence"]  # its iteration awaits nothing


async def started(start_worker: StartHouse, patch: pytest.MonkeyPatch) -> tuple[House, OpenTable]:
    """A house with short intervals, and a table."""
    patch.setattr("app.house.presence.AUDIT_SECONDS", 0.1)
    patch.setattr("app.house.workers.CHECK_SECONDS", 0.1)
    patch.setattr("app.house.logouts.LOOK_SECONDS", 0.1)
    house: House = await start_worker(sleep_seconds=0.2)
    assert {loop.name for loop in house.supervisor.loops} == {case.name for case in CASES}
    return house, await seated(house, "dark", 2)


@pytest.mark.parametrize("what", [Broken, asyncio.CancelledError], ids=["raises", "is cancelled"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_a_loop_that_breaks_is_said_and_goes_on_when_the_cause_is_gone(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch, logged: Logged, case: Case, what: type[BaseException]
) -> None:
    house, table = await started(start_worker, monkeypatch)
    before = failures(case.name)

    def broken(*_: Any) -> Any:
        raise what

    with monkeypatch.context() as patch:
        patch.setattr(case.owner, case.iteration, broken)
        case.stir(house, table)
        await soon(lambda: failures(case.name) > before + 1)  # more than once
        assert f"{case.name} has failed and is starting again" in house.problems() and not up(case.name)
    await case.goes_on(house, table, start_worker)
    await soon(lambda: not house.problems())
    assert up(case.name) and state(await again(house, table)) == state(table)
    assert logged.troubles().count("a background loop broke") == failures(case.name) - before


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_a_loop_that_ends_by_itself_is_said_and_goes_on(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch, logged: Logged, case: Case
) -> None:
    plain: Any = vars(case.owner)["run"]
    ends: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def run(self: Any, loop: Loop) -> None:
        task = asyncio.create_task(plain(self, loop))
        await asyncio.wait([task, ends], return_when=asyncio.FIRST_COMPLETED)
        task.cancel()

    monkeypatch.setattr(case.owner, "run", run)
    house, table = await started(start_worker, monkeypatch)
    before = failures(case.name)
    ends.set_result(None)
    await soon(lambda: failures(case.name) > before + 1)
    assert f"{case.name} has failed and is starting again" in house.problems() and not up(case.name)
    ends = asyncio.get_running_loop().create_future()
    case.stir(house, table)
    await case.goes_on(house, table, start_worker)
    await soon(lambda: not house.problems())
    assert logged.troubles().count("a background loop ended") == failures(case.name) - before


@pytest.mark.parametrize("case", HANGING, ids=lambda case: case.name)
async def test_a_loop_that_hangs_is_said_and_goes_on_when_the_cause_is_gone(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    house, table = await started(start_worker, monkeypatch)
    plain: Any = getattr(case.owner, case.iteration)
    gone = asyncio.Event()

    async def hanging(*args: Any) -> None:
        await gone.wait()
        await plain(*args)

    monkeypatch.setattr(case.owner, case.iteration, hanging)
    for loop in house.supervisor.loops:
        loop.longest = 0.5
    case.stir(house, table)
    await soon(lambda: any(problem.startswith(f"{case.name} has been busy") for problem in house.problems()))
    gone.set()
    await case.goes_on(house, table, start_worker)
    for loop in house.supervisor.loops:
        loop.longest = 60
    await soon(lambda: not house.problems())


async def test_deadlines_go_on_though_a_read_never_ends(
    start_house: StartHouse, monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    monkeypatch.setattr("app.house.deadlines.LOOK_AHEAD", 0.1)
    house = await start_house()
    table, plain, left = await seated(house, "dark", 2), house.store.due, iter([True])
    [loop] = [one for one in house.supervisor.loops if one.name == "deadlines"]

    async def due(*args: Any) -> Any:
        return await (asyncio.Event().wait() if next(left, None) else plain(*args))

    monkeypatch.setattr(house.store, "due", due)
    house.supervisor.tasks["deadlines"].cancel()  # its time for an iteration is that of the start
    house.supervisor.loops.remove(loop)
    house.supervisor.start("deadlines", house.deadlines.run, longest=0.2)
    await soon(lambda: "a background loop hangs" in logged.troubles())
    await timers_run_out(house, table, start_house)


def shorten_the_end_of(loop: str, patch: pytest.MonkeyPatch) -> None:
    """Wait for the end of this loop for 0.2 s only; all others have the usual time, as the machine may be busy."""
    plain = Supervisor.ended

    async def ended(self: Supervisor, *names: str) -> None:
        with pytest.MonkeyPatch.context() as shorter:
            if loop in names:
                shorter.setattr("app.house.supervisor.LONGEST_END", 0.2)
            await plain(self, *names)

    patch.setattr(Supervisor, "ended", ended)


@pytest.mark.parametrize("case", HANGING, ids=lambda case: case.name)
async def test_a_house_stops_though_a_loop_hangs(
    start_worker: StartHouse, monkeypatch: pytest.MonkeyPatch, logged: Logged, case: Case
) -> None:
    house, table = await started(start_worker, monkeypatch)
    hangs = asyncio.Event()

    async def hang(*_: Any) -> None:
        hangs.set()
        await asyncio.Event().wait()

    shorten_the_end_of(case.name, monkeypatch)
    monkeypatch.setattr(case.owner, case.iteration, hang)
    case.stir(house, table)
    await hangs.wait()
    asking = asyncio.gather(
        house.act(table, "bo", do.Play(1, "walk")), house.open("cy", "dark", "Cy"), return_exceptions=True
    )
    await asyncio.sleep(0)
    await house.stop()
    answers: Any = await asking
    reasons = [answer.reason if isinstance(answer, Refusal) else type(answer).__name__ for answer in answers]
    assert reasons == (["store_down", "store_down"] if case.name == "journal" else ["Done", "OpenTable"])
    assert "a background loop does not end" in logged.troubles() or case.name == "workers"
