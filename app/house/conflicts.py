"""How many commits met an entry of another process. Many of them mean that tables are served by several processes."""

import time

from app import metrics
from app.logs import get

log = get("journal")
WINDOW = 60.0  # seconds over which they are counted
FEWEST = 100  # commits in that time; of fewer nothing is said
MANY = 0.01  # of the commits


class Conflicts:
    def __init__(self) -> None:
        self.begun = time.monotonic()
        self.commits = 0
        self.conflicts = 0

    def met(self) -> None:
        self.conflicts += 1
        metrics.CONFLICTS.inc()

    def committed(self, tables: int) -> None:
        self.commits += tables
        if self.commits >= FEWEST and (now := time.monotonic()) - self.begun > WINDOW:
            if self.conflicts > MANY * self.commits:
                percent = 100 * self.conflicts / self.commits
                log.warning("many commits conflict: route by table", percent=round(percent, 1), commits=self.commits)
            self.begun, self.commits, self.conflicts = now, 0, 0
