"""docs/templates.md names everything that a game's templates and the pages around them agree on."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "templates.md").read_text("utf-8")
PARTS = ("hand", "reveal", "places", "values", "people")  # macros for games' templates
TEXT = re.compile(r"""(["'`])((?:\\.|(?!\1).)*)\1""")
NAME = re.compile(r"""\[(data-[a-z-]+)|(\.[a-z][a-z-]+)|(#[a-z][a-z-]+)""")
DATASET = re.compile(r"""dataset\.([a-zA-Z]+)|["'](\w+)["'] in [\w.]+dataset""")
SUFFIX = re.compile(r"\.(js|html|css)$")


def read_by_scripts() -> set[str]:
    """The classes, ids and attributes that scripts look for, as selectors name them: `.lay`, `#hand`, `data-n`."""
    found = set()
    for file in (ROOT / "static" / "js").glob("*.js"):
        # Without comments, and without the expressions in template strings.
        script = re.sub(r"^\s*//.*|\s// .*|\$\{[^}]*\}", "", file.read_text("utf-8"), flags=re.MULTILINE)
        for _, text in TEXT.findall(script):
            if not SUFFIX.search(text):
                found |= {name for names in NAME.findall(text) for name in names if name}
        for names in DATASET.findall(script):
            found |= {"data-" + re.sub("([A-Z])", r"-\1", name).lower() for name in names if name}
    return found


def in_games() -> str:
    """All templates of games, and the macros made for them, without Jinja's conditions."""
    games = [*(ROOT / "templates" / "games").rglob("*.html"), *(ROOT / "examples").rglob("*.html")]
    parts = [ROOT / "templates" / "parts" / f"{part}.html" for part in PARTS]
    return re.sub(r"{%.*?%}", " ", "\n".join(file.read_text("utf-8") for file in games + parts))


def used(name: str, html: str) -> bool:
    """Whether templates have this class, id or attribute."""
    if name.startswith("data-"):
        return re.search(rf"\b{name}\b", html) is not None
    kind = {".": "class", "#": "id"}[name[0]]
    return re.search(rf"""\b{kind}=["']?[^"'>]*(?<![\w-]){name[1:]}(?![\w-])""", html) is not None


def test_every_name_that_scripts_look_for_in_a_games_template() -> None:
    html = in_games()
    names = sorted(name for name in read_by_scripts() if used(name, html))
    assert {"#ask", "#take-back", ".choices", ".hold", ".stage", "data-anytime", "data-reveal", "data-then"} <= set(
        names
    )
    missing = [name for name in names if not re.search(rf"{re.escape(name)}(?![\w-])", PAGE)]
    assert not missing


def test_every_template_that_a_game_may_bring() -> None:
    html = "\n".join(file.read_text("utf-8") for file in (ROOT / "templates").rglob("*.html"))
    parts = {*re.findall(r"""game_template\(["'](\w+)["']\)""", html), "credits"}
    rows = set(re.findall(r"^\| `(\w+)\.html` \|", PAGE, re.MULTILINE))
    assert parts == rows


def test_every_name_that_templates_are_given() -> None:
    source = (ROOT / "app" / "web" / "context.py").read_text("utf-8")
    bodies = re.findall(r"def \w+_context\(.*?\n    return \{(.*?)\n    \}", source, re.DOTALL)
    assert len(bodies) == 2  # the same for all viewers, and the viewer's own
    given = set(re.findall(r'^ {8}"(\w+)":', "\n".join(bodies), re.MULTILINE))
    given -= {"remaining", "notice"}  # of the server's own pages
    assert len(given) > 10
    assert not [name for name in given if f"`{name}`" not in PAGE]


@pytest.mark.parametrize("part", ["hand", "reveal", "places"])
def test_every_macro(part: str) -> None:
    macros = re.findall(
        r"{% macro (\w+\(.*?\)) -?%}", (ROOT / "templates" / "parts" / f"{part}.html").read_text("utf-8")
    )
    assert macros
    assert not [macro for macro in macros if f"`{macro}`" not in PAGE]


def test_its_pictures_are_small() -> None:
    pictures = re.findall(r"\]\((\w[\w-]*\.jpg)\)", PAGE)
    assert pictures
    assert all((ROOT / "docs" / picture).stat().st_size < 150_000 for picture in pictures)
