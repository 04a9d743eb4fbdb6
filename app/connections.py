"""Protects the server from clients that open too many connections, or send too slowly or endlessly.

uvicorn makes a `GuardedConnection` for each accepted connection. It passes everything on to uvicorn's own protocols for
HTTP and WebSockets, and closes the connection when a limit is exceeded. Another ASGI server has no such limits.
"""

import asyncio
import ipaddress
import re
import socket
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any, cast

import uvicorn
from starlette.types import Receive, Scope, Send

from app import logs, metrics
from app.frames import FEWEST_DATA, FrameCounter
from app.handover import Neighbours
from app.table.codes import TOKEN_LENGTH

log = logs.get("connections")
HEAD_SECONDS = 10.0  # from the first byte of a request, or the connection, to the end of the request's head
CLOSING_SECONDS = 2.0  # from the end of a WebSocket to its connection's
STATE = "connections"  # the key of the application's state under which uvicorn passes `OpenConnections`
Client = tuple[str, int]  # address and port
TABLE = re.compile(rb"[A-Z]{3,7} /t/([A-Za-z0-9_-]{%d})[/? ]" % TOKEN_LENGTH)
LENGTH = re.compile(rb"\r\ncontent-length: ?([0-9]{1,9})\r\n")


@cache
def http_protocol() -> Callable[..., asyncio.Protocol]:
    """The protocol that uvicorn would use without us."""
    config = uvicorn.Config(no_application, http="httptools", log_config=None)
    config.load()
    return config.http_protocol_class


async def no_application(scope: Scope, receive: Receive, send: Send) -> None:
    """Never called: uvicorn needs an application to load a configuration."""


class OpenConnections:
    """The connections of this process."""

    def __init__(self, most: int, trusted: str = "", most_data: int = FEWEST_DATA) -> None:
        """`most`: connections from one address; proxies whose addresses are `trusted` may have any number.
        `most_data`: data frames that may come over one WebSocket at once."""
        self.most = most
        self.most_data = most_data
        self.trusted = [ipaddress.ip_network(one, strict=False) for one in trusted.replace(",", " ").split()]
        self.by_address: Counter[str] = Counter()
        self.by_client: dict[Client, GuardedConnection] = {}
        self.neighbours: Neighbours | None = None  # the other workers, if there can be any

    def add(self, connection: "GuardedConnection") -> bool:
        """Register a connection. Returns whether its address may have one more."""
        if (client := connection.client) is None:
            return True
        self.by_client[client] = connection
        self.by_address[client[0]] += 1
        return self.by_address[client[0]] <= self.most or self.trusts(client[0])

    def remove(self, connection: "GuardedConnection") -> None:
        client = connection.client
        if client is not None and self.by_client.get(client) is connection:
            del self.by_client[client]
            self.by_address[client[0]] -= 1
            if not self.by_address[client[0]]:
                del self.by_address[client[0]]

    def trusts(self, address: str) -> bool:
        ip = ipaddress.ip_address(address.partition("%")[0])
        return any(ip in network for network in self.trusted)


def is_one_request(data: bytes) -> bool:
    """Whether this is exactly one request, and no reader could find its end elsewhere. Of others nothing is said."""
    head, end, body = data.partition(b"\r\n\r\n")
    head = head.lower() + b"\r\n"
    if not end or b"transfer-encoding" in head or head.count(b"\n") != head.count(b"\r\n"):
        return False
    if b"content-length" not in head:
        return not body
    length = LENGTH.search(head)
    return length is not None and head.count(b"content-length") == 1 and int(length[1]) == len(body)


def of_scope(scope: Scope) -> "GuardedConnection | None":
    """The connection of a request; None under another server. Called before proxies' headers replace `client`."""
    found: OpenConnections | None = scope.get("state", {}).get(STATE)
    return found.by_client.get(tuple(scope["client"])) if found and scope.get("client") else None


