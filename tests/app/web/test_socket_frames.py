"""WebSocket frames: several at once, fragmented ones, early ones, and clients that do not read."""

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from starlette.requests import HTTPConnection
from starlette.types import Message
from websockets.frames import CloseCode, Frame, Opcode

from app.house.open_table import OpenTable
from app.web.socket import MOST_REPLIES, Connection, SocketState, serve
from tests.app.web.conftest import Guest, Json, Web

Guests = Callable[..., Guest]
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
async def raw(one: Guest, table: str) -> AsyncIterator[Raw]:
    """A program's socket, just opened."""
    ours = socket.socket(proto=socket.IPPROTO_TCP)
    ours.setblocking(False)
    await asyncio.get_running_loop().sock_connect(ours, ("127.0.0.1", one.web.port))
    reader, writer = await asyncio.open_connection(sock=ours)
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
    names = [f"Ada {n}" for n in range(5)]  # as many as are not limited
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
    assert (await web.open_table(path)).sitting.seats[0].name == names[-1]


async def test_messages_sent_before_the_socket_is_accepted_are_handled(
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


async def test_invalid_utf8_closes_the_socket(table: tuple[str, Guest, Guest]) -> None:
    path, ada, _ = table
    async with raw(ada, path) as line:
        line.send(framed(b'{"do":"\xff\xfe"}'))
        assert await line.closed() == CloseCode.INVALID_DATA


class Slow:
    """A program's socket as an ASGI server would drive it; `taking` says whether the client takes anything."""

    def __init__(self, web: Web, path: str, one: Guest) -> None:
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in one.http.cookies.jar)
        scope = {
            "type": "websocket",
            "app": web.app,
            "scheme": "ws",
            "path": f"{path}/live",
            "query_string": b"as=json",
            "headers": [(b"host", b"localhost"), (b"cookie", cookies.encode())],
            "client": ("127.0.0.1", 5),
            "subprotocols": [],
        }
        self.incoming: asyncio.Queue[Message] = asyncio.Queue()
        self.incoming.put_nowait({"type": "websocket.connect"})
        self.taken: list[Message] = []
        self.taking = asyncio.Event()
        self.taking.set()
        token = path.removeprefix("/t/")
        self.serving = asyncio.create_task(serve(HTTPConnection(scope), self.incoming.get, self.send, token))

    async def send(self, message: Message) -> None:
        await self.taking.wait()
        self.taken.append(message)

    async def opened(self, web: Web, path: str) -> Connection:
        await self.until(lambda: len(self.taken) > 1)  # accepted, and the view
        [connection] = (await web.open_table(path)).listeners
        assert isinstance(connection, Connection)
        return connection

    async def until(self, fits: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not fits():
                await asyncio.sleep(0.01)


async def test_a_client_that_pauses_misses_nothing(web: Web, table: tuple[str, Guest, Guest]) -> None:
    """While the client takes nothing no news are made; afterwards it is sent all changes at once."""
    path, ada, bo = table
    line = Slow(web, path, ada)
    await line.opened(web, path)
    line.taking.clear()
    names = [f"Bo the {n}." for n in range(5)]
    for name in names:
        assert (await bo.say(path, do="name", name=name)).status_code == 200
    line.taking.set()
    await line.until(lambda: names[-1] in str(line.taken))
    told = [json.loads(one["text"])["table"]["seats"]["1"]["name"] for one in line.taken[2:]]
    assert told == [names[0], names[-1]], "the first was on its way, the others came together"
    line.incoming.put_nowait({"type": "websocket.receive", "text": PING.decode()})
    await line.until(lambda: line.taken[-1].get("text") == '{"pong":true}')
    line.incoming.put_nowait({"type": "websocket.disconnect", "code": 1000})
    await line.serving
    assert not (await web.open_table(path)).listeners


async def test_a_client_that_takes_nothing_for_too_long_is_dropped(
    web: Web, table: tuple[str, Guest, Guest], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, ada, bo = table
    line = Slow(web, path, ada)
    await line.opened(web, path)
    monkeypatch.setattr("app.web.socket.SLOW", 0.05)
    line.taking.clear()
    assert (await bo.say(path, do="name", name="Bob")).status_code == 200
    async with asyncio.timeout(60):
        await line.serving
    assert not (await web.open_table(path)).listeners
    assert "websocket.close" not in str(line.taken), "it would wait behind what the client does not take"


async def test_replies_that_a_slow_client_does_not_take_are_limited(web: Web, table: tuple[str, Guest, Guest]) -> None:
    path, ada, _ = table
    line = Slow(web, path, ada)
    connection = await line.opened(web, path)
    line.taking.clear()
    for _ in range(MOST_REPLIES + 50):
        line.incoming.put_nowait({"type": "websocket.receive", "text": PING.decode()})
    await line.until(lambda: connection.state is SocketState.CLOSING)
    assert len(connection.replies) <= MOST_REPLIES + 1
    line.taking.set()
    await line.serving
    assert line.taken[-1] == {"type": "websocket.close", "code": 1013, "reason": "slow"}


@pytest.mark.parametrize("stage", ["news", "done"])
async def test_an_error_ends_this_socket_only(
    web: Web, table: tuple[str, Guest, Guest], monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    path, ada, bo = table
    line = Slow(web, path, ada)
    connection = await line.opened(web, path)

    def fail(*_: object) -> str:
        raise ArithmeticError

    monkeypatch.setattr(connection.feed, stage, fail)
    line.incoming.put_nowait({"type": "websocket.receive", "text": '{"do":"ready"}'})
    async with asyncio.timeout(60):
        await line.serving
    assert line.taken[-1] == {"type": "websocket.close", "code": 1011, "reason": "broken"}
    assert (await bo.say(path, do="ready")).status_code == 200


async def test_a_client_that_is_gone_before_it_is_accepted(web: Web) -> None:
    async def gone(message: Message) -> None:
        raise OSError

    scope = {"type": "websocket", "app": web.app, "query_string": b"", "headers": [], "subprotocols": []}
    for first in ("websocket.connect", "websocket.disconnect"):

        async def receive(first: str = first) -> Message:
            return {"type": first}

        await serve(HTTPConnection(scope), receive, gone, "nowhere")
