"""The parts of a table's page as HTML fragments, each rendered once for all clients that may see the same."""

import re
from collections.abc import Hashable
from hashlib import blake2b

import msgspec
from msgspec import Struct

from app.web.context import Scene, context
from app.web.faces import FACES, NOTICE, WAITS
from app.web.render_cache import Key, RenderCache
from app.web.templates import Templates

# The remaining seconds are filled in when a fragment is sent; they do not count as a change.
CLOCK = 'data-remaining="'
REMAINING = re.compile(CLOCK + '[^"]*"')


class Fragment(Struct, frozen=True):
    html: str
    digest: str  # of the content: equal fragments have the same digest in every process
    message: str  # in the form that htmx takes from a socket


class Fragments:
    def __init__(self, templates: Templates, cache: RenderCache) -> None:
        self.templates = templates
        self.cache = cache

    def of(self, scene: Scene, part: str) -> Fragment:
        """The part as the scene's viewer sees it. Parts that all viewers share are rendered without a viewer."""
        if scene.me is not None and part not in FACES[scene.audience.face].own:
            scene = msgspec.structs.replace(scene, me=None)
        picture = scene.picture
        revision = picture.ready_revision if part == WAITS else picture.events_revision
        viewer = scene.audience, scene.watchers, scene.me, answer(scene)
        key = Key(scene.table, revision, part, scene.audience.language, viewer)
        return self.cache.get(key, lambda: self.render(scene, part))

    def render(self, scene: Scene, part: str) -> Fragment:
        values = context(scene, self.cache)
        if part != WAITS:
            # Without who has handed in, so that a hand-in cannot change the part.
            values["shared"] = scene.picture.shared_without_answers
        html = self.templates.fragment(scene.audience.language, part, values)
        return fragment(part, html, scene.picture.ends_at)

    def notice(self, language: str, face: str, text: str) -> Fragment:
        html = self.templates.fragment(language, NOTICE, {"notice": text, "face": face})
        return fragment(NOTICE, html)


def answer(scene: Scene) -> Hashable:
    """The state of the viewer's answer. Between two events, the seat's own view depends only on this."""
    own = scene.picture.own(scene.me.seat) if scene.me else None
    return None if own is None else (own.draft, own.ready)


def fragment(part: str, html: str, ends_at: float | None = None) -> Fragment:
    content = f"{html}{ends_at}" if CLOCK in html else html
    digest = blake2b(content.encode(), digest_size=6).hexdigest()
    return Fragment(html, digest, f'<hx-partial hx-target="#f-{part}" hx-swap="outerMorph">{html}</hx-partial>')


def timed(text: str, remaining: float | None) -> str:
    """Fill in the remaining seconds."""
    return text if remaining is None else REMAINING.sub(f'{CLOCK}{remaining:.0f}"', text)
