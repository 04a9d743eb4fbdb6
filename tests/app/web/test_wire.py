"""WebSocket frames: several at once, fragmented ones, early ones, and clients that do not read."""

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from starlette.requests import HTTPConnection
from websockets.frames import CloseCode, Frame, Opcode

from app.house.open_table import OpenTable
from app.web.socket import Connection
from app.web.wire import Wire, head
from tests.app.web.conftest import Guest, Json, Web

Guests = Callable[..., Guest]
SMALL = 4096  # bytes; a small send buffer that fills quickly
PING = b'{"do":"ping"}'


def framed(data: bytes, opcode: Opcode = Opcode.TEXT, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=True)


class Raw:
    """A client that controls when it reads and which bytes it sends together."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def frame(self) -> tuple[int, bytes]:
        async with asyncio.timeout(60):
            first, length = await self.reader.readexactly(2)
            if length == 126:
                [length] = struct.unpack("!H", await self.reader.readexactly(2))
            elif length == 127:
                [length] = struct.unpack("!Q", await self.reader.readexactly(8))
            return first & 15, await self.reader.readexactly(length)

    async def json(self) -> Json:
        opcode, data = await self.frame()
        assert opcode == Opcode.TEXT
        return dict(json.loads(data))

    async def closed(self) -> int:
        """The close code of the first close frame."""
        while True:
            opcode, data = await self.frame()
            if opcode == Opcode.CLOSE:
                return int.from_bytes(data[:2])


@asynccontextmanager
async def raw(one: Guest, table: str, small: bool = False) -> AsyncIterator[Raw]:
    """A program's socket, just opened."""
    ours = socket.socket(proto=socket.IPPROTO_TCP)
    if small:
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    ours.setblocking(False)
    await asyncio.get_running_loop().sock_connect(ours, ("127.0.0.1", one.web.port))
    reader, writer = await asyncio.open_connection(sock=ours, limit=SMALL)
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in one.http.cookies.jar)
    head = (
        f"GET {table}/live?as=json HTTP/1.1\r\nHost: 127.0.0.1:{one.web.port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        f"Origin: {one.web.url}\r\nCookie: {cookies}\r\n\r\n"
    )
    writer.write(head.encode())
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    try:
        yield Raw(reader, writer)
    finally:
        writer.transport.abort()


@pytest.fixture
async def table(guest: Guests) -> tuple[str, Guest, Guest]:
    ada, bo = guest("Ada"), guest("Bo")
    path = await ada.open()
    assert (await bo.sit(path)).status_code == 303
    return path, ada, bo


async def test_actions_that_come_together_are_done_in_their_order(web: Web, table: tuple[str, Guest, Guest]) -> None:
    path, ada, _ = table
    names = [f"Ada {n}" for n in range(8)]
    async with raw(ada, path) as line:
        view = await line.json()
        line.send(b"".join(framed(json.dumps({"do": "name", "name": name, "id": name}).encode()) for name in names))
        done: list[str] = []
        while len(done) < len(names):
            news = await line.json()
            if "done" in news:
                done.append(news["done"]["id"])
            view.update(news)
        assert done == names
        line.send(framed(PING))  # the server continues to read
        assert await line.json() == {"pong": True}
    assert (await web.live(path)).sitting.seats[0].name == names[-1]


