"""The check of what is told finds games that tell what stays hidden, and no others."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.chance import Chance
from engine.game import Game
from engine.steps import Ask, Draft, Event, Move, State
from engine.testing import CheckFailed, game_settings
from engine.testing.futures import check_telling
from tests.engine import tiny
from tests.engine.scores import rank

CARDS = 12
ROUNDS = 3


class Drew(Event, frozen=True):
    seat: int
    about: int  # what is told of it


class Take(Ask["Drawing"], frozen=True):
    """Draw a card, which nobody else sees, or a card of the hand is put back into the pile."""

    seat: int

    def who(self, g: "Drawing") -> list[int]:
        return [self.seat]

    def options(self, g: "Drawing", seat: int, draft: Draft) -> list[Move]:
        return ["draw", "wait"]

    def take(self, g: "Drawing", answers: dict[int, Draft]) -> None:
        if answers[self.seat] == ("draw",):
            card = g.pile.pop(g.chance.below(len(g.pile)))
            g.hands[self.seat].append(card)
            g.tell(Drew(self.seat, ABOUT[g.tells](g, card)))
        g.turn += 1
        if g.turn < ROUNDS * len(g.hands):
            g.next(Take(g.turn % len(g.hands)))
        else:
            g.finish(rank([len(hand) for hand in g.hands]))


ABOUT: dict[str, Callable[["Drawing", int], int]] = {
    "nothing": lambda g, card: 0,
    "a die": lambda g, card: g.chance.below(6),
    "a coin": lambda g, card: g.chance.below(2),
    "the size": lambda g, card: len(g.pile),
    "the card": lambda g, card: card,
    "the suit": lambda g, card: card % 2,
    "the next hand": lambda g, card: sum(g.hands[(g.turn + 1) % len(g.hands)]),
}


class Drawing(State, kw_only=True):
    todo: list[Take]
    pile: list[int]
    hands: list[list[int]]
    tells: str
    turn: int = 0


def shuffle_unknown(g: Drawing, seat: int | None, chance: Chance) -> None:
    others = [hand for other, hand in enumerate(g.hands) if other != seat]
    unseen = [*g.pile, *(card for hand in others for card in hand)]
    chance.shuffle(unseen)
    for hand in [*others, g.pile]:
        hand[:] = [unseen.pop() for _ in hand]


def drawing(tells: str) -> Game:
    return Game(
        key="drawing",
        name="Drawing",
        rules=1,
        seats=range(2, 4),
        state=Drawing,
        setup=lambda seats, options, chance: Drawing(
            todo=[Take(0)], chance=chance, pile=list(range(CARDS)), hands=[[] for _ in range(seats)], tells=tells
        ),
        public=lambda g: {"turn": g.turn, "cards": [len(hand) for hand in g.hands]},
        private=lambda g, seat: sorted(g.hands[seat]),
        shuffle_unknown=shuffle_unknown,
        package=__name__,
    )


def check(game: Game, games: int = 3) -> None:
    for setting in game_settings(game):
        for seed in range(games):
            check_telling(setting, seed)


@pytest.mark.parametrize("game", tiny.TINY.values(), ids=tiny.TINY)
def test_honest_games_pass(game: Game) -> None:
    check(game)


@pytest.mark.parametrize("tells", ["nothing", "a die", "a coin", "the size"])
def test_what_everybody_may_know_is_told(tells: str) -> None:
    check(drawing(tells), games=10)


@pytest.mark.parametrize("tells", ["the card", "the suit", "the next hand"])
def test_an_event_that_tells_what_stays_hidden(tells: str) -> None:
    with pytest.raises(
        CheckFailed, match=r"after an answer to Take, the event Drew depends on what only seat \d knows:"
    ):
        check(drawing(tells))


def test_an_answer_that_forgets_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiny.Choose, "kept", lambda ask, word: False)
    with pytest.raises(CheckFailed, match=r"after an answer to Choose, the event Revealed depends .* needs `kept`"):
        check(tiny.wishes)


def test_a_window_that_tells_who_holds_a_shield(monkeypatch: pytest.MonkeyPatch) -> None:
    take = tiny.Respond.take

    def tell_all(ask: tiny.Respond, g: Any, answers: dict[int, Draft]) -> None:
        take(ask, g, answers)
        g.tell(Drew(ask.victim, g.shields[ask.victim]))

    monkeypatch.setattr(tiny.Respond, "take", tell_all)
    with pytest.raises(CheckFailed, match="after an answer to Respond, the event Drew depends on what only seat"):
        check(tiny.window)
