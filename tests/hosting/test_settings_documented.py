"""docs/hosting.md lists exactly the settings of app/settings.py, with the same help texts."""

import re

from app.settings import described
from tests.hosting import doc
from tests.support.packages import ROOT


def test_the_table_of_settings_is_complete_and_true() -> None:
    rows = [
        f"| `{variable}` | {f'`{default}`' if default else ''} | {what} |" for variable, default, what in described()
    ]
    assert doc.settings() == rows, "the table in docs/hosting.md should read:\n" + "\n".join(rows)


def test_the_rest_of_the_page_names_no_setting_that_is_none() -> None:
    compose = set(re.findall(r"\$\{(\w+)", (ROOT / "docker-compose.yml").read_text()))
    image = set(re.findall(r"^ARG (\w+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE))
    known = {variable for variable, _, _ in described()} | compose | image
    assert set(re.findall(r"\b([A-Z]+(?:_[A-Z]+)*)=", doc.TEXT)) <= known
