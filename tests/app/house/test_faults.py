"""An exception while a table is changed or published affects only that table, at whatever stage it is raised."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from prometheus_client import REGISTRY

import app.house.commit
import app.house.open_table
from app.house.commit import Commit
from app.house.house import House
from app.house.open_table import OpenTable
from app.refusals import Refusal
from app.store.rows import Bad, Conflict, Down, Write
from app.table import actions as do
from app.table.sitting import Sitting
from engine.game import Game
from tests.app.conftest import Logged, StartHouse
from tests.app.tables import again, hand_in, seated, soon, state
from tests.engine.tiny import Hide

FOREVER = 10**6
FLY = do.Play(1, "fly")  # no such move


class Broken(Exception):
    """Raised on purpose."""


def faults() -> Counter[str]:
    """The faults counted so far, by stage."""
    samples = [sample for metric in REGISTRY.collect() for sample in metric.samples]
    return Counter({s.labels["stage"]: int(s.value) for s in samples if s.name == "facedown_faults_total"})


class Ear:
    """Counts notifications of new pictures."""

    def __init__(self) -> None:
        self.told = 0

    def notify(self) -> None:
        self.told += 1


class Bench:
    """A house with two tables: faults are injected into `hurt`; `well`, of another game, must not be affected."""

    hurt: OpenTable
    well: OpenTable

    def __init__(self, house: House, patch: pytest.MonkeyPatch, games: dict[str, Game]) -> None:
        self.house = house
        self.patch = patch
        self.left = {"public": 0, "private": 0}  # how many more times these views of the hurt table's game raise
        dark = games["dark"]
        games["dark"] = replace(dark, public=self.view("public", dark), private=self.view("private", dark))

    def view(self, name: str, game: Game) -> Any:
        plain = getattr(game, name)

        def view(*args: Any) -> Any:
            if self.left[name]:
                self.left[name] -= 1
                raise Broken("on purpose")
            return plain(*args)

        return view

    async def open(self) -> None:
        """Play until the next word at the hurt table causes a reveal."""
        self.hurt, self.well = await seated(self.house, "dark", 2), await seated(self.house, "dice", 2)
        await self.house.act(self.hurt, "ada", do.Timer(60))
        await hand_in(self.house, self.hurt, "ada")
        await self.house.act(self.hurt, "bo", do.Play(1, "walk"))

    def breaks(
        self, owner: Any, name: str, mine: Callable[..., Any] = lambda *_: True, times: int = 1, error: Any = Broken
    ) -> None:
        """Make this function raise for a number of calls before it works; `mine` selects the calls by their
        arguments."""
        plain, left = getattr(owner, name), iter(range(times))

        def broken(*args: Any, **named: Any) -> Any:
            if mine(*args) and next(left, None) is not None:
                raise error("on purpose")
            return plain(*args, **named)

        self.patch.setattr(owner, name, broken)

    def hangs(self, owner: Any, name: str, mine: Callable[..., Any] = lambda *_: True) -> None:
        """Make this function hang."""
        plain = getattr(owner, name)
        self.patch.setattr(owner, name, lambda *args: asyncio.Event().wait() if mine(*args) else plain(*args))

    # selects the calls -------------------------------------------------------------------------------------------

    def is_hurt(self, *args: Any) -> bool:
        """Whether the hurt table is among these arguments."""
        return any(self.concerns(one) for one in args)

    def concerns(self, one: Any) -> bool:
        if isinstance(one, Commit):
            return one.table is self.hurt
        if isinstance(one, Sitting):
            return one.saved.token == self.hurt.picture.token
        if isinstance(one, Write):
            return one.table == self.hurt.id
        if isinstance(one, list):
            return any(self.concerns(each) for each in one)
        return one is self.hurt or one == self.hurt.id


@dataclass(frozen=True)
class Stage:
    """Where an exception is raised, and the expected results."""

    name: str
    arm: Callable[[Bench], None]
    action: do.Action = field(default_factory=lambda: do.Play(1, "south"))  # Bo's action at the hurt table
    answer: str = ""  # the reason for which it is refused; "": accepted
    other: str = ""  # the same for Ada's concurrent action at the hurt table
    well: str = ""  # the same for an action at the other table
    counted: Mapping[str, int] = field(default_factory=dict)
    logged: tuple[str, ...] = ("a table broke",)
    behind: bool = False  # another process has written an entry of the hurt table before


# injecting ------------------------------------------------------------------------------------------------------------


def in_take(b: Bench) -> None:
    b.breaks(Hide, "take")


def in_options(b: Bench) -> None:
    b.breaks(Hide, "options")


def in_public(b: Bench) -> None:
    b.left["public"] = 1


def in_check(b: Bench) -> None:
    b.breaks(Commit, "check", b.is_hurt)


def in_events(b: Bench) -> None:
    b.breaks(Commit, "note", lambda commit, entry, *_: b.is_hurt(commit) and isinstance(entry.action, do.Play))


def in_snapshot(b: Bench) -> None:
    b.breaks(app.house.commit, "snapshot_of", b.is_hurt)


def raising(error: type[Exception], times: int = 1) -> Callable[[Bench], None]:
    return lambda b: b.breaks(b.house.store, "commit", b.is_hurt, times, error)


def commit_hangs(b: Bench) -> None:
    b.patch.setattr("app.house.journal.LONGEST_COMMIT", 0.5)
    b.hangs(b.house.store, "commit")


def in_publish(b: Bench) -> None:
    b.breaks(Commit, "publish", b.is_hurt)


def in_setting(b: Bench) -> None:
    b.breaks(OpenTable, "publish", b.is_hurt)


def in_remembering(b: Bench) -> None:
    b.breaks(OpenTable, "remember", b.is_hurt)


def in_notify(b: Bench) -> None:
    ear = Ear()
    b.breaks(ear, "notify")
    b.hurt.listen(ear)


def in_private(b: Bench) -> None:
    """A listener reads a seat's own view."""
    ear, b.left["private"] = Ear(), 1
    b.patch.setattr(ear, "notify", lambda: b.hurt.picture.own(0))
    b.hurt.listen(ear)