async def test_what_comes_before_anybody_listens_is_heard(
    web: Web, table: tuple[str, Guest, Guest], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, ada, _ = table
    found, may_listen = web.site.table, asyncio.Event()

    async def slowly(connection: HTTPConnection, token: str) -> OpenTable:
        await may_listen.wait()
        return await found(connection, token)

    monkeypatch.setattr(web.site, "table", slowly)
    async with raw(ada, path) as line:
        line.send(framed(PING) + framed(b'{"do":"ready","id":"one"}'))
        line.send(framed(b'{"do":"ready","ready":false,"id":"two"}'))
        await asyncio.sleep(0.05)
        may_listen.set()
        assert "table" in await line.json()
        said = [await line.json() for _ in range(3)]
    assert [one.get("done", {}).get("id", "ping") for one in said] == ["ping", "one", "two"]


async def test_a_message_in_pieces_is_one_message(table: tuple[str, Guest, Guest]) -> None:
    path, ada, _ = table
    async with raw(ada, path) as line:
        await line.json()
        line.send(framed(PING[:5], fin=False))
        line.send(framed(PING[5:8], Opcode.CONT, fin=False))
        line.send(framed(b"", Opcode.PING))  # allowed between fragments
        line.send(framed(PING[8:], Opcode.CONT))
        assert (await line.frame())[0] == Opcode.PONG
        assert await line.json() == {"pong": True}


async def test_text_that_is_none_ends_the_socket(table: tuple[str, Guest, Guest]) -> None:
    path, ada, _ = table
    async with raw(ada, path) as line:
        line.send(framed(b'{"do":"\xff\xfe"}'))
        assert await line.closed() == CloseCode.INVALID_DATA


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Makes send buffers small; collects the calls that report full and free buffers."""
    told: list[bool] = []
    made, flow = Wire.connection_made, Wire.flow

    def connection_made(wire: Wire, transport: asyncio.Transport) -> None:
        made(wire, transport)
        transport.set_write_buffer_limits(high=SMALL)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL)

    def flowing(wire: Wire, full: bool) -> None:
        told.append(full)
        flow(wire, full)

    monkeypatch.setattr(Wire, "connection_made", connection_made)
    monkeypatch.setattr(Wire, "flow", flowing)
    return told


async def change_until(stuck: list[bool], path: str, bo: Guest) -> None:
    for n in range(400):
        assert (await bo.say(path, do="name", name=f"Bo the {n}. of that name")).status_code == 200
        if stuck:
            break
    assert stuck == [True], "a hundred bytes each time, and nobody reads"


async def wire_of(web: Web, path: str) -> Wire:
    """The server's end of the only socket at this table."""
    [connection] = (await web.live(path)).listeners
    assert isinstance(connection, Connection)
    return connection.wire


async def dropped(wire: Wire) -> None:
    async with asyncio.timeout(60):
        while not wire.disconnected:
            await asyncio.sleep(0.01)


async def test_who_takes_nothing_for_a_while_misses_nothing(
    table: tuple[str, Guest, Guest], stuck: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is computed while the buffer is full; afterwards all changes are sent at once."""
    monkeypatch.setattr("app.web.socket.SLOW", 120)
    path, ada, bo = table
    async with raw(ada, path, small=True) as line:
        view = await line.json()
        await change_until(stuck, path, bo)
        for name in ("Bo, unheard", "Bo, at last"):
            assert (await bo.say(path, do="name", name=name)).status_code == 200
        heard = []
        while view["table"]["seats"][1]["name"] != "Bo, at last":
            news = await line.json()
            for place, seat in news["table"]["seats"].items():
                view["table"]["seats"][int(place)].update(seat)
            heard.append(view["table"]["seats"][1]["name"])
        assert "Bo, unheard" not in heard
        assert stuck == [True, False]
        line.send(framed(PING))
        assert await line.json() == {"pong": True}


async def test_who_takes_nothing_for_too_long_is_dropped(
    web: Web, table: tuple[str, Guest, Guest], stuck: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection and its buffers are dropped even if the client never closes."""
    monkeypatch.setattr("app.web.socket.SLOW", 0.1)
    path, ada, bo = table
    async with raw(ada, path, small=True) as line:
        await line.json()
        wire = await wire_of(web, path)
        await change_until(stuck, path, bo)
        await dropped(wire)
        assert not (await web.live(path)).listeners


async def test_who_answers_no_ping_is_dropped(
    web: Web, table: tuple[str, Guest, Guest], stuck: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.socket.SLOW", 120)
    path, ada, bo = table
    async with raw(ada, path, small=True) as line:
        await line.json()
        wire = await wire_of(web, path)
        await change_until(stuck, path, bo)
        wire.ping_timeout = 0.05
        wire.send_keepalive_ping()
        await dropped(wire)


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65535, 65536, 100_000])
def test_the_head_of_a_text(length: int) -> None:
    text = b"x" * length
    assert head(length) + text == Frame(Opcode.TEXT, text).serialize(mask=False)
