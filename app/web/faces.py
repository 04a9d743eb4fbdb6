"""The faces of a table: which template shows each, and of which fragments it is made."""

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

# The seconds left change with every look: they are put in when fragments are sent and do not count as a change.
CLOCK = 'data-remaining="'
REMAINING = re.compile(CLOCK + '[^"]*"')


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

    def partial(self) -> str:
        """As htmx takes it from a socket."""
        return f'<hx-partial hx-target="#f-{self.name}" hx-swap="outerMorph">{self.html}</hx-partial>'


class Told(Struct, frozen=True):
    """What somebody was sent: of which look, whose first part is the moment, and the mark of each fragment."""

    look: tuple[Any, ...] = (0,)
    marks: tuple[tuple[str, int], ...] = ()


class Audience(Struct, frozen=True):
    """What may tell one viewer's rendering from another's."""

    face: str
    language: str
    base: str  # scheme and host of links
    local: bool = False
    addresses: tuple[str, ...] = ()


class Look:
    """One viewer's look at a showing, or everybody's."""

    def __init__(self, pages: Pages, showing: Showing, audience: Audience, me: Me | None = None) -> None:
        self.pages = pages
        self.showing = showing
        self.audience = audience
        self.me = me

    def fragment(self, name: str) -> Fragment:
        """A shared fragment knows nobody: its template is not told who looks."""
        showing, me = self.showing, self.me
        moment = showing.number if name == WAITS else showing.moment
        key = moment, self.audience, name, me, showing.hand(me.seat) if me else None
        found: Fragment | None = self.pages.recent.get(key)
        if found is None:
            shared = showing.shared if name == WAITS else showing.unhanded
            html = self.pages.fragment(self.audience.language, name, {**self.context, "shared": shared})
            mark = hash((html, showing.ends_at) if CLOCK in html else html)
            found = self.pages.recent.keep(key, Fragment(name, html, mark))
        return found

    @cached_property
    def context(self) -> dict[str, Any]:
        return context(self.showing, self.audience, self.me)


def shared_news(pages: Pages, showing: Showing, audience: Audience, told: Told) -> tuple[str, Told]:
    """The shared fragments that are not as they were told, and what is told then. Put together once for all who were
    told the same."""
    now = showing.moment, showing.number
    if told.look == now:
        return "", told
    key = now, audience, told
    found: tuple[str, Told] | None = pages.recent.get(key)
    if found is None:
        face, look = FACES[audience.face], Look(pages, showing, audience)
        # A page of another phase is about to load anew; what it shows now no longer fits.
        names = face.shared if fits(face, showing) else ("phase",)
        if told.look[0] == showing.moment:
            names = tuple(name for name in names if name == WAITS)
        found = pages.recent.keep(key, changed([look.fragment(name) for name in names], told, now))
    return found


def own_news(pages: Pages, showing: Showing, audience: Audience, me: Me, told: Told) -> tuple[str, Told]:
    """As `shared_news`, for one viewer."""
    now = showing.moment, me, showing.hand(me.seat)
    if told.look == now:
        return "", told
    face, look = FACES[audience.face], Look(pages, showing, audience, me)
    names = face.own if fits(face, showing) else ()
    return changed([look.fragment(name) for name in names], told, now)


def changed(fragments: Sequence[Fragment], told: Told, now: tuple[Any, ...]) -> tuple[str, Told]:
    """Those fragments that are not as they were told, and what is told then."""
    marks, out = dict(told.marks), []
    for one in fragments:
        if marks.get(one.name) != one.mark:
            marks[one.name] = one.mark
            out.append(one.partial())
    return "".join(out), Told(now, tuple(marks.items()))


def timed(text: str, remaining: float | None) -> str:
    """With the seconds that are left."""
    return text if remaining is None else REMAINING.sub(f'{CLOCK}{remaining:.0f}"', text)


def fits(face: Face, showing: Showing) -> bool:
    """Is this face made for the table's phase? Hands and screens stay through all of them."""
    needed = {"lobby": "lobby", "play": "playing", "result": "over"}.get(face.name)
    return needed in (None, showing.card.phase)


def notice(pages: Pages, language: str, face: str, text: str) -> Fragment:
    html = pages.fragment(language, NOTICE, {"notice": text, "face": face})
    return Fragment(NOTICE, html, hash(html))


def context(showing: Showing, audience: Audience, me: Me | None) -> dict[str, Any]:
    """All that a template of a table's page gets. `me` is None for whatever everybody sees."""
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
        "summary": showing.summary,
        "remaining": None,
        "notice": "",
        "me": me,
        "own": own,
        "private": own.private if own else None,
        "help": showing.help(me.seat) if me else None,
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
    """What follows from the card."""
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
