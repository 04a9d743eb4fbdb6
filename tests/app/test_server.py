"""The server as a separate process: its output at the start, and how it stops; another ASGI server."""

import asyncio
import errno
import json
import os
import resource
import socket
import subprocess
import sys
import urllib.request
import uuid
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
import websockets
from starlette.types import Receive, Scope, Send

from app import server as module
from app.server import bind
from tests.support.packages import ROOT
from tests.support.plugins import plugged
from tests.support.ports import free_port, wait_until
from tests.support.postgres import Postgres
from tests.support.server import JSON, NewServer, Server, opener

ADDRESSES = "Open one of these in a browser:"
SUPERVISE = """
import sys, uvicorn
from app.metrics import counted_together
from app.server import SLOWEST, ManyWorkers, bind
config = uvicorn.Config("tests.app.test_server:fails_to_start", workers=2, timeout_worker_healthcheck=SLOWEST)
workers = ManyWorkers(config, bind("127.0.0.1", int(sys.argv[1])), lambda: print("ready"))
with counted_together():
    workers.run()
print("failed" if workers.failed else "stopped")
"""


HANGS = """
import sys, threading, time
from app.cli import main
from app.store import connect, sqlite
from app.table import options
from app.web import ending

plain, connect.READ_TIMEOUT, ending.LONGEST_STOP = sqlite.prepare, 0.2, 2.0

def prepare(connection, record=None):
    plain(connection, record)
    if record is not None:  # a connection for reading
        connection.run_async(lambda raw: raw.create_function("hang", 0, threading.Event().wait))
        cursor = connection.cursor()
        cursor.execute("CREATE TEMP VIEW links AS SELECT hang() AS hash, '' AS table_id, 0 AS seat, 1e12 AS expires")
        cursor.close()

def loop_for_ever(*_):
    while True:
        time.sleep(0.01)

sqlite.prepare = prepare
options.HANDLERS[options.do.Lock] = loop_for_ever
sys.exit(main(["serve"]))
"""


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()


async def fails_to_start(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "lifespan.startup.failed", "message": "no"})


@pytest.mark.parametrize("workers", [1, 2])
def test_it_says_where_it_is_reached_once_it_serves_and_stops_in_order(
    serve: NewServer, request: pytest.FixtureRequest, workers: int
) -> None:
    database = {"DATABASE_URL": request.getfixturevalue("postgres_url")} if workers > 1 else {}
    server = serve(WORKERS=str(workers), **database)
    wait_until(lambda: ADDRESSES in server.log.read_text(), "the addresses", tail=server.tail)
    assert server.get("/healthz")[0] == server.get("/readyz")[0] == 200
    assert server.stop() == 0
    log = server.log.read_text()
    assert log.count(ADDRESSES) == log.count(f"http://127.0.0.1:{server.port}/") == 1
    assert 0 < log.index("] ready") < log.index(ADDRESSES)  # logged by a worker whose application has started
    assert log.count("] stopped") == workers
    assert "Traceback" not in log


def test_workers_end_with_the_process_that_started_them(serve: NewServer, postgres_url: str) -> None:
    server = serve(WORKERS="2", DATABASE_URL=postgres_url)
    assert server.process is not None
    server.process.kill()  # and not its workers, which would keep the port
    server.process.wait(60)
    gone = "the process that started this worker is gone"
    wait_until(lambda: server.log.read_text().count("] stopped") == 2, "the workers' end", tail=server.tail)
    assert server.log.read_text().count(gone) == 2
    wait_until(lambda: not in_use(server.port), "the port", tail=server.tail)


