"""A process for tests to kill: `python -m tests.app.victim URL` opens tables, plays at them, and prints what was
accepted."""

import asyncio
import itertools
import sys
from random import Random

from app.house.house import House
from app.house.open_table import OpenTable
from app.refusals import Refusal
from app.settings import Settings
from app.table import actions as do
from engine import game as engine_game
from tests.app.tables import PEOPLE, seated
from tests.engine.tiny import TINY


async def drafting(house: House, open_table: OpenTable, person: str) -> None:
    """This person plays words and takes them back in an endless loop. No answer and no turn is ever completed."""
    luck = Random(person)
    for number in itertools.count():
        table = open_table.sitting.table
        seat = open_table.sitting.seat_of(person)
        assert table is not None and seat is not None
        if seat not in table.asked:
            return
        draft, back = table.drafts.get(seat, ()), table.back(seat)
        word = "dig" if not draft and table.scope else luck.choice(table.moves(seat) or [""])
        action: do.Action = do.Play(table.round, word)
        if back and back.steps == 2:
            action = do.StepBack(table.round)
        elif len(draft) == 2:
            action = do.Undo(table.round)
        try:
            done = await house.act(open_table, person, action, f"{person}-{number}")
        except Refusal as refused:
            print("refused", refused.reason, flush=True)
            continue
        print("done", open_table.sitting.saved.token, done.seq, f"{person}-{number}", flush=True)


async def main(url: str) -> None:
    found = {**engine_game.games(), **TINY}
    engine_game.games = lambda: found
    house = await House.start(Settings(database_url=url))
    lives = [await seated(house, game, 3) for game in ("dice", "dice", "digging")]
    await asyncio.gather(*[drafting(house, open_table, person) for open_table in lives for person in PEOPLE[:3]])


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
