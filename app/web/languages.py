"""Languages: gettext catalogues, read directly from .po files.

English is the language of the texts. Another language is offered if the server has a catalogue of it, `ru.po` or
`pt_BR.po` in app/locale; games may bring catalogues of their texts. What no catalogue has is shown in English. A
language is called by its tag as in HTML and HTTP: "ru", "pt-BR".
"""

import gettext
from collections.abc import Iterable
from functools import cache
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path

import structlog
from babel import Locale, UnknownLocaleError
from babel.core import get_global, parse_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from app.web.packages import brought
from engine.game import Game, games

log = structlog.get_logger("web")
ENGLISH = "en"
COOKIE = "language"
OURS = Path(__file__).resolve().parents[1] / "locale"


@cache
def languages() -> dict[str, str]:
    """The languages that are offered: tag and own name, English first."""
    tags = sorted(file.stem.replace("_", "-") for file in OURS.glob("*.po"))
    return {tag: own_name(tag) for tag in (ENGLISH, *(tag for tag in tags if tag != ENGLISH))}


def own_name(tag: str) -> str:
    """The name in the language itself: "Русский". Raises ValueError for a catalogue of no language."""
    try:
        name = Locale.parse(tag, sep="-").display_name or tag
    except UnknownLocaleError as error:
        raise ValueError(f"{OURS}: a catalogue is named after its language, as in ru.po or pt_BR.po; {error}") from None
    return name[0].upper() + name[1:]


@cache
def translations(language: str) -> gettext.NullTranslations:
    """Our catalogue, with the games' catalogues as fallbacks."""
    first: gettext.NullTranslations = gettext.NullTranslations()
    for catalogue in catalogues(language, games().values()):
        try:
            texts = compiled(catalogue, language)
        except Exception as error:
            if catalogue == OURS / file_name(language):
                raise
            log.error("a catalogue of a game cannot be read", file=str(catalogue), reason=str(error))
            continue
        if isinstance(first, gettext.GNUTranslations):
            first.add_fallback(texts)
        else:
            first = texts
    return first


def compiled(catalogue: Traversable, language: str) -> gettext.GNUTranslations:
    with catalogue.open("rb") as file:
        read = read_po(file, locale=language.replace("-", "_"))
    found = BytesIO()
    write_mo(found, read)
    found.seek(0)
    return gettext.GNUTranslations(found)


def file_name(language: str) -> str:
    return f"{language.replace('-', '_')}.po"


def catalogues(language: str, known: Iterable[Game]) -> Iterable[Traversable]:
    name = file_name(language)
    ours = OURS / name
    theirs = [brought(game, "locale", name) for game in known]
    return [file for file in (ours if ours.is_file() else None, *theirs) if file is not None]


def translate(language: str, text: str) -> str:
    """The translated text. Empty stays empty; gettext would return the catalogue's header."""
    return translations(language).gettext(text) if text else ""


def choose(cookie: str | None, accepted: str) -> str:
    """The language of the cookie, else the one that the browser likes best of those that are offered."""
    if cookie in languages():
        return str(cookie)
    liked: list[tuple[float, str]] = []
    for part in accepted[:500].split(","):
        tag, _, quality = part.partition(";q=")
        try:
            weight = float(quality or 1)
        except ValueError:
            continue
        if weight > 0 and (language := offered(tag.strip())):
            liked.append((-weight, language))
    return min(liked, key=lambda one: one[0])[1] if liked else ENGLISH


def offered(wanted: str) -> str | None:
    """The offered language for a tag of a browser: pt-BR for pt-BR, else pt, else any other Portuguese; but only in the
    same script: zh-CN may have zh-Hans, and zh-TW may not."""
    language, territory, script = parsed(wanted)
    found: list[tuple[bool, bool, str]] = []
    for tag in languages():
        other, place, writing = parsed(tag)
        if (other, writing) == (language, script):
            found.append((place == territory, place is None, tag))
    return max(found)[2] if found else None


def parsed(tag: str) -> tuple[str, str | None, str | None]:
    """Language, territory and script; what follows these in a tag is left out. An empty language for something else."""
    parts = tag.split("-")[:3]
    while parts:
        try:
            language, territory, script = parse_locale("-".join(parts), sep="-")[:3]
        except ValueError:
            parts.pop()
        else:
            return language, territory, script or likely(language, territory)
    return "", None, None


def likely(language: str, territory: str | None) -> str | None:
    """The script in which a language is usually written there."""
    known = get_global("likely_subtags")
    found = known.get(f"{language}_{territory}") or known.get(language)
    return parse_locale(found)[2] if found else None