def in_use(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def test_a_second_server_on_the_same_sqlite_file_is_refused(serve: NewServer) -> None:
    server = serve()
    environment = {**os.environ, **server.settings, "PORT": str(free_port())}
    second = [sys.executable, "-m", "app", "serve"]
    done = subprocess.run(second, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "another server uses the database" in done.stderr
    assert server.get("/readyz")[0] == 200
    server.kill()
    server.start()  # a killed server leaves the file free


@pytest.mark.parametrize("what", ["a thread of the database", "the event loop"])
def test_a_server_stops_whatever_hangs(tmp_path: Path, what: str) -> None:
    with Server(tmp_path, program=[sys.executable, "-c", HANGS]) as server:
        _, table = server.post("/tables", game="raiders", name="Ada")
        path, bearer = f"/t/{table['token']}/act", table["bearer"]
        if what == "the event loop":  # as if a game never returned
            with suppress(TimeoutError):
                ask = json.dumps({"do": "lock", "locked": True}).encode()
                headers = {**JSON, "Authorization": f"Bearer {bearer}"}
                opener.open(urllib.request.Request(server.url + path, ask, headers), timeout=1)
        else:
            assert server.post("/move", token="0" * 22)[0] == 503
            assert server.post(path, bearer, do="ready")[0] == 200
        assert server.process is not None
        server.process.terminate()
        assert server.process.wait(60) == 1
        assert "something hangs" in server.log.read_text()


def test_workers_that_cannot_start_are_not_started_again() -> None:
    command = [sys.executable, "-c", SUPERVISE, str(free_port())]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=250)
    assert done.stdout.endswith("failed\n") and done.stdout.count("a worker cannot start") == 1, done.stderr
    assert "has ended" not in done.stdout


HELD = """
import os, signal, socket, sys, threading, time, uvicorn
from app import server
config = uvicorn.Config("tests.app.test_server:application", workers=1)
worker = server.Worker(config, [])
worker.start()
os.kill(worker.pid, signal.SIGSTOP)  # as if the machine had no time for it
for _ in range(3):
    assert worker.is_alive(0.05) and not worker.is_ready()
os.kill(worker.pid, signal.SIGCONT)
while worker.serves is None:
    assert worker.is_alive(0.05)
    time.sleep(0.01)
os.kill(worker.pid, signal.SIGSTOP)
assert not worker.is_alive(0.05), "it hangs"
os.kill(worker.pid, signal.SIGCONT)
assert worker.is_alive(60)
threading.Timer(0.2, os.kill, [worker.pid, signal.SIGKILL]).start()
while worker.is_alive(3600):  # an hour
    pass
worker.join()
print("well")
"""


def test_a_worker_that_starts_slowly_does_not_hang_and_one_that_ends_is_noticed() -> None:
    done = subprocess.run([sys.executable, "-c", HELD], cwd=ROOT, capture_output=True, text=True, timeout=250)
    assert done.stdout == "well\n", done.stderr


class Early(Server):
    """A server that is started before its database."""

    def __init__(self, postgres: Postgres, folder: Path, **settings: str) -> None:
        self.postgres, self.name = postgres, f"facedown_{uuid.uuid4().hex}"
        super().__init__(folder, None, DATABASE_URL=postgres.url(self.name), **settings)

    def ready(self) -> bool:
        if self.name not in self.postgres.made and "waiting for the database" in self.log.read_text():
            assert ADDRESSES not in self.log.read_text() and self.get("/healthz")[0] == 0
            self.postgres.execute(f"CREATE DATABASE {self.name}")
            self.postgres.made.append(self.name)
        return super().ready()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_it_waits_for_a_database_that_starts_with_it(postgres: Postgres, tmp_path: Path, workers: str) -> None:
    with Early(postgres, tmp_path, WORKERS=workers) as server:
        assert server.name in postgres.made
        assert server.stop() == 0
    postgres.drop(server.name)


def test_a_name_is_bound_at_each_of_its_addresses() -> None:
    port = free_port()
    sockets = bind("localhost", port)
    try:
        assert ("127.0.0.1", port) in [opened.getsockname() for opened in sockets]
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=10)
    finally:
        for opened in sockets:
            opened.close()


def test_of_a_name_only_the_addresses_that_this_machine_has_count(monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()

    def found(*_: object, **__: object) -> list[object]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in hosts]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    hosts = ["192.0.2.1"]
    with pytest.raises(OSError):
        bind("somewhere", port)
    hosts = ["192.0.2.1", "127.0.0.1"]
    (opened,) = bind("somewhere", port)
    opened.listen()
    assert opened.getsockname() == ("127.0.0.1", port)
    # No socket is left open if one address is in use.
    hosts = ["127.0.0.2", "127.0.0.1"]
    with pytest.raises(OSError):
        bind("somewhere", port)
    opened.close()
    socket.create_server(("127.0.0.2", port)).close()


def test_with_a_full_disk_it_is_not_ready_until_there_is_room_again(serve: NewServer) -> None:
    server = serve()
    _, table = server.post("/tables", game="raiders", name="Ada")

    def ready() -> int:
        return server.post(f"/t/{table['token']}/act", table["bearer"], do="ready", id="m1")[0]

    assert server.process is not None
    log = server.folder / "facedown.sqlite3-wal"  # every commit appends to it
    room = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (log.stat().st_size, room[1]))
    assert ready() == 503
    status, why = server.get("/readyz")
    assert (status, why) == (503, "the last commit failed\n") and server.get("/healthz")[0] == 200
    assert ready() == 503
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, room)
    wait_until(lambda: server.get("/readyz")[0] == 200, "the next commit that succeeds", tail=server.tail)
    assert ready() == 200 and server.stop() == 0
    assert "Traceback" not in server.log.read_text() and table["token"] not in server.log.read_text()


# under another ASGI server -------------------------------------------------------------------------------------------


