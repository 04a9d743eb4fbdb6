"""The check of names, on trees made up to break it."""

from pathlib import Path

import pytest

from tools.names import doubled

GOOD = {
    "app/cli.py": "def main(): pass\nclass Seat: pass",
    "app/__init__.py": "",
    "app/web/__init__.py": "",
    "app/web/pages.py": "log = 1\nMOST = 2\nT = 3\ndef _own(): pass\nclass Page:\n    def stop(self): pass",
    "app/web/feeds.py": "log = 1\nMOST = 2\nT = 3\ndef _own(): pass\nclass Feed:\n    def stop(self): pass",
    "engine/table.py": "def main(): pass\nReason = str",
    "engine/games/raiders/rules.py": "class Seat: pass",
    "engine/games/scrawl/rules.py": "class Seat: pass",
}


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, "utf-8")


@pytest.fixture
def good(tmp_path: Path) -> Path:
    for path, text in GOOD.items():
        write(tmp_path, path, text)
    return tmp_path


def test_a_good_tree(good: Path) -> None:
    assert doubled(good) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("class Seat: pass", "Seat is defined in app/cli.py, engine/new.py"),
        ("def Page(): pass", "Page is defined in app/web/pages.py, engine/new.py"),
        ("async def Feed(): pass", "Feed is defined in app/web/feeds.py, engine/new.py"),
        ("Reason = int", "Reason is defined in engine/new.py, engine/table.py"),
    ],
)
def test_a_doubled_name(good: Path, text: str, found: str) -> None:
    write(good, "engine/new.py", text)
    assert doubled(good) == [found]


def test_a_doubled_module(good: Path) -> None:
    write(good, "engine/pages.py", "")
    assert doubled(good) == ["the same file name: app/web/pages.py, engine/pages.py"]
