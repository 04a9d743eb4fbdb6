"""Connections get to the worker of their table, whichever has accepted them; nothing depends on it."""

import asyncio
import os
import random
import signal
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from app import handover
from app.connections import is_one_request
from app.handover import Neighbours, owner_of
from tests.app.test_metrics import Folder, in_slots, scraped
from tests.support.ports import wait_until
from tests.support.postgres import Postgres
from tests.support.server import Server

WORKERS = 3


@pytest.fixture(scope="module")
def workers(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Folder]]:
    around, name = tmp_path_factory.mktemp("around"), postgres.create()
    settings = {"WORKERS": str(WORKERS), "TMPDIR": str(around), "DATABASE_URL": postgres.url(name)}
    with Server(tmp_path_factory.mktemp("server"), None, (), **settings) as server:
        wait_until(lambda: len(in_slots(around)) == WORKERS, "the workers", tail=server.tail)
        yield server, Folder(around)
        assert server.stop() == 0
        assert "Traceback" not in server.log.read_text() and not list(around.iterdir())
    postgres.drop(name)


@contextmanager
def listening(server: Server, token: str) -> Iterator[ClientConnection]:
    url = f"{server.url.replace('http', 'ws', 1)}/t/{token}/live?as=json"
    with connect(url, proxy=None, open_timeout=60) as connection:
        connection.recv(60)
        yield connection


def held(folder: Folder) -> Counter[int]:
    """Open sockets by process, of those that live."""
    found = folder.by_worker("gauge_livesum", "facedown_sockets")
    return Counter({pid: int(count) for pid, count in found.items() if count})


def opened(server: Server) -> tuple[str, str]:
    status, table = server.post("/tables", game="raiders", name="Ada")
    assert status == 201
    return table["token"], table["bearer"]


def test_all_sockets_of_a_table_are_at_one_worker_and_move_when_it_dies(workers: tuple[Server, Folder]) -> None:
    server, folder = workers
    with ExitStack() as stack:
        token, bearer = opened(server)
        lines = [stack.enter_context(listening(server, token)) for _ in range(8)]
        (home,) = held(folder)
        assert held(folder)[home] == 8

        # Other tables are elsewhere, and requests over one connection go on wherever they lead.
        for _ in range(20):
            stack.enter_context(listening(server, opened(server)[0]))
        before = held(folder)
        assert len(before) == WORKERS
        assert scraped(server, "facedown_connections_handed_over_total") > 0

        os.kill(home, signal.SIGKILL)
        for line in lines:
            with pytest.raises(ConnectionClosed):
                line.recv(60)
        wait_until(lambda: home not in held(folder), "the supervisor")
        without = held(folder)
        again = [stack.enter_context(listening(server, token)) for _ in range(4)]
        (other,) = held(folder) - without
        assert server.post(f"/t/{token}/act", bearer, do="lock", locked=True)[0] == 200

        if other not in before:
            return  # this test is so slow that there is a worker for the dead one already
        # It gets the tables of the dead one: their sockets are closed, and connect again.
        for line in again:
            with pytest.raises(ConnectionClosed, match="1012"):
                while True:
                    line.recv(60)
        without = held(folder)
        for _ in range(4):
            stack.enter_context(listening(server, token))
        (new,) = held(folder) - without
        assert new not in before


def raw(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=60)


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n".encode()


def answer(line: socket.socket) -> tuple[int, bytes]:
    data = b""
    while b"\r\n\r\n" not in data:
        data += line.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])
    while len(body) < length:
        body += line.recv(65536)
    assert len(body) == length
    return int(head.split(b" ", 2)[1]), body


def test_one_connection_asks_for_many_tables(workers: tuple[Server, Folder]) -> None:
    server, _ = workers
    tokens = [opened(server)[0] for _ in range(6)]
    before = scraped(server, "facedown_connections_handed_over_total")
    with closing(raw(server)) as line:
        for token in tokens * 3:
            line.sendall(get(f"/t/{token}"))
            assert answer(line)[0] == 200
            line.sendall(get("/healthz"))
            assert answer(line) == (200, b"ok\n")
    assert scraped(server, "facedown_connections_handed_over_total") > before
    with closing(raw(server)) as line:  # several requests at once, and one in pieces
        line.sendall(b"".join(get(f"/t/{token}") for token in tokens))
        whole = get(f"/t/{tokens[0]}")
        data = b""
        while data.count(b"HTTP/1.1 200") < len(tokens):
            data += line.recv(65536)
    with closing(raw(server)) as line:
        for piece in (whole[:9], whole[9:40], whole[40:]):
            line.sendall(piece)
            time.sleep(0.01)
        assert answer(line)[0] == 200


