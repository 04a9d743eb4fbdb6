"""Games of a server in this process, spied upon at random moments by players, spectators and newcomers."""

import logging
import random
import tempfile
import time
from collections import Counter

import structlog

from app.settings import Settings
from app.table import actions as do
from engine.game import games
from tests.app.tables import until
from tests.app.web.conftest import Guest, running
from tests.spy.spying import Played, begun, compare, play_on

MOMENTS = 2  # of each game, at which viewers are compared
LONGEST = 120  # random moves from one moment to the next


async def spy(keys: list[str], number: int, minutes: float, seed: int) -> Counter[str]:
    """Play games of each kind until there are so many or the time is over. Returns how many games, moments and
    comparisons of viewers there were; raises AssertionError at the first difference."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    counts: Counter[str] = Counter()
    end = time.monotonic() + 60 * minutes
    with tempfile.TemporaryDirectory() as folder:
        plenty = 10_000_000
        settings = Settings(
            data_dir=folder, bot_pause=0.0, limit_actions=plenty, limit_requests=plenty, limit_tables=plenty,
            away_seconds=1e6,
        )  # fmt: skip
        for n in range(number):
            async with running(settings) as web:
                for key in keys:
                    if time.monotonic() > end:
                        return counts
                    luck = random.Random(f"{seed} {key} {n}")
                    options = {option.key: luck.choice(option.choices).value for option in games()[key].options}
                    table = await begun(web, key, luck.choice([2, 3, 4, 4]), **options)
                    counts[f"{key} games"] += 1
                    for _ in range(MOMENTS):
                        await play_on(table, luck, luck.randrange(LONGEST))
                        try:
                            counts[f"{key} comparisons"] += await spy_on(table, luck)
                        except AssertionError as error:
                            error.add_note(f"{key}, game {n} of seed {seed}")
                            raise
                    for guest in web.clients:
                        await guest.aclose()
                    web.clients.clear()
    return counts


async def spy_on(table: Played, luck: random.Random) -> int:
    """Compare a seat, a spectator and, now and then, a newcomer. Returns how many."""
    await compare(table, luck.randrange(len(table.people)), luck)
    await compare(table, None, luck)
    free, picture = len(table.people) - 1, table.open_table.picture
    if picture.card.phase != "playing" or free == 0 or luck.random() < 0.5:
        return 2
    eve = Guest(table.web, "Eve")
    house = table.web.site.house
    held = picture.holders(free)[0]
    await house.act(table.open_table, held, do.Leave())
    await eve.sit(table.path, seat=str(free))
    await until(
        table.open_table, lambda: not (table.open_table.picture.bots_to_move or table.open_table.sitting.spared())
    )
    compared = 2
    if table.open_table.picture.card.seats[free].newcomer:  # nothing was revealed meanwhile
        await compare(table, None, luck, eve)
        compared += 1
    await eve.act(table.path, do="leave")
    if table.open_table.picture.card.phase == "playing":  # bots may have played to the end
        await house.act(table.open_table, held, do.Sit("Back", free))
    return compared
