"""The output of a page's socket: HTML fragments that changed."""

from typing import Any

from starlette.requests import HTTPConnection

from app.house.open_table import OpenTable
from app.refusals import Refusal
from app.table.picture import Me
from app.web import languages
from app.web.context import Audience, Scene
from app.web.faces import FACES, WAITS, fits
from app.web.fragments import timed
from app.web.people import Visitor
from app.web.site import Site


class HtmlFeed:
    """Remembers what the page has: the digest of each fragment, and the revisions they were made from."""

    def __init__(
        self, site: Site, table: OpenTable, visitor: Visitor, audience: Audience, has: tuple[str, ...] = ()
    ) -> None:
        self.site = site
        self.table = table
        self.visitor = visitor
        self.audience = audience
        self.face = audience.face
        parts = FACES[audience.face].parts
        self.digests = dict(zip(parts, has, strict=True)) if len(has) == len(parts) else {}
        self.seats = -1  # the revision that `me` was made from
        self.me: Me | None = None
        self.events: Any = None
        self.ready: Any = None
        self.mine: Any = None
        self.seated: Any = None
        self.noticed = False

    @classmethod
    def of(cls, site: Site, table: OpenTable, visitor: Visitor, client: HTTPConnection) -> "HtmlFeed":
        face = client.query_params.get("face", "play")
        if face not in FACES:
            raise Refusal("malformed")
        # A page that has just been loaded names the digests of its fragments; when it connects again it does not.
        has = tuple(client.query_params.get("has", "").split("-"))
        return cls(site, table, visitor, site.audience(client, face), has)

    def news(self) -> str:
        picture = self.table.picture
        if picture.seats_revision != self.seats:
            self.seats, self.me = picture.seats_revision, picture.me(self.visitor.person, self.visitor.name)
        scene = self.site.scene(self.table, self.audience, self.me)
        changed = []
        for part in self.perhaps_changed(scene):
            fragment = self.site.fragments.of(scene, part)
            if self.digests.get(part) != fragment.digest:
                self.digests[part] = fragment.digest
                changed.append(fragment.message)
        return timed("".join(changed), self.site.remaining(self.table)) if changed else ""

    def perhaps_changed(self, scene: Scene) -> list[str]:
        """The parts whose revisions changed since the last call."""
        picture, face = scene.picture, FACES[self.face]
        events = picture.events_revision, scene.watchers
        ready = picture.ready_revision
        mine = events, scene.me, scene.answer
        parts: list[str] = []
        fitting = fits(face, picture)
        if not fitting:
            parts += ["phase"]  # the page's script reloads the page, which has another face
        elif events != self.events:
            parts += face.shared
        elif ready != self.ready and WAITS in face.shared:
            parts += [WAITS]
        if mine != self.mine and fitting:
            parts += face.own
        if picture.seats_revision != self.seated and fitting:
            parts += face.seated
        self.events, self.ready, self.mine, self.seated = events, ready, mine, picture.seats_revision
        return parts

    def done(self, version: int, id: str) -> str:
        if not self.noticed:
            return ""
        self.noticed = False
        return self.notice("")

    def refused(self, refusal: Refusal, id: str) -> str:
        self.noticed = True
        return self.notice(languages.translate(self.audience.language, refusal.text))

    def notice(self, text: str) -> str:
        return self.site.fragments.notice(self.audience.language, self.face, text).message
