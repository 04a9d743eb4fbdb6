"""Prometheus metrics. Labels never contain codes, tokens or names."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

# With several workers: the folder of shared counts. prometheus_client reads this variable when it is imported.
FOLDER = "PROMETHEUS_MULTIPROC_DIR"

# The log.
ENTRIES = Counter("facedown_entries_total", "Entries committed to the log")
COMMIT = Histogram(
    "facedown_commit_seconds",
    "How long a commit took, of all that came in together",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5),
)

CONFLICTS = Counter("facedown_conflicts_total", "Commits of a table that met an entry of another process")

# By process. A table that two of them have in memory counts twice.
TABLES = Gauge("facedown_tables_awake", "Tables in memory", multiprocess_mode="liveall")

# Between processes.
HANDED_OVER = Counter("facedown_connections_handed_over_total", "Connections passed on to the worker of their table")
FOLLOWED = Counter("facedown_followed_total", "Commits of other processes that were followed", ["how"])
NOTICES = Counter("facedown_notices_total", "Notices sent to other processes")

# Errors: exceptions that affected one table only, and the background loops of each worker.
FAULTS = Counter("facedown_faults_total", "Exceptions that hurt one table, bot or deadline", ["stage"])
LOOP_UP = Gauge("facedown_loop_up", "Whether a background loop runs", ["loop"], multiprocess_mode="liveall")
LOOP_FAILURES = Counter("facedown_loop_failures_total", "How often a background loop was started again", ["loop"])

# HTTP requests; refusals over HTTP and sockets.
REQUESTS = Counter("facedown_requests_total", "HTTP requests", ["method", "route", "status"])
REFUSALS = Counter("facedown_refusals_total", "What was refused, and why", ["reason"])

# Sockets: open connections and traffic.
SOCKETS = Gauge("facedown_sockets", "Open sockets", ["face"], multiprocess_mode="livesum")
SENT = Counter("facedown_socket_sent_bytes_total", "Bytes sent over sockets, before compression", ["face"])
RECEIVED = Counter("facedown_socket_messages_total", "Messages that came in over sockets")


def exposition() -> bytes:
    """The metrics as Prometheus text: of all workers, or of this process where there is only one."""
    if FOLDER not in os.environ:
        return generate_latest()
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


@contextmanager
def counted_together() -> Iterator[None]:
    """Workers started in this block share their counts in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="facedown-metrics-") as folder:
        os.environ[FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[FOLDER]


def worker_died(pid: int) -> None:
    """Drop the gauges of a dead worker; its counters are kept."""
    mark_process_dead(pid)  # type: ignore[no-untyped-call]
