"""A tiny game of turns with several steps, which can be taken back until something hidden comes to light."""

from typing import Any

from msgspec import field

from engine.chance import Chance
from engine.game import N_, Game
from engine.steps import Ask, Draft, Event, Move, State, Step
from tests.engine.scores import rank

STEPS = 4  # in a turn
TURNED = N_("a card has been turned up")


class Dug(Event, frozen=True):
    seat: int
    how: str
    points: int


class Dig(Ask["Digging"], frozen=True):
    """Dig here or there, turn up a card, roll a die, ask the next seat, let all vote, or end the turn."""

    forced = True
    seat: int

    def who(self, g: "Digging") -> list[int]:
        return [self.seat]

    def scope(self, g: "Digging") -> str:
        return f"turn {g.turn}"

    def options(self, g: "Digging", seat: int, draft: Draft) -> list[Move]:
        if draft:
            return ["here", "there"]
        more = [] if g.steps == STEPS else ["dig", "roll", "ask", "vote", *(["turn"] if g.deck else [])]
        return [*more, "end"]

    def unfinished(self, g: "Digging", seat: int, draft: Draft) -> bool:
        return draft in ((), ("dig",))

    def default(self, g: "Digging", seat: int, draft: Draft) -> Move:
        return self.options(g, seat, draft)[-1]

    def take(self, g: "Digging", answers: dict[int, Draft]) -> None:
        word, *where = answers[self.seat]
        g.steps += 1
        if word == "end":
            g.next(EndTurn())
            return
        g.next(Dig(self.seat))
        if word == "dig":
            g.gain(self.seat, where[0], 1 if where == ["here"] else 2)
        elif word == "turn":
            g.uncover(TURNED)
            g.gain(self.seat, word, g.deck.pop())
        elif word == "roll":
            g.gain(self.seat, word, 1 + g.chance.below(6))
        elif word == "ask":
            g.next(Reply((self.seat + 1) % g.seats))
        else:
            g.next(Vote())


class Reply(Ask["Digging"], frozen=True):
    """Another seat answers in the same turn."""

    seat: int

    def who(self, g: "Digging") -> list[int]:
        return [self.seat]

    def scope(self, g: "Digging") -> str:
        return f"turn {g.turn}"

    def options(self, g: "Digging", seat: int, draft: Draft) -> list[Move]:
        return ["yes", "no"]

    def take(self, g: "Digging", answers: dict[int, Draft]) -> None:
        (answer,) = answers[self.seat]
        g.gain(self.seat, answer, 1)


class Vote(Ask["Digging"], frozen=True):
    """All seats answer together in the same turn."""

    def who(self, g: "Digging") -> list[int]:
        return list(range(g.seats))

    def scope(self, g: "Digging") -> str:
        return f"turn {g.turn}"

    def options(self, g: "Digging", seat: int, draft: Draft) -> list[Move]:
        return ["yes", "no"]

    def take(self, g: "Digging", answers: dict[int, Draft]) -> None:
        for seat, (answer,) in answers.items():
            g.gain(seat, answer, 1)


class EndTurn(Step["Digging"], frozen=True):
    """The next seat's turn; the game ends after two turns of each."""

    def do(self, g: "Digging") -> None:
        g.turn, g.steps = g.turn + 1, 0
        if g.turn < 2 * g.seats:
            g.next(Dig(g.turn % g.seats))
        else:
            g.finish(rank(g.points))


class Digging(State, kw_only=True):
    todo: list[Dig | Reply | Vote | EndTurn]
    seats: int
    deck: list[int]
    points: list[int]
    found: list[str] = field(default_factory=list)
    turn: int = 0
    steps: int = 0  # made in this turn

    def gain(self, seat: int, how: str, points: int) -> None:
        self.points[seat] += points
        self.found.append(how)
        self.tell(Dug(seat, how, points))

    def anytime(self, seat: int) -> list[Move]:
        return ["shout"] if self.points[seat] > 2 else []

    def take_anytime(self, seat: int, move: Move) -> None:
        self.gain(seat, move, -1)


def dig_setup(seats: int, options: Any, chance: Chance) -> Digging:
    deck = list(range(10, 16))
    chance.shuffle(deck)
    return Digging(todo=[Dig(0)], chance=chance, seats=seats, deck=deck, points=[0] * seats)


def dig_shuffle_unknown(g: Digging, seat: int | None, chance: Chance) -> None:
    chance.shuffle(g.deck)


digging = Game(
    key="digging",
    name="Digging",
    rules=1,
    seats=range(2, 5),
    state=Digging,
    setup=dig_setup,
    public=lambda g: {"points": g.points, "found": g.found, "deck": len(g.deck), "turn": g.turn, "steps": g.steps},
    private=lambda g, seat: None,
    shuffle_unknown=dig_shuffle_unknown,
    package=__name__,
)
