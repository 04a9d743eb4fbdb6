"""Middleware: compresses pages, except where their length could tell a stranger what is in them.

Who can see the lengths of encrypted answers, have a browser ask for a page again and again, and choose something that
the page repeats, learns its secrets from how well they compress together (BREACH). Pages repeat their address, and
what other players call themselves. So no page is compressed that another site may have had the browser ask for, and
none that holds a link for one use. On plain http lengths tell nothing that could not be read. docs/security.md has the
whole of it.
"""

import zlib
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.files import accepted
from app.web.people import COOKIE

LEAST = 1000  # bytes
LEVEL = 6
GZIP = 16 + zlib.MAX_WBITS
# What browsers send with a request of this site's own page, and with an address that was typed, scanned or bookmarked.
OWN = ("same-origin", "none")
UNCOMPRESSED = "no-transform"  # in `cache-control`: a page that holds a secret and must not be compressed by anybody


class Compression:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        await self.app(scope, receive, Compressed(scope, send).send)


def is_safe(scope: Scope) -> bool:
    """Whether no other site can have the browser ask for this with a person's cookie, or it makes no difference."""
    headers = Headers(scope=scope)
    if f"{COOKIE}=" not in headers.get("cookie", ""):
        return True
    asked_by = headers.get("sec-fetch-site")
    return scope["scheme"] == "http" if asked_by is None else asked_by in OWN


class Compressed:
    """One answer. It is passed on piece by piece: whatever came in is sent before the next piece."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self.scope = scope
        self._send = send
        self.start: Message | None = None  # held until the first piece tells how long the answer is
        self.pack: Callable[[bytes, bool], bytes] | None = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and is_page(message):
            MutableHeaders(scope=message).add_vary_header("Accept-Encoding")
            self.start = message
            return
        if message["type"] == "http.response.body":
            body, more = message.get("body", b""), message.get("more_body", False)
            start, self.start = self.start, None
            if start is not None and (more or len(body) >= LEAST) and self.may_pack():
                self.pack = packer()
            if self.pack is not None:
                message = {**message, "body": self.pack(body, more)}
            if start is not None:
                if self.pack is not None:
                    mark_packed(start, None if more else len(message["body"]))
                await self._send(start)
        await self._send(message)

    def may_pack(self) -> bool:
        return "gzip" in accepted(self.scope) and is_safe(self.scope)


def is_page(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    return (
        headers.get("content-type", "").startswith("text/html")
        and "content-encoding" not in headers
        and UNCOMPRESSED not in headers.get("cache-control", "")
    )


def mark_packed(start: Message, length: int | None) -> None:
    """Say in the headers that the answer is compressed; `length`: of the whole, if it is known."""
    headers = MutableHeaders(scope=start)
    headers["content-encoding"] = "gzip"
    del headers["content-length"]
    if length is not None:
        headers["content-length"] = str(length)


def packer() -> Callable[[bytes, bool], bytes]:
    """Compresses the pieces of an answer, each so far that it can be read when it arrives."""
    packing = zlib.compressobj(LEVEL, wbits=GZIP)
    return lambda body, more: packing.compress(body) + packing.flush(zlib.Z_SYNC_FLUSH if more else zlib.Z_FINISH)
