"""What the house counts, for Prometheus."""

from prometheus_client import Counter, Gauge, Histogram

ENTRIES = Counter("facedown_entries_total", "Entries committed to the log")
COMMIT = Histogram(
    "facedown_commit_seconds",
    "How long a commit took, of all that came in together",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5),
)
TABLES = Gauge("facedown_tables_awake", "Tables in memory")
FAULTS = Counter("facedown_faults_total", "Exceptions that hurt one table, bot or deadline", ["stage"])
LOOP_UP = Gauge("facedown_loop_up", "Whether a background loop runs", ["loop"])
LOOP_FAILURES = Counter("facedown_loop_failures_total", "How often a background loop was started again", ["loop"])
