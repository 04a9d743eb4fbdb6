"""Languages: which are offered, the choice among them, and loading their catalogues."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.refusals import TEXTS
from app.web import languages as module
from app.web.languages import choose, languages, translate, translations
from app.web.templates import Templates, templates_of
from engine.game import find
from tests.app.web.conftest import Guest

HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
Adds = Callable[[str, str], Path]


@pytest.fixture
def add(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Adds]:
    """Replaces our catalogues by those that the test adds."""

    def adds(file: str, texts: str = "") -> Path:
        path = tmp_path / file
        path.write_text(HEAD + texts, "utf-8")
        forget()
        return path

    def forget() -> None:
        languages.cache_clear()
        translations.cache_clear()

    monkeypatch.setattr(module, "OURS", tmp_path)
    forget()
    yield adds
    forget()


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
        (None, "RU-ru", "ru"),
        (None, "de-DE-1996, ru-RU-u-ca-buddhist;q=0.5", "ru"),
        (None, "-" * 500, "en"),
        (None, "a-" * 250, "en"),
        ("ru", "en", "ru"),
        ("en", "ru", "en"),
        ("xx", "ru", "ru"),
    ],
)
def test_the_language(cookie: str | None, accepted: str, language: str) -> None:
    assert choose(cookie, accepted) == language


@pytest.mark.parametrize(
    ("cookie", "accepted", "language"),
    [
        (None, "pt-BR", "pt-BR"),
        (None, "PT-br;q=0.5, en;q=0.4", "pt-BR"),
        (None, "pt", "pt"),
        (None, "pt-PT", "pt"),
        (None, "zh-CN,zh;q=0.9", "zh-Hans"),
        (None, "zh", "zh-Hans"),
        (None, "zh-Hans-SG", "zh-Hans"),
        (None, "zh-TW,zh-Hant;q=0.9", "en"),
        (None, "es", "es-MX"),
        (None, "es-ES, ru", "es-MX"),
        (None, "ru", "en"),
        ("pt-BR", "en", "pt-BR"),
        ("zh-Hans", "en", "zh-Hans"),
        ("ru", "pt", "pt"),
    ],
)
def test_regions_and_scripts(add: Adds, cookie: str | None, accepted: str, language: str) -> None:
    for file in ("pt_BR.po", "pt.po", "zh_Hans.po", "es_MX.po"):
        add(file, "")
    assert choose(cookie, accepted) == language


def test_a_language_is_offered_if_there_is_a_catalogue_of_ours(add: Adds) -> None:
    assert languages() == {"en": "English"}
    add("ru.po", "")
    add("pt_BR.po", "")
    add("zh_Hans.po", "")
    add("notes.txt", "")
    assert languages() == {
        "en": "English", "pt-BR": "Português (Brasil)", "ru": "Русский", "zh-Hans": "中文 (简体)",
    }  # fmt: skip


def test_a_catalogue_of_no_language_is_refused(add: Adds) -> None:
    add("xx.po", "")
    with pytest.raises(ValueError, match=r"as in ru\.po or pt_BR\.po; unknown locale 'xx'"):
        languages()


def test_pages_are_in_a_language_that_was_added(add: Adds) -> None:
    add("pt_BR.po", 'msgid "Rules"\nmsgstr "Regras"\n')
    pages = Templates()
    source = '{% extends "base.html" %}{% block title %}{{ _("Rules") }}{% endblock %}'
    html = pages.languages["pt-BR"].from_string(source).render(path="/", linked=pages.loads("page"))
    assert '<html lang="pt-BR"' in html and "Regras" in html
    menu = pages.languages["en"].get_template("parts/switches.html").render(path="/")
    assert 'value="pt-BR" lang="pt-BR">Português (Brasil)</button>' in menu


def test_what_a_catalogue_lacks_is_english_and_games_add_texts(add: Adds, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = add("game", 'msgid "Rules"\nmsgstr "never seen"\n\nmsgid "Dungeon Raiders"\nmsgstr "Aventureiros"\n')
    add("pt_BR.po", 'msgid "Rules"\nmsgstr "Regras"\n\nmsgid "Play"\nmsgstr ""\n')
    raiders = find("raiders")
    monkeypatch.setattr(
        module, "brought", lambda game, *path: theirs if (game, path) == (raiders, ("locale", "pt_BR.po")) else None
    )
    assert translate("pt-BR", "Rules") == "Regras"
    assert translate("pt-BR", "Dungeon Raiders") == "Aventureiros"
    assert translate("pt-BR", "Play") == "Play"
    assert translate("pt-BR", "Paper Dungeons") == "Paper Dungeons"


def test_a_catalogue_of_a_game_that_cannot_be_read_is_left_out(add: Adds, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = add("game", 'msgid "Rules"\nmsgstr "Regras"\n')
    theirs.write_bytes(b'msgid "Play"\nmsgstr "\xff"\n')
    add("pt_BR.po", 'msgid "Rules"\nmsgstr "Regras"\n')
    monkeypatch.setattr(module, "brought", lambda game, *path: theirs if game is find("raiders") else None)
    assert translate("pt-BR", "Rules") == "Regras" and translate("pt-BR", "Play") == "Play"
    (module.OURS / "pt_BR.po").write_bytes(b'msgid "Rules"\nmsgstr "\xff"\n')
    module.translations.cache_clear()
    with pytest.raises(UnicodeDecodeError):
        translate("pt-BR", "Rules")


@pytest.fixture
def portuguese(add: Adds) -> Iterator[None]:
    """Servers that are started now offer it."""
    add("pt_BR.po", "")
    templates_of.cache_clear()
    yield
    templates_of.cache_clear()


async def test_a_guest_reads_pages_in_a_language_with_a_region(portuguese: None, guest: Callable[..., Guest]) -> None:
    ada = guest("Ada", **{"accept-language": "de, pt-PT;q=0.5"})
    assert '<html lang="pt-BR"' in await ada.page("/")
    for chosen in ("en", "pt-BR"):
        answer = await ada.http.post("/lang", data={"lang": chosen, "next": "/"})
        assert answer.cookies["language"] == chosen
        assert f'<html lang="{chosen}"' in await ada.page("/")
    assert '<html lang="pt-BR"' in await ada.page(await ada.open())


def test_every_language_can_be_read() -> None:
    for language in languages():
        translations(language)
        assert translate(language, "") == ""
        assert translate(language, "not in any catalogue") == "not in any catalogue"


def test_every_refusal_is_said_in_russian() -> None:
    assert [reason for reason, (_, text) in TEXTS.items() if translate("ru", text) == text] == []
