"""What every game must do, asked of each that is installed, with every number of seats and every choice."""

import pytest

from engine.game import games
from engine.testing import GameCheck, checks

pytestmark = pytest.mark.no_cover


@pytest.mark.parametrize("check", [check for game in games().values() for check in checks(game)], ids=str)
def test_what_every_game_must_do(check: GameCheck) -> None:
    check()
