"""A table's progress is an agenda of steps. A step either does something or asks for answers."""

from functools import cache
from typing import Any, ClassVar, Generic, Literal, Self

import msgspec
from msgspec import Struct, field
from typing_extensions import TypeVar

from engine.chance import Chance
from engine.renamed import refuse_old_names

Move = str  # one or a few words separated by spaces: "5", "step C3"
Draft = tuple[Move, ...]  # a seat's answer so far; usually one move
By = Literal["player", "time", "bot"]  # who made a move; "time": the seat's time ran out


def snake(name: str) -> str:
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


class Event(Struct, frozen=True, gc=False, tag_field="kind", tag=snake):
    """Something that happened, for everybody: the log, the pages' animation, other programs.

    Events are emitted, not kept in the state. What only one seat may know is never an event: it belongs in `private`.
    No field may be called `kind` or `game`: files with many games add these fields to each event.
    """


class Decided(Event, frozen=True):
    """A round of answers with the whole position before and after it, for games that tell their position. `answers` has
    those that are not revealed, too. It follows the effects."""

    round: int
    asks: str
    answers: dict[int, tuple[str, ...]]
    before: Any
    after: Any


class Standing(Struct, frozen=True):
    seat: int
    place: int  # 1 is best; shared places are equal
    score: dict[str, int]
    why: str = ""  # the game's word for what decided this place


class Result(Event, frozen=True):
    winners: tuple[int, ...]
    standings: tuple[Standing, ...]  # best first


StepState = TypeVar("StepState", bound="State", contravariant=True, default=Any)  # the state that a step is for


class Step(Struct, Generic[StepState], frozen=True, gc=False, tag=True):
    """A section of the rulebook, for the game's own state: `class Deal(Step["Poker"], frozen=True)`. Its class name and
    fields are the stored format: renaming one needs a new rules version."""

    asks: ClassVar[bool] = False

    def do(self, g: StepState) -> None:
        raise NotImplementedError(type(self).__name__)


class Ask(Step[StepState], frozen=True, tag=True):
    """A step that waits for answers. One seat is a turn; several are a sealed round, revealed when all are in."""

    asks: ClassVar[bool] = True
    hush: ClassVar[bool] = False  # hide whom the table waits for (response windows)
    # Do not ask a single seat that can give one answer only: take that answer. Everybody then knows that it had no
    # choice, so this is for asks whose options follow from public facts.
    forced: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        refuse_old_names("Ask", f"the step {cls.__name__}", vars(cls))

    def who(self, g: StepState) -> list[int]:
        """The seats that must answer; each must have at least one option. Pure, and from public facts only. The result
        must not change until the reveal, even after any-time moves."""
        raise NotImplementedError

    def scope(self, g: StepState) -> str:
        """What this ask is a part of, such as a turn or a battle: consecutive asks with the same text belong together.
        From public facts only; it must not change until the reveal. Empty: the ask stands alone.

        Clocks, pauses of bots and what pages tell go by scope. Within a scope a player can take back steps."""
        return ""

    def options(self, g: StepState, seat: int, draft: Draft) -> list[Move]:
        """The words that may come next. Pure, without randomness. Never empty while `unfinished` is true. No word may
        also be an any-time move."""
        raise NotImplementedError

    def unfinished(self, g: StepState, seat: int, draft: Draft) -> bool:
        """Whether this draft needs another word before it can be handed in."""
        return not draft

    def take(self, g: StepState, answers: dict[int, Draft]) -> None:
        """Carry out the reveal, with all answers in seat order."""
        raise NotImplementedError

    def default(self, g: StepState, seat: int, draft: Draft) -> Move:
        """The fallback for the next word; repeated calls must complete any draft. When a seat's time runs out, its
        lifted card is played if `frugal` has it. Otherwise the seat's bot chooses among those words, or the game's best
        bot if the seat has none. The fallback is used only if that bot fails or chooses another move."""
        return self.options(g, seat, draft)[0]

    def frugal(self, g: StepState, seat: int, draft: Draft) -> list[Move]:
        """Those of the options that may be played when this seat's time runs out; the default is one of them. None uses
        up what its player could keep, such as a potion or a key."""
        return self.options(g, seat, draft)

    def heeds(self, g: StepState, seat: int, order: str) -> bool:
        """Whether a seat with this standing order (`Game.orders`) wants to be asked. Only a hushed ask may say no: the
        table then answers with the default, as it does for a seat that has only one option."""
        return True

    def kept(self, word: Move) -> bool:
        """Whether this word of an answer stays secret after the reveal, until the end of the game. Such words must come
        last in a draft, because the log records an answer's open words first and publishes the rest with the seed."""
        return False

    def opens(self, g: StepState, answers: dict[int, Draft]) -> list[int]:
        """The seats whose answers are revealed. Only a hushed ask may leave some out. Those are discarded unread, so
        the choice must depend on the revealed answers alone: "the first in turn order who does not pass, and all
        before them"."""
        return list(answers)


class State(Struct):
    """The fields that every game's state has: the agenda, the random stream, and the result at the end."""

    todo: list[Any]  # the agenda, next step last; a game declares its own union of steps
    chance: Chance
    told: list[Any] = field(default_factory=list)  # cleared by the table after each move, never saved
    result: Result | None = None
    made: dict[int, By] = field(default_factory=dict)  # for `made_by`; set and cleared by the table, never saved
    uncovered: str = ""  # by the move that is taking effect; cleared by the table, never saved

    def next(self, *steps: Step[Self]) -> None:
        """Put these steps, in this order, before the rest of the agenda."""
        self.todo.extend(reversed(steps))

    def tell(self, event: Event) -> None:
        self.told.append(event)

    def made_by(self, seat: int) -> By:
        """Who made the move of this seat that is taking effect. For an answer, who said its last word."""
        return self.made.get(seat, "player")

    def uncover(self, why: str) -> None:
        """To be called when a player learns something that was hidden, such as a card that is turned up. The move that
        is taking effect, and all before it, can then no longer be taken back. `why`, a text marked with `N_`, tells
        players the reason: "a card has been turned up". Random numbers that a move uses need no call."""
        self.uncovered = why

    def finish(self, result: Result) -> None:
        self.todo.clear()
        self.result = result
        self.tell(result)

    def anytime(self, seat: int) -> list[Move]:
        """Moves that this seat may make at any time, asked or not. They take effect at once and ask nothing. They
        leave the agenda unchanged or finish the game."""
        return []

    def take_anytime(self, seat: int, move: Move) -> None:
        raise NotImplementedError

    def run(self) -> list[int]:
        """Run steps until one asks. Return the seats that must answer; empty when the game is over."""
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
    """A deep copy."""
    same: S = decoder(type(state)).decode(encode(state))
    return same
