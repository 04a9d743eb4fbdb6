"""One table in memory: who waits for an answer, who listens, and what others wrote."""

import asyncio

from app.house.open_table import Pending
from app.table import actions as do


def test_actions_of_those_who_have_gone_are_no_trouble() -> None:
    loop = asyncio.new_event_loop()
    pending = Pending("ada", do.Lock(), "", "", loop.create_future(), 0.0)
    pending.answer.cancel()
    pending.refuse("broken", 0)
    loop.close()
