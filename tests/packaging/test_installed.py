"""The wheel and the locked requirements in an empty environment, as on a host."""

import json
import sys
from pathlib import Path

import pytest

from tests.support.packages import Environment, run
from tests.support.server import Server


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    environment = Environment(tmp_path_factory.mktemp("host") / "venv")
    environment.install_locked()
    environment.install("--no-deps", wheel)
    return environment


def test_it_reads_its_own_files(installed: Environment, tmp_path: Path) -> None:
    code = """
import json
import sys
from app import paths
print(json.dumps([str(paths.FILES), paths.TEMPLATES.is_dir(), paths.STATIC.is_dir(), paths.MIGRATIONS.is_dir()]))
"""
    files, *found = json.loads(run([installed.python, "-I", "-c", code], tmp_path))
    assert Path(files).is_relative_to(installed.folder) and Path(files).name == "_files"
    assert found == [True, True, True]


def test_it_finds_its_games(installed: Environment, tmp_path: Path) -> None:
    code = """
from importlib.metadata import entry_points
print(sorted(point.load().key for point in entry_points(group="facedown.games")))
"""
    assert "raiders" in run([installed.python, "-I", "-c", code], tmp_path)


def test_nothing_it_needs_is_missing(installed: Environment, tmp_path: Path) -> None:
    """Every requirement of the wheel is installed in an accepted version."""
    pip = [sys.executable, "-m", "pip", "--python", str(installed.python), "check"]
    assert "No broken requirements" in run(pip, tmp_path)


def test_it_serves_the_pages(installed: Environment, tmp_path: Path) -> None:
    with Server(tmp_path, program=[installed.facedown, "serve"]) as server:
        assert server.get("/")[0] == 200
        for name in ("htmx.min.js", "hx-ws.min.js", "icons.svg"):
            assert server.get(f"/static/vendor/{name}")[0] == 200
        assert server.stop() in (0, -15)
