"""Every mode, with every number of seats and every choice: what tests go through."""

from engine.games.raiders import game

Options = dict[str, str]
Setting = tuple[int, Options]  # seats and all options

SECOND: list[Setting] = [
    (seats, {"edition": "second", "play": play}) for seats in (3, 4, 5) for play in ("sealed", "open")
]
FIRST: list[Setting] = [
    (seats, {"edition": "first", "play": play}) for seats in (3, 4, 5) for play in ("open", "sealed")
]
DUEL: list[Setting] = [(2, {"edition": "first", "play": play}) for play in ("open", "sealed")]
SOLO: list[Setting] = [(1, {"edition": "first", "difficulty": n}) for n in "2345"]
ALL = SECOND + FIRST + DUEL + SOLO

assert all(game.choose_options(options, seats) == options for seats, options in ALL)


def named(setting: object) -> str:
    if isinstance(setting, tuple):
        seats, options = setting
        return "-".join([*options.values(), str(seats)])
    return str(setting)
