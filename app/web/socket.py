"""The socket of a page or a program: what changed goes out, actions come in."""

import asyncio
import secrets
from typing import Any

import structlog
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from app.house import Live, Subscription
from app.web import metrics
from app.web.edge import template
from app.web.feeds import PONG, Feed, HtmlFeed, JsonFeed
from app.web.messages import Ping, read_json, understand
from app.web.people import NOBODY, Visitor
from app.web.refusals import Refusal
from app.web.site import Site

router = APIRouter()
log = structlog.get_logger("web")
MOST = 4096  # bytes of a message
SLOW = 10.0  # seconds that a client may take to take a message
PATIENCE = 50  # so many more refused than accepted messages are answered; then the socket is closed

NOT_TEXT, POLICY, TOO_BIG, BROKEN, AGAIN = 1003, 1008, 1009, 1011, 1013
UNKNOWN_TABLE, TOO_FAST = 4004, 4029
JSON = "facedown.json"


@router.websocket("/t/{token}/live")
async def live(socket: WebSocket, token: str) -> None:
    """Fragments for one face, or JSON where the client asks for it."""
    site: Site = socket.app.state.site
    offered = socket.scope["subprotocols"]
    json = socket.query_params.get("as") == "json" or JSON in offered
    # Accepted even when it is refused: before that a browser cannot be told why, and would try for ever.
    await socket.accept(subprotocol=JSON if JSON in offered else None)
    try:
        if refusal := socket.scope.get("refusal"):
            raise refusal
        with site.limits.socket(site.address(socket)):
            table = await site.table(socket, token)
            face = socket.query_params.get("face", "play")
            visitor = NOBODY if face == "screen" else site.people.visitor(socket)
            feed: Feed = (JsonFeed if json else HtmlFeed).of(site, table, visitor, socket)
            await Connection(site, socket, table, visitor, feed).run()
    except Refusal as refusal:
        site.note(refusal, socket.scope)
        codes = {"unknown_table": UNKNOWN_TABLE, "too_fast": AGAIN, "store_down": AGAIN}
        await socket.close(codes.get(refusal.reason, POLICY), refusal.reason)


class Closed(Exception):
    """We are done with this socket."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Connection:
    """One open socket: one task listens, one tells."""

    def __init__(self, site: Site, socket: WebSocket, live: Live, visitor: Visitor, feed: Feed) -> None:
        self.site = site
        self.socket = socket
        self.live = live
        self.visitor = visitor
        self.feed = feed
        self.refused = 0
        self.key = visitor.person or secrets.token_hex(8)
        self.address = site.address(socket)
        self.subscription: Subscription | None = None
        self.sent = metrics.SENT.labels(feed.face)

    async def run(self) -> None:
        watches = self.feed.face != "screen" and self.live.sitting.seat_of(self.visitor.person) is None
        metrics.SOCKETS.labels(self.feed.face).inc()
        self.came(watches)
        self.subscription = subscription = self.live.subscribe()
        tasks = [asyncio.create_task(self.tell(subscription)), asyncio.create_task(self.listen())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except Closed as closed:
            await self.close(closed)
        except (WebSocketDisconnect, OSError):
            pass
        except Exception:
            log.exception("broken", route=template(self.socket.scope))
            await self.close(Closed(BROKEN, "broken"))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            subscription.close()
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

    async def close(self, closed: Closed) -> None:
        try:
            async with asyncio.timeout(SLOW):
                await self.socket.close(closed.code, closed.reason)
        except (TimeoutError, RuntimeError, OSError):
            pass

    # out ----------------------------------------------------------------------------------------------------------

    async def tell(self, subscription: Any) -> None:
        while True:
            if message := self.feed.news():
                await self.send(message)
            await subscription.changed()

    async def send(self, message: str) -> None:
        self.sent.inc(len(message))
        try:
            async with asyncio.timeout(SLOW):
                await self.socket.send_text(message)
        except TimeoutError:
            raise Closed(AGAIN, "slow") from None
        except RuntimeError:
            raise WebSocketDisconnect(1006) from None

    # in -----------------------------------------------------------------------------------------------------------

    async def listen(self) -> None:
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
                await self.send(self.feed.refused(refusal, id))
            elif refusal.reason == "too_fast":
                raise Closed(TOO_FAST, "too_fast") from None
            else:
                raise Closed(POLICY, "refused") from None
            return
        self.refused = max(0, self.refused - 1)
        answer = PONG if isinstance(said.message, Ping) else self.feed.done(version, id)
        if answer:
            await self.send(answer)
        if self.subscription is not None:
            self.subscription.tell()
