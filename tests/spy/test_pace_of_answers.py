"""How long an answer takes tells nothing about it; `python -m tests.spy pace` plays many more games."""

import math

import pytest

from app.house.bot_runner import LATE
from tests.spy.pace import correlations, paced_game


@pytest.mark.no_cover
@pytest.mark.parametrize(("game", "people"), [("raiders", 1), ("scrawl", 1), ("dungeoneer", 3)])
def test_a_pause_does_not_tell_what_an_answer_is(game: str, people: int) -> None:
    tables = [paced_game(game, seed, people) for seed in range(2)]
    found = correlations([one for table in tables for one in table.paced])
    assert not sum(table.told for table in tables), "in a window nobody sees who has handed in"
    assert {one.default for table in tables for one in table.paced} == {True, False}, "bots play what they choose"
    assert {kind.partition(":")[0] for kind in found} & {"bot beside people", "window"}
    for name, (r, answers) in found.items():
        assert answers > 20 or name.startswith("bots alone"), name
        assert abs(r) < 4 / math.sqrt(answers), name


@pytest.mark.no_cover
def test_a_bot_that_thinks_for_long_plays_at_fixed_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.house.bot_runner.SHORTLY", (1.0, 1.0))
    monkeypatch.setattr("app.house.bot_runner.MARGIN", 0.0)  # pauses do not follow
    table = paced_game("scrawl", 1, thinks=0.3)
    delays = {round(one.delay, 3) for one in table.paced if one.kind == "bot beside people"}
    assert len({one.words for one in table.paced}) > 2 and 1.0 + LATE in delays
    assert all((delay - 1.0) % LATE == 0 for delay in delays), delays
