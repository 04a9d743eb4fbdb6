"""Committing actions: accepted actions are in the log, and the log is complete after any failure."""

import asyncio
from random import Random
from typing import Any

import pytest

from app.house.commit import reading
from app.house.house import House
from app.refusals import Refusal
from app.store.rows import Bad, Conflict, Down
from app.table import actions as do
from engine.verify import export, verify
from tests.app.conftest import Logged, StartHouse
from tests.app.tables import PEOPLE, Gate, again, passed, play_out, seated, soon, state, until, wait_for_rows, wander

# the log --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["counting", "dice", "window", "dark", "wishes", "raiders"])
async def test_committed_entries_survive_a_crash(house: House, game: str) -> None:
    luck = Random(game)
    open_table = await seated(house, game)
    for person, action in wander(lambda: open_table.sitting, luck):
        await house.act(open_table, person, action)
        await passed(open_table)
        if game != "raiders" or luck.random() < 0.2:
            assert state(await again(house, open_table)) == state(open_table)
    assert open_table.sitting.phase == "over" and len(open_table.picture.events) == open_table.version
    assert open_table.sitting.table is not None and open_table.sitting.table.version == open_table.version
    await house.act(open_table, "ada", do.Rematch())
    assert (list(open_table.picture.events), open_table.version, open_table.history.reveal.after) == ([], 0, 0)
    assert state(await again(house, open_table)) == state(open_table)
    await house.act(open_table, "ada", do.Start())
    await play_out(house, open_table, luck, 5)
    assert state(await again(house, open_table)) == state(open_table)


async def test_a_crash_at_any_point_leads_on_to_the_same_end(start_house: StartHouse) -> None:
    house = await start_house()
    open_table = await seated(house, "dice")
    luck = Random(5)
    while open_table.sitting.phase == "playing":
        await play_out(house, open_table, luck, most=luck.randrange(9))
        house.drop(open_table.id)  # as after a restart
        fresh = await house.by_id(open_table.id)
        assert fresh is not None and fresh is not open_table and state(fresh) == state(open_table)
        open_table = fresh


async def test_the_exported_log_holds(house: House) -> None:
    open_table = await seated(house, "dice")
    await play_out(house, open_table, Random(2))
    await house.act(open_table, "ada", do.Free(1))
    report = verify(export(open_table.picture.events.raw(), ["Ada", "Bo", "Cy"]))
    assert report.holds and report.finished, report.say()


# publishing after the commit ------------------------------------------------------------------------------------------


async def test_uncommitted_entries_are_not_published(house: House) -> None:
    open_table = await seated(house, "dark", 2)
    gate, before = Gate(house), state(open_table)
    gate.open.clear()
    with open_table.subscribe() as subscription:
        acting = asyncio.create_task(house.act(open_table, "ada", do.Play(1, "walk")))
        await gate.came.wait()
        assert state(open_table) == before and not acting.done()
        hearing = asyncio.create_task(subscription.changed())
        assert state(await again(house, open_table)) == before
        assert not hearing.done()
        gate.open.set()
        await acting
        await hearing
    assert open_table.sitting.table is not None and open_table.sitting.table.drafts == {0: ("walk",)}


async def test_what_many_tables_hand_in_is_committed_together(house: House) -> None:
    lives = [await seated(house, "dark", 2) for _ in range(20)]
    gate = Gate(house)
    gate.open.clear()
    first = asyncio.create_task(house.act(lives[0], "ada", do.Play(1, "walk")))
    await gate.came.wait()
    rest = [
        asyncio.create_task(house.act(open_table, person, do.Play(1, "walk")))
        for open_table in lives
        for person in ("ada", "bo")
        if (open_table, person) != (lives[0], "ada")
    ]
    await asyncio.sleep(0)
    gate.open.set()
    await asyncio.gather(first, *rest)
    assert [len(batch) for batch in gate.batches] == [1, 20]  # both people of a table in one batch, too
    for open_table in lives:
        assert state(await again(house, open_table)) == state(open_table)


