"""The check of pages: it finds what a template cannot show. The pages of our games, at another sample every day."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.testing import check_pages, page_checks
from engine.game import Game, games
from engine.testing import CheckFailed
from tests.engine import tiny

DOCS = Path(__file__).resolve().parents[2] / "docs" / "adding-a-game.md"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty package, which Python finds."""
    folder = tmp_path / f"package_{tmp_path.name}"
    (folder / "templates").mkdir(parents=True)
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    return folder


@pytest.fixture
def paged(package: Path) -> Iterator[Game]:
    """A game with this package, as if it were installed. Its key is its own: what is known of templates is kept."""
    key = package.name
    games()[key] = replace(tiny.window, key=key, package=key)
    yield games()[key]
    del games()[key]


def test_a_page_that_cannot_be_rendered_is_told_with_its_position(package: Path, paged: Game) -> None:
    (package / "templates" / "own.html").write_text(
        "<p>{{ shared.asks }}</p>\n{% if own and 'shield' in own.moves %}{{ private.swords }}{% endif %}"
    )
    with pytest.raises(CheckFailed) as failed:
        for check in page_checks(paged):
            check()
    said = str(failed.value)
    assert said.startswith(f"{paged.key}-pages-") and ", seed " in said
    assert "the page 'play' in 'en' for seat " in said
    assert "while Respond asks in round 2 and offers ['pass', 'shield'] after []" in said
    assert said.endswith(f"has no attribute 'swords', in {package / 'templates' / 'own.html'}:2")


def test_a_page_that_fails_at_the_end_only(package: Path, paged: Game) -> None:
    (package / "templates" / "result.html").write_text("{{ public.hits }} {{ public.winner }}")
    with pytest.raises(CheckFailed, match=r"the page 'screen' in 'en' for a spectator raises .*, in .*/result\.html:1"):
        check_pages(paged, 1)


def test_a_text_with_a_wrong_placeholder_fails_in_one_language(package: Path, paged: Game) -> None:
    (package / "templates" / "rules.html").write_text("{{ public.no_such_thing if lang == 'ru' }}")
    with pytest.raises(CheckFailed, match="the page 'rules' in 'ru' for a spectator raises"):
        check_pages(paged, 1)


def test_games_without_templates_pass(paged: Game) -> None:
    for check in page_checks(paged, games=2):
        check()


def test_some_positions_are_those_of_new_kinds_and_the_end(paged: Game) -> None:
    seen = set[object]()
    assert check_pages(paged, 1, 2, seen) == 2
    assert ("", "hit") in seen
    before = len(seen)
    assert check_pages(paged, 1, 2, seen) == 2
    assert len(seen) > before


def test_a_game_that_is_not_installed_is_not_rendered() -> None:
    with pytest.raises(
        CheckFailed, match=r"no game 'window' is installed; .*: pages are rendered of installed games only"
    ):
        check_pages(tiny.window, 1)
    with pytest.raises(CheckFailed, match="another game is installed as 'raiders'"):
        check_pages(replace(games()["raiders"]), 1)


@pytest.mark.no_cover
@pytest.mark.parametrize("key", games())
def test_the_pages_of_a_random_game_of_today(key: str) -> None:
    """Some positions of one game, of all kinds. What fails names its seed; `python -m tests.faces` repeats it."""
    check_pages(games()[key], datetime.now(UTC).toordinal(), most=25)


def test_its_names_are_documented() -> None:
    section = DOCS.read_text("utf-8").partition("\n## Checking it\n")[2].partition("\n## ")[0]
    assert all(f"`{name}(" in section for name in ("page_checks", "check_pages"))
