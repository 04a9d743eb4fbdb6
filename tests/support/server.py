"""The real server in a separate process, which tests can stop, kill and restart."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest

from app.settings import described
from tests.support.plugins import plugged
from tests.support.ports import free_port, wait_until

# The developer's own settings must not affect the tests. Most servers are killed, so measuring them gives no figures.
NOT_INHERITED = {*(variable for variable, _, _ in described()), "COVERAGE_PROCESS_CONFIG"}

# High limits: tests are faster than people and share one address. Tests of limits set their own.
HURRY = {"LIMIT_ACTIONS": "100000", "LIMIT_REQUESTS": "100000", "LIMIT_TABLES": "1000000", "LIMIT_CODES": "100000"}

JSON = {"Content-Type": "application/json", "Accept": "application/json"}

# Ignore proxies set in the environment.
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Server:
    """`facedown serve` on a free loopback port, with its data in `folder`.

    Settings are given by their environment variables: `Server(folder, TABLE_PASSWORD="...")`.
    As a context manager it starts the server on entry and kills it on exit if it still runs.
    """

    def __init__(
        self, folder: Path, port: int | None = None, program: Sequence[str | Path] = (), **settings: str
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        # By default the program under test; tests may name one of another environment.
        self.command = [str(part) for part in program] or [sys.executable, "-m", "app", "serve"]
        self.folder = folder
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"server-{self.port}.log"
        ours = {"HOST": "127.0.0.1", "PORT": str(self.port), "DATA_DIR": str(folder)}
        self.settings = {**HURRY, **ours, **settings}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Self:
        """Start the server and wait until it is ready."""
        environment = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=self.folder,
                env={**environment, **self.settings, "PYTHONUNBUFFERED": "1"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            wait_until(self.ready, f"the server on port {self.port}", tail=self.tail)
        except BaseException:
            self.kill()
            raise
        return self

    def ready(self) -> bool:
        if self.process is None or self.process.poll() is not None:
            code = self.process and self.process.returncode
            raise AssertionError(f"the server stopped with code {code} instead of starting\n{self.tail()}")
        return self.get("/readyz")[0] == 200

    def get(self, path: str) -> tuple[int, str]:
        """Status and text of a page; status 0 if the server does not answer."""
        try:
            with opener.open(self.url + path, timeout=30) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def post(self, path: str, bearer: str = "", **said: object) -> tuple[int, dict[str, Any]]:
        """Post JSON like a program. Returns the JSON answer."""
        request = urllib.request.Request(self.url + path, json.dumps(said).encode(), JSON)
        return self._ask(request, bearer)

    def view(self, path: str, bearer: str = "") -> tuple[int, dict[str, Any]]:
        """The view of a program."""
        return self._ask(urllib.request.Request(self.url + path, headers=JSON), bearer)

    def _ask(self, request: urllib.request.Request, bearer: str) -> tuple[int, dict[str, Any]]:
        if bearer:
            request.add_header("Authorization", f"Bearer {bearer}")
        try:
            with opener.open(request, timeout=30) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def tail(self, lines: int = 60) -> str:
        """The end of the server's output."""
        return "\n".join(self.log.read_text("utf-8", "replace").splitlines()[-lines:])

    def stop(self, seconds: float = 20) -> int:
        """Send SIGTERM. Returns the exit code: 0, or -15 if it ended by the signal after a clean shutdown.

        Fails if the server does not stop.
        """
        assert self.process is not None, "not running"
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            tail = self.tail()
            self.kill()
            raise AssertionError(f"the server ignored SIGTERM for {seconds:g} s\n{tail}") from None
        finally:
            self.process = None

    def kill(self) -> None:
        """Send SIGKILL to the server and all its child processes, to simulate a power cut."""
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process = None

    def restart(self) -> Self:
        """Stop the server if it runs and start it with the same port and data."""
        if self.process is not None:
            self.stop()
        return self.start()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            error.add_note(f"the server's last lines:\n{self.tail()}")
        self.kill()


NewServer = Callable[..., Server]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[NewServer]:
    """Starts servers: `serve()` or `serve(TABLE_PASSWORD="...")`. All are killed at the end of the test.

    They share one folder, so two servers act like two workers of one installation.
    """
    started: list[Server] = []

    def start(port: int | None = None, **settings: str) -> Server:
        server = Server(tmp_path / "data", port, **settings)
        started.append(server)
        return server.start()

    yield start
    for server in started:
        server.kill()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server that tests share, on SQLite, whose bots do not pause. Tests that stop or limit one take `serve`."""
    with Server(tmp_path_factory.mktemp("server"), BOT_PAUSE="0") as server:
        yield server


@pytest.fixture(scope="session")
def plugged_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The same with games for tests, `market` and `digging`, which have no templates."""
    games = {"market": "tests.browser.market:game", "digging": "tests.engine.tiny_turns:digging"}
    path = plugged(tmp_path_factory.mktemp("plugged"), **games)
    with Server(tmp_path_factory.mktemp("server"), BOT_PAUSE="0", PYTHONPATH=path) as server:
        yield server
