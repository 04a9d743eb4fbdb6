"""The outermost middleware: proxies, host, origin and size of requests; headers, logs and metrics of responses."""

import asyncio
import ipaddress
import re
import time
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import structlog
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import metrics
from app.connections import of_scope
from app.refusals import Refusal
from app.web.hosts import Hosts, is_host, plain_host
from app.web.people import COOKIE

MOST = 64 * 1024  # largest body, in bytes
MOST_OF = {"/verify": 4 * 1024 * 1024}  # a whole log
BODY_SECONDS = 20.0  # for a whole body
NAMEABLE = re.compile(r"^[A-Za-z0-9.-]+(?::\d{1,5})?$")
SAFE = {"GET", "HEAD", "OPTIONS"}
HEADERS = {
    "x-content-type-options": "nosniff",
    # Not no-referrer: with it browsers send "Origin: null" with our own forms. Other sites get no referrer either way.
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
POLICY = (
    "default-src 'self'; connect-src 'self' {socket}; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
log = structlog.get_logger("web")


class Edge:
    """Plain ASGI middleware. It puts refusals into the scope; the inner app answers them like all others."""

    def __init__(
        self, app: ASGIApp, trusted: Iterable[str] = (), public_url: str = "", allowed_hosts: Iterable[str] = ()
    ) -> None:
        self.app = app
        self.hosts = Hosts(public_url, allowed_hosts)
        self.trusted = [ipaddress.ip_network(one, strict=False) for one in trusted if one != "*"]
        self.trusts_all = "*" in trusted
        self.public = plain_host(urlsplit(public_url).netloc) if public_url else ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        connection = of_scope(scope)
        if connection is not None:
            connection.request_begins()
        scope = {**scope, "peer": (scope.get("client") or ("", 0))[0]}
        if scope.get("method") == "HEAD":
            scope["method"] = "GET"  # uvicorn omits the body
        self.see_through_proxies(scope)
        headers = Headers(scope=scope)
        try:
            self.check(scope, headers)
        except Refusal as refusal:
            scope["refusal"] = refusal
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            if connection is not None:
                connection.socket_ends()
            return
        request = GuardedRequest(scope, headers, receive, send, self.policy(scope, headers))
        try:
            await self.app(scope, request.receive, request.send)
        finally:
            request.count()
            if connection is not None:
                connection.request_ends()

    def see_through_proxies(self, scope: Scope) -> None:
        """Take scheme, client and host from the outermost trusted proxy."""
        if not self.trusts(scope["peer"]):
            return
        headers = Headers(scope=scope)
        chain = [part.strip() for part in headers.get("x-forwarded-for", "").split(",") if part.strip()]
        client = next((hop for hop in reversed(chain) if not self.trusts(hop)), chain[0] if chain else "")
        if client:
            scope["client"] = (client[:64], 0)
        scheme = headers.get("x-forwarded-proto", "").rpartition(",")[2].strip()
        if scheme in ("http", "https", "ws", "wss"):
            secure = scheme in ("https", "wss")
            web = {True: "https", False: "http"} if scope["type"] == "http" else {True: "wss", False: "ws"}
            scope["scheme"] = web[secure]
        if host := headers.get("x-forwarded-host", "").rpartition(",")[2].strip():
            kept = [(name, value) for name, value in scope["headers"] if name != b"host"]
            scope["headers"] = [*kept, (b"host", host.encode("latin-1", "replace"))]

    def trusts(self, address: str) -> bool:
        if self.trusts_all:
            return True
        try:
            ip = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(ip in network for network in self.trusted)

    def check(self, scope: Scope, headers: Headers) -> None:
        host = headers.get("host", "")
        if not is_host(host):
            raise Refusal("bad_host")
        if not self.hosts.allows(host):
            raise Refusal("foreign_host")
        if scope["type"] == "websocket" or scope["method"] not in SAFE:
            self.check_origin(scope, headers)
        if scope["type"] == "http":
            size = headers.get("content-length", "0")
            if not size.isdecimal() or int(size) > MOST_OF.get(scope["path"], MOST):
                raise Refusal("too_big")

    def check_origin(self, scope: Scope, headers: Headers) -> None:
        """Browsers always send an origin with posts and sockets. A client without one is a program: it must send a
        bearer token or JSON, which a page of another site cannot make a browser do."""
        origin = headers.get("origin")
        if origin is None:
            program = headers.get("authorization") or headers.get("content-type", "").startswith("application/json")
            if not program and (scope["type"] == "http" or f"{COOKIE}=" in headers.get("cookie", "")):
                raise Refusal("origin")
        elif plain_host(origin.partition("://")[2]) not in (plain_host(headers["host"]), self.public or None):
            raise Refusal("origin")

    def policy(self, scope: Scope, headers: Headers) -> list[tuple[bytes, bytes]]:
        # Older Safari versions do not count sockets as 'self'. A policy cannot name IPv6 addresses: they are left out.
        host = headers.get("host", "")
        socket = f"{'wss' if scope['scheme'] == 'https' else 'ws'}://{host}" if NAMEABLE.match(host) else ""
        found = {**HEADERS, "content-security-policy": POLICY.format(socket=socket)}
        if scope["scheme"] == "https":
            found["strict-transport-security"] = "max-age=31536000"
            found["cross-origin-opener-policy"] = "same-origin"
        return [(name.encode(), value.encode()) for name, value in found.items()]


class GuardedRequest:
    """One request: limits the size of its body and adds headers to the response."""

    def __init__(
        self, scope: Scope, headers: Headers, receive: Receive, send: Send, policy: list[tuple[bytes, bytes]]
    ) -> None:
        self.scope = scope
        self._receive = receive
        self._send = send
        self.policy = policy
        self.left = MOST_OF.get(scope["path"], MOST)
        self.complete = scope["method"] in SAFE  # the whole body was read
        self.body_by = asyncio.get_running_loop().time() + BODY_SECONDS
        self.status = 500
        self.began = time.perf_counter()

    async def receive(self) -> Message:
        if self.complete:  # waits until the client disconnects
            return await self._receive()
        try:
            async with asyncio.timeout_at(self.body_by):
                message = await self._receive()
        except TimeoutError:
            raise Refusal("too_slow") from None
        self.left -= len(message.get("body", b""))
        if self.left < 0:
            raise Refusal("too_big")
        self.complete = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            there = {name for name, _ in message["headers"]}
            more = self.policy
            if b"cache-control" not in there:
                more = [*more, (b"cache-control", b"no-store")]
            if self.status == 408:  # the rest of the body is not awaited
                more = [*more, (b"connection", b"close")]
            message["headers"] = [*message["headers"], *more]
        await self._send(message)

    def count(self) -> None:
        """Count and log by the route's template, since paths contain tokens."""
        route = template(self.scope)
        seconds = time.perf_counter() - self.began
        metrics.REQUESTS.labels(self.scope["method"] if route else "-", route or "-", self.status).inc()
        if route and not route.startswith("/static"):
            log.debug("request", method=self.scope["method"], route=route, status=self.status, ms=round(seconds * 1000))


def template(scope: Any) -> str:
    """The route that matched the request's path; "" if none did."""
    return str(getattr(scope.get("route"), "path", "") or "")
