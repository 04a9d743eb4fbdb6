"""Standing orders: in which windows a player wants to be asked. They are private; the log does not know them."""

from collections.abc import Mapping

from msgspec import Struct

from engine.game import Game
from engine.move_error import MoveError


class StandingOrder(Struct, frozen=True):
    """One seat's orders. Each is a value of the game's `orders`, or "" for none."""

    value: str = ""  # for good
    now: str = ""  # for the scope `during`, in which it counts in place of `value`
    during: str = ""

    def given(self, game: Game, value: str, during: str) -> "StandingOrder":
        """Return these orders with `value` given. With `during`, the order lasts until that scope ends. With "", it
        lasts for good and replaces an order for a scope."""
        if value not in [choice.value for choice in game.orders]:
            raise MoveError("not_legal")
        return StandingOrder(self.value, value, during) if during else StandingOrder(value)


def order_in_force(game: Game, orders: Mapping[int, StandingOrder], seat: int, scope: str) -> str:
    """The order that counts for this seat in this scope; the game's first one if it has given none."""
    order = orders.get(seat, StandingOrder())
    default = game.orders[0].value if game.orders else ""
    return (scope and order.during == scope and order.now) or order.value or default
