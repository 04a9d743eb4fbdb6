"""Bots choose from views, as anybody does. This is all that is common to them."""

from random import Random

from engine.game import Bot, Game
from engine.steps import Move
from engine.table import Table
from engine.views import Own, Shared

LIGHTLY = 0.05  # how often the random bot makes an any-time move when it has one


def at_random(shared: Shared, own: Own, luck: Random) -> Move:
    """Any legal word, each as likely; now and then an any-time move."""
    if own.anytime and (not own.moves or luck.random() < LIGHTLY):
        return luck.choice(own.anytime)
    return luck.choice(own.moves)


def bots(game: Game) -> dict[str, Bot]:
    """All bots of a game by name, the best first."""
    return {**game.bots, "random": at_random}


def choose(table: Table, seat: int, bot: Bot, luck: Random) -> Move:
    """The bot's next word for this seat; the table must be waiting for the seat."""
    return bot(table.shared(), table.own(seat), luck)
