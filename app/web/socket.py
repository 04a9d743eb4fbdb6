"""WebSockets of pages and programs: actions in, changes out. Plain ASGI: any server that speaks it can be used."""

import asyncio
import re
import secrets
from contextlib import suppress
from enum import Enum, auto
from typing import Protocol

import structlog
from msgspec import Struct
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import metrics
from app.house.open_table import OpenTable
from app.refusals import Refusal
from app.web.edge import template
from app.web.html_feed import HtmlFeed
from app.web.json_feed import JsonFeed
from app.web.messages import Ping, read_json, understand
from app.web.people import NOBODY, Visitor
from app.web.site import Site
from app.web.templates import template_line

log = structlog.get_logger("web")
MOST = 4096  # largest message, in bytes
SLOW = 10.0  # seconds; a client that takes nothing is disconnected after one to two times as long
PATIENCE = 50  # the socket is closed when refused messages outnumber accepted ones by more than this
COUNTED = 16_384  # bytes sent over a socket until the metric shows them; all are counted when it closes
MOST_REPLIES = 200  # that may be queued for a slow client

NOT_TEXT, POLICY, TOO_BIG, BROKEN, AGAIN = 1003, 1008, 1009, 1011, 1013
UNKNOWN_TABLE, TOO_FAST = 4004, 4029
GONE = (OSError, RuntimeError)  # raised by servers when something is sent to a client that is gone
JSON = "facedown.json"
PATH = re.compile("/t/([^/]+)/live")


PONG = '{"pong":true}'


class Feed(Protocol):
    face: str

    def news(self) -> str:
        """What changed since the last call, at first everything that the client lacks; "" if nothing did."""

    def done(self, version: int, id: str) -> str:
        """The reply to an accepted action; "" if there is none or it is part of the next news."""

    def refused(self, refusal: Refusal, id: str) -> str: ...


class Route(Struct, frozen=True):
    """The route's name in logs and metrics, without the token."""

    path: str = "/t/{token}/live"


class Sockets:
    """Middleware: sockets bypass the layers that pages need."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and (found := PATH.fullmatch(scope["path"])):
            scope["route"] = Route()
            await serve(HTTPConnection(scope), receive, send, found[1])
        else:
            await self.app(scope, receive, send)


async def serve(client: HTTPConnection, receive: Receive, send: Send, token: str) -> None:
    """Serve a table's socket: fragments for one face, or JSON if the client asks for it."""
    site: Site = client.app.state.site
    offered = client.scope["subprotocols"]
    json = client.query_params.get("as") == "json" or JSON in offered
    # Accept even refused sockets: otherwise a browser does not learn the reason and keeps reconnecting.
    if (await receive())["type"] != "websocket.connect":
        return
    if not await sent(send, {"type": "websocket.accept", "subprotocol": JSON if JSON in offered else None}):
        return
    try:
        if refusal := client.scope.get("refusal"):
            raise refusal
        with site.limits.socket(site.address(client)):
            table = await site.table(client, token)
            face = client.query_params.get("face", "play")
            visitor = NOBODY if face == "screen" else site.people.visitor(client)
            feed: Feed = (JsonFeed if json else HtmlFeed).of(site, table, visitor, client)
            if isinstance(feed, JsonFeed):
                await site.read_up_to(table, feed.after or 0)
            await Connection(site, client, table, visitor, feed).run(receive, send)
    except Refusal as refusal:
        site.note(refusal, client.scope)
        codes = {"unknown_table": UNKNOWN_TABLE, "too_fast": AGAIN, "store_down": AGAIN, "game_broken": AGAIN}
        await sent(send, closing(codes.get(refusal.reason, POLICY), refusal.reason))


def closing(code: int, reason: str) -> Message:
    return {"type": "websocket.close", "code": code, "reason": reason}


async def sent(send: Send, message: Message) -> bool:
    """Send the message. Returns whether the client took it in time."""
    try:
        async with asyncio.timeout(SLOW):
            await send(message)
    except (TimeoutError, *GONE):
        return False
    return True


class SocketState(Enum):
    OPEN = auto()
    CLOSING = auto()  # what is queued is sent, then a close frame with `why`
    CLOSED = auto()  # the client is gone, or does not take anything


