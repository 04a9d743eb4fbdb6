"""Pages are compressed, but for those of whose secrets a stranger could learn from their length."""

import asyncio
import gzip
import json
import zlib
from collections.abc import AsyncIterator, Callable

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from app.web.compression import Compression
from app.web.people import COOKIE
from tests.app.web.conftest import Guest, Web
from tests.support.packages import ROOT

Guests = Callable[..., Guest]

PAGE = "<p>Everyone chooses in secret.</p>" * 100
OURS = {"cookie": f"{COOKIE}=ada", "accept-encoding": "gzip, br"}


async def pieces() -> AsyncIterator[bytes]:
    for n in range(3):
        yield f"<p>piece {n}".encode()


async def site(scope: Scope, receive: Receive, send: Send) -> None:
    answers = {
        "/": HTMLResponse(PAGE, headers={"vary": "Cookie"}),
        "/short": HTMLResponse("<p>"),
        "/json": Response(json.dumps([0] * 1000), media_type="application/json"),
        "/secret": HTMLResponse(PAGE, headers={"cache-control": "no-store, no-transform"}),
        "/pieces": StreamingResponse(pieces(), media_type="text/html"),
    }
    await answers[Request(scope).url.path](scope, receive, send)


async def never() -> dict[str, str]:
    await asyncio.Event().wait()
    return {}


def client(scheme: str = "https") -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(Compression(site)), base_url=f"{scheme}://cards.example")


async def encoding(path: str = "/", scheme: str = "https", **headers: str) -> str:
    async with client(scheme) as http:
        answer = await http.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    assert int(answer.headers.get("content-length", 0)) < len(PAGE) or "content-encoding" not in answer.headers
    assert path != "/" or answer.text == PAGE
    return str(answer.headers.get("content-encoding", ""))


@pytest.mark.parametrize(
    ("accepts", "found"), [("gzip", "gzip"), ("br", ""), ("identity, gzip;q=0", ""), ("deflate, gzip;q=0.5", "gzip")]
)
async def test_a_page_is_compressed_for_who_can_read_it(accepts: str, found: str) -> None:
    assert await encoding(accept_encoding=accepts) == found


async def test_caches_are_told_that_pages_differ() -> None:
    async with client() as http:
        assert (await http.get("/")).headers["vary"] == "Cookie, Accept-Encoding"


async def test_short_pages_and_data_stay_as_they_are() -> None:
    assert [await encoding(path) for path in ("/short", "/json")] == ["", ""]


@pytest.mark.parametrize(
    ("asked_by", "found"),
    [("same-origin", "gzip"), ("none", "gzip"), ("cross-site", ""), ("same-site", ""), ("", "")],
)
async def test_with_a_cookie_only_what_no_other_site_has_asked_for(asked_by: str, found: str) -> None:
    by = {"sec_fetch_site": asked_by} if asked_by else {}
    assert await encoding(**OURS, **by) == found
    assert await encoding(**by) == "gzip", "without a cookie there is no secret"


async def test_on_plain_http_lengths_tell_nothing_new() -> None:
    assert await encoding(scheme="http", **OURS) == "gzip"
    assert await encoding(scheme="http", **OURS, sec_fetch_site="cross-site") == "", "a proxy may hide that it is https"


async def test_a_page_that_says_so_is_never_compressed() -> None:
    assert await encoding("/secret") == ""


async def test_each_piece_can_be_read_when_it_comes() -> None:
    sent: list[bytes] = []

    async def send(message: dict[str, object]) -> None:
        if message["type"] == "http.response.body" and message["body"]:
            sent.append(bytes(message["body"]))  # type: ignore[call-overload]

    scope = {"type": "http", "method": "GET", "path": "/pieces", "scheme": "http", "query_string": b""}
    scope |= {"headers": [(b"accept-encoding", b"gzip")], "server": ("cards.example", 80)}
    await Compression(site)(scope, never, send)  # type: ignore[arg-type]
    reader = zlib.decompressobj(16 + zlib.MAX_WBITS)
    read = [reader.decompress(piece).decode() for piece in sent]
    assert [part for part in read if part] == ["<p>piece 0", "<p>piece 1", "<p>piece 2"] and reader.eof
    assert gzip.decompress(b"".join(sent))


async def test_the_pages_of_a_table_and_the_link_for_one_use(web: Web, guest: Guests) -> None:
    ada = guest("Ada")
    table = await ada.open(bots="1")
    page = await ada.http.get(table)
    assert page.headers["content-encoding"] == "gzip" and "Accept-Encoding" in page.headers["vary"]
    # As if another site had led the browser here, with an address that repeats a guess.
    led = await ada.http.get(f"{table}?guess", headers={"sec-fetch-site": "cross-site"})
    assert "content-encoding" not in led.headers
    link = await ada.http.post(f"{table}/device")
    assert "/move#" in link.text and "content-encoding" not in link.headers
    assert "no-transform" in link.headers["cache-control"]


def test_the_proxies_of_the_docs_leave_it_to_the_server() -> None:
    text = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    assert "gzip off;" in text and "encode" not in text.partition("```caddyfile")[2].partition("```")[0].split()
