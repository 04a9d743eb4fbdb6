"""The socket of a page or a program: what changed goes out, actions come in."""

import asyncio
import re
import secrets
from typing import Protocol

import structlog
from msgspec import Struct
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from app import metrics
from app.house.open_table import Done, OpenTable
from app.refusals import Refusal
from app.web.edge import template
from app.web.html_feed import HtmlFeed
from app.web.json_feed import JsonFeed
from app.web.messages import Ping, read_json, understand
from app.web.people import NOBODY, Visitor
from app.web.site import Site
from app.web.wire import Wire

log = structlog.get_logger("web")
MOST = 4096  # bytes of a message
SLOW = 10.0  # seconds that a client may take to take a message
PATIENCE = 50  # so many more refused than accepted messages are answered; then the socket is closed
MOST_SAID = 200  # answers that may wait for a client to take them

NOT_TEXT, POLICY, TOO_BIG, BROKEN, AGAIN = 1003, 1008, 1009, 1011, 1013
UNKNOWN_TABLE, TOO_FAST = 4004, 4029
JSON = "facedown.json"
PATH = re.compile("/t/([^/]+)/live")


PONG = '{"pong":true}'


class Feed(Protocol):
    face: str

    def news(self) -> str:
        """What changed since the last time, at first everything; "" where nothing did."""

    def done(self, version: int, id: str) -> str:
        """What to answer to an action that was taken; "" where nothing or the next news say it."""

    def refused(self, refusal: Refusal, id: str) -> str: ...


class Route(Struct, frozen=True):
    """As logs and metrics name it: without the token."""

    path: str = "/t/{token}/live"


