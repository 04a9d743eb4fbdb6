"""Tables of Rodents and Tombs in any position, and moves on them, for the tests of its rules."""

from typing import Any, TypeVar

from engine.games.tomb import game
from engine.games.tomb.positions import Board, PileOf, Setting, set_up
from engine.games.tomb.rules import Tomb
from engine.games.tomb.state import Player
from engine.steps import Event
from engine.table import Table
from engine.testing.moves import SECRET, deal

E = TypeVar("E", bound=Event)

FULL = Board(food=9, torch=9, pickaxe=9, gold=9)
BARE = Board(food=0, torch=0, pickaxe=0, gold=0)
# Plain cards: nothing on the market that would do anything by itself.
ROOMS = PileOf(market=("sawmill", "arsenal", "hot_spring"))
HELPERS = PileOf(market=("foreman", "apothecary", "architect"))


class Dig:
    """A table in a position, with what has happened there."""

    def __init__(self, *boards: Board, options: dict[str, str] | None = None, **where: Any) -> None:
        where.setdefault("chests", {})
        setting = Setting(boards=(*boards, *[Board()] * (2 - len(boards))), **where)
        seats = len(setting.boards)
        self.table, self.told = Table.at(
            game, set_up(setting), seats=seats, options=game.choose_options(options or {}, seats), deal=deal(seats)
        )

    @property
    def g(self) -> Tomb:
        found: Tomb = self.table.state
        return found

    @property
    def seat(self) -> int:
        return self.table.waits[0]

    @property
    def asks(self) -> str:
        return type(self.table.ask).__name__ if self.table.ask else ""

    @property
    def moves(self) -> list[str]:
        return self.table.moves(self.seat)

    def say(self, *words: str) -> "Dig":
        """The asked seat says these words; each must be offered."""
        for word in words:
            assert word in self.moves, f"{word} is not in {self.moves} ({self.asks})"
            self.told += self.table.play(self.seat, word, self.table.round, SECRET)
        return self

    def player(self, seat: int = 0) -> Player:
        return self.g.players[seat]

    def goods(self, seat: int = 0) -> tuple[int, ...]:
        """Food, torches, pickaxes, gold, glory."""
        return tuple(self.player(seat).goods)

    def heard(self, kind: type[E]) -> list[E]:
        return [event for event in self.told if isinstance(event, kind)]


def lifting(*boards: Board, **where: Any) -> Dig:
    """In the middle of the action Remove paws. A single paw without a usable chest is lifted at once."""
    return Dig(*boards, removing=True, **where)


def at_entrance(slot: str, *boards: Board, **where: Any) -> Dig:
    """Seat 0 is about to apply this entrance: its paw lies there, and a second one on an empty cell."""
    where.setdefault("paws", {slot: 0, "c11": 0})
    return lifting(*boards, **where).say(f"lift {slot}")


def at_room(card: str, *boards: Board, owner: int = 0, **where: Any) -> Dig:
    """Seat 0 lifts its paw from this room on c22; another paw lies on the empty cell c34."""
    where["rooms"] = {"c22": (card, owner), **where.get("rooms", {})}
    where["paws"] = {"c22": 0, "c34": 0, **where.get("paws", {})}
    return lifting(*boards, **where).say("lift c22")
