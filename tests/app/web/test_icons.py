"""Icons come from the sprite of the frame or that of the game."""

import re

import pytest

from app.paths import STATIC
from app.web import icons
from app.web.files import static_file
from engine.game import games
from tests.engine import tiny


def asset(path: str) -> str:
    return f"/static/{path}"


def test_an_icon_comes_from_the_frame_or_from_the_game() -> None:
    found = icons.expanded('<ic ready><ic coin "coins"><ic seat-12>', asset, games()["raiders"])
    assert re.findall('href="/static/([^"]+)"', found) == [
        "built/icons-frame.svg#ready", "built/icons-raiders.svg#coin", "built/icons-frame.svg#seat-12",
    ]  # fmt: skip
    assert found.count("<svg") == 3 and 'role="img" aria-label="coins"' in found


def test_a_game_of_a_package_brings_its_sprite(monkeypatch: pytest.MonkeyPatch) -> None:
    assert icons.sprite_of(tiny.counting) == ""
    there = "games/counting/icons.svg"
    monkeypatch.setattr(icons, "static_file", lambda path: path if path == there else static_file(path))
    assert "/static/games/counting/icons.svg#dice" in icons.expanded("<ic dice>", asset, tiny.counting)


def test_the_script_knows_the_icons_of_the_frame() -> None:
    script = (STATIC / "built" / "frame.js").read_text("utf-8")
    assert set(re.findall('"([^"]+)"', script)) == icons.frame_icons()
