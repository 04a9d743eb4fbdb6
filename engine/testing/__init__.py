"""For tests of games: checks that every game must pass, tables in any position, and moves on them.

    import pytest
    from engine.testing import GameCheck, checks
    from poker import game

    @pytest.mark.parametrize("check", checks(game), ids=str)
    def test_what_every_game_must_do(check: GameCheck) -> None:
        check()

It needs no test framework: a check raises `CheckFailed`, an AssertionError. `check_game(game)` runs all of them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from random import Random

from engine.bots import bots_of
from engine.game import Game
from engine.move_error import MoveError
from engine.table import Table
from engine.testing import requirements as every
from engine.testing.failed import CheckFailed
from engine.testing.futures import check_telling
from engine.testing.game_settings import GameSetting, game_settings
from engine.testing.moves import (
    deal,
    make_moves,
    move_at_random,
    new_table,
    play_at_random,
    play_defaults,
    table_at,
    whole_log,
)
from engine.testing.steps_back import check_stepping_back

__all__ = [
    "CheckFailed",
    "GameCheck",
    "GameSetting",
    "MoveError",
    "Table",
    "check_game",
    "checks",
    "deal",
    "game_settings",
    "make_moves",
    "move_at_random",
    "new_table",
    "play_at_random",
    "play_defaults",
    "table_at",
    "whole_log",
]

IN_EVERY_SETTING = (
    every.check_moves,
    every.check_secrets,
    every.check_saving,
    every.check_replay,
    every.check_defaults,
    every.check_leaving,
    check_stepping_back,
    check_telling,
)


@dataclass(frozen=True)
class GameCheck:
    """One thing that a game must do. Call it; its text says what is checked, and with which seats, options and seed."""

    name: str
    run: Callable[[], object]

    def __call__(self) -> None:
        """Raise CheckFailed if the game does not do it, or raises an exception."""
        try:
            self.run()
        except CheckFailed as error:
            raise CheckFailed(f"{self}: {error}") from error.__cause__
        except Exception as error:
            raise CheckFailed(f"{self}: the game raised {type(error).__name__}: {error}") from error

    def __str__(self) -> str:
        return self.name


def checks(game: Game, games: int = 1) -> list[GameCheck]:
    """All checks of a game. Each check plays a game of its own, for every number of seats and every choice of every
    option; `games` says how many."""
    return [GameCheck(f"{game.key}-description", partial(every.check_description, game)), *played(game, games)]


def played(game: Game, games: int) -> Iterator[GameCheck]:
    known, luck = list(game_settings(game)), Random(game.key)
    for seed in range(1, games + 1):
        for check in IN_EVERY_SETTING:
            name = check.__name__.removeprefix("check_")
            for setting in known:
                yield GameCheck(f"{setting}-{name}-{seed}", partial(check, setting, seed))
        for name in bots_of(game):
            setting = luck.choice(known)
            yield GameCheck(f"{setting}-bot-{name}-{seed}", partial(every.check_bot, setting, name, seed))


def check_game(game: Game, games: int = 1) -> None:
    """Run all checks of a game."""
    for check in checks(game, games):
        check()