def waking(b: Bench) -> None:
    b.breaks(b.house.bot_runner, "wake", b.is_hurt)


def watching(b: Bench) -> None:
    b.breaks(b.house.presence, "review", b.is_hurt)


def winding(b: Bench) -> None:
    b.breaks(b.house.deadlines, "note")


def looking_up(b: Bench) -> None:
    b.breaks(b.house.store, "by_message", b.is_hurt)


def looking_up_hangs(b: Bench) -> None:
    b.patch.setattr("app.house.recovery.LONGEST_READ", 0.5)
    b.hangs(b.house.store, "by_message", b.is_hurt)


def reading(b: Bench) -> None:
    b.breaks(b.house.store, "since", b.is_hurt)


def taking_in(b: Bench) -> None:
    b.breaks(OpenTable, "take_in", b.is_hurt)


def drawing_anew(b: Bench) -> None:
    b.breaks(app.house.open_table, "draw", b.is_hurt)


def reading_hangs(b: Bench) -> None:
    b.patch.setattr("app.house.recovery.LONGEST_READ", 0.5)
    b.hangs(b.house.store, "since", b.is_hurt)


def broken(name: str, arm: Callable[[Bench], None], **more: Any) -> Stage:
    return Stage(name, arm, answer="broken", other="broken", **more)


def away(name: str, arm: Callable[[Bench], None], **more: Any) -> Stage:
    return Stage(name, arm, answer="store_down", other="store_down", **{"logged": ("the database is away",), **more})


