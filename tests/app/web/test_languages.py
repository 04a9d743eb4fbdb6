"""Choice of the language and loading of its catalogue."""

import pytest

from app.refusals import TEXTS
from app.web.languages import LANGUAGES, choose, translate, translations


@pytest.mark.parametrize(
    ("cookie", "accepted", "language"),
    [
        (None, "", "en"),
        (None, "ru", "ru"),
        (None, "ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7", "ru"),
        (None, "en-GB,en;q=0.9,ru;q=0.8", "en"),
        (None, "de-DE,de;q=0.9,ru;q=0.5,en;q=0.3", "ru"),
        (None, "de,fr", "en"),
        (None, "en;q=0.1, ru;q=0.2", "ru"),
        (None, "ru;q=0, en;q=0.1", "en"),
        (None, "ru;q=x,;;,=,en", "en"),
        (None, "*", "en"),
        ("ru", "en", "ru"),
        ("en", "ru", "en"),
        ("xx", "ru", "ru"),
    ],
)
def test_the_language(cookie: str | None, accepted: str, language: str) -> None:
    assert choose(cookie, accepted) == language


def test_every_language_can_be_read() -> None:
    for language in LANGUAGES:
        translations(language)
        assert translate(language, "") == ""
        assert translate(language, "not in any catalogue") == "not in any catalogue"


def test_every_refusal_is_said_in_russian() -> None:
    assert [reason for reason, (_, text) in TEXTS.items() if translate("ru", text) == text] == []
