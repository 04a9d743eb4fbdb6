"""Which changes of files are noticed, and of which kind they are."""

import os
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from app.dev import watch
from app.dev.watch import Watch, folders, listed
from app.paths import FILES, MIGRATIONS, STATIC, TEMPLATES

CODE = ["rules.py", "cards.toml"]
PAGES = ["board.html", "style.css", "table.js", "icon.svg", "ru.po"]
NEITHER = ["rules.pyc", "notes.md", "facedown.sqlite3", "py"]


def both(place: Path) -> dict[str, Watch]:
    return {"code": Watch("code", [place]), "pages": Watch("pages", [place])}


def changed(watches: dict[str, Watch]) -> dict[str, list[str]]:
    return {kind: [file.name for file in one.changed()] for kind, one in watches.items()}


@pytest.mark.parametrize("name", [*CODE, *PAGES, *NEITHER])
def test_a_file_that_is_made_changed_and_removed(tmp_path: Path, name: str) -> None:
    (tmp_path / "inside").mkdir()
    watches, file = both(tmp_path), tmp_path / "inside" / name
    nothing: dict[str, list[str]] = {"code": [], "pages": []}
    noticed = {"code": [name] if name in CODE else [], "pages": [name] if name in PAGES else []}
    assert changed(watches) == nothing
    file.write_text("one")
    assert changed(watches) == noticed
    assert changed(watches) == nothing
    os.utime(file, ns=(1, 1))
    assert changed(watches) == noticed
    file.unlink()
    assert changed(watches) == noticed
    assert changed(watches) == nothing


def test_a_file_in_a_new_folder(tmp_path: Path) -> None:
    watches = both(tmp_path)
    (tmp_path / "new" / "deep").mkdir(parents=True)
    (tmp_path / "new" / "deep" / "rules.py").touch()
    assert changed(watches) == {"code": ["rules.py"], "pages": []}


def test_our_own_folders_are_watched() -> None:
    places = folders()
    assert {TEMPLATES, STATIC, MIGRATIONS, FILES / "app", FILES / "engine"} <= set(places)
    for file in ("app/cli.py", "engine/games/raiders/cards.toml", "migrations/env.py"):
        assert FILES / file in Watch("code", places).seen
    for file in ("app/locale/ru.po", "engine/games/scrawl/locale/ru.po", "static/js/table.js", "templates/home.html"):
        assert FILES / file in Watch("pages", places).seen


def test_the_packages_of_installed_games_are_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are found without being imported: they may be broken just now."""
    (tmp_path / "whist" / "rules").mkdir(parents=True)
    for file in ("whist/__init__.py", "whist/rules/__init__.py", "chicago.py"):
        (tmp_path / file).write_text("this is no Python")
    points = [
        EntryPoint("whist", "whist.rules:game", "facedown.games"),
        EntryPoint("chicago", "chicago:game", "facedown.games"),
        EntryPoint("gone", "of_a_package_that_is_gone:game", "facedown.games"),
    ]
    monkeypatch.setattr(watch, "entry_points", lambda group: points)
    monkeypatch.syspath_prepend(tmp_path)
    seen = Watch("code", folders()).seen
    assert {tmp_path / "whist" / "rules" / "__init__.py", tmp_path / "chicago.py"} <= seen.keys()
    assert not {"whist", "chicago"} & sys.modules.keys()


def test_how_changes_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert listed([tmp_path / "app" / "cli.py"]) == os.path.join("app", "cli.py")
    assert listed([Path("/elsewhere/a.py"), Path("/elsewhere/b.py")]) == "/elsewhere/a.py and 1 more"