class Connection:
    """One open socket. Two tasks: one reads and handles messages one at a time, the other sends changes and replies.

    The socket reads the next message only after the last action is answered. It computes no changes while the client
    reads nothing. So the server's limits slow down a client that is too fast, and a slow client gets all changes that
    it missed as one.
    """

    def __init__(self, site: Site, client: HTTPConnection, table: OpenTable, visitor: Visitor, feed: Feed) -> None:
        self.site = site
        self.scope = client.scope
        self.table = table
        self.visitor = visitor
        self.feed = feed
        self.state = SocketState.OPEN
        self.why = (POLICY, "")  # close code and reason, if we close it
        self.refused = 0
        self.key = visitor.person or secrets.token_hex(8)
        self.address = site.address(client)
        self.sent = metrics.SENT.labels(feed.face)
        self.uncounted = 0  # bytes sent that the metric does not show yet
        self.replies: list[str] = []  # not sent yet
        self.loop = asyncio.get_running_loop()
        self.awake = False  # there may be something to send
        self.waiter: asyncio.Future[None] = self.loop.create_future()  # the writer waits for it
        # One limit and one timer for all messages: to set a limit for each takes longer than to send it.
        self.limit = asyncio.timeout(None)
        self.messages = 0
        self.sending = 0  # the number of the message that is being sent; 0 if none
        self.seen = 0  # its value at the last look

    async def run(self, receive: Receive, send: Send) -> None:
        """Serve the socket until one side closes it."""
        watches = self.feed.face != "screen" and self.table.picture.seat_of(self.visitor.person) is None
        metrics.SOCKETS.labels(self.feed.face).inc()
        self.came(watches)
        self.site.sockets.add(self)
        self.table.listen(self)
        if self.site.people.current(self.visitor) is not self.visitor:
            self.log_out()
        reading = asyncio.create_task(self.read(receive))
        self.notify()
        try:
            await self.write(send)
        finally:
            self.state = SocketState.CLOSED
            reading.cancel()
            with suppress(asyncio.CancelledError):
                await reading
            self.count()
            self.table.leave(self)
            self.site.sockets.discard(self)
            metrics.SOCKETS.labels(self.feed.face).dec()
            self.went(watches)

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
        """Close the socket after what is queued was sent."""
        if self.state is SocketState.OPEN:
            self.state, self.why = SocketState.CLOSING, (code, reason)
            self.notify()

    def log_out(self) -> None:
        """The person has logged out everywhere: whoever connects again is this person only with a new cookie."""
        self.end(AGAIN, "logged_out")

    def broke(self, error: Exception) -> None:
        log.exception("broken", route=template(self.scope), at=template_line(error) or None)
        self.end(BROKEN, "broken")

    # out ----------------------------------------------------------------------------------------------------------

    def notify(self) -> None:
        """There may be something to send: the table has a new picture, or a message was answered."""
        self.awake = True
        if not self.waiter.done():
            self.waiter.set_result(None)

    async def write(self, send: Send) -> None:
        self.timer = self.loop.call_later(SLOW, self.look)
        try:
            async with self.limit:
                while self.state is SocketState.OPEN:
                    await self.changes()
                    if self.table.gone:
                        self.end(UNKNOWN_TABLE, "table_gone")
                    for text in self.texts():
                        self.sending = self.messages = self.messages + 1
                        await send({"type": "websocket.send", "text": text})
                        self.sending = 0
                        self.uncounted += len(text)
                    if self.uncounted > COUNTED:
                        self.count()
        except (TimeoutError, *GONE):
            # No close frame: it would wait behind what the client does not take. The server ends the connection, and
            # the operating system drops it if the client takes nothing even then (`UNREAD` in server.py).
            self.state = SocketState.CLOSED
        finally:
            self.timer.cancel()
        if self.state is SocketState.CLOSING:
            await sent(send, closing(*self.why))

    async def changes(self) -> None:
        """Wait until there may be something to send."""
        if not self.awake:
            self.waiter = self.loop.create_future()
            await self.waiter
        self.awake = False

    def look(self) -> None:
        """Stop sending if the client has not taken the message that was being sent at the last look."""
        if self.sending and self.sending == self.seen:
            self.limit.reschedule(self.loop.time())
        else:
            self.seen = self.sending
            self.timer = self.loop.call_later(SLOW, self.look)

    def texts(self) -> list[str]:
        """All that is to be sent now."""
        if self.state is SocketState.CLOSED:
            return []
        replies, self.replies = self.replies, []
        try:
            return [text for text in (*replies, self.feed.news()) if text]
        except Exception as error:
            self.broke(error)
            return []

    def count(self) -> None:
        self.sent.inc(self.uncounted)
        self.uncounted = 0

    # in -----------------------------------------------------------------------------------------------------------

    async def read(self, receive: Receive) -> None:
        try:
            while self.state is SocketState.OPEN:
                message = await receive()
                if message["type"] != "websocket.receive":
                    break
                if (text := message.get("text")) is None:
                    self.end(NOT_TEXT, "binary")
                else:
                    await self.take(text.encode())
        finally:
            if self.state is SocketState.OPEN:
                self.state = SocketState.CLOSED
            self.notify()

    async def take(self, text: bytes) -> None:
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
            pending = self.site.hand_in(self.table, self.visitor, said, self.address)
            version = self.table.version if pending is None else (await pending).version
            self.accept(PONG if isinstance(said.message, Ping) else self.feed.done(version, id))
        except Refusal as refusal:
            self.refuse(refusal, id)
        except Exception as error:
            self.broke(error)

    def accept(self, text: str) -> None:
        self.refused = max(0, self.refused - 1)
        self.reply(text)

    def refuse(self, refusal: Refusal, id: str) -> None:
        self.refused += 1
        if self.refused <= PATIENCE:
            self.site.note(refusal, self.scope)
            self.reply(self.feed.refused(refusal, id))
        elif refusal.reason == "too_fast":
            self.end(TOO_FAST, "too_fast")
        else:
            self.end(POLICY, "refused")

    def reply(self, text: str) -> None:
        self.replies.append(text)
        if len(self.replies) > MOST_REPLIES:
            self.end(AGAIN, "slow")
        self.notify()
