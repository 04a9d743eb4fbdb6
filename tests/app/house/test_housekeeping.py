"""Housekeeping: what is released or deleted, and how often."""

import gc
from dataclasses import dataclass

import pytest

from app.house.housekeeping import CLEAN_SECONDS, COLLECT_SECONDS, Housekeeping
from app.house.supervisor import Loop
from app.settings import Settings


@dataclass
class Tidied:
    """Records the calls of housekeeping, and has a clock that the test sets."""

    now: float = 1000.0
    sleeps: int = 0
    collected: int = 0
    cleaned: int = 0
    looked: int = 0
    last: bool = False  # whether the last table has left memory
    iterations: int = 0  # how many until the house closes

    def let_sleep(self) -> bool:
        self.sleeps += 1
        return self.last

    async def clean(self) -> None:
        self.cleaned += 1

    async def look(self) -> None:
        self.looked += 1

    def collect(self) -> int:
        self.collected += 1
        return 0

    async def pause(self, seconds: float) -> bool:
        self.now += seconds
        self.iterations -= 1
        return self.iterations < 0


@pytest.fixture
def tidied(monkeypatch: pytest.MonkeyPatch) -> Tidied:
    found = Tidied()
    monkeypatch.setattr("app.house.housekeeping.time.monotonic", lambda: found.now)
    monkeypatch.setattr(gc, "collect", found.collect)
    return found


def keeping(tidied: Tidied, keep_days: int = 30) -> Housekeeping:
    return Housekeeping(Settings(keep_days=keep_days), tidied.let_sleep, tidied.clean, tidied.look, tidied.pause)


async def test_garbage_is_collected_now_and_then_and_when_the_last_table_has_left(tidied: Tidied) -> None:
    keeper = keeping(tidied)
    await keeper.run_once()
    assert (tidied.sleeps, tidied.collected) == (1, 0)
    tidied.last = True
    await keeper.run_once()
    assert tidied.collected == 1
    tidied.last = False
    tidied.now += COLLECT_SECONDS
    await keeper.run_once()
    assert tidied.collected == 1
    tidied.now += 1
    for _ in range(2):
        await keeper.run_once()
    assert tidied.collected == 2


@pytest.mark.parametrize("keep_days", [30, 0])
async def test_old_tables_are_looked_for_now_and_then_if_any_are_to_go(tidied: Tidied, keep_days: int) -> None:
    keeper = keeping(tidied, keep_days)
    await keeper.run_once()
    assert tidied.cleaned == 0  # not directly after the start
    for _ in range(3):
        tidied.now += CLEAN_SECONDS + 1
        await keeper.run_once()
        await keeper.run_once()
    assert tidied.cleaned == (3 if keep_days else 0)


async def test_it_goes_on_until_the_house_closes(tidied: Tidied) -> None:
    tidied.iterations = 5
    await keeping(tidied).run(Loop("housekeeping", longest=600, every=600))
    assert tidied.sleeps == tidied.looked == 5
