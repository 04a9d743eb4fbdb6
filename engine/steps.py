"""Where a table stands is an agenda of steps; a step either does something or asks."""

from functools import cache
from typing import Any, ClassVar, Literal, TypeVar

import msgspec
from msgspec import Struct, field

from engine.chance import Chance

Move = str  # one word, or a few with blanks between: "5", "lift C3"
Draft = tuple[Move, ...]  # a seat's answer so far; usually one word
By = Literal["player", "time", "bot"]  # who made a move; "time": the seat's time was up


def snake(name: str) -> str:
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


class Event(Struct, frozen=True, gc=False, tag_field="kind", tag=snake):
    """Something that happened, for everybody: the log, the pages' animation, other programs.

    Events are told, not kept in the state. What only one seat may know is never an event: it belongs in `private`.
    `kind` and `game` are no names for their fields: files of many games put these in front.
    """


class Standing(Struct, frozen=True):
    seat: int
    place: int  # 1 is best; shared places are equal
    score: dict[str, int]
    why: str = ""  # a word of the game's: what decided this place


class Result(Event, frozen=True):
    winners: tuple[int, ...]
    standings: tuple[Standing, ...]  # best first


class Step(Struct, frozen=True, gc=False, tag=True):
    """A heading of the rulebook. Its class name and its fields are the saved format: renaming one needs a new
    rules version."""

    asks: ClassVar[bool] = False

    def do(self, g: Any) -> None:
        raise NotImplementedError(type(self).__name__)


class Ask(Step, frozen=True, tag=True):
    """Something that the rules wait for. One seat: a turn. Several: a sealed round, revealed when the last is in."""

    asks: ClassVar[bool] = True
    hush: ClassVar[bool] = False  # nobody is told whom the table waits for (response windows)

    def who(self, g: Any) -> list[int]:
        """The seats that must answer, each with at least one word to say. Pure, from public facts only, and the same
        until the reveal, whatever any-time moves come."""
        raise NotImplementedError

    def options(self, g: Any, seat: int, draft: Draft) -> list[Move]:
        """The words that may come next. Pure, without chance; never empty while `more` is true, and none of them an
        any-time move too."""
        raise NotImplementedError

    def more(self, g: Any, seat: int, draft: Draft) -> bool:
        """Does this draft need another word before it is handed in?"""
        return not draft

    def take(self, g: Any, answers: dict[int, Draft]) -> None:
        """The reveal: all answers, in seat order."""
        raise NotImplementedError

    def default(self, g: Any, seat: int, draft: Draft) -> Move:
        """The next word for a seat that nobody and no bot plays; word by word it completes any draft. When a seat's
        time is up, a lifted card is played if it is legal, else the seat's bot chooses, or the game's best where the
        seat has none. This is played only where that bot fails or chooses what is not legal."""
        return self.options(g, seat, draft)[0]

    def kept(self, word: Move) -> bool:
        """Does this word of an answer stay closed at the reveal, until the end of the game? Such words come last in a
        draft: the log holds an answer's open words first and opens the rest with the seed."""
        return False

    def opens(self, g: Any, answers: dict[int, Draft]) -> list[int]:
        """Whose answers the reveal turns up; only a hushed ask may leave some. Those go back unopened and unknown, so
        it must follow from the opened ones alone: "the first in turn order who does not pass, and all before them"."""
        return list(answers)


class State(Struct):
    """What a game's state holds whatever the game: the agenda, chance, and the result once there is one."""

    todo: list[Any]  # a game says which steps, as a union of its own; the nearest is last
    chance: Chance
    told: list[Any] = field(default_factory=list)  # emptied by the table after each move, never saved
    result: Result | None = None
    made: dict[int, By] = field(default_factory=dict)  # for `made_by`; filled and emptied by the table, never saved

    def next(self, *steps: Step) -> None:
        """These come next, in this order, before what was there."""
        self.todo.extend(reversed(steps))

    def tell(self, event: Event) -> None:
        self.told.append(event)

    def made_by(self, seat: int) -> By:
        """Who made this seat's move, while it takes effect: of an answer, who said its last word."""
        return self.made.get(seat, "player")

    def finish(self, result: Result) -> None:
        self.todo.clear()
        self.result = result
        self.tell(result)

    def anytime(self, seat: int) -> list[Move]:
        """Moves that this seat may make whoever is asked; they take effect at once, ask nothing and leave the agenda
        as it is, or finish the game."""
        return []

    def take_anytime(self, seat: int, move: Move) -> None:
        raise NotImplementedError

    def run(self) -> list[int]:
        """Do what needs no choice until somebody must choose: those who must."""
        while self.todo:
            step = self.todo[-1]
            if step.asks:
                if who := step.who(self):
                    return sorted(who)
                self.todo.pop()
                step.take(self, {})
            else:
                self.todo.pop().do(self)
        return []


S = TypeVar("S", bound=State)
encode = msgspec.msgpack.Encoder().encode


@cache
def decoder(state: type[State]) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(state)


def copied(state: S) -> S:
    """The same once more, sharing nothing."""
    same: S = decoder(type(state)).decode(encode(state))
    return same
