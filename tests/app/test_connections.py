"""Connections that are too many, too slow or endless are closed; others are not affected."""

import asyncio
import resource
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx
import pytest

from app import connections
from app.connections import OpenConnections
from app.server import raise_file_limit
from app.settings import Settings
from app.web import edge
from tests.app.conftest import Logged
from tests.app.web.conftest import Guest, Web, running

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]
HEAD = "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


@pytest.fixture
async def web(tmp_path: Any) -> AsyncIterator[Web]:
    async with running(Settings(data_dir=tmp_path, bot_pause=0.0)) as found:
        yield found


@asynccontextmanager
async def connected(web: Web, small_buffer: bool = False) -> AsyncIterator[Stream]:
    ours = socket.socket()
    if small_buffer:
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    ours.setblocking(False)
    await asyncio.get_running_loop().sock_connect(ours, ("127.0.0.1", web.port))
    reader, writer = await asyncio.open_connection(sock=ours)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


def head(web: Web, method: str, path: str) -> bytes:
    return HEAD.format(method=method, path=path, port=web.port).encode()


async def is_well(web: Web) -> bool:
    async with httpx.AsyncClient(base_url=web.url, trust_env=False, timeout=60) as anyone:
        return (await anyone.get("/healthz")).status_code == 200


async def test_a_head_that_does_not_arrive_is_not_awaited(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)
    for begun in (b"", b"GET / HTTP/1.1\r\nHost: "):
        async with connected(web) as (reader, writer):
            writer.write(begun)
            assert (await reader.read()).startswith(b"HTTP/1.1 408 ")
    async with connected(web) as (reader, writer):  # the second request of a connection
        writer.write(head(web, "GET", "/healthz") + b"\r\n")
        assert b"200 OK" in await reader.readuntil(b"ok\n")
        writer.write(b"GET / HTTP/1.1\r\n")
        assert (await reader.read()).startswith(b"HTTP/1.1 408 ")
    assert await is_well(web)


async def test_a_request_that_takes_long_is_not_cut_off(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.8)
    ada = Guest(web, "Ada")
    table = await ada.open()
    assert (await ada.http.get(f"{table}/events?wait=1&after=0")).status_code == 200
    async with ada.socket(table, "as=json") as line:
        await line.text()
        assert await line.quiet(1)
        await line.say(do="ping", id="one")
        assert await line.text()


async def test_a_body_that_does_not_arrive_is_not_awaited(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge, "BODY_SECONDS", 0.2)
    async with connected(web) as (reader, writer):
        writer.write(head(web, "POST", "/join") + b"Content-Type: application/json\r\nContent-Length: 30\r\n\r\n{")
        answer = await reader.read()  # up to the end: the connection is closed
        assert answer.startswith(b"HTTP/1.1 408 ") and b"too_slow" in answer


async def test_a_body_that_breaks_off_is_one_line_in_the_log(web: Web, logged: Logged) -> None:
    async with connected(web) as (_, writer):
        writer.write(head(web, "POST", "/join") + b"Content-Type: application/json\r\nContent-Length: 30\r\n\r\n{")
        await writer.drain()
        while not any(one.requested for one in opened(web).by_client.values()):
            await asyncio.sleep(0.01)
    while opened(web).by_client:
        await asyncio.sleep(0.01)
    while not any('"disconnected"' in line for line in logged.lines):
        await asyncio.sleep(0.01)
    assert not logged.troubles()


def opened(web: Web) -> OpenConnections:
    found = web.app.state.connections
    assert isinstance(found, OpenConnections)
    return found


async def test_connections_from_one_address_are_limited(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opened(web), "most", 3)
    async with connected(web), connected(web), connected(web):
        while len(opened(web).by_client) < 3:
            await asyncio.sleep(0.01)
        async with connected(web) as (reader, _):
            assert (await reader.read()).startswith(b"HTTP/1.1 429 ")
        monkeypatch.setattr(opened(web), "trusted", OpenConnections(0, "127.0.0.0/8").trusted)
        assert await is_well(web)
    while opened(web).by_client:
        await asyncio.sleep(0.01)
    assert not opened(web).by_address


@asynccontextmanager
async def socket_of(web: Web, small_buffer: bool = False) -> AsyncIterator[Stream]:
    table = await Guest(web, "Ada").open()
    async with connected(web, small_buffer) as (reader, writer):
        writer.write(head(web, "GET", f"{table}/live?as=json") + UPGRADE.encode())
        assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
        yield reader, writer


async def test_an_endless_message_closes_the_socket(web: Web) -> None:
    async with socket_of(web) as (reader, writer):
        writer.write(b"\x01\x80mask" + b"\x00\x80mask" * 1000)  # no piece is the last one
        await ended(reader)
    assert await is_well(web)


