"""What the game's pages are given besides its views."""

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.games.raiders import facts
from engine.games.raiders.forecast import forecasts, if_ended_now
from engine.steps import Event, Result
from engine.views import Own, Shared

# How long the pages take, in seconds: the turn and the time to read the end, and each beat between them.
TURN_AND_READ, BEAT = 3.3, 0.7


def help(shared: Shared, own: Own) -> Any:
    """What each card that this seat may lay would do. As plain data, like events: a template tells the shapes apart by
    `shape`."""
    return msgspec.to_builtins(forecasts(shared.public, own.seat, own.moves)) if own.moves else {}


def summary(shared: Shared) -> Result:
    return if_ended_now(shared.public)


def reveal_seconds(events: Sequence[Event]) -> float:
    """The pages turn cards for whole sealed rounds and for a room's last card; other cards just land."""
    beats = max((beats_of(event) for event in events), default=0)
    return TURN_AND_READ + BEAT * beats if beats else 0.0


def beats_of(event: Event) -> int:
    match event:
        case facts.Room(outcome=facts.Chests(shares=shares) | facts.Vault(shares=shares)):
            return len(shares) + 2
        case facts.Room():
            return 5
        case facts.Cards(cards=cards) if len(cards) > 1:
            return 2
    return 0
