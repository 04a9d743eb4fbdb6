"""docs/rules/<game>.md, the code and the tests of a game name the same rules."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = sorted((ROOT / "docs" / "rules").glob("*.md"))
RULE = re.compile(r"^- \*\*([A-Z])-(\d+)\*\* (.*(?:\n  .*)*)", re.M)
NAMED = re.compile(r"\b([A-Z])-(\d+)\b(?: to \1-(\d+))?")  # "R-23", "R-20 to R-26"


class Page:
    """A game's page of rules: each has a letter and a number, variants sometimes a letter of their own."""

    def __init__(self, path: Path) -> None:
        self.text = path.read_text("utf-8")
        self.key = path.stem
        found = RULE.findall(self.text)
        self.rules = {rule(letter, number): text for letter, number, text in found}
        self.letters = {letter for letter, _, _ in found}
        assert len(found) == len(self.rules), "a number stands there twice"
        self.code = texts(ROOT / "engine" / "games" / self.key, "*.py", "*.toml")
        self.tests = texts(ROOT / "tests" / "engine" / "games" / self.key, "*.py")

    def named(self, text: str) -> set[str]:
        """This game's rules that a text names, ranges included."""
        found = set()
        for letter, a, b in NAMED.findall(text):
            if letter in self.letters:
                found |= {rule(letter, a), rule(letter, b or a)}
                found |= {rule(letter, n) for n in range(int(a), int(b or a)) if rule(letter, n) in self.rules}
        return found


def rule(letter: str, number: str | int) -> str:
    return f"{letter.upper()}-{int(number)}"


def texts(folder: Path, *patterns: str) -> str:
    return "\n".join(file.read_text("utf-8") for pattern in patterns for file in sorted(folder.rglob(pattern)))


@pytest.fixture(scope="module", params=PAGES, ids=lambda path: path.stem)
def page(request: pytest.FixtureRequest) -> Page:
    return Page(request.param)


def test_our_games_have_their_pages() -> None:
    games = {path.parent.name for path in (ROOT / "engine" / "games").glob("*/__init__.py")}
    assert {path.stem for path in PAGES} == games


def test_every_rule_has_a_test_that_bears_its_number(page: Page) -> None:
    found = {rule(letter, number) for letter, number in re.findall(r"def test_([a-z])(\d+)_", page.tests)}
    tested = {one for one in found if one[0] in page.letters}
    assert sorted(page.rules.keys() - tested) == []
    assert sorted(tested - page.rules.keys()) == [], "no such rule"


def test_every_rule_is_named_in_the_code(page: Page) -> None:
    assert sorted(page.rules.keys() - page.named(page.code)) == []


def test_no_other_rule_is_named_anywhere(page: Page) -> None:
    pages = texts(ROOT / "docs", "*.md") + texts(ROOT / "templates" / "games" / page.key, "*.html")
    bench = texts(ROOT / "bench", "*.py", "*.md")
    browser = texts(ROOT / "tests" / "browser", "*.py")
    for text in (page.code, page.tests, pages, bench, browser):
        assert sorted(page.named(text) - page.rules.keys()) == []


def test_every_rule_says_where_it_stands_in_the_rulebook(page: Page) -> None:
    """In brackets, at the end of the rule or before our own reading."""
    places = re.findall(r"^\| ([^|]+) \|", page.text.partition("\n## ")[0], re.M)
    words = {word for place in places for word in re.findall(r"[A-Z][a-z]+", place)}
    for number, text in page.rules.items():
        brackets = re.findall(r"\(([^()]*)\)", " ".join(text.split()))
        assert any(word in bracket for bracket in brackets for word in words), number
