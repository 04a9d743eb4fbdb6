"""A server that follows changes of its files, on a copy of our files that tests may change."""

import re
import shutil
import sys
import urllib.request
from pathlib import Path

from tests.support.packages import ROOT
from tests.support.ports import wait_until
from tests.support.server import Server, opener

COPIED = ("app", "engine", "templates", "static", "migrations")
STATE = re.compile('data-state="([0-9a-f]+)-([0-9]+)"')


class Reloading(Server):
    """`facedown serve --reload`, or another command."""

    def __init__(self, folder: Path, *command: str) -> None:
        self.copy = folder / "copy"
        for name in COPIED:
            shutil.copytree(ROOT / name, self.copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        program = [sys.executable, "-m", "app", *(command or ["serve", "--reload"])]
        super().__init__(folder, program=program, PYTHONPATH=str(self.copy))

    def replace(self, file: str, old: str, new: str) -> None:
        path = self.copy / file
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")

    def russian(self, path: str) -> str:
        request = urllib.request.Request(self.url + path, headers={"Accept-Language": "ru"})
        with opener.open(request, timeout=30) as response:
            return str(response.read().decode())

    @property
    def state(self) -> tuple[str, int]:
        """The process that serves, and how many changes of pages it has seen."""
        found = STATE.search(self.get("/about")[1])
        assert found
        return found[1], int(found[2])

    def said(self, text: str) -> int:
        return self.log.read_text().count(text)

    def wait_for(self, text: str, times: int = 1) -> None:
        wait_until(lambda: self.said(text) >= times, f"{text!r}", tail=self.tail)