STAGES = [
    Stage("the rules take an answer", in_take, answer="broken", counted={"check": 1}),
    Stage("the rules say what is legal", in_options, answer="broken", counted={"check": 1}),
    Stage("events are encoded", in_events, answer="broken", counted={"check": 1}),
    broken("the picture is drawn", in_public, counted={"check": 1}),
    broken("the commit is checked", in_check, counted={"check": 1}),
    broken("the snapshot is encoded", in_snapshot, counted={"check": 1}),
    Stage("the store finds a conflict", raising(Conflict, 3), logged=()),
    away("the store finds conflicts for ever", raising(Conflict, FOREVER), logged=()),
    broken("the store refuses a row", raising(Bad, 2), counted={"commit": 1}, logged=("a row was not taken",)),
    away("the store goes away", raising(Down), well="store_down"),
    Stage("the store breaks once", raising(Broken), counted={"commit": 1}, logged=("the store broke",)),
    away("the store breaks over one table", raising(Broken, 2), counted={"commit": 2}, logged=2 * ("the store broke",)),
    away("the store hangs", commit_hangs, well="store_down"),
    Stage("the commit is published", in_publish, counted={"publish": 1}),
    Stage("the new picture is set", in_setting, counted={"publish": 1}),
    Stage("the answers are remembered", in_remembering, counted={"publish": 1}),
    Stage("a listener is notified", in_notify, counted={"tell": 1}, logged=("a listener broke",)),
    Stage("a listener looks at a hand", in_private, counted={"tell": 1}, logged=("a listener broke",)),
    Stage("bots are woken", waking, do.Leave(), counted={"follow": 1}),
    Stage("seats are watched", watching, do.Leave(), counted={"follow": 1}),
    Stage("the clock is wound", winding, counted={"follow": 1}),
    Stage("a refused action is looked up", looking_up, FLY, "broken", counted={"recover": 1}),
    Stage("the look-up hangs", looking_up_hangs, FLY, "store_down", logged=("the database is away",)),
    broken("what others wrote is read", reading, counted={"recover": 1}, behind=True),
    broken("what others wrote is taken in", taking_in, counted={"recover": 1}, behind=True),
    broken("what others wrote is drawn", drawing_anew, counted={"recover": 1}, behind=True),
    away("the reading of what others wrote hangs", reading_hangs, behind=True),
]


# results --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)
async def test_a_fault_hurts_its_own_table_only(
    start_house: StartHouse, tiny: dict[str, Game], monkeypatch: pytest.MonkeyPatch, logged: Logged, stage: Stage
) -> None:
    house = await start_house()
    with monkeypatch.context() as patch:
        b = Bench(house, patch, tiny)
        await b.open()
        hurt, well = b.hurt, b.well
        if stage.behind:
            await write_elsewhere(b, await start_house())
        ears = Ear(), Ear()
        hurt.listen(ears[0])
        well.listen(ears[1])
        stage.arm(b)
        before, entries = faults(), well.seq
        asks = [
            house.submit(hurt, "ada", do.Name("Augusta"), "a"),
            house.submit(hurt, "bo", stage.action, "b"),
            house.submit(well, "bo", do.Play(1, "0 left"), "c"),
        ]
        answers = await asyncio.gather(*asks, return_exceptions=True)
        assert [reason(answer) for answer in answers] == [stage.other, stage.answer, stage.well]
        assert hurt.picture.seq == hurt.seq
    await soon(lambda: not hurt.lock.locked() and not hurt.unsure and not house.problems())
    assert faults() - before == Counter(stage.counted)
    assert logged.troubles() == list(stage.logged)
    assert well.seq == entries + (not stage.well)
    assert ears[1].told or stage.well
    assert ears[0].told or stage.other
    for line in logged.lines:
        assert not any(secret in line for secret in await secrets_of(house, hurt, well)), line
        assert "a table broke" not in line or hurt.id in line
    # Both tables can be played on.
    for answer, ask in zip(answers[:2], [("ada", do.Name("Augusta"), "a"), ("bo", stage.action, "b")], strict=True):
        if reason(answer) in ("broken", "store_down") and ask[1] != FLY:
            assert not (await house.act(hurt, *ask)).doubled
    await house.act(hurt, "ada", do.Lock())
    await house.act(well, "ada", do.Lock())
    await soon(lambda: not hurt.picture.bots_to_move)
    assert hurt.picture.card.locked and hurt.picture.card.seats[0].name == "Augusta"
    for table in (hurt, well):
        assert state(await again(house, table)) == state(table)


async def write_elsewhere(b: Bench, there: House) -> None:
    """Another process writes to the hurt table, and this one gets no notification."""
    b.patch.setattr(b.house.workers, "catch_up_later", lambda *_: None)
    other = await there.by_token(b.hurt.picture.token)
    assert other is not None
    await there.act(other, "bo", do.Name("Bob"))


async def secrets_of(house: House, *tables: OpenTable) -> list[str]:
    """The texts that must not be in a log line."""
    found = []
    for table in tables:
        saved, stored = table.sitting.saved, await house.store.since(table.id, 0)
        assert stored is not None
        found += [saved.token, saved.code, saved.seed, *(row.secret for row in stored.entries)]
    return found


def reason(answer: Any) -> str:
    """The reason of the refusal; "" if accepted."""
    if isinstance(answer, Refusal):
        return answer.reason
    return repr(answer) if isinstance(answer, BaseException) else ""
