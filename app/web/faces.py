"""The faces of a table: the template and the fragments of each."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct

from app.table.picture import Me
from app.web.languages import translate
from app.web.rendering import Pages
from app.web.showing import Showing, shown_name

# The remaining seconds are filled in when fragments are sent; they do not count as a change.
CLOCK = 'data-remaining="'
REMAINING = re.compile(CLOCK + '[^"]*"')


class Face(Struct, frozen=True):
    name: str
    page: str  # template
    shared: tuple[str, ...]  # fragments that are the same for all viewers
    own: tuple[str, ...]  # fragments that depend on the viewer

    @property
    def public(self) -> bool:
        """Is the face the same for all viewers?"""
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
WAITS = "waits"  # shows who has handed in; a hand-in changes no other shared fragment
NOTICE = "notice"  # on every face: the last refusal of this page


class Fragment(Struct, frozen=True):
    name: str
    html: str
    mark: int  # hash of the content, to detect changes

    def partial(self) -> str:
        """The fragment in the form that htmx takes from a socket."""
        return f'<hx-partial hx-target="#f-{self.name}" hx-swap="outerMorph">{self.html}</hx-partial>'


class Told(Struct, frozen=True):
    """What a client was sent: `look` identifies the state (its first part is the moment), `marks` each fragment."""

    look: tuple[Any, ...] = (0,)
    marks: tuple[tuple[str, int], ...] = ()


class Audience(Struct, frozen=True):
    """The properties of a viewer that rendering depends on."""

    face: str
    language: str
    base: str  # scheme and host of links
    local: bool = False
    addresses: tuple[str, ...] = ()


class Look:
    """Renders the fragments of a showing for one viewer, or for everybody if `me` is None."""

    def __init__(self, pages: Pages, showing: Showing, audience: Audience, me: Me | None = None) -> None:
        self.pages = pages
        self.showing = showing
        self.audience = audience
        self.me = me

    def fragment(self, name: str) -> Fragment:
        """The rendered fragment, from the cache if possible. Shared fragments are rendered without a viewer."""
        showing, me = self.showing, self.me
        moment = showing.number if name == WAITS else showing.moment
        key = moment, self.audience, name, me, showing.hand(me.seat) if me else None
        found: Fragment | None = self.pages.recent.get(key)
        if found is None:
            shared = showing.shared if name == WAITS else showing.shared_without_answers
            html = self.pages.fragment(self.audience.language, name, {**self.context, "shared": shared})
            mark = hash((html, showing.ends_at) if CLOCK in html else html)
            found = self.pages.recent.keep(key, Fragment(name, html, mark))
        return found

    @cached_property
    def context(self) -> dict[str, Any]:
        return context(self.showing, self.audience, self.me)


def shared_news(pages: Pages, showing: Showing, audience: Audience, told: Told) -> tuple[str, Told]:
    """The shared fragments that changed since `told`, and the new Told. Computed once for all clients with the same
    Told."""
    now = showing.moment, showing.number
    if told.look == now:
        return "", told
    key = now, audience, told
    found: tuple[str, Told] | None = pages.recent.get(key)
    if found is None:
        face, look = FACES[audience.face], Look(pages, showing, audience)
        # A page of another phase only needs the new phase: its script then reloads it.
        names = face.shared if fits(face, showing) else ("phase",)
        if told.look[0] == showing.moment:
            names = tuple(name for name in names if name == WAITS)
        found = pages.recent.keep(key, changed([look.fragment(name) for name in names], told, now))
    return found


def own_news(pages: Pages, showing: Showing, audience: Audience, me: Me, told: Told) -> tuple[str, Told]:
    """Like `shared_news`, for one viewer's own fragments."""
    now = showing.moment, me, showing.hand(me.seat)
    if told.look == now:
        return "", told
    face, look = FACES[audience.face], Look(pages, showing, audience, me)
    names = face.own if fits(face, showing) else ()
    return changed([look.fragment(name) for name in names], told, now)


def changed(fragments: Sequence[Fragment], told: Told, now: tuple[Any, ...]) -> tuple[str, Told]:
    """The fragments that changed since `told`, and the new Told."""
    marks, out = dict(told.marks), []
    for one in fragments:
        if marks.get(one.name) != one.mark:
            marks[one.name] = one.mark
            out.append(one.partial())
    return "".join(out), Told(now, tuple(marks.items()))


def timed(text: str, remaining: float | None) -> str:
    """Fill in the remaining seconds."""
    return text if remaining is None else REMAINING.sub(f'{CLOCK}{remaining:.0f}"', text)


def fits(face: Face, showing: Showing) -> bool:
    """Is this face for the table's phase? Hand and screen are for all phases."""
    needed = {"lobby": "lobby", "play": "playing", "result": "over"}.get(face.name)
    return needed in (None, showing.card.phase)


def notice(pages: Pages, language: str, face: str, text: str) -> Fragment:
    html = pages.fragment(language, NOTICE, {"notice": text, "face": face})
    return Fragment(NOTICE, html, hash(html))


def context(showing: Showing, audience: Audience, me: Me | None) -> dict[str, Any]:
    """The context of a table's templates. `me` is None for what everybody sees."""
    shared, own = showing.shared, showing.own(me.seat) if me else None
    table = table_card(showing, audience)
    return {
        "face": audience.face,
        "table": table,
        "names": tuple(seat["name"] for seat in table["seats"]),
        "shared": shared,
        "public": shared.public if shared else None,
        "log": showing.log,
        "reveal": showing.reveal,
        "beats": showing.beats,
        "summary": showing.summary,
        "remaining": None,
        "notice": "",
        "me": me,
        "own": own,
        "private": own.private if own else None,
        "forecast": showing.forecast(me.seat) if me else None,
    }


def table_card(showing: Showing, audience: Audience) -> dict[str, Any]:
    token, language = showing.picture.token, audience.language
    if language not in showing.seated:
        showing.seated[language] = seated(showing, language)
    found: dict[str, Any] = showing.seated[language]
    return found | {
        "link": f"{audience.base}/t/{token}",
        "link_is_local": audience.local,
        "addresses": [f"{address}/t/{token}" for address in audience.addresses],
    }


def seated(showing: Showing, language: str) -> dict[str, Any]:
    """The part of the context that depends only on the table's card and the language."""
    card, game = showing.card, showing.game
    names = [shown_name(seat, language) for seat in card.seats]
    return {
        "token": showing.picture.token,
        "code": card.code,
        "game": game,
        "phase": card.phase,
        "locked": card.locked,
        "seconds": card.seconds,
        "options": card.options,
        "option_list": showing.choices(),
        "seats": [msgspec.structs.asdict(seat) | {"name": name} for seat, name in zip(card.seats, names, strict=True)],
        "host_name": next((names[seat.n] for seat in card.seats if seat.host), ""),
        "watchers": showing.watchers,
        "plays": card.plays,
        "commitment": card.commitment,
        "min_seats": min(game.seats),
        "max_seats": max(game.seats),
        "title": translate(language, game.name),
    }
