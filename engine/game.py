"""What a game says of itself, and where games are found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from random import Random
from typing import Any, Protocol

from engine.chance import Chance
from engine.steps import Event, Move, State


def N_(text: str) -> str:
    """Marks a text for the translators; it is translated where it is shown."""
    return text


@dataclass(frozen=True)
class Choice:
    """Where seats or other choices make a difference, the same value may be there twice, in other words or in another
    place of the order."""

    value: str
    label: str
    help: str = ""
    seats: range | None = None  # numbers of seats it is for; None: all
    when: Mapping[str, str] = field(default_factory=dict)  # what the options before this one must be for it


@dataclass(frozen=True)
class Option:
    """Something to agree on before the start. The first choice that fits is the default."""

    key: str
    label: str
    choices: tuple[Choice, ...]

    def fitting(self, seats: int, chosen: Mapping[str, str] | None = None) -> list[Choice]:
        """The choices for so many seats and, where it is said what is chosen, for that."""
        return [
            choice
            for choice in self.choices
            if (choice.seats is None or seats in choice.seats)
            and (chosen is None or choice.when.items() <= chosen.items())
        ]


class Bot(Protocol):
    """Chooses from a view like anyone's (`engine.views`); it has no memory and no other way to look."""

    def __call__(self, shared: Any, own: Any, luck: Random) -> Move: ...


@dataclass(frozen=True)
class Game:
    """A plug-in. Nothing outside of its own package and its templates knows which game is played.

    `package` names the Python package whose folders `templates`, `static` and `locale`, where it has them, are the
    game's face; a game without templates gets plain buttons.
    """

    key: str
    name: str
    rules: int  # counts up whenever a log of before would play differently
    seats: range
    state: type[State]
    setup: Callable[[int, Mapping[str, str], Chance], Any]  # seats, options, chance -> state
    public: Callable[[Any], Any]  # state -> what everybody may see
    private: Callable[[Any, int], Any]  # state, seat -> what that seat knows besides
    redeal: Callable[[Any, int | None, Chance], None]  # change all that a seat (None: the public) cannot know
    package: str
    options: tuple[Option, ...] = ()
    bots: Mapping[str, Bot] = field(default_factory=dict)  # thoughtful ones, best first; `random` comes with the engine
    minutes: int = 0
    pitch: str = ""  # one sentence for the home page
    help: Callable[[Any, Any], Any] | None = None  # shared, own -> what each move would do, for the hand's template
    summary: Callable[[Any], Any] | None = None  # shared -> what the game's board and screen may say besides
    reveal_seconds: Callable[[Sequence[Event]], float] | None = None  # how long its pages play these events out
    chronicle: Callable[[Sequence[Event]], Sequence[Event]] | None = None  # a finished game as other programs read it

    def choose_options(self, chosen: Mapping[str, str], seats: int) -> dict[str, str]:
        """Every option with a value: the chosen one where it fits this number of seats and the options before it, else
        the default. An option of which no choice fits is left out.

        Raises ValueError where `chosen` names an option or a value that this game does not have.
        """
        known = {option.key: option for option in self.options}
        for key, value in chosen.items():
            if key not in known or value not in {choice.value for choice in known[key].choices}:
                raise ValueError(f"{self.key} has no option {key}={value}")
        complete: dict[str, str] = {}
        for option in self.options:
            if fitting := [choice.value for choice in option.fitting(seats, complete)]:
                wanted = chosen.get(option.key, "")
                complete[option.key] = wanted if wanted in fitting else fitting[0]
        return complete


class Unknown(LookupError):
    """No such game is installed."""


@cache
def games() -> dict[str, Game]:
    """Every installed game by its key, ours first, then by name."""
    found = [load(point) for point in entry_points(group="facedown.games")]
    found.sort(key=lambda game: (not game.package.startswith("engine.games."), game.key))
    return {game.key: game for game in found}


def load(point: EntryPoint) -> Game:
    """A plug-in that does not load stops the program: better at once than at somebody's table."""
    try:
        game = point.load()
    except Exception as error:
        error.add_note(f"while loading the game {point.name!r} from {point.value!r}")
        raise
    if not isinstance(game, Game) or game.key != point.name:
        raise TypeError(f"the entry point {point.name!r} ({point.value}) must be a Game with that key")
    return game


def find(key: str) -> Game:
    try:
        return games()[key]
    except KeyError:
        raise Unknown(f"no game {key!r} is installed; there are {', '.join(games())}") from None
