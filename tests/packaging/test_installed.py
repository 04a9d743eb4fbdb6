"""The wheel and the locked requirements in an empty environment, as on a host."""

import json
import re
import sys
from pathlib import Path
from urllib.request import Request

import pytest
from babel.messages.pofile import read_po

from app.paths import STATIC
from engine.game import Game, games
from tests.support.packages import Environment, run
from tests.support.server import Server, opener


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


def test_it_serves_the_pages_of_every_game(installed: Environment, tmp_path: Path) -> None:
    """Templates, style sheets, scripts, icons and translations."""
    with Server(tmp_path, program=[installed.facedown, "serve"]) as server:
        for name in ("htmx.min.js", "hx-ws.min.js"):
            assert server.get(f"/static/vendor/{name}")[0] == 200
        home = in_russian(server, "/")
        for game in games().values():
            assert russian(game) in home
            icons = server.get(f"/static/built/icons-{game.key}.svg")[1]
            for icon in json.loads((STATIC / "games" / game.key / "icons.json").read_text("utf-8")):
                assert f'id="{icon}"' in icons, icon
            opened = server.post("/tables", game=game.key, name="Ada", bots=True)[1]
            page = in_russian(server, f"/t/{opened['token']}/screen")
            files = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', page))
            assert any(f"/built/table-{game.key}.css" in file for file in files)
            assert {file: server.get(file)[0] for file in files} == dict.fromkeys(files, 200)
        assert server.stop() in (0, -15)


def in_russian(server: Server, path: str) -> str:
    request = Request(server.url + path, headers={"Accept-Language": "ru"})
    with opener.open(request, timeout=30) as response:
        return str(response.read().decode())


def russian(game: Game) -> str:
    """The game's pitch in its own catalogue."""
    with Path(f"engine/games/{game.key}/locale/ru.po").open("rb") as file:
        message = read_po(file).get(game.pitch)
    assert message and message.string
    return str(message.string)
