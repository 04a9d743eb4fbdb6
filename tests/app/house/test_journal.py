"""Acting: what is answered is in the log, and what is in the log is there again after anything."""

import asyncio
from random import Random
from typing import Any

import pytest

from app.house.house import House
from app.refusals import Refusal
from app.store.rows import Bad, Down
from app.table import actions as do
from engine.verify import export, verify
from tests.app.conftest import StartHouse
from tests.app.tables import PEOPLE, Gate, again, play_out, seated, state, until, wander

# the log --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["counting", "dice", "window", "dark", "wishes", "raiders"])
async def test_whatever_was_committed_is_there_again(house: House, game: str) -> None:
    luck = Random(game)
    live = await seated(house, game)
    for person, action in wander(lambda: live.sitting, luck):
        await house.act(live, person, action)
        if game != "raiders" or luck.random() < 0.2:
            assert state(await again(house, live)) == state(live)
    assert live.sitting.phase == "over" and len(live.picture.events) == live.version
    assert live.sitting.table is not None and live.sitting.table.version == live.version
    await house.act(live, "ada", do.Rematch())
    assert (list(live.picture.events), live.version, live.history.reveal.after) == ([], 0, 0)
    assert state(await again(house, live)) == state(live)
    await house.act(live, "ada", do.Start())
    await play_out(house, live, luck, 5)
    assert state(await again(house, live)) == state(live)


async def test_a_crash_at_any_point_leads_on_to_the_same_end(start_house: StartHouse) -> None:
    house = await start_house()
    live = await seated(house, "dice")
    luck = Random(5)
    while live.sitting.phase == "playing":
        await play_out(house, live, luck, most=luck.randrange(9))
        house.drop(live.id)  # as if the process had gone
        fresh = await house.by_id(live.id)
        assert fresh is not None and fresh is not live and state(fresh) == state(live)
        live = fresh


async def test_the_exported_log_holds(house: House) -> None:
    live = await seated(house, "dice")
    await play_out(house, live, Random(2))
    await house.act(live, "ada", do.Free(1))
    report = verify(export(live.picture.events.raw(), ["Ada", "Bo", "Cy"]))
    assert report.holds and report.finished, report.say()


# commit, then tell ----------------------------------------------------------------------------------------------------


async def test_nobody_hears_of_what_is_not_committed(house: House) -> None:
    live = await seated(house, "dark", 2)
    gate, before = Gate(house), state(live)
    gate.open.clear()
    with live.subscribe() as news:
        acting = asyncio.create_task(house.act(live, "ada", do.Play(1, "walk")))
        await gate.came.wait()
        assert state(live) == before and not acting.done()
        hearing = asyncio.create_task(news.changed())
        assert state(await again(house, live)) == before
        assert not hearing.done()
        gate.open.set()
        await acting
        await hearing
    assert live.sitting.table is not None and live.sitting.table.drafts == {0: ("walk",)}


async def test_what_many_tables_hand_in_is_committed_together(house: House) -> None:
    lives = [await seated(house, "dark", 2) for _ in range(20)]
    gate = Gate(house)
    gate.open.clear()
    first = asyncio.create_task(house.act(lives[0], "ada", do.Play(1, "walk")))
    await gate.came.wait()
    rest = [
        asyncio.create_task(house.act(live, person, do.Play(1, "walk")))
        for live in lives
        for person in ("ada", "bo")
        if (live, person) != (lives[0], "ada")
    ]
    await asyncio.sleep(0)
    gate.open.set()
    await asyncio.gather(first, *rest)
    assert [len(batch) for batch in gate.batches] == [1, 20]  # both people of a table in one, too
    for live in lives:
        assert state(await again(house, live)) == state(live)


async def test_who_goes_while_waiting_has_acted_all_the_same(house: House) -> None:
    live = await seated(house, "dark", 2)
    gate = Gate(house)
    gate.open.clear()
    acting = asyncio.create_task(house.act(live, "ada", do.Play(1, "walk")))
    await gate.came.wait()
    acting.cancel()
    gate.open.set()
    await until(live, lambda: live.sitting.table and live.sitting.table.drafts)
    assert state(await again(house, live)) == state(live)


async def test_one_bad_row_hurts_only_its_own_table(house: House) -> None:
    good, bad = await seated(house, "dark", 2), await seated(house, "dark", 2)
    gate = Gate(house)
    gate.failing = lambda writes: Bad("no") if any(write.table == bad.id for write in writes) else None
    gate.open.clear()
    acts = [asyncio.create_task(house.act(live, "ada", do.Play(1, "walk"))) for live in (good, bad, good)]
    opening = asyncio.create_task(house.open("cy", "dark", "Cy"))
    await gate.came.wait()
    gate.open.set()
    done = await asyncio.gather(*acts, opening, return_exceptions=True)
    assert [getattr(one, "reason", "") for one in done] == ["", "broken", "not_legal", ""]
    gate.failing = lambda writes: None
    await house.act(bad, "ada", do.Play(1, "walk"))
    for live in (good, bad):
        assert state(await again(house, live)) == state(live)


async def test_stopping_answers_everybody_first(start_house: StartHouse) -> None:
    house = await start_house()
    live = await seated(house, "dark", 2)
    acts = [asyncio.create_task(house.act(live, person, do.Play(1, "walk"))) for person in ("ada", "bo")]
    await asyncio.sleep(0)
    await house.stop()
    assert [type(one).__name__ for one in await asyncio.gather(*acts)] == ["Done", "Done"]
    with pytest.raises(Refusal, match="store_down"):
        await house.act(live, "ada", do.Undo(1))
    assert house.problems()


# and all of it at once ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_fails_each_message_counts_once_or_is_refused(start_house: StartHouse, seed: int) -> None:
    """Commits fail before and after they are done, rows are bad, houses are closed and opened again."""
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
            live = await house.by_token(token)
            table, seat = live.sitting.table, live.sitting.seat_of(person)
            laid = table.drafts.get(seat, ())
            action = do.Undo(table.round) if len(laid) == 2 else do.Play(table.round, table.moves(seat)[0])
            try:
                done = await house.act(live, person, action, str(number))
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
        live = await house.by_token(token)
        kept = await house.store.since(live.id, 4)
        assert kept is not None
        mine = {(token, line.person, line.client_id): line.seq for line in kept.lines}
        assert mine == {key: seq for key, seq in accepted.items() if key[0] == token} and len(mine) == 3 * 24
        assert state(await again(house, live)) == state(live)
