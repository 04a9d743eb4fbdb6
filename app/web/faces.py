"""The faces of a table: which template shows each, and of which fragments it is made."""

import re
from typing import Any

from msgspec import Struct

from app.web.languages import translate
from app.web.rendering import Pages
from app.web.showing import Me, Showing

# The seconds left change with every look: they are put in when a fragment is sent and do not count as a change.
REMAINING = re.compile(r'data-remaining="[^"]*"')


class Face(Struct, frozen=True):
    name: str
    page: str  # template
    shared: tuple[str, ...]  # fragments that are alike for everybody
    own: tuple[str, ...]  # fragments that depend on who looks

    @property
    def public(self) -> bool:
        """Shows the same to everyone, whoever asks."""
        return not self.own


FACES = {
    face.name: face
    for face in (
        Face("lobby", "lobby.html", ("phase",), ("lobby",)),
        Face("play", "table.html", ("phase", "bar", "board", "waits", "reveal"), ("own",)),
        Face("hand", "hand.html", ("phase", "bar", "waits", "cue"), ("own_hand",)),
        Face("screen", "screen.html", ("phase", "bar", "board", "waits", "reveal", "invite"), ()),
        Face("result", "result.html", ("phase", "result"), ("after",)),
    )
}
WAITS = "waits"  # tells who has handed in, and what lies sealed; no other fragment is rendered or sent anew for that
NOTICE = "notice"  # on every face: the last refusal, in words; it belongs to one page alone


class Fragment(Struct, frozen=True):
    name: str
    html: str
    mark: int  # equal for equal content

    def partial(self, remaining: float | None) -> str:
        """As htmx takes it from a socket."""
        html = self.html
        if remaining is not None:
            html = REMAINING.sub(f'data-remaining="{remaining:.0f}"', html)
        return f'<hx-partial hx-target="#f-{self.name}" hx-swap="outerMorph">{html}</hx-partial>'


class Audience(Struct, frozen=True):
    """What may tell one viewer's rendering from another's."""

    face: str
    language: str
    base: str  # scheme and host of links
    local: bool = False
    addresses: tuple[str, ...] = ()


def fragment(pages: Pages, showing: Showing, audience: Audience, name: str, me: Me | None) -> Fragment:
    """Rendered once for all who see the same. A shared fragment knows nobody: its template is not told who looks."""
    kept = showing.fragments if name == WAITS else showing.still
    key = (audience, name, me, showing.hand(me.seat) if me else None)
    found: Fragment | None = kept.get(key)
    if found is None:
        if len(kept) > 500:
            kept.clear()
        given = context(showing, audience, me)
        if name != WAITS:
            given["shared"] = showing.unhanded
        html = pages.fragment(audience.language, name, given)
        mark = hash((REMAINING.sub("", html), showing.sitting.saved.ends_at))
        found = kept[key] = Fragment(name, html, mark)
    return found


def fits(face: Face, showing: Showing) -> bool:
    """Is this face made for the table's phase? Hands and screens stay through all of them."""
    needed = {"lobby": "lobby", "play": "playing", "result": "over"}.get(face.name)
    return needed in (None, showing.card.phase)


def notice(pages: Pages, language: str, face: str, text: str) -> Fragment:
    html = pages.fragment(language, NOTICE, {"notice": text, "face": face})
    return Fragment(NOTICE, html, hash(html))


def context(showing: Showing, audience: Audience, me: Me | None) -> dict[str, Any]:
    """All that a template of a table's page gets. `me` is None for whatever everybody sees."""
    key = ("context", audience)
    common = showing.still.get(key)
    if common is None:
        common = showing.still[key] = shared_context(showing, audience)
    own = showing.own(me.seat) if me else None
    return {
        **common,
        "shared": showing.shared,
        "me": me,
        "own": own,
        "private": own.private if own else None,
        "help": showing.help(me.seat) if me else None,
    }


def shared_context(showing: Showing, audience: Audience) -> dict[str, Any]:
    shared, game = showing.shared, showing.game
    return {
        "face": audience.face,
        "table": table_card(showing, audience),
        "names": showing.names(audience.language),
        "public": shared.public if shared else None,
        "log": showing.log,
        "reveal": showing.reveal,
        "summary": game.summary(shared) if game.summary and shared else None,
        "remaining": None,
        "notice": "",
    }


def table_card(showing: Showing, audience: Audience) -> dict[str, Any]:
    card, game = showing.card, showing.game
    token = showing.sitting.saved.token
    hosts = [seat for seat in card.seats if seat.host]
    names = showing.names(audience.language)
    return {
        "token": token,
        "link": f"{audience.base}/t/{token}",
        "link_is_local": audience.local,
        "addresses": [f"{address}/t/{token}" for address in audience.addresses],
        "code": card.code,
        "game": game,
        "phase": card.phase,
        "locked": card.locked,
        "seconds": card.seconds,
        "options": card.options,
        "option_list": showing.choices(),
        "seats": [{**seat_fields(seat), "name": names[seat.n]} for seat in card.seats],
        "host_name": names[hosts[0].n] if hosts else "",
        "watchers": showing.watchers,
        "plays": card.plays,
        "commitment": card.commitment,
        "min_seats": min(game.seats),
        "max_seats": max(game.seats),
        "title": translate(audience.language, game.name),
    }


def seat_fields(seat: Any) -> dict[str, Any]:
    return {name: getattr(seat, name) for name in seat.__struct_fields__}
