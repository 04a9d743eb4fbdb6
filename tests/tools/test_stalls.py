"""`make stalls`: the tests run while their processes are stopped now and then, and their result is the command's."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.packages import ROOT

# Waits until it has itself been stopped for a moment.
WAITS = """
import time

def test_it_is_stopped():
    last = time.monotonic()
    while (now := time.monotonic()) - last < 0.25:
        last = now
        time.sleep(0.01)
"""


def run(folder: Path, text: str) -> int:
    file = folder / "test_it.py"
    file.write_text(text)
    command = [sys.executable, str(ROOT / "tools" / "stalls.py"), "-q", "-p", "no:cacheprovider", str(file)]
    return subprocess.run(command, cwd=folder, capture_output=True, timeout=120).returncode


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it finds processes as Linux shows them")
def test_a_test_is_stopped_for_a_moment(tmp_path: Path) -> None:
    assert run(tmp_path, WAITS) == 0


def test_a_test_that_fails_is_the_result(tmp_path: Path) -> None:
    assert run(tmp_path, "def test_it_fails():\n    assert False\n") == 1
