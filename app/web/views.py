"""JSON for programs: the same views that the pages are made of, encoded once for all who see the same."""

from typing import Any

from msgspec import Raw, Struct

from app.web.showing import Showing, encode

Piece = Raw | dict[str, Any]  # a part of a view as bytes, or field by field, each again a piece
Pieces = dict[str, Piece]
NOTHING = Raw(b"null")


def common(showing: Showing) -> Pieces:
    """What everybody may see."""
    found: Pieces | None = showing.fragments.get("common")
    if found is None:
        found = showing.fragments["common"] = {
            "version": Raw(encode(showing.version)),
            "phase": Raw(encode(showing.card.phase)),
            "plays": Raw(encode(showing.card.plays)),
            "table": card(showing),
            "shared": shared(showing),
        }
    return found


def card(showing: Showing) -> Piece:
    if "card" not in showing.still:
        showing.still["card"] = fields(showing.card)
    found: Piece = showing.still["card"]
    return found


def shared(showing: Showing) -> Piece:
    if showing.shared is None:
        return NOTHING
    if "public pieces" not in showing.still:
        showing.still["public pieces"] = fields(showing.shared.public)
    return fields(showing.shared, public=showing.still["public pieces"])


def own(showing: Showing, seat: int | None) -> Piece:
    """What this seat sees besides."""
    key = ("own pieces", showing.hand(seat))
    if key not in showing.still:
        showing.still[key] = fields(showing.own(seat)) if showing.own(seat) else NOTHING
    found: Piece = showing.still[key]
    return found


def pieces(showing: Showing, seat: int | None) -> Pieces:
    """All that this seat may see."""
    return {**common(showing), "own": own(showing, seat)}


def fields(part: Any, **known: Piece) -> Piece:
    """Field by field; `known` are those that are encoded already. What has no fields is one piece."""
    if not isinstance(part, Struct):
        return Raw(encode(part))
    return {name: known[name] if name in known else Raw(encode(getattr(part, name))) for name in part.__struct_fields__}


def changed(new: Pieces, old: Pieces) -> dict[str, Any]:
    """The parts that are not as they were and, where both are told field by field, only those fields."""
    found: dict[str, Any] = {}
    for name, piece in new.items():
        before = old.get(name)
        if piece is before or piece == before:
            continue
        found[name] = changed(piece, before) if isinstance(piece, dict) and isinstance(before, dict) else piece
    return found


def news(showing: Showing, seat: int | None, told: tuple[Pieces, Piece]) -> tuple[dict[str, Any], tuple[Pieces, Piece]]:
    """What changed for this seat since it was told these pieces; and the pieces now. What changed for everybody is
    found once for all who were told the same before."""
    everybody, mine = told
    now = common(showing), own(showing, seat)
    key = ("changed", id(everybody))
    if key not in showing.fragments:
        showing.fragments[key] = (changed(now[0], everybody), everybody)  # kept: its id must stay its own
    found = {**showing.fragments[key][0], **changed({"own": now[1]}, {"own": mine})}
    return found, now


def view(showing: Showing, seat: int | None, remaining: float | None, after: int | None = None) -> bytes:
    """All that this seat may see now, and the events after version `after`."""
    found: dict[str, Any] = {**pieces(showing, seat), "remaining": rounded(remaining)}
    if after is not None:
        found["events"] = events(showing, after)
    return encode(found)


def events(showing: Showing, after: int) -> list[Raw]:
    """Those after a version; all of them for who comes from an earlier game, which had more."""
    told = showing.events.raw
    return told[after if after <= len(told) else 0 :]


def rounded(remaining: float | None) -> float | None:
    return None if remaining is None else round(remaining, 1)