async def test_actions_that_arrive_while_a_batch_waits_for_a_table_are_committed(house: House) -> None:
    open_table = await seated(house, "dark", 2, start=False)

    async def hold(held: asyncio.Event, released: asyncio.Event) -> None:
        async with reading(open_table):
            held.set()
            await released.wait()

    for turn in range(5):  # in the first, the journal may still be storing who is present
        held, released = asyncio.Event(), asyncio.Event()
        async with reading(open_table):
            holding = asyncio.create_task(hold(held, released))
            for _ in range(20):  # until `hold` waits for the lock, and the journal for actions
                await asyncio.sleep(0)
            replies = [house.submit(open_table, "ada", do.Name(f"Ada {turn}"))]
        # The journal wakes up first and finds the lock free, but `hold` has waited longer.
        await held.wait()
        replies += [house.submit(open_table, "bo", do.Name(f"Bo {turn} {n}")) for n in range(5)]
        released.set()
        await asyncio.gather(holding, *replies)
    assert state(await again(house, open_table)) == state(open_table)


async def test_a_cancelled_caller_does_not_cancel_its_action(house: House) -> None:
    open_table = await seated(house, "dark", 2)
    gate = Gate(house)
    gate.open.clear()
    acting = asyncio.create_task(house.act(open_table, "ada", do.Play(1, "walk")))
    await gate.came.wait()
    acting.cancel()
    gate.open.set()
    await until(open_table, lambda: open_table.sitting.table and open_table.sitting.table.drafts)
    assert state(await again(house, open_table)) == state(open_table)


async def test_one_bad_row_hurts_only_its_own_table(house: House) -> None:
    good, bad = await seated(house, "dark", 2), await seated(house, "dark", 2)
    gate = Gate(house)
    gate.failing = lambda writes: Bad("no") if any(write.table == bad.id for write in writes) else None
    gate.open.clear()
    acts = [asyncio.create_task(house.act(open_table, "ada", do.Play(1, "walk"))) for open_table in (good, bad, good)]
    opening = asyncio.create_task(house.open("cy", "dark", "Cy"))
    await gate.came.wait()
    gate.open.set()
    done = await asyncio.gather(*acts, opening, return_exceptions=True)
    assert [getattr(one, "reason", "") for one in done] == ["", "broken", "not_legal", ""]
    gate.failing = lambda writes: None
    await house.act(bad, "ada", do.Play(1, "walk"))
    for open_table in (good, bad):
        assert state(await again(house, open_table)) == state(open_table)


async def test_a_round_that_breaks_loses_nothing(house: House, monkeypatch: pytest.MonkeyPatch, logged: Logged) -> None:
    open_table = await seated(house, "dark", 2)
    await wait_for_rows(house, ("away", "0"), ("away", "1"))
    ready, left = house.journal.ready, iter(range(1))

    def broken() -> Any:
        if next(left, None) is not None:
            raise ZeroDivisionError
        return ready()

    monkeypatch.setattr(house.journal, "ready", broken)
    opening = asyncio.create_task(house.open("cy", "dark", "Cy"))
    await asyncio.sleep(0)
    house.presence.socket_opened(open_table, "ada")  # deletes a row
    answer = house.submit(open_table, "ada", do.Play(1, "walk"))
    assert (await answer).seq == open_table.seq
    with pytest.raises(Refusal, match="store_down"):
        await opening
    await wait_for_rows(house, ("away", "1"))
    await soon(lambda: not house.problems())
    assert logged.troubles() == ["a background loop broke"]


async def test_a_conflict_does_not_block_opening_other_tables(house: House) -> None:
    open_table, gate = await seated(house, "dark", 2), Gate(house)
    gate.failing = lambda writes: Conflict("taken") if any(w.table == open_table.id for w in writes) else None
    opening = asyncio.create_task(house.open("cy", "dark", "Cy"))
    await asyncio.sleep(0)
    answer = house.submit(open_table, "ada", do.Play(1, "walk"))
    await soon(lambda: len(gate.batches) >= 3)
    assert [len(batch) for batch in gate.batches[:3]] == [2, 1, 1]
    gate.failing = lambda writes: None
    await answer
    assert (await opening).picture.card.seats[0].name == "Cy"


@pytest.mark.parametrize(
    ("error", "reason", "line"),
    [
        (Bad, "broken", "a row was not taken"),
        (Down, "store_down", "the database is away"),
        (ZeroDivisionError, "store_down", "the store broke"),
    ],
)
async def test_a_table_that_cannot_be_opened_is_refused(
    house: House, logged: Logged, error: type[Exception], reason: str, line: str
) -> None:
    gate = Gate(house)
    gate.failing = lambda writes: error("on purpose")
    with pytest.raises(Refusal, match=reason):
        await house.open("cy", "dark", "Cy")
    assert logged.troubles() == [line]


