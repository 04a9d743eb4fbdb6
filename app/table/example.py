"""An example of a game, for a page that explains the game before anybody has begun it."""

from typing import Any

from engine.game import Game
from engine.proof import Deal
from engine.table import Table
from engine.views import Shared


def newly_dealt(game: Game) -> Shared[Any]:
    """What everybody sees of a new game with as many players as can play. It is always dealt alike."""
    seats = game.seats[-1]
    table, _ = Table.begin(game, seats, Deal("00" * 32, ("",) * seats))
    return table.shared()
