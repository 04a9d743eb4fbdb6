"""JSON for programs: the same views that the pages are made of."""

from typing import Any

from app.web.showing import Card, Showing, encode


def parts(showing: Showing, seat: int | None) -> dict[str, Any]:
    return {
        "version": showing.version,
        "phase": showing.card.phase,
        "plays": showing.card.plays,
        "table": showing.card,
        "shared": showing.shared,
        "own": showing.own(seat),
    }


def view(showing: Showing, seat: int | None, after: int | None = None) -> bytes:
    """All that this seat may see now, and the events after version `after`."""
    found = parts(showing, seat)
    if after is not None:
        found["events"] = list(showing.events[after:]) if after <= len(showing.events) else list(showing.events)
    return encode(found)


__all__ = ["Card", "parts", "view"]
