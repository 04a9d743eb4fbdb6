"""The files, folders and links that CONTRIBUTING.md and docs/stability.md name exist."""

import re

import pytest

from tests.support.packages import ROOT


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "CHANGELOG.md", "docs/stability.md", "README.md"])
def test_what_the_page_names_exists(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    made = (".venv/", "tests/failures/")
    named = {name for name in re.findall(r"`([\w.]+/[\w./-]*)`", text) if not name.startswith(made)}
    linked = {(ROOT / page).parent / link for link in re.findall(r"\]\((?!https?:)([^)#]+)", text)}
    assert [str(file) for file in {*(ROOT / name for name in named), *linked} if not file.exists()] == []
