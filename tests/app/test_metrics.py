"""The metrics of a server with one worker and with two."""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.parser import text_string_to_metric_families
from websockets.sync.client import connect

from tests.support.ports import wait_until
from tests.support.server import NewServer, Server

HEALTHZ = {"method": "GET", "route": "/healthz", "status": "200"}


def scraped(server: Server, name: str, **labels: str) -> float:
    """The sum of all samples with this name and these labels."""
    status, text = server.get("/metrics")
    assert status == 200
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return sum(one.value for one in samples if one.name == name and labels.items() <= one.labels.items())


class Folder:
    """The folder of the workers' shared counts."""

    def __init__(self, around: Path) -> None:
        (self.path,) = around.glob("facedown-metrics-*")

    def by_worker(self, kind: str, name: str) -> dict[int, float]:
        """The value of each worker's own counts, by process id."""
        found: dict[int, float] = {}
        for file in self.path.glob(f"{kind}_*.db"):
            if not file.stat().st_size:
                continue  # a worker is just writing it
            merge: Any = MultiProcessCollector.merge
            samples = [sample for metric in merge([str(file)]) for sample in metric.samples if sample.name == name]
            found[int(file.stem.rpartition("_")[2])] = sum(sample.value for sample in samples)
        return found


def in_slots(around: Path) -> list[str]:
    """The sockets of the workers that hand connections to one another."""
    return [path.name for path in around.glob("facedown-workers-*/*") if path.name.isdecimal()]


@pytest.fixture
def two_workers(serve: NewServer, postgres_url: str, tmp_path: Path) -> Iterator[tuple[Server, Folder]]:
    around = tmp_path / "around"
    around.mkdir()
    server = serve(WORKERS="2", DATABASE_URL=postgres_url, TMPDIR=str(around))
    folder = Folder(around)
    wait_until(lambda: len(in_slots(around)) == 2, "the workers to find each other", tail=server.tail)
    wait_until(
        lambda: len(folder.by_worker("counter", "facedown_requests_total")) == 2, "the workers", tail=server.tail
    )
    yield server, folder
    assert server.stop() == 0
    assert list(around.iterdir()) == []


def test_one_scrape_counts_the_requests_of_both_workers(two_workers: tuple[Server, Folder]) -> None:
    server, folder = two_workers
    asked = 0

    def both() -> bool:
        nonlocal asked
        asked += server.get("/healthz")[0] == 200
        found = folder.by_worker("counter", "facedown_requests_total")
        return len(found) == 2 and all(found.values())

    wait_until(both, "a request for each worker")
    assert scraped(server, "facedown_requests_total", **HEALTHZ) == asked


def test_the_sockets_of_a_worker_that_died_are_not_open_any_more(two_workers: tuple[Server, Folder]) -> None:
    server, folder = two_workers

    def held() -> dict[int, float]:
        found = folder.by_worker("gauge_livesum", "facedown_sockets")
        return {worker: count for worker, count in found.items() if count}

    with ExitStack() as sockets:
        opened = 0

        def both() -> bool:
            nonlocal opened
            _, table = server.post("/tables", game="raiders", name="Ada")
            sockets.enter_context(listening(server, table["token"]))
            opened += 1
            return len(held()) == 2

        wait_until(both, "a socket with each worker")
        assert scraped(server, "facedown_sockets") == sum(held().values()) == opened
        entries = scraped(server, "facedown_entries_total")
        dead, alive = held()
        left = held()[alive]
        os.kill(dead, signal.SIGKILL)
        wait_until(lambda: dead not in held(), "the supervisor")
        wait_until(lambda: scraped(server, "facedown_sockets") == left, "the sockets of the other worker")
        assert scraped(server, "facedown_entries_total") == entries > 0  # its counters are kept


@contextmanager
def listening(server: Server, token: str) -> Iterator[None]:
    url = f"{server.url.replace('http', 'ws', 1)}/t/{token}/live?as=json"
    with connect(url, proxy=None) as socket:
        socket.recv()
        yield


def test_one_worker_counts_by_itself(serve: NewServer, tmp_path: Path) -> None:
    around = tmp_path / "around"
    around.mkdir()
    server = serve(TMPDIR=str(around))
    for _ in range(3):
        server.get("/healthz")
    assert scraped(server, "facedown_requests_total", **HEALTHZ) == 3
    assert scraped(server, "process_resident_memory_bytes") > 0
    assert list(around.iterdir()) == []
