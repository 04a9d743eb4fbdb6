"""How long an answer takes tells nothing about it; `python -m tests.spy pace` plays many more games."""

import math

import pytest

from tests.spy.pace import correlations, paced_game


@pytest.mark.no_cover
@pytest.mark.parametrize(("game", "people"), [("raiders", 1), ("scrawl", 1), ("dungeoneer", 3)])
def test_a_pause_does_not_tell_what_an_answer_is(game: str, people: int) -> None:
    tables = [paced_game(game, seed, people) for seed in range(2)]
    found = correlations([one for table in tables for one in table.paced])
    assert not sum(table.told for table in tables), "in a window nobody sees who has handed in"
    assert {kind.partition(":")[0] for kind in found} & {"bot beside people", "window"}
    for name, (r, answers) in found.items():
        assert answers > 20 or name.startswith("bots alone"), name
        assert abs(r) < 4 / math.sqrt(answers), name