async def test_a_flood_of_messages_is_cut_off_before_it_is_decoded(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[bytes] = []
    async with socket_of(web) as (reader, writer):
        [connection] = [one for one in opened(web).by_client.values() if one.frames is not None]
        monkeypatch.setattr(connection.inner, "data_received", decoded.append)
        writer.write(b'\x81\x8e\0\0\0\0{"do": "ping"}' * 100_000)
        await ended(reader)
    assert sum(map(len, decoded)) < 1_000_000
    assert await is_well(web)


async def test_a_client_that_pings_and_reads_nothing_is_not_read(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.frames.MOST_CONTROL", 10**9)
    async with socket_of(web, small_buffer=True) as (_, writer):
        ping = b"\x89\xfdmask" + b"\x00" * 125
        [connection] = [one for one in opened(web).by_client.values() if one.frames is not None]
        transport = connection.transport
        sent = 0
        while not transport.unwritten:
            assert sent < 100_000_000, "everything was read"
            writer.write(ping * 500)
            sent += len(ping) * 500
            await asyncio.sleep(0)
        assert not transport.is_reading()
        assert transport.get_write_buffer_size() < 1_000_000
    assert await is_well(web)


async def test_a_refused_socket_is_dropped_if_the_client_does_not_close_it(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "CLOSING_SECONDS", 0.1)
    async with connected(web) as (reader, writer):
        writer.write(head(web, "GET", f"/t/{'A' * 22}/live") + UPGRADE.encode())
        assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
        async with asyncio.timeout(5):  # less than the server's own patience
            await ended(reader)
    assert await is_well(web)


ODD_REQUESTS = [
    b"GET /t/a%00b HTTP/1.1\r\n",
    b"GET /t/%ff%fe HTTP/1.1\r\n",
    b"GET /?lang=%ff HTTP/1.1\r\n",
    b"GET / HTTP/1.1\r\nCookie: facedown=\xff; lang=\xfe\r\nAccept-Language: \xff\r\n",
    b"GET / HTTP/1.1\r\nAuthorization: Bearer \xff\r\n",
    b"GET /static/../../etc/passwd HTTP/1.1\r\n",
    b"GET /static/%2e%2e/%2e%2e/pyproject.toml HTTP/1.1\r\n",
    b"GET /t/AAAAAAAAAAAAAAAAAAAAAA/events?after=%f0 HTTP/1.1\r\n",
]
ODD_BODIES = [
    ("application/json", b'{"code": "\xff"}'),
    ("application/json", b'{"code": "\\ud800"}'),
    ("application/json", b"[" * 20_000),
    ("application/json", b'{"code":' * 5_000),
    ("application/x-www-form-urlencoded", b"code=%ff&name=\xff"),
    ("application/x-www-form-urlencoded", b"&".join(b"a%d=1" % n for n in range(1000))),
    ("multipart/form-data; boundary=x", b"--x\r\nnothing"),
    ("multipart/form-data", b"\xff"),
    ("multipart/form-data; boundary=" + "x" * 300, b"--" + b"x" * 300 + b"--"),
    ("text/plain; charset=\xff", b"\xff"),
]


async def test_bytes_that_are_no_text_are_refused_without_an_error_in_the_log(web: Web, logged: Logged) -> None:
    """Also bombs of brackets and fields."""
    requests = [(line + b"Host: 127.0.0.1:%d\r\n" % web.port, b"") for line in ODD_REQUESTS]
    for path in ("/join", "/verify"):
        for kind, body in ODD_BODIES:
            more = f"Origin: {web.url}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
            requests.append((head(web, "POST", path) + more.encode("latin-1"), body))
    for request, body in requests:
        async with connected(web) as (reader, writer):
            writer.write(request + b"Connection: close\r\n\r\n" + body)
            status = (await reader.read()).split(b" ")[1]
            assert status < b"500", (request, status)
    assert not logged.troubles()


async def ended(reader: asyncio.StreamReader) -> None:
    with suppress(ConnectionError):
        await reader.read()


def test_the_limit_of_open_files_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, tuple[int, int]]] = []
    for limits, wanted in (((1024, 4096), (4096, 4096)), ((1024, 10**6), (65_536, 10**6)), ((4096, 4096), None)):
        asked.clear()
        monkeypatch.setattr(resource, "getrlimit", lambda _, limits=limits: limits)
        monkeypatch.setattr(resource, "setrlimit", lambda which, pair: asked.append((which, pair)))
        raise_file_limit()
        assert [pair for _, pair in asked] == ([wanted] if wanted else [])
