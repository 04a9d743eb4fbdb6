"""How a game describes itself, and how installed games are found."""

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from random import Random
from typing import Any, Generic, NamedTuple, Protocol, Self

from typing_extensions import TypeVar

from engine.chance import Chance
from engine.renamed import refuse_old_names
from engine.steps import Event, Move, State
from engine.views import Own, PrivateView, PublicView, Shared

ENGINE, PYTHON = Path(__file__).parent, Path(traceback.__file__).parent
GameState = TypeVar("GameState", bound=State, default=Any)


def N_(text: str) -> str:
    """Mark a text for translation. It is translated where it is shown."""
    return text


@dataclass(frozen=True)
class Choice:
    """One value of an option. A value may occur twice, with another label or position for other seats or choices."""

    value: str
    label: str
    hint: str = ""
    seats: range | None = None  # numbers of seats it is available for; None: all
    when: Mapping[str, str] = field(default_factory=dict)  # required values of earlier options
    suggested: str = ""  # why the lobby suggests it, as the end of a sentence; "": it does not
    icon: str = ""  # of the game's icons; shown for the members of a `Pick`

    def __new__(cls, *args: Any, **fields: Any) -> Self:
        refuse_old_names("Choice", "a choice of an option", fields)
        return super().__new__(cls)


PLUS = "+"


class WrongPick(ValueError):
    """Members of a pick were named, but too few, too many, or one twice."""


@dataclass(frozen=True)
class Pick:
    """Some of many, as a further value of an option: the values of the picked members, joined by `+`."""

    label: str
    members: tuple[Choice, ...]
    number: Mapping[int, int]  # how many are picked, by number of seats

    def __post_init__(self) -> None:
        values = [member.value for member in self.members]
        if len(set(values)) < len(values) or any(PLUS in value for value in values):
            raise ValueError(f"members of a pick are different and without {PLUS}: {', '.join(values)}")
        if not all(0 < number <= len(values) for number in self.number.values()):
            raise ValueError(f"of {', '.join(values)} nobody can {self.told()}")

    def read(self, value: str) -> tuple[str, ...] | None:
        """The picked members in their order; None if the value names anything else. Raises WrongPick if this number of
        members never fits."""
        named = value.split(PLUS) if value else []
        found = tuple(member.value for member in self.members if member.value in named)
        if not set(named) <= set(found):
            return None
        if len(named) != len(found) or len(found) not in self.number.values():
            raise WrongPick(f"{self.told()}, not {value}")
        return found

    def told(self) -> str:
        numbers = ", ".join(f"{many} with {seats} seats" for seats, many in sorted(self.number.items()))
        return f"pick {numbers}, each once"


@dataclass(frozen=True)
class Option:
    """A setting chosen before the start. The first choice that fits is the default.

    `before`: for an option that is younger than recorded games of these rules, the value with which those were played.
    Their logs lack the option, and `setup`, called without it, must do the same as with this value.

    `pick`: besides the choices, players may pick some of many.
    """

    key: str
    label: str
    choices: tuple[Choice, ...]
    before: str = ""
    pick: Pick | None = None

    def fitting(self, seats: int, chosen: Mapping[str, str] | None = None) -> list[Choice]:
        """Choices available for this number of seats and, if `chosen` is given, for those values of other options."""
        return [
            choice
            for choice in self.choices
            if (choice.seats is None or seats in choice.seats)
            and (chosen is None or choice.when.items() <= chosen.items())
        ]

    def picked(self, value: str) -> tuple[str, ...] | None:
        """The members that this value picks; None if it is no pick. Raises WrongPick."""
        if self.pick is None or value in [choice.value for choice in self.choices]:
            return None
        return self.pick.read(value)

    def fits(self, value: str, seats: int, chosen: Mapping[str, str]) -> str | None:
        """The value as it is stored; None if it does not fit this number of seats and those values of other options."""
        if picked := self.picked(value):
            assert self.pick is not None
            return PLUS.join(picked) if self.pick.number.get(seats) == len(picked) else None
        return value if value in [choice.value for choice in self.fitting(seats, chosen)] else None


MOST_SEATS = 12  # of a table; the pages have a colour for each


class Bot(Protocol[PublicView, PrivateView]):
    """Chooses from a player's views (`engine.views`). It keeps no state and gets nothing else."""

    def __call__(self, shared: Shared[PublicView], own: Own[PrivateView], luck: Random) -> Move: ...


