"""Logging out everywhere, in several processes."""

from tests.app.conftest import StartHouse
from tests.app.tables import soon


async def test_other_processes_learn_of_it(start_worker: StartHouse) -> None:
    here, there = await start_worker(), await start_worker()
    ended: list[str] = []
    there.logouts.after = ended.append
    assert [await here.log_out_everywhere("ada") for _ in range(2)] == [1, 2]
    await soon(lambda: there.logouts.stays("ada", 2) and not there.logouts.stays("ada", 1))
    assert set(ended) == {"ada"}
    after = await start_worker()
    assert after.logouts.counts == {"ada": 2}
