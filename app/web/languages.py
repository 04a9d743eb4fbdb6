"""Languages: gettext catalogues, read directly from .po files."""

import gettext
from collections.abc import Iterable
from functools import cache
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from app.web.packages import brought
from engine.game import Game, games

LANGUAGES = {"en": "English", "ru": "Русский"}
COOKIE = "language"
OURS = Path(__file__).resolve().parents[1] / "locale"


@cache
def translations(language: str) -> gettext.NullTranslations:
    """Our catalogue, with the games' catalogues as fallbacks."""
    first: gettext.NullTranslations = gettext.NullTranslations()
    for catalogue in catalogues(language, games().values()):
        with catalogue.open("rb") as file:
            read = read_po(file, locale=language)
        compiled = BytesIO()
        write_mo(compiled, read)
        compiled.seek(0)
        if isinstance(first, gettext.GNUTranslations):
            first.add_fallback(gettext.GNUTranslations(compiled))
        else:
            first = gettext.GNUTranslations(compiled)
    return first


def catalogues(language: str, known: Iterable[Game]) -> Iterable[Traversable]:
    ours = OURS / f"{language}.po"
    theirs = [brought(game, "locale", f"{language}.po") for game in known]
    return [file for file in (ours if ours.is_file() else None, *theirs) if file is not None]


def translate(language: str, text: str) -> str:
    """The translated text. Empty stays empty; gettext would return the catalogue's header."""
    return translations(language).gettext(text) if text else ""


def choose(cookie: str | None, accepted: str) -> str:
    """The language of the cookie, else the browser's preferred one."""
    if cookie in LANGUAGES:
        return str(cookie)
    liked: list[tuple[float, str]] = []
    for part in accepted[:500].split(","):
        tag, _, quality = part.partition(";q=")
        language = tag.strip().lower().partition("-")[0]
        try:
            weight = float(quality or 1)
        except ValueError:
            continue
        if language in LANGUAGES and weight > 0:
            liked.append((-weight, language))
    return min(liked, key=lambda one: one[0])[1] if liked else "en"
