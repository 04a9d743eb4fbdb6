import pytest

from engine import game
from tests.engine.tiny import TINY


@pytest.fixture
def tiny_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny games stand in for the installed ones."""
    monkeypatch.setattr(game, "games", lambda: TINY)
