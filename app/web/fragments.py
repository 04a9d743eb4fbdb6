"""The parts of a table's page as HTML fragments, each rendered once for all clients that may see the same."""

import re
from collections.abc import Hashable
from hashlib import sha256
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from app.web.context import Scene, context, own_context, shared_context
from app.web.faces import FACES, NOTICE, OWN, SEATED, WAITS
from app.web.render_cache import RenderCache
from app.web.templates import Templates

# The remaining seconds are filled in when a fragment is sent; they do not count as a change.
CLOCK = 'data-remaining="'
REMAINING = re.compile(CLOCK + '[^"]*"')


class Fragment(Struct, frozen=True):
    html: str
    digest: str  # of the content: equal fragments have the same digest in every process
    message: str  # in the form that htmx takes from a socket


NOBODY = {"me": None, "own": None, "private": None, "forecast": None}  # the context of parts without a viewer


class Fragments:
    def __init__(self, templates: Templates, cache: RenderCache) -> None:
        self.templates = templates
        self.cache = cache
        self.last: tuple[Hashable, dict[str, Any]] = None, {}  # the last shared context and its key

    def of(self, scene: Scene, part: str) -> Fragment:
        """The part as the scene's viewer sees it. Parts that all viewers share are rendered without a viewer."""
        picture, audience = scene.picture, scene.audience
        viewer: Hashable
        if part in OWN:
            revision, viewer = picture.events_revision, (audience, scene.watchers, scene.me, scene.answer)
        elif part in SEATED:
            revision, viewer = picture.seats_revision, (audience, scene.me)
        else:
            revision = picture.ready_revision if part == WAITS else picture.events_revision
            viewer = audience, scene.watchers
        key = scene.table, revision, part, audience.language, viewer
        return self.cache.get(key, lambda: self.render(scene, part))

    def render(self, scene: Scene, part: str) -> Fragment:
        picture, audience = scene.picture, scene.audience
        own = own_context(scene) if part in OWN else NOBODY | {"me": scene.me} if part in SEATED else NOBODY
        # Only one part shows who has handed in, so that a hand-in cannot change the others.
        shared = picture.shared if part == WAITS else picture.shared_without_answers
        values = {**self.shared_context(scene), **own, "shared": shared}
        return fragment(part, self.templates.fragment(audience.language, part, values), picture.ends_at)

    def of_page(self, scene: Scene, remaining: float | None) -> dict[str, Any]:
        """The context of a table's page, which is put together from these fragments."""
        face = FACES[scene.audience.face]
        return {
            **context(scene, self.cache),
            "part": lambda name: Markup(timed(self.of(scene, name).html, remaining)),
            "has": lambda: "-".join(self.of(scene, name).digest for name in face.parts),
            "can_take": scene.me.can_take if scene.me else (),
            "linked": self.templates.loads("table", scene.picture.game),
        }

    def shared_context(self, scene: Scene) -> dict[str, Any]:
        """The context for parts without a viewer. The last one is kept, because the parts of a table are rendered one
        after the other and share it."""
        key = scene.table, scene.picture.events_revision, scene.audience, scene.watchers
        if self.last[0] != key:
            context = shared_context(scene, self.cache)
            self.last = key, self.templates.with_globals(scene.audience.language, context)
        return self.last[1]

    def notice(self, language: str, face: str, text: str) -> Fragment:
        context = self.templates.with_globals(language, {"notice": text, "face": face})
        html = self.templates.fragment(language, NOTICE, context)
        return fragment(NOTICE, html)


def fragment(part: str, html: str, ends_at: float | None = None) -> Fragment:
    content = html if ends_at is None or CLOCK not in html else f"{html}{ends_at}"
    digest = sha256(content.encode()).hexdigest()[:12]
    return Fragment(html, digest, f'<hx-partial hx-target="#f-{part}" hx-swap="outerMorph">{html}</hx-partial>')


def timed(text: str, remaining: float | None) -> str:
    """Fill in the remaining seconds."""
    return text if remaining is None else REMAINING.sub(f'{CLOCK}{remaining:.0f}"', text)
