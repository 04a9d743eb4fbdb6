"""Scrawler."""

from random import Random

from engine.steps import Move
from engine.views import Own, Shared


def scrawler(shared: Shared, own: Own, luck: Random) -> Move:
    return luck.choice(own.moves)