async def test_a_database_that_goes_away_between_two_of_a_batch_is_not_asked_for_the_rest(house: House) -> None:
    lives, gate = [await seated(house, "dark", 2) for _ in range(5)], Gate(house)
    gate.failing = lambda writes: Conflict("taken") if len(writes) > 1 else Down("gone")
    before = len(gate.batches)
    opening = asyncio.create_task(house.open("cy", "dark", "Cy"))
    await asyncio.sleep(0)
    asks = [house.submit(open_table, "ada", do.Play(1, "walk"), "a") for open_table in lives]
    answers = await asyncio.gather(*asks, opening, return_exceptions=True)
    assert [getattr(answer, "reason", answer) for answer in answers] == ["store_down"] * 6
    assert [len(batch) for batch in gate.batches[before : before + 2]] == [6, 1]
    gate.failing = lambda writes: None
    await soon(lambda: not house.problems())
    assert len(gate.batches) == before + 2
    for open_table in lives:
        assert not (await house.act(open_table, "ada", do.Play(1, "walk"), "a")).doubled


async def test_after_an_unknown_outcome_that_was_a_success_nothing_is_done_twice(house: House) -> None:
    """The store raises after a successful commit: each table finds its own entries in the log."""
    lives, gate = [await seated(house, "dark", 2) for _ in range(3)], Gate(house)
    gate.fails_after = True
    gate.failing = lambda writes: ZeroDivisionError() if len(writes) > 1 else None
    asks = [house.submit(open_table, "ada", do.Play(1, "walk")) for open_table in lives]
    answers = await asyncio.gather(*asks, return_exceptions=True)
    assert [getattr(answer, "reason", answer) for answer in answers] == ["store_down"] * 3
    for open_table in lives:
        await soon(lambda open_table=open_table: not open_table.unsure)  # type: ignore[misc]
        assert open_table.sitting.table is not None and open_table.sitting.table.drafts == {0: ("walk",)}
        assert state(await again(house, open_table)) == state(open_table)


async def test_stopping_answers_everybody_first(start_house: StartHouse) -> None:
    house = await start_house()
    open_table = await seated(house, "dark", 2)
    acts = [asyncio.create_task(house.act(open_table, person, do.Play(1, "walk"))) for person in ("ada", "bo")]
    await asyncio.sleep(0)
    await house.stop()
    assert [type(one).__name__ for one in await asyncio.gather(*acts)] == ["Done", "Done"]
    with pytest.raises(Refusal, match="store_down"):
        await house.act(open_table, "ada", do.Undo(1))
    assert house.problems()


# all failures together ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_fails_each_message_counts_once_or_is_refused(start_house: StartHouse, seed: int) -> None:
    """Commits fail before and after they are stored, rows are bad, houses are closed and opened again."""
    house = await start_house()
    luck = Random(seed)
    tokens = [(await seated(house, "dice", 3)).sitting.saved.token for _ in range(3)]
    accepted: dict[tuple[str, str, str], int] = {}

    def fail(gate: Gate) -> None:
        def failing(writes: Any) -> Exception | None:
            gate.fails_after = luck.random() < 0.5
            return Down("gone") if luck.random() < 0.2 else None

        gate.failing = failing

    async def insist(token: str, person: str, number: int) -> None:
        while True:
            open_table = await house.by_token(token)
            table, seat = open_table.sitting.table, open_table.sitting.seat_of(person)
            laid = table.drafts.get(seat, ())
            action = do.Undo(table.round) if len(laid) == 2 else do.Play(table.round, table.moves(seat)[0])
            try:
                done = await house.act(open_table, person, action, str(number))
            except Refusal as refusal:
                assert refusal.reason == "store_down", refusal.reason
                await asyncio.sleep(0.01)
            else:
                accepted[token, person, str(number)] = done.seq
                return

    for number in range(0, 24, 6):
        gate = Gate(house)
        fail(gate)
        for n in range(number, number + 6):
            await asyncio.gather(*[insist(token, person, n) for token in tokens for person in PEOPLE[:3]])
        gate.failing = lambda writes: None
        await house.stop()
        house = await start_house()
    for token in tokens:
        open_table = await house.by_token(token)
        stored = await house.store.since(open_table.id, 4)
        assert stored is not None
        mine = {(token, row.person, row.client_id): row.seq for row in stored.entries}
        assert mine == {key: seq for key, seq in accepted.items() if key[0] == token} and len(mine) == 3 * 24
        assert state(await again(house, open_table)) == state(open_table)
