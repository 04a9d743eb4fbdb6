"""The output of a page's socket: HTML fragments that changed."""

from starlette.websockets import WebSocket

from app.house.open_table import OpenTable
from app.refusals import Refusal
from app.web import faces, languages
from app.web.faces import FACES, Audience, Told
from app.web.people import Visitor
from app.web.site import Site


class HtmlFeed:
    def __init__(self, site: Site, table: OpenTable, visitor: Visitor, audience: Audience) -> None:
        self.site = site
        self.table = table
        self.visitor = visitor
        self.audience = audience
        self.face = audience.face
        self.shared = self.own = Told()
        self.noticed = False

    @classmethod
    def of(cls, site: Site, table: OpenTable, visitor: Visitor, socket: WebSocket) -> "HtmlFeed":
        face = socket.query_params.get("face", "play")
        if face not in FACES:
            raise Refusal("malformed")
        return cls(site, table, visitor, site.audience(socket, face))

    def news(self) -> str:
        showing = self.site.showing(self.table)
        me = showing.me(self.visitor.person, self.visitor.name)
        shared, self.shared = faces.shared_news(self.site.pages, showing, self.audience, self.shared)
        own, self.own = faces.own_news(self.site.pages, showing, self.audience, me, self.own)
        return faces.timed(shared + own, self.site.remaining(self.table))

    def done(self, version: int, id: str) -> str:
        if not self.noticed:
            return ""
        self.noticed = False
        return self.notice("")

    def refused(self, refusal: Refusal, id: str) -> str:
        self.noticed = True
        return self.notice(languages.translate(self.audience.language, refusal.text))

    def notice(self, text: str) -> str:
        return faces.notice(self.site.pages, self.audience.language, self.face, text).partial()
