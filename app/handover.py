"""Between the workers of one machine: which of them a table belongs to, and handing connections over to it.

A worker that has accepted a connection for another worker's table passes it on over a Unix socket, with what it has
read. Nothing depends on it: every worker can serve every table, but a table that several of them hold costs more.
"""

import asyncio
import os
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

from app import logs, metrics

try:
    import fcntl

    import uvloop

    BaseLoop: Any = uvloop.Loop
except ImportError:  # not on Windows: there no connection is handed over
    BaseLoop = asyncio.SelectorEventLoop

log = logs.get("handover")
FOLDER = "FACEDOWN_WORKERS_DIR"  # the environment variable with the folder of the workers' sockets
POSSIBLE = hasattr(socket, "SOCK_SEQPACKET") and hasattr(socket, "send_fds") and Path("/proc/self/fd").exists()
MOST = 65_536  # bytes that are handed over with a connection; with more of them it is served where it is
LONGEST_WAIT = 2.0  # seconds; a worker that takes nothing for so long is handed nothing more until it does
SLOTS = 1000
NEW, HERE = b"+", b"="  # before the slot of a worker that has just been started, or was there before
BACKLOG = 128


@contextmanager
def between_workers() -> Iterator[None]:
    """Workers started in this block find one another in a temporary folder, which only this user may enter."""
    with tempfile.TemporaryDirectory(prefix="facedown-workers-") as folder:
        os.environ[FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[FOLDER]


class Accepting(Protocol):
    """What the server makes for each connection; a protocol of asyncio."""

    def take_over(self, data: bytes) -> None:
        """To be called before `connection_made`: another worker has read this."""


class ListeningLoop(BaseLoop):  # type: ignore[misc]
    """An event loop that remembers how the server makes connections, for those that another worker has accepted."""

    def __init__(self) -> None:
        super().__init__()
        self.factory: Callable[[], Any] | None = None
        self.neighbours: Neighbours | None = None

    async def create_server(self, protocol_factory: Any, *args: Any, **named: Any) -> Any:
        server = await super().create_server(protocol_factory, *args, **named)
        self.factory = protocol_factory
        if self.neighbours is not None:
            self.neighbours.join()
        return server

    def take(self, connection: socket.socket, data: bytes) -> None:
        """Go on with a connection as if it had been accepted here."""
        assert self.factory is not None
        accepted: Accepting = self.factory()
        accepted.take_over(data)
        connection.setblocking(False)
        task = self.create_task(self.connect_accepted_socket(lambda: accepted, connection))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # it is closed already


def neighbours_of(loop: asyncio.AbstractEventLoop, changed: Callable[[], None]) -> "Neighbours | None":
    """The other workers, which this one joins as soon as it listens; None if there can be none."""
    folder = os.environ.get(FOLDER)
    if folder is None or not isinstance(loop, ListeningLoop):
        return None
    loop.neighbours = Neighbours(Path(folder), loop.take, changed)
    return loop.neighbours


def owner_of(token: bytes, slots: Iterator[int]) -> int:
    """The worker that a table belongs to (rendezvous hashing): if a worker comes or goes, only its tables move."""
    return max(slots, key=lambda slot: blake2b(token, digest_size=8, salt=slot.to_bytes(8, "big")).digest())


class Link:
    """A connection to another worker, over which it is handed others."""

    def __init__(self, to: socket.socket) -> None:
        self.socket = to
        self.handed = 0  # connections that it has not taken yet
        self.since = 0.0  # when it last took one, or was handed the first, monotonic

    @property
    def stuck(self) -> bool:
        return self.handed > 0 and time.monotonic() - self.since > LONGEST_WAIT

    def hand(self, given: socket.socket, data: bytes) -> None:
        """Raises OSError if it cannot be handed over now."""
        socket.send_fds(self.socket, [data], [given.fileno()])
        if not self.handed:
            self.since = time.monotonic()
        self.handed += 1

    def taken(self, number: int) -> None:
        self.handed = max(0, self.handed - number)
        self.since = time.monotonic()


class Neighbours:
    """The workers of this machine, as one of them knows them. Each has a slot, a small number; a worker that is started
    for a dead one gets its slot, and so its tables."""

    def __init__(self, folder: Path, take: Callable[[socket.socket, bytes], None], changed: Callable[[], None]) -> None:
        """`take(connection, data)` is called for a connection that was handed over. `changed()` is called when a worker
        has come."""
        self.take = take
        self.changed = changed
        self.loop = asyncio.get_running_loop()
        self.folder = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        self.slot = -1
        self.claim: int | None = None  # an open file
        self.listener: socket.socket | None = None
        self.links: dict[int, Link] = {}  # by slot
        self.incoming: set[socket.socket] = set()

    def join(self) -> None:
        """Make this worker known to the others. If that fails, every connection is served where it is accepted."""
        if self.listener is not None:
            return
        try:
            self.slot, self.claim = self.claimed()
            self.listener = self.new_socket()
            with suppress(FileNotFoundError):
                os.unlink(self.address(self.slot))
            self.listener.bind(self.address(self.slot))
            self.listener.listen(BACKLOG)
            found = os.listdir(self.folder)
        except OSError as error:
            log.warning("connections are not handed over", reason=str(error))
            return
        self.loop.add_reader(self.listener.fileno(), self.accept)
        for name in found:
            if name.isdecimal() and int(name) != self.slot:
                self.connect(int(name), NEW)

    def claimed(self) -> tuple[int, int]:
        """The first slot that no worker has. The system frees it when this process ends, however it ends."""
        for slot in range(SLOTS):
            file = os.open(f"{self.address(slot)}.lock", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(file)
            else:
                return slot, file
        raise OSError("all slots are taken")

    def address(self, slot: int) -> str:
        """Through the open folder: the path of a socket must be short."""
        return f"/proc/self/fd/{self.folder}/{slot}"

    def new_socket(self) -> socket.socket:
        made = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        made.setblocking(False)
        return made

    def close(self) -> None:
        """Leave: from now on the others serve the tables. What was handed over before is still taken."""
        for slot in list(self.links):
            self.forget(slot)
        if self.listener is not None and self.listener.fileno() >= 0:
            self.loop.remove_reader(self.listener.fileno())
            self.listener.close()
            with suppress(FileNotFoundError):
                os.unlink(self.address(self.slot))
        for connection in list(self.incoming):
            self.read(connection)
            self.drop(connection)
        if self.claim is not None:
            os.close(self.claim)
            self.claim = None

    # whom a table belongs to ----------------------------------------------------------------------------------------

    def owner(self, token: bytes) -> int:
        return owner_of(token, iter((self.slot, *self.links))) if self.links else self.slot

    def is_mine(self, token: str) -> bool:
        return self.owner(token.encode()) == self.slot

    def hand_over(self, token: bytes, connection: socket.socket, data: bytes) -> bool:
        """Hand this connection over, if the table belongs to another worker who takes it now. Returns whether it was:
        then this process must close its copy without reading on."""
        owner = self.owner(token)
        if owner == self.slot or len(data) > MOST or (link := self.links[owner]).stuck:
            return False
        try:
            link.hand(connection, data)
        except BlockingIOError:
            return False
        except OSError:
            self.forget(owner)
            return False
        metrics.HANDED_OVER.inc()
        return True

    # the others -----------------------------------------------------------------------------------------------------

    def connect(self, slot: int, greeting: bytes = HERE) -> None:
        """Connect to a worker, if there is one, and say which this one is."""
        to = self.new_socket()
        try:
            to.connect(self.address(slot))
            to.send(b"%s%d" % (greeting, self.slot))
        except OSError:
            to.close()
            return
        self.forget(slot)
        self.links[slot] = link = Link(to)
        self.loop.add_reader(to.fileno(), self.hear, slot, link)
        self.changed()

    def hear(self, slot: int, link: Link) -> None:
        """A worker has taken what it was handed, or is gone."""
        try:
            taken = link.socket.recv(BACKLOG)
        except BlockingIOError:
            return
        except OSError:
            taken = b""
        if taken:
            link.taken(len(taken))
        elif self.links.get(slot) is link:
            self.forget(slot)

    def forget(self, slot: int) -> None:
        if (link := self.links.pop(slot, None)) is not None:
            self.loop.remove_reader(link.socket.fileno())
            link.socket.close()

    def accept(self) -> None:
        assert self.listener is not None
        try:
            connection, _ = self.listener.accept()
        except OSError:
            return
        connection.setblocking(False)
        self.incoming.add(connection)
        self.loop.add_reader(connection.fileno(), self.read, connection)

    def read(self, connection: socket.socket) -> None:
        """Take what another worker hands over. Its first message is its slot."""
        while True:
            try:
                data, files, _, _ = socket.recv_fds(connection, MOST, 1, socket.MSG_CMSG_CLOEXEC)
            except BlockingIOError:
                return
            except OSError:
                data, files = b"", []
            if files:
                with suppress(OSError):
                    connection.send(b".")
                self.take(socket.socket(fileno=files[0]), data)
            elif data:
                if (slot := int(data[1:])) not in self.links or data.startswith(NEW):
                    self.connect(slot)
            else:
                self.drop(connection)
                return

    def drop(self, connection: socket.socket) -> None:
        if connection in self.incoming:
            self.incoming.discard(connection)
            self.loop.remove_reader(connection.fileno())
            connection.close()