async def closed(socket: websockets.ClientConnection) -> int | None:
    """Read on until the server closes the socket. Returns the close code."""
    async with asyncio.timeout(60):
        with suppress(websockets.ConnectionClosed):
            while True:
                await socket.recv()
    return socket.close_code


async def test_a_game_under_hypercorn(tmp_path: Path) -> None:
    port = free_port()
    program = [sys.executable, "-m", "hypercorn", "app.server:application()", "--bind", f"127.0.0.1:{port}"]
    with Server(tmp_path, port, program, BOT_PAUSE="0", PYTHONPATH=str(ROOT)) as server:
        async with httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=60) as client:
            opened = (await client.post("/tables", json={"game": "raiders", "name": "Ada", "bots": "1"})).json()
            headers = {"authorization": f"Bearer {opened['bearer']}", "accept": "text/html"}
            assert "Choose a card" in (await client.get(f"/t/{opened['token']}", headers=headers)).text
        address = f"ws://127.0.0.1:{port}/t/{opened['token']}/live"

        def connect(query: str) -> websockets.connect:
            return websockets.connect(f"{address}?{query}", additional_headers=headers, proxy=None, max_size=None)

        async with asyncio.timeout(120), connect("as=json") as program_socket, connect("face=play") as page:
            view = json.loads(await program_socket.recv())
            assert 'id="f-own"' in str(await page.recv())
            for round in range(3):
                move = {
                    "do": "play",
                    "round": view["shared"]["round"],
                    "move": view["own"]["moves"][0],
                    "id": f"{round}",
                }
                await program_socket.send(json.dumps(move))
                done = None
                while done is None or not view["own"]["moves"]:
                    news = json.loads(await program_socket.recv())
                    done = news.get("done", done)
                    for name in ("shared", "own"):
                        view[name] |= news.get(name) or {}
                assert done["id"] == str(round)
                while 'id="f-board"' not in str(await page.recv()):
                    pass
            await program_socket.send("x" * 5000)
            assert await closed(program_socket) == 1009
            await page.send(b"binary")
            assert await closed(page) == 1003
        async with websockets.connect(f"{address}?face=none", proxy=None) as refused:
            assert await closed(refused) == 1008
        assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux has this limit")
def test_a_connection_is_dropped_if_its_other_side_takes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "UNREAD", 0.3)
    [listener] = bind("127.0.0.1", 0)
    with listener, socket.socket() as deaf:
        listener.listen()
        deaf.connect(listener.getsockname())
        connection, _ = listener.accept()
        with connection, pytest.raises(OSError) as caught:
            connection.settimeout(60)
            while True:
                connection.sendall(b"x" * 65536)
        assert caught.value.errno == errno.ETIMEDOUT


def test_a_game_that_cannot_be_loaded_is_left_out_and_its_tables_wait(tmp_path: Path) -> None:
    path = plugged(tmp_path / "games", dark="broken_dark:game", late="tests.engine.tiny_moves:late")
    code = tmp_path / "games" / "broken_dark.py"
    code.write_text("from tests.engine.tiny import dark as game\n")
    with Server(tmp_path / "data", PYTHONPATH=path) as server:
        assert server.get("/readyz") == (200, "ready\n")
        _, table = server.post("/tables", game="dark", name="Ada")
        page, bearer = f"/t/{table['token']}", table["bearer"]
        assert server.post(f"{page}/join", name="Bo")[0] == 201
        assert server.post(f"{page}/act", bearer, do="start")[0] == 200
        before = server.view(page, bearer)[1]
        server.stop()

        code.write_text("from tests.engine.tiny import dark as game\n\n1 / 0\n")
        server.start()
        assert server.get("/readyz") == (200, "ready\nthe game dark cannot be loaded and is left out\n")
        why = f"ZeroDivisionError: division by zero ({code}:3)"
        assert server.log.read_text().count(why) == 1
        for status, answer in (server.view(page, bearer), server.post("/tables", game="dark", name="Ada")):
            assert (status, answer["error"]["reason"]) == (503, "game_broken")
        assert "cannot be loaded at the moment" in server.get(page)[1]
        assert server.post("/tables", game="late", name="Ada")[0] == 201
        server.stop()
        environment = {**os.environ, **server.settings}
        checked = subprocess.run(
            [sys.executable, "-m", "app", "check"], env=environment, cwd=ROOT, capture_output=True, text=True
        )
        assert checked.returncode == 1 and f"game dark: cannot be loaded: {why}\n" in checked.stdout
        assert f"does not go on: the game 'dark' cannot be loaded: {why}\n2 tables tried, 1 go on.\n" in checked.stdout

        code.write_text("from tests.engine.tiny import dark as game\n")
        server.start()
        after = server.view(page, bearer)[1]
        assert (after["shared"], after["own"]) == (before["shared"], before["own"])
