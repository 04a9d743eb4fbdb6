"""The numbers of seats and the options with which a game is checked."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from engine.game import Choice, Game, Option
from engine.steps import Event
from engine.table import Table
from engine.testing.moves import deal


class GameSetting(NamedTuple):
    game: Game
    seats: int
    options: dict[str, str]

    def __str__(self) -> str:
        return "-".join([self.game.key, str(self.seats), *self.options.values()])

    def begin(self, seed: int) -> tuple[Table, list[Event]]:
        return Table.begin(self.game, self.seats, deal(self.seats, seed), self.options)


def game_settings(game: Game) -> Iterator[GameSetting]:
    """Every number of seats once, every choice of every option with some number of seats, and one pick of each."""
    luck = Random(game.key)
    for seats in game.seats:
        yield GameSetting(game, seats, game.choose_options({}, seats))
    for option in game.options:
        for choice in option.choices:
            if found := ways_to_choose(game, option, choice):
                seats, chosen = luck.choice(found)
                if chosen != game.choose_options({}, seats):
                    yield GameSetting(game, seats, chosen)
        if option.pick:
            seats, number = luck.choice(sorted(option.pick.number.items()))
            picked = luck.sample([member.value for member in option.pick.members], number)
            yield GameSetting(game, seats, game.choose_options({option.key: "+".join(picked)}, seats))


def ways_to_choose(game: Game, option: Option, choice: Choice) -> list[tuple[int, dict[str, str]]]:
    """The numbers of seats and the options with which this choice can be made."""
    found = []
    for seats in game.seats:
        chosen = game.choose_options({**choice.when, option.key: choice.value}, seats)
        if choice in option.fitting(seats, chosen) and chosen[option.key] == choice.value:
            found.append((seats, chosen))
    return found
