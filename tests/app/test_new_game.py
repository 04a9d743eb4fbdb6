"""`facedown new-game`: what it writes works, and what it refuses is left as it was."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from app.cli import main
from tests.support.packages import ROOT, run

KEY = "liars_dice"


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A package that the command has written, which Python finds by its entry point as if it were installed."""
    folder = tmp_path / "my games" / "Lügen"
    assert main(["new-game", KEY, "--folder", str(folder)]) == 0
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    points = project["entry-points"]["facedown.games"]
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    lines = [f"{name} = {value}" for name, value in points.items()]
    (info / "entry_points.txt").write_text("\n".join(["[facedown.games]", *lines]) + "\n")
    return folder


def python(folder: Path, *words: str) -> str:
    path = os.pathsep.join([str(ROOT), str(folder)])
    return run([sys.executable, *words], folder, PYTHONPATH=path, MYPYPATH=path, DATA_DIR=str(folder))


def test_its_tests_pass(written: Path) -> None:
    said = python(written, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={written}")
    assert " passed" in said and "failed" not in said


def test_its_tests_find_a_leak(written: Path) -> None:
    view = written / KEY / "view.py"
    code = view.read_text("utf-8")
    view.write_text(code.replace("tuple(g.hands[seat])", "tuple(g.hands[0])"), "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={written}", "-k", "secrets"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(written)])}
    done = subprocess.run(command, cwd=written, env=environment, capture_output=True, text=True)
    assert done.returncode == 1 and "is sent depends on what it cannot know" in done.stdout


def test_its_code_is_well_typed_and_formatted(written: Path) -> None:
    options = ["--strict", "--config-file=", f"--cache-dir={written / 'cache'}"]
    assert python(written, "-m", "mypy", *options, KEY, f"test_{KEY}.py").startswith("Success")
    for command in ("check", "format --check"):
        python(written, "-m", "ruff", *command.split(), "--config", "line-length = 120", "--no-cache", ".")


def test_it_is_found_and_played(written: Path) -> None:
    assert "20 games in" in python(written, "-m", "app", "simulate", KEY, "--seats", "4", "--games", "20")


def test_its_pages_and_texts(written: Path) -> None:
    """Its templates are valid, and its Russian catalogue has all texts except for the game's name."""
    code = (
        "from app.web.languages import translate\n"
        "from app.web.templates import Templates\n"
        "from engine.game import find\n"
        f"game = find({KEY!r}); pages = Templates().languages['en']\n"
        "[pages.get_template(f'games/{game.key}/{name}.html') for name in ('rules', 'where')]\n"
        "texts = [game.pitch, *(text for o in game.options for text in (o.label, *(c.label for c in o.choices)))]\n"
        "print([text for text in texts if translate('ru', text) == text], translate('ru', game.name))\n"
    )
    assert python(written, "-c", code).splitlines()[-1] == "[] Liars dice"


def test_the_folder_is_named_like_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new-game", KEY]) == 0
    assert [file.name for file in tmp_path.iterdir()] == [KEY]
    texts = [file.read_text("utf-8") for file in (tmp_path / KEY).rglob("*") if file.is_file()]
    assert len(texts) == 9 and not any("$" in text or "KEY" in text for text in texts)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("Liar's Dice", '"Liar\'s Dice" cannot be a key. A key is made of lower-case letters and digits'),
        ("2dice", "'2dice' cannot be a key"),
        ("dice_", "'dice_' cannot be a key"),
        ("../dice", "'../dice' cannot be a key"),
        ("x" * 41, "It has at most 40 characters"),
        ("class", "class cannot be a key: it is a word of Python"),
        ("raiders", "a game with the key raiders is already installed"),
        ("json", "json cannot be a key: a Python package of that name is already installed"),
        ("taken", "taken exists already; it was not changed"),
    ],
)
def test_what_is_refused(
    key: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").mkdir()
    assert main(["new-game", key]) == 1
    error = capsys.readouterr().err
    assert error.startswith("facedown: ") and said in error and error.count("\n") == 1
    assert [file.name for file in tmp_path.rglob("*")] == ["taken"]


def test_a_folder_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["new-game", KEY, "--folder", str(tmp_path / "file" / "game")]) == 1
    assert "cannot be written: Not a directory." in capsys.readouterr().err
