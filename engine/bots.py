"""What all bots share. A bot chooses from the same views that a player sees."""

from random import Random

from engine.game import Bot, Game
from engine.steps import Move
from engine.table import Table
from engine.views import Own, Shared

LIGHTLY = 0.05  # probability that the random bot makes an any-time move when it has one


def at_random(shared: Shared, own: Own, luck: Random) -> Move:
    """A uniformly random legal word, or sometimes a random any-time move."""
    if own.anytime and (not own.moves or luck.random() < LIGHTLY):
        return luck.choice(own.anytime)
    return luck.choice(own.moves)


def bots_of(game: Game) -> dict[str, Bot]:
    """All bots of a game by name, best first."""
    return {**game.bots, "random": at_random}


def usual_bot(game: Game) -> str:
    """The bot of a seat for which nobody has chosen one: of the game's own bots the middle one."""
    own = list(game.bots) or list(bots_of(game))
    return own[len(own) // 2]


def choose_move(table: Table, seat: int, bot: Bot, luck: Random) -> Move:
    """Return the bot's next word for this seat. The table must be waiting for the seat."""
    return bot(table.shared(), table.own(seat), luck)
