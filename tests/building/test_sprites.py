"""Lists of icons and templates agree, or the build fails; sprites have each listed icon."""

import json
import re
import shutil
from pathlib import Path

import pytest

from building.sprites import FRAME, pictures, read_icons, sprite
from tests.support.packages import ROOT

STATIC = ROOT / "static"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The frame and one game."""
    shutil.copytree(ROOT / "templates", tmp_path / "templates")
    shutil.copytree(ROOT / "engine" / "games" / "raiders", tmp_path / "engine" / "games" / "raiders")
    for name in ("icons.json", "seats.json", "games/raiders/icons.json"):
        (tmp_path / "static" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(STATIC / name, tmp_path / "static" / name)
    return tmp_path


def change(file: Path, **icons: str) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), **icons}), "utf-8")


def test_ours_agree(copy: Path) -> None:
    found = read_icons(copy)
    assert set(found) == {FRAME, "raiders"} and "seat-12" in found[FRAME] and "coin" in found["raiders"]


@pytest.mark.parametrize(("area", "template"), [(FRAME, "home.html"), ("raiders", "games/raiders/hand.html")])
def test_an_icon_that_a_template_names_must_be_listed(copy: Path, area: str, template: str) -> None:
    with (copy / "templates" / template).open("a", encoding="utf-8") as file:
        file.write('<ic nowhere "{{ _("nowhere") }}">')
    with pytest.raises(SystemExit, match=f"{area}: templates use the icon 'nowhere', which is not listed"):
        read_icons(copy)


@pytest.mark.parametrize(("area", "file"), [(FRAME, "icons.json"), ("raiders", "games/raiders/icons.json")])
def test_a_listed_icon_must_be_used(copy: Path, area: str, file: str) -> None:
    change(copy / "static" / file, idle="sun")
    with pytest.raises(SystemExit, match=f"{area}: no template uses the icon 'idle'"):
        read_icons(copy)


def test_a_games_icon_may_be_named_by_its_cards(copy: Path) -> None:
    change(copy / "static" / "games" / "raiders" / "icons.json", banshee="sun")
    with (copy / "engine" / "games" / "raiders" / "cards.toml").open("a", encoding="utf-8") as file:
        file.write("\n[monsters.banshee]\n")
    assert "banshee" in read_icons(copy)["raiders"]


def test_an_icon_of_the_frame_is_not_listed_again(copy: Path) -> None:
    change(copy / "static" / "games" / "raiders" / "icons.json", ready="sun")
    with pytest.raises(SystemExit, match="raiders: the icon 'ready' is one of the frame"):
        read_icons(copy)


def test_every_sprite_has_its_icons_once_and_credits_their_authors() -> None:
    for area, wanted in read_icons(ROOT).items():
        made = (STATIC / "built" / f"icons-{area}.svg").read_text("utf-8")
        assert re.findall(r'<symbol id="([^"]+)" viewBox="0 0 512 512">', made) == list(wanted)
        assert "CC BY 3.0" in made
        # Nothing that a strict content security policy would block, and no external requests.
        assert not re.search(r"<script|<style|style=|\son\w+=|href", made)


def test_an_icon_that_the_package_lacks_is_named() -> None:
    with pytest.raises(SystemExit, match="no-such-thing"):
        sprite({"a": "no-such-thing"}, {"torch": {"body": ""}})


def test_pictures_of_games_are_one_file() -> None:
    files = sorted(STATIC.glob("games/*/picture.svg"))
    made = pictures(files)
    assert re.findall('<symbol id="([^"]+)"', made) == [file.parent.name for file in files]
    assert made.count('<path fill="#2b2018" d="m') == len(files) and "CC BY 3.0" in made