@dataclass(frozen=True)
class Game(Generic[GameState, PublicView, PrivateView]):
    """A plug-in. No code outside its package and templates depends on the game.

    `package` names the Python package whose optional folders `templates`, `static` and `locale` hold the game's user
    interface. A game without templates gets plain buttons.
    """

    key: str
    name: str
    rules: int  # version; increased whenever an old log would replay differently
    seats: range
    state: type[GameState]
    setup: Callable[[int, Mapping[str, str], Chance], GameState]  # seats, options, chance -> state
    public: Callable[[GameState], PublicView]  # state -> what everybody may see
    private: Callable[[GameState, int], PrivateView]  # state, seat -> what only that seat may see
    # randomise all that a seat (None: the public) cannot know
    shuffle_unknown: Callable[[GameState, int | None, Chance], None]
    package: str
    options: tuple[Option, ...] = ()
    orders: tuple[Choice, ...] = ()  # standing orders that a player can give, the default first; see `Ask.heeds`
    # the game's own, best first; the engine adds `random`
    bots: Mapping[str, Bot[PublicView, PrivateView]] = field(default_factory=dict)
    minutes: int = 0
    listed: bool = True  # False: pages do not offer it yet; programs and `facedown dev` can open it
    pitch: str = ""  # one sentence for the home page
    picture: str = ""  # for the home page: a file in `static`
    # what each move would do, for own templates
    forecast: Callable[[Shared[PublicView], Own[PrivateView]], Any] | None = None
    summary: Callable[[Shared[PublicView]], Any] | None = None  # additional data for the board and screen templates
    # events of a reveal as templates get them, options -> the names of its beats; see `engine.beats`
    beats: Callable[[Sequence[Mapping[str, Any]], Mapping[str, str]], Sequence[str]] | None = None
    chronicle: Callable[[Sequence[Event]], Sequence[Event]] | None = None  # a finished game's events, for `simulate`
    whole: Callable[[GameState], Any] | None = None  # state -> all of it, secrets included, for `simulate`
    # plain data of a file, seats -> the state of this position; raises ValueError
    position: Callable[[Mapping[str, Any], int], GameState] | None = None

    def __new__(cls, *args: Any, **fields: Any) -> Self:
        refuse_old_names("Game", f"the game {fields.get('key')}", fields)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        if not self.seats or min(self.seats) < 1 or max(self.seats) > MOST_SEATS:
            numbers = f"{min(self.seats)} to {max(self.seats)} seats" if self.seats else "no number of seats"
            raise ValueError(f"the game {self.key} is for {numbers}; a table has 1 to {MOST_SEATS}")

    def choose_options(self, chosen: Mapping[str, str], seats: int) -> dict[str, str]:
        """Give every option a value: the chosen one if it fits the number of seats and the earlier options, else the
        default. An option without a fitting choice is left out.

        Raises ValueError if `chosen` names an option or a value that this game does not have; WrongPick, which is one,
        if it picks a number of members that never fits.
        """
        known = {option.key: option for option in self.options}
        for key, value in chosen.items():
            option = known.get(key)
            if not option or not (option.picked(value) or value in {choice.value for choice in option.choices}):
                raise ValueError(f"{self.key} has no option {key}={value}")
        complete: dict[str, str] = {}
        for option in self.options:
            if fitting := option.fitting(seats, complete):
                wanted = option.fits(chosen[option.key], seats, complete) if option.key in chosen else None
                complete[option.key] = fitting[0].value if wanted is None else wanted
        return complete

    def check_picks(self, chosen: Mapping[str, str], seats: int) -> None:
        """Raises WrongPick if one of these values of options picks too few or too many for this number of seats."""
        for option in self.options:
            picked = option.picked(chosen[option.key]) if option.key in chosen else None
            if option.pick and picked and option.pick.number.get(seats) != len(picked):
                raise WrongPick(f"{option.pick.told()}, not {len(picked)}")

    def with_later_options(self, recorded: Mapping[str, str]) -> dict[str, str]:
        """A log's options, and those that are younger than the log."""
        later = {option.key: option.before for option in self.options if option.before}
        return {**later, **recorded}


class UnknownGame(LookupError):
    """No such game is installed."""


class BrokenGame(UnknownGame):
    """The game is installed, but cannot be loaded."""


class Installed(NamedTuple):
    games: dict[str, Game]
    left_out: dict[str, str]  # by key: why the game cannot be loaded


def games() -> dict[str, Game]:
    """Every installed game by its key: first the games of this package, then the others, short games first. Those that
    cannot be loaded are left out."""
    return installed().games


def left_out() -> dict[str, str]:
    """The installed games that cannot be loaded, and why."""
    return installed().left_out


@cache
def installed() -> Installed:
    found, broken = list[Game](), dict[str, str]()
    for point in entry_points(group="facedown.games"):
        try:
            found.append(load(point))
        except (Exception, SystemExit) as error:
            broken[point.name] = reason(error)
    found.sort(key=lambda game: (not game.package.startswith("engine.games."), game.minutes, game.key))
    return Installed({game.key: game for game in found}, broken)


def reason(error: BaseException) -> str:
    """What went wrong while a game was loaded, and in which line."""
    said = f"{type(error).__name__}: {error}".rstrip(": ")
    if isinstance(error, SyntaxError):
        return said  # with file and line
    lines = [line for line in traceback.extract_tb(error.__traceback__) if is_theirs(Path(line.filename))]
    return f"{said} ({lines[-1].filename}:{lines[-1].lineno})" if lines else said


def is_theirs(file: Path) -> bool:
    """Whether this is a file of a game or of a package that it uses, and not of the engine or of Python."""
    if file.name.startswith("<") or file.parent == ENGINE:
        return False
    return not file.is_relative_to(PYTHON) or "site-packages" in file.parts


def load(point: EntryPoint) -> Game:
    """Load a plug-in."""
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
        if why := left_out().get(key):
            raise BrokenGame(f"the game {key!r} cannot be loaded: {why}") from None
        raise UnknownGame(f"no game {key!r} is installed; there are {', '.join(games())}") from None
