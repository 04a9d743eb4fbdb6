"""A process killed during a sealed round, and a database that is lost while tables are open."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import delete, update

from app.house.house import House
from app.house.open_table import OpenTable
from app.refusals import Refusal
from app.settings import Settings
from app.store import connect
from app.store.schema import entries, tables
from app.table import actions as do
from app.table.codes import new_token
from tests.app.conftest import StartHouse, starter
from tests.app.tables import PEOPLE, again, hand_in, play_out, refused, seated, soon, state, until
from tests.support.aside import run_aside
from tests.support.packages import ROOT
from tests.support.postgres import StoppablePostgres, start_postgres


@pytest.mark.parametrize("acks", [1, 7, 200])
async def test_killed_in_the_middle_of_a_round_no_accepted_move_is_lost(
    start_house: StartHouse, database_url: str, acks: int
) -> None:
    command = [sys.executable, "-m", "tests.app.victim", database_url]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    lines: list[list[str]] = []
    try:
        async with asyncio.timeout(120):
            while len(lines) < acks:
                line = (await process.stdout.readline()).decode().split()
                assert line, "it ended by itself"
                if line[0] == "done":
                    lines.append(line)
                assert line[0] != "refused", line
    finally:
        with suppress(ProcessLookupError):
            process.kill()
    rest = (await process.stdout.read()).decode().splitlines()
    lines += [line.split() for line in rest if line.startswith("done") and len(line.split()) == 4]
    await process.wait()

    house = await start_house()
    tables: dict[str, OpenTable] = {}
    for _, token, seq, id in lines:
        open_table = tables.get(token) or await house.by_token(token)
        tables[token] = open_table
        row = await house.store.by_message(open_table.id, id.partition("-")[0], id)
        assert row is not None and row.seq == int(seq) <= open_table.seq
    for open_table in tables.values():
        assert state(await again(house, open_table)) == state(open_table)
        await play_out(house, open_table, Random(1))
        assert open_table.sitting.phase == "over"


@pytest.fixture
def database(tiny: object) -> Iterator[StoppablePostgres]:
    with start_postgres() as server:
        yield StoppablePostgres(server)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["stopped", "crashed"])
async def test_a_postgres_that_goes_away_and_comes_back(database: StoppablePostgres, how: signal.Signals) -> None:
    async with running(database) as house:
        await come_and_go(house, database, how)


async def come_and_go(house: House, database: StoppablePostgres, how: signal.Signals) -> None:
    open_table = await seated(house, "wishes", 2, start=False)
    await house.act(open_table, "ada", do.AddBot())
    await house.act(open_table, "ada", do.Start())
    assert not house.problems()
    await asyncio.to_thread(database.stop, how)
    await soon(house.problems)
    assert open_table.sitting.table is not None
    word = open_table.sitting.table.moves(0)[0]
    assert await refused(house, open_table, "ada", do.Play(1, word), "m1") == "store_down"
    with pytest.raises(Refusal, match="store_down"):
        await house.open("cy", "dark", "Cy")
    with pytest.raises(Refusal, match="store_down"):
        await house.by_token(new_token())
    with pytest.raises(Refusal, match="store_down"):
        await house.device_link(open_table, "bo")
    assert await house.by_token(open_table.sitting.saved.token) is open_table  # the table can still be viewed
    house.presence.socket_opened(open_table, "bo")
    await asyncio.to_thread(database.start)
    await soon(lambda: not house.problems())
    done = await house.act(open_table, "ada", do.Play(1, word), "m1")
    assert not done.doubled
    await hand_in(house, open_table, "ada")
    await hand_in(house, open_table, "bo")
    await until(
        open_table, lambda: open_table.sitting.table and open_table.sitting.table.waits == [0, 1]
    )  # the bot continues
    assert open_table.history.reveal.after > 0 and state(await again(house, open_table)) == state(open_table)
    await soon(lambda: house.workers.hears)


@asynccontextmanager
async def running(database: StoppablePostgres) -> AsyncIterator[House]:
    async with AsyncExitStack() as stack:
        yield await starter(stack, database.url)()


async def test_moves_while_the_database_crashes_are_accepted_once_or_not_at_all(database: StoppablePostgres) -> None:
    async with running(database) as house:
        await play_on(house, database)


async def play_on(house: House, database: StoppablePostgres) -> None:
    lives = [await seated(house, "dice", 4) for _ in range(5)]
    accepted: dict[tuple[str, str, str], int] = {}
    calm = asyncio.Event()  # set once everybody shall stop playing

    async def insist(open_table: OpenTable, person: str) -> None:
        """Send a message again until it is accepted, as a page does."""
        seat = open_table.sitting.seat_of(person)
        assert seat is not None
        for number in count():
            if number >= 30 and calm.is_set():
                break
            table = open_table.sitting.table
            assert table is not None
            laid = table.drafts.get(seat, ())
            action = do.Undo(table.round) if len(laid) == 2 else do.Play(table.round, table.moves(seat)[0])
            while (open_table.id, person, str(number)) not in accepted:
                try:
                    done = await house.act(open_table, person, action, str(number))
                    accepted[open_table.id, person, str(number)] = done.seq
                except Refusal as refusal:
                    assert refusal.reason == "store_down"
                    await asyncio.sleep(0.05)

    async def disturb() -> None:
        for _ in range(3):
            enough = len(accepted) + 20
            await soon(lambda enough=enough: len(accepted) > enough)  # type: ignore[misc]
            await asyncio.to_thread(database.stop, signal.SIGQUIT)
            await asyncio.to_thread(database.start)
        calm.set()

    await asyncio.gather(disturb(), *[insist(open_table, person) for open_table in lives for person in PEOPLE[:4]])
    await soon(lambda: not house.recovery.unsure)
    for open_table in lives:
        stored = await house.store.since(open_table.id, 5)
        assert stored is not None
        mine = {(open_table.id, row.person, row.client_id): row.seq for row in stored.entries}
        assert mine == {key: seq for key, seq in accepted.items() if key[0] == open_table.id}
        assert [row.seq for row in stored.entries] == list(range(6, open_table.seq + 1))
        assert state(await again(house, open_table)) == state(open_table)


async def test_a_database_that_forgot_is_believed(database: StoppablePostgres) -> None:
    """As after a failover to a replica that lags behind: the log is right, not the state in memory."""
    async with running(database) as house:
        open_table = await seated(house, "dark", 2)
        before = state(open_table)
        await house.act(open_table, "ada", do.Play(1, "walk"))
        await house.act(open_table, "ada", do.Lock())
        async with house.store.begin() as connection:
            await connection.execute(delete(entries).where(entries.c.table_id == open_table.id, entries.c.seq > 3))
            forgotten = {"saved": before[0].decode(), "seq": 3}
            await connection.execute(update(tables).where(tables.c.id == open_table.id).values(forgotten))
        await asyncio.to_thread(database.stop)
        await asyncio.to_thread(database.start)
        await until(open_table, lambda: open_table.seq == 3)
        assert state(open_table) == before
        await house.act(open_table, "ada", do.Play(1, "hide"))
        assert state(await again(house, open_table)) == state(open_table)


async def test_a_sqlite_that_another_program_holds(
    tiny: object, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect, "TIMEOUT", 0.2)
    house = await House.start(Settings(database_url=sqlite_url))
    open_table = await seated(house, "dark", 2)
    async with house.store.begin():
        assert await refused(house, open_table, "ada", do.Play(1, "walk"), "m1") == "store_down"
    await house.act(open_table, "ada", do.Play(1, "walk"), "m1")
    assert state(await again(house, open_table)) == state(open_table)
    await house.stop()


def test_without_a_database_it_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.store.rows import Down

    (tmp_path / "file").write_text("not a folder")
    with pytest.raises((Down, OSError)):
        run_aside(House.start(Settings(data_dir=str(tmp_path / "file"))))
