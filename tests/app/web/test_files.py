"""Static files are sent in the best form that a client takes, each form with an etag of its own."""

import gzip
from collections.abc import Callable

import brotli
import pytest

from app.paths import STATIC
from app.web import files
from tests.app.web.conftest import Guest, Web

Guests = Callable[..., Guest]

PATH = "css/table.css"


@pytest.mark.parametrize(
    ("accepts", "encoding"),
    [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("br;q=0, gzip", "gzip"), ("identity", "")],
)
async def test_a_style_sheet_is_sent_compressed(web: Web, guest: Guests, accepts: str, encoding: str) -> None:
    ask = guest("Ada").http
    url, plain = web.site.templates.asset(PATH), (STATIC / PATH).read_bytes()
    async with ask.stream("GET", url, headers={"accept-encoding": accepts}) as answer:
        raw = b"".join([piece async for piece in answer.aiter_raw()])
    unpack = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}[encoding]
    assert unpack(raw) == plain and answer.headers.get("content-encoding", "") == encoding
    assert (len(raw) < len(plain) / 3) == bool(encoding)
    assert answer.headers["vary"] == "accept-encoding" and "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/css")

    etag = answer.headers["etag"]
    again = await ask.get(url, headers={"accept-encoding": accepts, "if-none-match": etag})
    assert again.status_code == 304 and again.headers["etag"] == etag
    other = await ask.get(url, headers={"accept-encoding": "identity" if encoding else "br", "if-none-match": etag})
    assert other.status_code == 200, "another form has another etag"


async def test_a_file_that_the_build_does_not_know_is_compressed_when_it_is_asked_for(
    guest: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PACKED", STATIC / "nowhere")
    answer = await guest("Ada").http.get(f"/static/{PATH}", headers={"accept-encoding": "br, gzip"})
    assert answer.headers["content-encoding"] == "gzip" and answer.content == (STATIC / PATH).read_bytes()


async def test_what_is_compressed_already_or_small_stays_as_it_is(guest: Guests) -> None:
    ask = guest("Ada").http
    for path in ("icon.svg", "bundles.json"):
        answer = await ask.get(f"/static/{path}", headers={"accept-encoding": "br, gzip"})
        assert answer.status_code == 200 and "content-encoding" not in answer.headers