class GuardedConnection(asyncio.Protocol):
    def __init__(self, **given: Any) -> None:
        """`given`: what uvicorn gives its own protocols."""
        self.inner: asyncio.Protocol = http_protocol()(**given)
        self.open: OpenConnections | None = given["app_state"].get(STATE)
        self.loop = asyncio.get_running_loop()
        self.client: Client | None = None
        self.frames: FrameCounter | None = None  # after the handshake of a WebSocket
        self.requested = False  # a request is being handled
        self.deadline: asyncio.TimerHandle | None = None  # for the head of a request, or the end of a WebSocket
        self.neighbours = self.open.neighbours if self.open is not None else None
        self.begins = True  # all that came before were whole requests, so the next bytes begin another
        self.heard = False  # anything
        self.already = b""  # read by the worker that has handed this connection over

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = GuardedTransport(cast(asyncio.Transport, transport), self)
        peer = transport.get_extra_info("peername")
        self.client = (str(peer[0]), int(peer[1])) if isinstance(peer, tuple) else None
        self.inner.connection_made(self.transport)
        if self.open is not None and not self.open.add(self):
            self.refuse("too_many_connections", b"429 Too Many Requests")
        else:
            self.expect_head()
            if self.already:
                self.inner.data_received(self.already)

    def connection_lost(self, error: Exception | None) -> None:
        self.stop_deadline()
        if self.open is not None:
            self.open.remove(self)
        self.inner.connection_lost(error)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self.frames is not None:
            if not self.frames.feed(data):
                self.note("endless_frames")
                self.transport.abort()
                return
        else:
            if self.neighbours is not None and self.begins and self.hands_over(data, self.neighbours):
                return
            if self.deadline is None and not self.requested:
                self.expect_head()
        self.inner.data_received(data)

    def eof_received(self) -> bool | None:
        return self.inner.eof_received()

    def pause_writing(self) -> None:
        """Stop reading from a client that does not read. Otherwise the answers to its pings would pile up in memory."""
        self.inner.pause_writing()
        self.transport.pause(unwritten=True)

    def resume_writing(self) -> None:
        self.inner.resume_writing()
        self.transport.pause(unwritten=False)

    # several workers ---------------------------------------------------------------------------------------------

    def take_over(self, data: bytes) -> None:
        """To be called before `connection_made`: another worker has read this."""
        self.already, self.heard = data, True
        self.begins = is_one_request(data)

    def hands_over(self, data: bytes, neighbours: Neighbours) -> bool:
        """Hand the connection over if this begins a request for another worker's table. Only between two requests: a
        body must never be taken for a request, since a proxy sends requests of several people over one connection."""
        pauses = not self.requested and (self.deadline is None or not self.heard)
        token = TABLE.match(data) if pauses and not self.transport.get_write_buffer_size() else None
        self.heard = True
        connection: socket.socket = self.transport.get_extra_info("socket")
        if token is not None and neighbours.hand_over(token[1], connection, data):
            self.stop_deadline()
            self.transport.let_go()
            return True
        self.begins = pauses and is_one_request(data)
        return False

    # requests ----------------------------------------------------------------------------------------------------

    def expect_head(self) -> None:
        self.deadline = self.loop.call_later(HEAD_SECONDS, self.head_is_late)

    def head_is_late(self) -> None:
        self.deadline = None
        self.refuse("slow_head", b"408 Request Timeout")

    def request_begins(self) -> None:
        self.requested = True
        self.stop_deadline()

    def request_ends(self) -> None:
        self.requested = False

    def socket_ends(self) -> None:
        """The application is done with the socket: the client has a moment to acknowledge the end."""
        self.deadline = self.loop.call_later(CLOSING_SECONDS, self.transport.abort)

    def stop_deadline(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def refuse(self, reason: str, status: bytes) -> None:
        self.note(reason)
        self.transport.write(b"HTTP/1.1 " + status + b"\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
        self.transport.close()

    def note(self, reason: str) -> None:
        metrics.REFUSALS.labels(reason).inc()
        log.info("refused", reason=reason)


class GuardedTransport(asyncio.Transport):
    """The transport as uvicorn's protocols get it. Both they and the connection may pause reading; when one protocol
    hands over to another, the connection stays in between."""

    def __init__(self, transport: asyncio.Transport, connection: GuardedConnection) -> None:
        super().__init__()
        self.real = transport
        self.connection = connection
        self.paused_by_protocol = False
        self.unwritten = False  # the client does not take what was sent

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Called by the HTTP protocol after the head of a WebSocket."""
        self.connection.inner = cast(asyncio.Protocol, protocol)
        opened = self.connection.open
        self.connection.frames = FrameCounter(
            self.connection.loop.time, opened.most_data if opened is not None else FEWEST_DATA
        )

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self.connection.inner

    def pause_reading(self) -> None:
        self.paused_by_protocol = True
        self.update_reading()

    def resume_reading(self) -> None:
        self.paused_by_protocol = False
        self.update_reading()

    def pause(self, unwritten: bool) -> None:
        self.unwritten = unwritten
        self.update_reading()

    def update_reading(self) -> None:
        if self.real.is_closing():
            return
        reads = not (self.paused_by_protocol or self.unwritten)
        if reads and not self.real.is_reading():
            self.real.resume_reading()
        elif not reads and self.real.is_reading():
            self.real.pause_reading()

    def is_reading(self) -> bool:
        return self.real.is_reading()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.real.write(data)

    def close(self) -> None:
        self.real.close()

    def abort(self) -> None:
        self.real.abort()

    def is_closing(self) -> bool:
        return self.real.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self.real.get_extra_info(name, default)

    def get_write_buffer_size(self) -> int:
        return self.real.get_write_buffer_size()

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self.real.set_write_buffer_limits(high, low)

    def let_go(self) -> None:
        """Close this process's copy of a connection that another one goes on with: no more is read from it."""
        self.real.pause_reading()
        self.real.abort()

    def can_write_eof(self) -> bool:
        return self.real.can_write_eof()

    def write_eof(self) -> None:
        self.real.write_eof()
