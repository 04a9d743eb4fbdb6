"""Starts the released server on a temporary Postgres with full durability."""

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError

from bench.machine import ALL_CORES, cpu_seconds, memory, pin
from tests.support.ports import free_port
from tests.support.postgres import SETTINGS, Postgres, start_postgres

DURABLE = {**SETTINGS, "fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "shared_buffers": "128MB"}
# All players have the same address, so the limits per address are raised.
ENOUGH = "1000000"
LIMITS = {f"LIMIT_{name}": ENOUGH for name in ("ACTIONS", "UNSHOWN", "REQUESTS", "SOCKETS", "CODES", "TABLES")}
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@contextmanager
def database(cores: Iterable[int] = ALL_CORES) -> Iterator[Postgres]:
    """`cores`: those that it may use."""
    with start_postgres(settings=DURABLE) as postgres:
        assert postgres.process is not None
        pin(postgres.process.pid, cores)
        yield postgres


class Server:
    cores: Iterable[int] = ALL_CORES  # those that it may use; to be set before it is started

    def __init__(self, postgres: Postgres, folder: Path, name: str = "", **settings: str) -> None:
        self.postgres = postgres
        self.folder = folder
        self.database = name or postgres.create()
        self.port = free_port()
        self.program = (settings.pop("BENCH_PROGRAM", ""),) if "BENCH_PROGRAM" in settings else ("app", "serve")
        self.checkout = settings.pop("BENCH_CHECKOUT", None)  # another one than this
        self.settings = settings
        self.process: subprocess.Popen[bytes] | None = None
        self.started = 0.0  # seconds from start to ready

    def __enter__(self) -> "Server":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        url = self.postgres.url(self.database).replace("+asyncpg", "")
        ours = {"PORT": str(self.port), "DATABASE_URL": url, "DATA_DIR": str(self.folder), **LIMITS, **self.settings}
        began = time.monotonic()
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", *self.program],
                cwd=self.checkout,
                env={**os.environ, **ours},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        pin(self.pid, self.cores)
        while not self.ready():
            if self.process.poll() is not None:
                raise RuntimeError((self.folder / "server.log").read_text()[-2000:])
            time.sleep(0.005)
        self.started = time.monotonic() - began

    def ready(self) -> bool:
        try:
            with opener.open(f"http://127.0.0.1:{self.port}/readyz", timeout=1) as answer:
                return bool(answer.status == 200)
        except (URLError, OSError):
            return False

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    @property
    def cpu(self) -> float:
        return cpu_seconds(self.pid)

    @property
    def memory(self) -> int:
        return memory(self.pid)

    @property
    def database_cpu(self) -> float:
        assert self.postgres.process is not None
        return cpu_seconds(self.postgres.process.pid)
