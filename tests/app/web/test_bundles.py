"""Pages load bundles if the build has made them from these very sources, else the single files."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import structlog

from app.paths import STATIC
from app.web import bundles
from app.web.files import fingerprint
from engine.game import games
from tests.app.web.conftest import Guest
from tests.engine import tiny

Guests = Callable[..., Guest]

OWN = sorted(game.key for game in games().values() if game.package.startswith("engine.games."))


def paths(page: str) -> list[str]:
    return re.findall(r'(?:<script src|<link rel="?stylesheet"? href)="/static/([^"?]+)', page)


@pytest.mark.parametrize("key", OWN)
async def test_a_table_loads_one_script_and_one_style_sheet(guest: Guests, key: str) -> None:
    ada = guest("Ada")
    table = await ada.open(key, bots="1")
    for path in (table, f"{table}/hand", f"{table}/screen"):
        placed = {"js/first.js", "js/unseen.js"}  # they have to run where they stand
        assert set(paths(await ada.page(path))) - placed == {f"built/table-{key}.css", f"built/table-{key}.js"}
    assert set(paths(await ada.page(f"{table}/rules"))) == {
        "js/first.js", f"built/table-{key}.css", "built/page.js"
    }  # fmt: skip
    assert set(paths(await ada.page("/"))) == {"js/first.js", "built/page.css", "built/page.js"}


def test_a_game_in_a_package_of_its_own_is_behind_the_common_bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"games/counting/a.css", "games/counting/table.js"}
    monkeypatch.setattr(bundles, "style_sheets", lambda game: ["games/counting/a.css"])
    monkeypatch.setattr(bundles, "static_file", lambda path: Path(path) if path in there else None)
    found = bundles.loads("table", tiny.counting)
    assert found.styles == ("built/table.css", "games/counting/a.css")
    assert [(one.path, one.module) for one in found.scripts] == [
        ("games/counting/table.js", True),
        ("built/table.js", False),
    ]


def test_for_development_every_file_is_loaded_by_itself() -> None:
    found = bundles.single_files("table", games()["scrawl"])
    listed = json.loads((STATIC / "bundles.json").read_text("utf-8"))["table"]
    assert list(found.styles[: len(listed["styles"])]) == listed["styles"]
    assert "games/scrawl/style.css" in found.styles
    assert [one.path for one in found.scripts if one.module] == ["games/scrawl/table.js", "js/table.js"]
    assert all((STATIC / path).is_file() for path in [*found.styles, *(one.path for one in found.scripts)])


def test_a_changed_source_makes_bundles_useless(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"page", "table", *(f"table-{key}" for key in OWN)} == bundles.bundled(), "make setup builds them"
    monkeypatch.setattr(bundles, "fingerprint", lambda path, at: "x" if path == "js/page.js" else fingerprint(path, at))
    with structlog.testing.capture_logs() as lines:
        assert bundles.bundled.__wrapped__() == frozenset()
    assert [line["changed"] for line in lines] == [["js/page.js"]]


def test_without_bundles_single_files_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundles, "bundled", lambda: frozenset())
    for name, game in (("page", None), ("table", games()["tomb"])):
        assert bundles.loads(name, game) == bundles.single_files(name, game)
