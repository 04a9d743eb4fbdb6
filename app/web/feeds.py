"""What goes out over one socket: HTML fragments that changed, or JSON that changed."""

from typing import Any, Protocol

from fastapi import WebSocket

from app.house.open_table import OpenTable
from app.refusals import Refusal
from app.web import faces, languages
from app.web.faces import FACES, Audience, Told
from app.web.people import Visitor
from app.web.showing import encode
from app.web.site import Site
from app.web.views import NOTHING, Plain, common, events, own, own_news, rounded, shared_news

PONG = '{"pong":true}'


class Feed(Protocol):
    face: str

    def news(self) -> str:
        """What changed since the last time, at first everything; "" where nothing did."""

    def done(self, version: int, id: str) -> str:
        """What to answer to an action that was taken; "" where nothing or the next news say it."""

    def refused(self, refusal: Refusal, id: str) -> str: ...


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


class JsonFeed:
    """The first message holds the whole view; each later one the fields that changed. Events come to who asks for those
    after a version."""

    face = "json"

    def __init__(self, site: Site, table: OpenTable, visitor: Visitor, after: int | None, language: str) -> None:
        self.site = site
        self.table = table
        self.visitor = visitor
        self.language = language
        self.after = after
        self.told: Plain = NOTHING  # what everybody may see, as it was told last
        self.mine: Any = None  # what this seat sees besides
        self.answer: dict[str, Any] | None = None  # goes out with the next news: one message instead of two
        self.plays = -1

    @classmethod
    def of(cls, site: Site, table: OpenTable, visitor: Visitor, socket: WebSocket) -> "JsonFeed":
        after = socket.query_params.get("after")
        if after is not None and not (after.isdecimal() and len(after) < 10):
            raise Refusal("malformed")
        return cls(site, table, visitor, None if after is None else int(after), site.language(socket))

    def news(self) -> str:
        showing, first = self.site.showing(self.table), self.told is NOTHING
        news = shared_news(showing, self.told)
        mine = own(showing, showing.picture.seat_of(self.visitor.person))
        changed = first or (mine is not self.mine and mine != self.mine)
        before, self.told, self.mine = self.mine, common(showing), mine
        if not news.fields and not changed:
            return self.answered()
        remaining = self.site.remaining(self.table)
        if not changed and self.answer is None and self.after is None and remaining is None:
            return news.text
        message: dict[str, Any] = {**news.fields, "version": showing.version}
        if changed:
            message["own"] = own_news(mine, before)
        if self.answer is not None:
            message["done"], self.answer = self.answer, None
        if self.after is not None:
            if self.plays not in (-1, showing.card.plays):
                self.after = 0  # another game has begun
            self.plays = showing.card.plays
            message["events"] = events(showing, self.after)
            self.after = showing.version
        if remaining is not None:
            message["remaining"] = rounded(remaining)
        return encode(message).decode()

    def answered(self) -> str:
        answer, self.answer = self.answer, None
        return "" if answer is None else encode({"done": answer}).decode()

    def done(self, version: int, id: str) -> str:
        earlier = self.answered()
        self.answer = {"id": id, "version": version}
        return earlier

    def refused(self, refusal: Refusal, id: str) -> str:
        error = self.site.error(refusal, self.language)
        error["error"]["id"] = id
        return encode(error).decode()