def test_a_worker_that_hangs_keeps_no_new_connections(workers: tuple[Server, Folder]) -> None:
    server, folder = workers
    token, _ = opened(server)
    with listening(server, token):
        (home,) = held(folder)
        os.kill(home, signal.SIGSTOP)
        try:
            answered = 0
            end = time.monotonic() + 60
            while answered < 3:
                assert time.monotonic() < end
                with closing(raw(server)) as line:
                    line.settimeout(2)
                    try:
                        line.sendall(get(f"/t/{token}"))
                        answered += answer(line)[0] == 200
                    except TimeoutError:  # accepted by the worker that hangs, or handed to it at first
                        continue
        finally:
            os.kill(home, signal.SIGCONT)


REQUESTS = {
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n": True,
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET": False,
    b"GET / HTTP/1.1\r\nHost: x\r\n": False,
    b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc": True,
    b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nab": False,
    b"POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc": False,
    b"POST / HTTP/1.1\r\nContent-Length : 3\r\n\r\nabc": False,
    b"POST / HTTP/1.1\r\nContent-Length: +3\r\n\r\nabc": False,
    b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n": False,
    b"GET / HTTP/1.1\nHost: x\n\nGET / HTTP/1.1\r\nHost: x\r\n\r\n": False,
}


@pytest.mark.parametrize(("data", "one"), REQUESTS.items(), ids=range(len(REQUESTS)))
def test_where_a_request_ends_is_known_without_doubt(data: bytes, one: bool) -> None:
    assert is_one_request(data) is one


def test_only_the_tables_of_a_worker_that_comes_or_goes_move() -> None:
    tokens = [random.Random(n).randbytes(22) for n in range(4000)]
    homes = {token: owner_of(token, iter(range(4))) for token in tokens}
    shares = Counter(homes.values())
    assert all(800 < shares[slot] < 1200 for slot in range(4))
    for token, home in homes.items():
        assert owner_of(token, iter((3, 1, 0))) == (home if home != 2 else owner_of(token, iter((0, 1, 3))))


async def test_a_worker_that_takes_nothing_is_handed_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()
    taken: list[bytes] = []

    def take(connection: socket.socket, data: bytes) -> None:
        connection.close()
        taken.append(data)

    changes: list[int] = []
    here = Neighbours(tmp_path, take, lambda: changes.append(1))
    there = Neighbours(tmp_path, take, lambda: None)
    here.join()
    there.join()
    while not (here.links and there.links):
        await asyncio.sleep(0.01)
    assert (here.slot, there.slot) == (0, 1) and changes
    token = next(bytes([n]) for n in range(100) if here.owner(bytes([n])) == 1)
    ours, theirs = socket.socketpair()
    with closing(ours), closing(theirs):
        assert not there.hand_over(token, ours, b"mine")
        assert here.hand_over(token, ours, b"yours")
        while not taken:
            await asyncio.sleep(0.01)
        assert taken == [b"yours"]
        assert not here.hand_over(token, ours, bytes(handover.MOST + 1))
        (link,) = here.links.values()
        while link.handed:
            await asyncio.sleep(0.01)
        for connection in list(there.incoming):
            loop.remove_reader(connection.fileno())  # as if it hung
        monkeypatch.setattr(handover, "LONGEST_WAIT", 0.0)
        assert here.hand_over(token, ours, b"waits") and not here.hand_over(token, ours, b"more")
        there.close()  # what was handed over is still taken
        assert taken == [b"yours", b"waits"]
        while here.links:
            await asyncio.sleep(0.01)
        assert not here.hand_over(token, ours, b"mine")
    here.close()
