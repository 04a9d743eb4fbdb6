"""Additional data for the game's pages, besides its views."""

from collections.abc import Sequence
from typing import Any

import msgspec

from engine import Event, Own, Result, Shared
from engine.games.raiders import facts
from engine.games.raiders.forecast import forecasts, if_ended_now

# Durations on the pages, in seconds: turning the cards plus reading the result, and each beat between them.
TURN_AND_READ, BEAT = 3.3, 0.7


def forecast(shared: Shared, own: Own) -> Any:
    """The forecast of each card that this seat may play, as plain data. Templates distinguish the kinds by `shape`."""
    return msgspec.to_builtins(forecasts(shared.public, own.seat, own.moves)) if own.moves else {}


def summary(shared: Shared) -> Result:
    return if_ended_now(shared.public)


def reveal_seconds(events: Sequence[Event]) -> float:
    """How long the pages animate these events. They turn cards for sealed rounds and for the last card of a room; other
    cards appear without delay."""
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
