"""Templates of ours and of games, with one environment per language; static files."""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

import segno
from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PrefixLoader,
    StrictUndefined,
    TemplateNotFound,
    pass_context,
)
from jinja2.runtime import Context
from markupsafe import Markup

from app.paths import STATIC, TEMPLATES
from app.web.languages import languages, translate, translations
from app.web.packages import brought
from app.web.templating.environment import Templates
from engine.game import games

T = TypeVar("T")
PICTURE = re.compile(r'<ic ([^ ">]+)(?: "([^"]*)")?>')


def picture(sprite: str, id: str, label: str) -> str:
    """The svg for `<ic id "label">`; the same as in static/js/pictures.js."""
    read = f'role="img" aria-label="{label}"' if label else 'aria-hidden="true"'
    return f'<svg class="ic" {read}><use href="{sprite}#{id}"/></svg>'


class Recent:
    """A small cache of rendered fragments, shared by all tables. Clients with the same view ask right after each other;
    later almost nobody does, so tables need not keep their HTML in memory."""

    MOST = 128  # fragments and messages; each is well below 100 kB

    def __init__(self) -> None:
        self.kept: OrderedDict[Hashable, Any] = OrderedDict()

    def get(self, key: Hashable) -> Any:
        return self.kept.get(key)

    def keep(self, key: Hashable, found: T) -> T:
        self.kept[key] = found
        if len(self.kept) > self.MOST:
            self.kept.popitem(last=False)
        return found


class Pages:
    """Renders templates. `reload`: check files for changes at every use, for development."""

    def __init__(self, reload: bool = False, templates: Path = TEMPLATES) -> None:
        self.reload = reload
        self.recent = Recent()
        self.loader = ChoiceLoader([FileSystemLoader(templates), PrefixLoader({"games": GamesLoader()})])
        self.languages = {language: self.environment(language) for language in languages()}

    def environment(self, language: str) -> Templates:
        made = Templates(
            translations(language),
            loader=self.loader,
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=self.reload,
            cache_size=-1,
        )
        made.globals |= {
            "lang": language,
            "languages": languages(),
            "games": list(games().values()),
            "asset": self.asset,
            "game_template": self.game_template,
            "qr": qr,
        }
        made.filters["t"] = lambda text: translate(language, text)
        return made

    def render(self, language: str, template: str, context: Mapping[str, Any]) -> str:
        """Render a whole page."""
        html = self.languages[language].get_template(template).render(context)
        sprite = self.asset("vendor/icons.svg")
        return PICTURE.sub(lambda found: picture(sprite, *found.groups("")), html)

    def fragment(self, language: str, name: str, context: Mapping[str, Any]) -> str:
        """Render a fragment for a socket. Icons stay short and are expanded in the browser: svg doubles the size."""
        return self.languages[language].get_template(f"fragments/{name}.html").render(context)

    def asset(self, path: str) -> str:
        """The URL of a static file. It contains a hash of the file, so browsers may cache it forever."""
        digest = fingerprint(path, modified(path) if self.reload else 0)
        return f"/static/{path}?v={digest}" if digest else f"/static/{path}"

    @pass_context
    def game_template(self, context: Context, part: str) -> str:
        """The template for this part of the table's game: the game's own, else the one in `_plain`."""
        return self.part(context["table"]["game"].key, part)

    def part(self, key: str, part: str) -> str:
        own = f"games/{key}/{part}.html"
        return own if self.has(own) else f"games/_plain/{part}.html"

    def has(self, template: str) -> bool:
        return self._has(template) if self.reload else self._has_for_good(template)

    def _has(self, template: str) -> bool:
        try:
            self.loader.get_source(self.languages["en"], template)
        except TemplateNotFound:
            return False
        return True

    @cache  # noqa: B019
    def _has_for_good(self, template: str) -> bool:
        return self._has(template)


@cache
def pages_of(reload: bool) -> Pages:
    """One instance per process: all applications share the compiled templates."""
    return Pages(reload)


class GamesLoader(BaseLoader):
    """Loads `games/<key>/x.html` from `<package>/templates/x.html` of an installed game."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Any]:
        key, _, name = template.partition("/")
        game = games().get(key)
        file = brought(game, "templates", *name.split("/")) if game and ".." not in name.split("/") else None
        if file is not None:
            return file.read_text("utf-8"), None, lambda: False
        raise TemplateNotFound(f"games/{template}")


def static_file(path: str) -> Path | None:
    """The path of a static file: one of ours, or `<package>/static/x` of an installed game for `games/<key>/x`."""
    parts = path.split("/")
    if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts):
        return None
    if (ours := STATIC.joinpath(*parts)).is_file():
        return ours
    if len(parts) > 2 and parts[0] == "games" and (game := games().get(parts[1])) is not None:
        theirs = brought(game, "static", *parts[2:])
        return theirs if isinstance(theirs, Path) else None
    return None


def modified(path: str) -> int:
    file = static_file(path)
    return file.stat().st_mtime_ns if file else 0


@cache
def fingerprint(path: str, modified: int) -> str:
    file = static_file(path)
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12] if file else ""


@lru_cache(256)
def qr(text: str) -> Markup:
    """The QR code of a link as svg; CSS sets its colours."""
    return Markup(segno.make(text, micro=False, error="m").svg_inline(omitsize=True, border=2))