class Sockets:
    """Middleware in plain ASGI: messages do not pass through the layers that pages need."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and (found := PATH.fullmatch(scope["path"])):
            scope["route"] = Route()
            await table(WebSocket(scope, receive, send), receive, found[1])
        else:
            await self.app(scope, receive, send)


async def table(socket: WebSocket, receive: Receive, token: str) -> None:
    """Fragments for one face, or JSON where the client asks for it."""
    site: Site = socket.app.state.site
    offered = socket.scope["subprotocols"]
    json = socket.query_params.get("as") == "json" or JSON in offered
    # Accepted even when it is refused: before that a browser cannot be told why, and would try for ever.
    try:
        await socket.accept(subprotocol=JSON if JSON in offered else None)
    except (WebSocketDisconnect, OSError, RuntimeError):
        return
    try:
        if refusal := socket.scope.get("refusal"):
            raise refusal
        with site.limits.socket(site.address(socket)):
            table = await site.table(socket, token)
            face = socket.query_params.get("face", "play")
            visitor = NOBODY if face == "screen" else site.people.visitor(socket)
            feed: Feed = (JsonFeed if json else HtmlFeed).of(site, table, visitor, socket)
            await Connection(site, socket, table, visitor, feed).run(receive)
    except Refusal as refusal:
        site.note(refusal, socket.scope)
        codes = {"unknown_table": UNKNOWN_TABLE, "too_fast": AGAIN, "store_down": AGAIN}
        await close(socket, codes.get(refusal.reason, POLICY), refusal.reason)


async def close(socket: WebSocket, code: int, reason: str) -> None:
    asyncio.get_running_loop().call_later(2 * SLOW, socket.scope["wire"].drop)
    try:
        async with asyncio.timeout(SLOW):
            await socket.close(code, reason)
    except (TimeoutError, RuntimeError, OSError, WebSocketDisconnect):
        pass  # it has gone by itself


class Connection:
    """One open socket: what is heard is handed in at once, and what changed is said as soon as it is committed."""

    def __init__(self, site: Site, socket: WebSocket, table: OpenTable, visitor: Visitor, feed: Feed) -> None:
        self.site = site
        self.socket = socket
        self.wire: Wire = socket.scope["wire"]
        self.table = table
        self.visitor = visitor
        self.feed = feed
        self.refused = 0
        self.key = visitor.person or secrets.token_hex(8)
        self.address = site.address(socket)
        self.sent = metrics.SENT.labels(feed.face)
        self.loop = asyncio.get_running_loop()
        self.answers: list[str] = []  # have yet to go out
        self.speaks = False  # will say what changed as soon as the loop comes to it
        self.asked: str | None = None  # the id of an action that is on its way
        self.unheard: list[bytes] = []  # what came meanwhile: one action after the other
        self.held = False  # nothing more is read until all of that is done
        self.late: asyncio.TimerHandle | None = None
        self.over = False
        self.why: tuple[int, str] | None = None  # we end it: the code and reason

    async def run(self, receive: Receive) -> None:
        """Until one side closes."""
        watches = self.feed.face != "screen" and self.table.picture.seat_of(self.visitor.person) is None
        metrics.SOCKETS.labels(self.feed.face).inc()
        self.came(watches)
        self.table.listen(self)
        self.wire.heard, self.wire.stuck = self.hear, self.stuck
        try:
            self.say()
            # Texts come this way only when they were sent before we heard them.
            while (message := await receive())["type"] == "websocket.receive":
                if (text := message.get("text")) is not None:
                    self.hear(text.encode())
                else:
                    self.end(NOT_TEXT, "binary")
        finally:
            self.over = True
            self.wire.heard = self.wire.stuck = None
            if self.late is not None:
                self.late.cancel()
            self.table.leave(self)
            self.site.tidy(self.table)
            metrics.SOCKETS.labels(self.feed.face).dec()
            self.went(watches)
        if self.why is not None:
            await close(self.socket, *self.why)

    def came(self, watches: bool) -> None:
        if self.visitor.person:
            self.site.house.presence.here(self.table, self.visitor.person)
        if watches:
            self.site.watch(self.table, 1)

    def went(self, watches: bool) -> None:
        if self.visitor.person:
            self.site.house.presence.gone(self.table, self.visitor.person)
        if watches:
            self.site.watch(self.table, -1)

    def end(self, code: int, reason: str) -> None:
        """What we still wanted said goes out before."""
        if not self.over:
            self.say()
            self.over, self.why = True, (code, reason)
            self.wire.hang_up()

    def broke(self) -> None:
        log.exception("broken", route=template(self.socket.scope))
        self.over, self.why = True, (BROKEN, "broken")
        self.wire.hang_up()

    # out ----------------------------------------------------------------------------------------------------------

    def tell(self) -> None:
        """Something may have changed, or is to be answered: both go out together."""
        if not self.speaks:
            self.speaks = True
            self.loop.call_soon(self.say)

    def say(self) -> None:
        self.speaks = False
        if self.over or self.wire.full:
            return
        answers, self.answers = self.answers, []
        try:
            for text in (*answers, self.feed.news()):
                if text:
                    self.sent.inc(len(text))
                    self.wire.say(text)
        except Exception:
            self.broke()

    def stuck(self, full: bool) -> None:
        if full:
            self.late = self.loop.call_later(SLOW, self.end, AGAIN, "slow")
        elif self.late is not None:
            self.late.cancel()
            self.tell()

    # in -----------------------------------------------------------------------------------------------------------

    def hear(self, text: bytes) -> None:
        if self.asked is not None:
            self.unheard.append(text)
            self.held = True
            self.wire.hold()
        elif not self.over:
            self.take(text)

    def take(self, text: bytes) -> None:
        """One message. Whatever is wrong with it is said; who goes on regardless is shown out."""
        metrics.RECEIVED.inc()
        if len(text) > MOST:
            self.end(TOO_BIG, "too_big")
            return
        id = ""
        try:
            limits = self.site.limits
            limits.person.take(self.key)
            limits.address.take(self.address)
            found = read_json(text)
            given = found.get("id")
            id = given if isinstance(given, str) else ""
            said = understand(found)
            answer = self.site.hand_in(self.table, self.visitor, said)
            if answer is None:
                self.accept(PONG if isinstance(said.message, Ping) else self.feed.done(self.table.version, id))
            else:
                self.asked = id
                answer.add_done_callback(self.answered)
        except Refusal as refusal:
            self.refuse(refusal, id)
        except Exception:
            self.broke()

    def answered(self, answer: "asyncio.Future[Done]") -> None:
        id, self.asked = self.asked or "", None
        try:
            self.accept(self.feed.done(answer.result().version, id))
        except Refusal as refusal:
            self.refuse(refusal, id)
        except Exception:
            self.broke()
        while self.unheard and self.asked is None and not self.over:
            self.take(self.unheard.pop(0))
        if self.held and not self.unheard:
            self.held = False
            self.wire.go_on()

    def accept(self, text: str) -> None:
        self.refused = max(0, self.refused - 1)
        self.answer(text)

    def refuse(self, refusal: Refusal, id: str) -> None:
        self.refused += 1
        if self.refused <= PATIENCE:
            self.site.note(refusal, self.socket.scope)
            self.answer(self.feed.refused(refusal, id))
        elif refusal.reason == "too_fast":
            self.end(TOO_FAST, "too_fast")
        else:
            self.end(POLICY, "refused")

    def answer(self, text: str) -> None:
        self.answers.append(text)
        if len(self.answers) > MOST_SAID:
            self.end(AGAIN, "slow")
        self.tell()
