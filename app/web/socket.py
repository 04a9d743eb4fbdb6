"""The socket of a page or a program: what changed goes out, actions come in."""

import asyncio
import re
import secrets

import structlog
from msgspec import Struct
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from app.house import Live, Subscription
from app.web import metrics
from app.web.edge import template
from app.web.feeds import PONG, Feed, HtmlFeed, JsonFeed
from app.web.messages import Ping, read_json, understand
from app.web.people import NOBODY, Visitor
from app.web.refusals import Refusal
from app.web.site import Site

log = structlog.get_logger("web")
MOST = 4096  # bytes of a message
SLOW = 10.0  # seconds that a client may take to take a message
PATIENCE = 50  # so many more refused than accepted messages are answered; then the socket is closed
MOST_SAID = 200  # answers that may wait for a client to take them

NOT_TEXT, POLICY, TOO_BIG, BROKEN, AGAIN = 1003, 1008, 1009, 1011, 1013
UNKNOWN_TABLE, TOO_FAST = 4004, 4029
JSON = "facedown.json"
PATH = re.compile("/t/([^/]+)/live")


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
            await live(WebSocket(scope, receive, send), send, found[1])
        else:
            await self.app(scope, receive, send)


async def live(socket: WebSocket, send: Send, token: str) -> None:
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
            await Connection(site, socket, send, table, visitor, feed).run()
    except Refusal as refusal:
        site.note(refusal, socket.scope)
        codes = {"unknown_table": UNKNOWN_TABLE, "too_fast": AGAIN, "store_down": AGAIN}
        await close(socket, codes.get(refusal.reason, POLICY), refusal.reason)


async def close(socket: WebSocket, code: int, reason: str) -> None:
    try:
        async with asyncio.timeout(SLOW):
            await socket.close(code, reason)
    except (TimeoutError, RuntimeError, OSError, WebSocketDisconnect):
        pass  # it has gone by itself


class Closed(Exception):
    """We are done with this socket."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Connection:
    """One open socket. Its own task tells, and nobody else writes to it; another one listens."""

    def __init__(self, site: Site, socket: WebSocket, send: Send, live: Live, visitor: Visitor, feed: Feed) -> None:
        self.site = site
        self.socket = socket
        self.put_raw = send
        self.live = live
        self.visitor = visitor
        self.feed = feed
        self.refused = 0
        self.key = visitor.person or secrets.token_hex(8)
        self.address = site.address(socket)
        self.sent = metrics.SENT.labels(feed.face)
        self.said: list[str] = []  # answers that have yet to go out
        self.loop = asyncio.get_running_loop()
        self.teller = asyncio.current_task()
        self.slow = False

    async def run(self) -> None:
        watches = self.feed.face != "screen" and self.live.sitting.seat_of(self.visitor.person) is None
        metrics.SOCKETS.labels(self.feed.face).inc()
        self.came(watches)
        with self.live.subscribe() as subscription:
            listener = asyncio.create_task(self.listen(subscription))
            listener.add_done_callback(lambda _: subscription.tell())
            try:
                await self.tell(subscription, listener)
            except Closed as closed:
                await close(self.socket, closed.code, closed.reason)
            except (WebSocketDisconnect, OSError):
                pass  # it has gone
            except Exception:
                log.exception("broken", route=template(self.socket.scope))
                await close(self.socket, BROKEN, "broken")
            finally:
                listener.cancel()
                await asyncio.gather(listener, return_exceptions=True)
        self.site.tidy(self.live)
        metrics.SOCKETS.labels(self.feed.face).dec()
        self.went(watches)

    def came(self, watches: bool) -> None:
        if self.visitor.person:
            self.site.house.here(self.live, self.visitor.person)
        if watches:
            self.site.watch(self.live, 1)

    def went(self, watches: bool) -> None:
        if self.visitor.person:
            self.site.house.gone(self.live, self.visitor.person)
        if watches:
            self.site.watch(self.live, -1)

    # out ----------------------------------------------------------------------------------------------------------

    async def tell(self, subscription: Subscription, listener: "asyncio.Task[None]") -> None:
        """Until the listener ends; what it still wanted said goes out before."""
        while True:
            over = listener.done()
            if over and listener.exception() is None:
                return
            said, self.said = self.said, []
            for message in (*said, self.feed.news()):
                if message:
                    await self.send(message)
            if over:
                listener.result()
            del said, message  # a page of some kilobytes, while we wait for the next
            await subscription.changed()

    async def send(self, message: str) -> None:
        self.sent.inc(len(message))
        late = self.loop.call_later(SLOW, self.give_up)
        try:
            await self.put(message)
        except asyncio.CancelledError:
            if self.slow:
                raise Closed(AGAIN, "slow") from None
            raise
        finally:
            late.cancel()

    async def put(self, message: str) -> None:
        try:
            await self.put_raw({"type": "websocket.send", "text": message})
        except RuntimeError:  # its transport was closed this very moment
            raise WebSocketDisconnect(1006) from None

    def give_up(self) -> None:
        self.slow = True
        if self.teller is not None:
            self.teller.cancel()

    # in -----------------------------------------------------------------------------------------------------------

    async def listen(self, subscription: Subscription) -> None:
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            if text is None:
                raise Closed(NOT_TEXT, "binary")
            if len(text) > MOST or len(text.encode("utf-8", "replace")) > MOST:
                raise Closed(TOO_BIG, "too_big")
            await self.take(text)
            if len(self.said) > MOST_SAID:
                raise Closed(AGAIN, "slow")
            subscription.tell()

    async def take(self, text: str) -> None:
        """One message. Whatever is wrong with it is said; who goes on regardless is shown out."""
        metrics.RECEIVED.inc()
        id = ""
        try:
            limits = self.site.limits
            limits.person.take(self.key)
            limits.address.take(self.address)
            found = read_json(text)
            given = found.get("id")
            id = given if isinstance(given, str) else ""
            said = understand(found)
            version = await self.site.act(self.live, self.visitor, said)
        except Refusal as refusal:
            self.refused += 1
            if self.refused <= PATIENCE:
                self.site.note(refusal, self.socket.scope)
                self.said.append(self.feed.refused(refusal, id))
            elif refusal.reason == "too_fast":
                raise Closed(TOO_FAST, "too_fast") from None
            else:
                raise Closed(POLICY, "refused") from None
            return
        self.refused = max(0, self.refused - 1)
        self.said.append(PONG if isinstance(said.message, Ping) else self.feed.done(version, id))
