import pytest

from engine import game
from tests.engine.tiny import TINY


@pytest.fixture
def tiny_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaces the installed games by the tiny games."""
    monkeypatch.setattr(game, "games", lambda: TINY)
