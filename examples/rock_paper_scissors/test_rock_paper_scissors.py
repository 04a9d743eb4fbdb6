import pytest
from rock_paper_scissors import game

from app.testing import page_checks
from engine.testing import GameCheck, checks


@pytest.mark.parametrize("check", [*checks(game), *page_checks(game)], ids=str)
def test_what_every_game_must_do(check: GameCheck) -> None:
    check()
