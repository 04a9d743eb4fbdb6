"""WebSockets of pages and programs: actions in, changes out."""

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
MOST = 4096  # largest message, in bytes
SLOW = 10.0  # seconds after which a client that does not read is disconnected
PATIENCE = 50  # the socket is closed when refused messages outnumber accepted ones by more than this
COUNTED = 16_384  # bytes sent over a socket until the metric shows them; all are counted when it closes
MOST_SAID = 200  # answers that may be queued for a slow client

NOT_TEXT, POLICY, TOO_BIG, BROKEN, AGAIN = 1003, 1008, 1009, 1011, 1013
UNKNOWN_TABLE, TOO_FAST = 4004, 4029
JSON = "facedown.json"
PATH = re.compile("/t/([^/]+)/live")


PONG = '{"pong":true}'


class Feed(Protocol):
    face: str

    def news(self) -> str:
        """What changed since the last call, at first everything; "" if nothing did."""

    def done(self, version: int, id: str) -> str:
        """The answer to an accepted action; "" if there is none or it is part of the next news."""

    def refused(self, refusal: Refusal, id: str) -> str: ...


class Route(Struct, frozen=True):
    """The route's name in logs and metrics, without the token."""

    path: str = "/t/{token}/live"


class Sockets:
    """Plain ASGI middleware: sockets bypass the layers that pages need."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and (found := PATH.fullmatch(scope["path"])):
            scope["route"] = Route()
            await table(WebSocket(scope, receive, send), receive, found[1])
        else:
            await self.app(scope, receive, send)


async def table(socket: WebSocket, receive: Receive, token: str) -> None:
    """Serve a table's socket: fragments for one face, or JSON if the client asks for it."""
    site: Site = socket.app.state.site
    offered = socket.scope["subprotocols"]
    json = socket.query_params.get("as") == "json" or JSON in offered
    # Accept even refused sockets: otherwise a browser does not learn the reason and keeps reconnecting.
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
        pass  # the client is gone already


class Connection:
    """One open socket: passes on actions as they arrive and sends changes as soon as they are committed."""

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
        self.uncounted = 0  # bytes sent that the metric does not show yet
        self.loop = asyncio.get_running_loop()
        self.answers: list[str] = []  # not sent yet
        self.speaks = False  # a call of `say` is scheduled
        self.asked: str | None = None  # the id of the pending action
        self.unheard: list[bytes] = []  # messages received meanwhile: actions are handled one at a time
        self.held = False  # reading is paused until `unheard` is empty
        self.late: asyncio.TimerHandle | None = None
        self.over = False
        self.why: tuple[int, str] | None = None  # close code and reason, if we close it

    async def run(self, receive: Receive) -> None:
        """Serve the socket until one side closes it."""
        watches = self.feed.face != "screen" and self.table.picture.seat_of(self.visitor.person) is None
        metrics.SOCKETS.labels(self.feed.face).inc()
        self.came(watches)
        self.table.listen(self)
        self.wire.heard, self.wire.stuck = self.hear, self.stuck
        try:
            self.say()
            # Only texts that arrived before `wire.heard` was set come this way.
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
            self.count()
            self.table.leave(self)
            self.site.tidy(self.table)
            metrics.SOCKETS.labels(self.feed.face).dec()
            self.went(watches)
        if self.why is not None:
            await close(self.socket, *self.why)

    def came(self, watches: bool) -> None:
        if self.visitor.person:
            self.site.house.presence.socket_opened(self.table, self.visitor.person)
        if watches:
            self.site.watch(self.table, 1)

    def went(self, watches: bool) -> None:
        if self.visitor.person:
            self.site.house.presence.socket_closed(self.table, self.visitor.person)
        if watches:
            self.site.watch(self.table, -1)

    def end(self, code: int, reason: str) -> None:
        """Send what is queued, then close."""
        if not self.over:
            self.say()
            self.over, self.why = True, (code, reason)
            self.wire.hang_up()

    def broke(self) -> None:
        log.exception("broken", route=template(self.socket.scope))
        self.over, self.why = True, (BROKEN, "broken")
        self.wire.hang_up()

    # out ----------------------------------------------------------------------------------------------------------

    def notify(self) -> None:
        """Schedule `say`: changes and answers of this turn of the event loop are sent together."""
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
                    self.uncounted += len(text)
                    self.wire.say(text)
        except Exception:
            self.broke()
        if self.uncounted > COUNTED:
            self.count()

    def count(self) -> None:
        self.sent.inc(self.uncounted)
        self.uncounted = 0

    def stuck(self, full: bool) -> None:
        if full:
            self.late = self.loop.call_later(SLOW, self.end, AGAIN, "slow")
        elif self.late is not None:
            self.late.cancel()
            self.notify()

    # in -----------------------------------------------------------------------------------------------------------

    def hear(self, text: bytes) -> None:
        if self.asked is not None:
            self.unheard.append(text)
            self.held = True
            self.wire.hold()
        elif not self.over:
            self.take(text)

    def take(self, text: bytes) -> None:
        """Handle one message. Errors are answered as refusals; after too many refusals the socket is closed."""
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
        self.notify()
