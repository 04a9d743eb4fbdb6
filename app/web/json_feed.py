"""The output of a program's socket: the fields of its view that changed."""

from typing import Any

from starlette.requests import HTTPConnection

from app.house.open_table import OpenTable
from app.refusals import Refusal
from app.web.json_view import Sent, encode, rounded
from app.web.people import Visitor
from app.web.site import Site


class JsonFeed:
    """The first message holds the whole view, each later one the fields that changed. Events are included if the client
    asked for those after a version."""

    face = "json"

    def __init__(self, site: Site, table: OpenTable, visitor: Visitor, after: int | None, language: str) -> None:
        self.site = site
        self.table = table
        self.visitor = visitor
        self.language = language
        self.after = after
        self.sent = Sent()
        self.answer: dict[str, Any] | None = None  # sent with the next news, to save a message
        self.plays = -1

    @classmethod
    def of(cls, site: Site, table: OpenTable, visitor: Visitor, client: HTTPConnection) -> "JsonFeed":
        after = client.query_params.get("after")
        if after is not None and not (after.isdecimal() and len(after) < 10):
            raise Refusal("malformed")
        return cls(site, table, visitor, None if after is None else int(after), site.language(client))

    def news(self) -> str:
        remaining, view, picture = self.site.remaining(self.table), self.site.json(self.table), self.table.picture
        fields, text, self.sent = view.since(self.sent, picture.seat_of(self.visitor.person))
        if not fields:
            return self.answered()
        if text and self.answer is None and self.after is None and remaining is None:
            return text
        message: dict[str, Any] = {**fields, "version": picture.version}
        if self.answer is not None:
            message["done"], self.answer = self.answer, None
        if self.after is not None:
            if self.plays not in (-1, picture.card.plays):
                self.after = 0  # a new game has begun: its events count from 0
            self.plays = picture.card.plays
            message["events"] = view.events(self.after)
            self.after = picture.version
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
