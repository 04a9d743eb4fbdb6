"""The rules of play: no web, no clock, no disk, no database. See `docs/architecture.md`.

These are the names for authors of games. They stay as they are; `docs/adding-a-game.md` explains each of them.
Everything else in this package may change.
"""

from engine.chance import Chance
from engine.game import N_, Bot, Choice, Game, Option, Pick
from engine.steps import Ask, By, Decided, Draft, Event, Move, Result, Standing, State, Step
from engine.views import Own, Shared, StepsBack

__all__ = [
    "N_",
    "Ask",
    "Bot",
    "By",
    "Chance",
    "Choice",
    "Decided",
    "Draft",
    "Event",
    "Game",
    "Move",
    "Option",
    "Own",
    "Pick",
    "Result",
    "Shared",
    "Standing",
    "State",
    "Step",
    "StepsBack",
]
