"""The catalogues of all languages: up to date, with the fields and plural forms of the texts; and adding a language."""

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Message

from tools import messages

COMPLETE = {"ru"}  # other languages may lack texts, which are shown in English
FIELD = re.compile(r"%\((\w+)\)[sd]|\{(\w+)\}")
GENDERED = re.compile(r"%\((?:person|people|name|second|host)\)s[^.;:,(–]*?\b\w+(?:ла|лся|лась|шёл|шла)\b")


@pytest.fixture(scope="module", params=messages.catalogues(), ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def path(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


@pytest.fixture(scope="module")
def catalogue(path: Path) -> list[Message]:
    read = messages.read(path)
    assert not read.obsolete
    return [message for message in read if message.id]


def each(texts: Any) -> tuple[str, ...]:
    """All forms of a message: the text or its plural forms."""
    return (texts,) if isinstance(texts, str) else tuple(texts or ())


def translated(message: Message) -> bool:
    return all(each(message.string)) and bool(message.string)


def test_every_text_is_there_and_nothing_is_left_over(path: Path, catalogue: list[Message]) -> None:
    assert messages.updated(path) == path.read_bytes(), "run tools/messages.py"
    assert not [message.id for message in catalogue if message.fuzzy]
    if path.stem in COMPLETE:
        assert [message.id for message in catalogue if not translated(message)] == []


def test_plural_forms_are_all_there_and_fields_are_the_same(path: Path, catalogue: list[Message]) -> None:
    forms = messages.read(path).num_plurals
    for message in filter(translated, catalogue):
        if isinstance(message.id, tuple):
            assert len(message.string or ()) == forms, message.id
        originals = each(message.id)
        wanted = {name for text in originals for name in FIELD.findall(text)}
        for text in each(message.string):
            assert set(FIELD.findall(text)) == wanted, f"{originals[0]!r} has other fields than {text!r}"


def test_in_russian_names_are_never_bent(path: Path, catalogue: list[Message]) -> None:
    """Names stay in the nominative, and no verb after a name depends on gender."""
    for message in catalogue if path.stem == "ru" else []:
        for text in each(message.string):
            assert not GENDERED.search(text), text


@pytest.mark.parametrize("language", messages.languages())
def test_a_text_in_several_catalogues_is_translated_alike(language: str) -> None:
    """The catalogues of a language are used as one; the first translation would be shown everywhere."""
    found: dict[Any, set[Any]] = defaultdict(set)
    for path in messages.catalogues():
        if path.stem == language:
            for message in filter(translated, messages.read(path)):
                found[messages.key(message.id), message.context].add(message.string)
    assert [text for text, translations in found.items() if text[0] and len(translations) > 1] == []


def test_every_game_of_ours_has_its_own_catalogues() -> None:
    homes = {path.parent for path in messages.catalogues()}
    assert homes == {messages.OURS, *(messages.locale_of(game) for game in messages.our_games())}
    assert messages.home_of("templates/games/raiders/hand.html") == messages.locale_of("raiders")
    assert messages.home_of("engine/games/scrawl/face.py") == messages.locale_of("scrawl")
    for file in ("templates/games/_plain/board.html", "engine/game.py", "app/refusals.py", "templates/home.html"):
        assert messages.home_of(file) == messages.OURS
    assert messages.home_of("templates/games/chess/board.html") is None


def test_a_new_language_gets_all_catalogues_and_keeps_what_is_translated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "OURS", tmp_path / "app")
    monkeypatch.setattr(messages, "ROOT", tmp_path)
    texts: list[tuple[str, Any, list[str], None]] = [
        ("templates/home.html", "Play", [], None),
        ("engine/games/tiny/a.py", ("%(n)s coin", "%(n)s coins"), [], None),
    ]
    monkeypatch.setattr(messages, "found", lambda: texts)
    monkeypatch.setattr(messages, "our_games", lambda: frozenset({"tiny"}))
    (tmp_path / "app").mkdir()
    messages.main(["pt_BR"])
    ours, theirs = tmp_path / "app/pt_BR.po", tmp_path / "engine/games/tiny/locale/pt_BR.po"
    assert messages.catalogues() == [ours, theirs]
    assert [message.id for message in messages.read(ours) if message.id] == ["Play"]
    assert [message.id for message in messages.read(theirs) if message.id] == [("%(n)s coin", "%(n)s coins")]
    assert messages.read(theirs).num_plurals == 2
    ours.write_bytes(ours.read_bytes().replace(b'msgid "Play"\nmsgstr ""', b'msgid "Play"\nmsgstr "Jogar"'))
    texts.append(("templates/home.html", "Rules", [], None))
    texts.append(("engine/games/tiny/a.py", "Play", [], None))
    messages.main([])
    assert {message.id: message.string for message in messages.read(ours) if message.id} == {
        "Play": "Jogar",
        "Rules": "",
    }
    assert len([message for message in messages.read(theirs) if message.id]) == 1, "the server's text is not repeated"
