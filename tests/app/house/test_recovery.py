"""When it goes wrong: the log decides, and whoever waits is answered."""

import pytest

from app.house.house import House
from app.refusals import Refusal
from app.store.rows import Down
from app.table import actions as do
from tests.app.tables import Gate, again, hand_in, refused, seated, state, until


@pytest.mark.parametrize("done", [False, True], ids=["not done", "done, but nobody heard"])
async def test_a_commit_that_fails_is_refused_and_the_log_decides_later(house: House, done: bool) -> None:
    live = await seated(house, "dark", 2)
    before = state(live)
    gate = Gate(house)
    gate.fails_after = done
    gate.failing = lambda writes: Down("gone")
    with pytest.raises(Refusal, match="store_down"):
        await house.act(live, "ada", do.Play(1, "walk"), "m1")
    with pytest.raises(Refusal, match="store_down"):
        await house.open("bo", "dark", "Bo")
    gate.failing = lambda writes: None
    if done:
        await until(live, lambda: state(live) != before)  # found out without anybody asking
    again_done = await house.act(live, "ada", do.Play(1, "walk"), "m1")
    assert again_done.doubled is done
    await hand_in(house, live, "ada")
    await hand_in(house, live, "bo")
    assert live.history.reveal.after > 0 and state(await again(house, live)) == state(live)


async def test_an_unexpected_error_of_the_store_is_no_end(house: House) -> None:
    live = await seated(house, "dark", 2)
    gate = Gate(house)
    gate.failing = lambda writes: KeyError("a bug")
    assert await refused(house, live, "ada", do.Play(1, "walk")) == "store_down"
    gate.failing = lambda writes: None
    await house.act(live, "ada", do.Play(1, "walk"))
