"""Whatever has happened at a table, one person who goes on reaches its end: `python -m tests.stuck` tries many more."""

from collections import Counter

import pytest

from tests.stuck.fuzz import fuzz


@pytest.mark.no_cover
@pytest.mark.parametrize(("game", "tables"), [("raiders", 16), ("scrawl", 8), ("tomb", 6), ("dungeoneer", 5)])
def test_every_table_reaches_its_end_by_what_its_people_can_do(game: str, tables: int) -> None:
    ends = Counter(fuzz(game, seed) for seed in range(tables))
    assert ends["seated"] + ends["with the link"]
