"""JSON for programs: the same views that the pages are made of, encoded once for all who see the same."""

from typing import Any

from msgspec import Raw, Struct

from app.web.showing import Showing, encode

Piece = Raw | dict[str, Raw]  # a part of a view as bytes, or field by field
NOTHING = Raw(b"null")


def pieces(showing: Showing, seat: int | None) -> dict[str, Piece]:
    """All that this seat may see."""
    found: dict[str, Piece] | None = showing.fragments.get(("pieces", seat))
    if found is None:
        common: dict[str, Piece] | None = showing.fragments.get("pieces")
        if common is None:
            common = showing.fragments["pieces"] = {
                "version": Raw(encode(showing.version)),
                "phase": Raw(encode(showing.card.phase)),
                "plays": Raw(encode(showing.card.plays)),
                "table": fields(showing.card),
                "shared": fields(showing.shared),
            }
        found = showing.fragments["pieces", seat] = {**common, "own": fields(showing.own(seat))}
    return found


def fields(part: Struct | None) -> Piece:
    if part is None:
        return NOTHING
    return {name: Raw(encode(getattr(part, name))) for name in part.__struct_fields__}


def changed(new: dict[str, Piece], old: dict[str, Piece]) -> dict[str, Any]:
    """The parts that are not as they were and, where both have them, only those fields."""
    found: dict[str, Any] = {}
    for name, piece in new.items():
        before = old.get(name)
        if piece == before:
            continue
        if isinstance(piece, dict) and isinstance(before, dict):
            piece = {field: value for field, value in piece.items() if before.get(field) != value}
        found[name] = piece
    return found


def view(showing: Showing, seat: int | None, remaining: float | None, after: int | None = None) -> bytes:
    """All that this seat may see now, and the events after version `after`."""
    found: dict[str, Any] = {**pieces(showing, seat), "remaining": rounded(remaining)}
    if after is not None:
        found["events"] = events(showing, after)
    return encode(found)


def events(showing: Showing, after: int) -> list[dict[str, Any]]:
    """Those after a version; all of them for who comes from an earlier game, which had more."""
    return list(showing.events[after if after <= len(showing.events) else 0 :])


def rounded(remaining: float | None) -> float | None:
    return None if remaining is None else round(remaining, 1)
