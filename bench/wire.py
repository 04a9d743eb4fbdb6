"""A minimal HTTP and WebSocket client that needs little CPU, so that the server is the bottleneck."""

import asyncio
import base64
import json
import os
import zlib
from collections.abc import Callable, Mapping
from typing import Any

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
TAIL = b"\x00\x00\xff\xff"  # what permessage-deflate leaves out at the end of a message


class Socket(asyncio.Protocol):
    """One WebSocket. Calls `hear` with every text message, and `gone` once when the connection ends."""

    def __init__(self, hear: Callable[[bytes], None], gone: Callable[[], None], deflate: bool = False) -> None:
        self.hear = hear
        self.gone = gone
        self.inflate = zlib.decompressobj(-15) if deflate else None
        self.transport: Any = None
        self.buffer = b""
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.wire_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        if not self.open.done():
            self.open.set_exception(ConnectionError("closed"))
        self.gone()

    def data_received(self, data: bytes) -> None:
        self.wire_bytes += len(data)
        data = self.buffer + data if self.buffer else data
        at = 0
        if not self.open.done():
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self.buffer = data
                return
            if not data.startswith(b"HTTP/1.1 101"):
                self.open.set_exception(ConnectionError(data[:60].decode("latin-1")))
                self.transport.close()
                return
            self.open.set_result(None)
            at = end + 4
        while (end := self.frame(data, at)) > 0:
            at = end
        self.buffer = data[at:]

    def frame(self, data: bytes, at: int) -> int:
        """Handle the frame at this offset. Returns its end, or 0 if it is incomplete. Servers do not mask frames."""
        if len(data) < at + 2:
            return 0
        first, size = data[at], data[at + 1]
        begin = at + 2
        if size == 126:
            begin, size = at + 4, int.from_bytes(data[at + 2 : at + 4], "big")
        elif size == 127:
            begin, size = at + 10, int.from_bytes(data[at + 2 : at + 10], "big")
        if len(data) < begin + size:
            return 0
        body = data[begin : begin + size]
        if first & 0x40 and self.inflate is not None:
            body = self.inflate.decompress(body + TAIL)
        match first & 0x0F:
            case 1:
                self.hear(body)
            case 9:
                self.transport.write(framed(PONG, body))
            case 8:
                self.transport.close()
        return begin + size

    def send(self, text: bytes) -> None:
        self.transport.write(framed(TEXT, text))


def framed(opcode: int, body: bytes) -> bytes:
    """A client frame, masked with zeros, which the protocol allows."""
    size = len(body)
    head = bytes([0x80 | opcode, 0x80 | size]) if size < 126 else bytes([0x80 | opcode, 0xFE]) + size.to_bytes(2, "big")
    return head + b"\0\0\0\0" + body


async def connect(port: int, path: str, headers: Mapping[str, str], make: Callable[[], Socket]) -> Socket:
    """Open a WebSocket. Raises ConnectionError if the server refuses or is not running."""
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(make, "127.0.0.1", port)
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade"]
    lines += [f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}", "Sec-WebSocket-Version: 13"]
    if socket.inflate is not None:
        lines.append("Sec-WebSocket-Extensions: permessage-deflate")
    lines += [f"{name}: {value}" for name, value in headers.items()]
    socket.transport.write("\r\n".join([*lines, "", ""]).encode())
    await socket.open
    return socket


class Http:
    """One keep-alive connection; one request at a time."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def post(self, path: str, said: Mapping[str, Any], bearer: str = "") -> dict[str, Any]:
        body = json.dumps(said).encode()
        status, data = await self.ask("POST", path, body, bearer)
        if status >= 400:
            raise ConnectionError(f"{path}: {status} {data[:200].decode()}")
        answer: dict[str, Any] = json.loads(data)
        return answer

    async def ask(self, method: str, path: str, body: bytes = b"", bearer: str = "") -> tuple[int, bytes]:
        if self.reader is None or self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Content-Length: {len(body)}"]
        lines += ["Content-Type: application/json", "Accept: application/json"]
        if bearer:
            lines.append(f"Authorization: Bearer {bearer}")
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        size = int(head.partition("content-length:")[2].split("\r\n", 1)[0])
        return int(head.split(" ", 2)[1]), await self.reader.readexactly(size)

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
