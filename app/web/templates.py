"""Templates of the server and of games: one Jinja environment per language."""

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from traceback import extract_tb
from types import BuiltinMethodType, MethodType
from typing import Any

import segno
from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PrefixLoader,
    StrictUndefined,
    TemplateNotFound,
    TemplateSyntaxError,
)
from jinja2.runtime import Context, Macro
from markupsafe import Markup

from app.paths import TEMPLATES
from app.table.names import LONGEST
from app.web.bundles import loads, single_files
from app.web.files import asset, asset_now
from app.web.icons import ICON, PICTURES, drawn_pictures, expanded, sprite_of
from app.web.languages import languages, translate, translations
from app.web.memoize import Memoized, memoize
from app.web.packages import brought
from app.web.plain_data import fields_of
from app.web.story import StoryLine, story_of
from app.web.texts import Texts, Translate
from app.web.whitespace import Trim
from engine.game import Game, games


class PlainContext(Context):
    """Calls macros and methods directly: they need neither the context nor the environment, which Jinja may pass on."""

    def call(self, callee: Any, /, *args: Any, **kwargs: Any) -> Any:
        if type(callee) not in DIRECT:
            return super().call(callee, *args, **kwargs)
        for name in kwargs:
            if name[0] != "_":  # names with an underscore are Jinja's own
                return callee(*args, **{name: value for name, value in kwargs.items() if name[0] != "_"})
        return callee(*args)


DIRECT = frozenset({Macro, Memoized, MethodType, BuiltinMethodType})


class PlainEnvironment(Environment):
    """Jinja's environment with a faster path for events, which are dicts, and one plain dict of globals."""

    context_class = PlainContext

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict and attribute not in METHODS:
            return obj[attribute] if attribute in obj else self.undefined(obj=obj, name=attribute)
        try:
            return getattr(obj, attribute)
        except AttributeError:
            return super().getattr(obj, attribute)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **d} if d else self.globals


METHODS = frozenset(dir(dict))


class Templates:
    """Renders pages and fragments. `reload`: check files for changes at every use, for development."""

    def __init__(self, reload: bool = False, folder: Path = TEMPLATES) -> None:
        self.reload = reload
        self.asset = asset_now if reload else asset
        self.loads = single_files if reload else loads
        self.loader = ChoiceLoader([FileSystemLoader(folder), PrefixLoader({"games": GamesLoader()})])
        self.languages = {language: self.environment(language) for language in languages()}
        self.paths: dict[str, GamePaths] = {}

    def environment(self, language: str) -> Environment:
        made = PlainEnvironment(
            extensions=["jinja2.ext.do", Trim, Translate],
            loader=self.loader,
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=self.reload,
            cache_size=-1,
        )
        made.globals |= Texts(translations(language)).functions
        made.globals |= {
            "memoize": memoize,
            "lang": language,
            "languages": languages(),
            "longest_name": LONGEST,
            "games": [game for game in games().values() if game.listed],
            "asset": self.asset,
            "sprite_of": sprite_of,
            "picture_of": self.picture_of,
            "qr": qr,
        }
        made.filters["t"] = lambda text: translate(language, text)
        made.filters |= {
            "since": since,
            "by_kind": by_kind,
            "by_scope": by_scope,
            "by_seat": by_seat,
            "numbered": numbered,
            "fields_of": fields_of,
            "story": story,
        }
        return made

    def page(self, language: str, template: str, context: Mapping[str, Any]) -> str:
        """Render a whole page."""
        html = self.languages[language].get_template(template).render(self.with_globals(language, context))
        return expanded(html, self.asset, context["table"]["game"] if "table" in context else None)

    def picture_of(self, game: Game) -> Markup:
        """A game's picture, from the file of all of them if it is there."""
        if game.key in drawn_pictures():
            return Markup('<svg><use href="{}#{}"/></svg>').format(self.asset(PICTURES), game.key)
        path = f"games/{game.key}/{game.picture}"
        return Markup('<img src="{}" alt="" width="56" height="56">').format(self.asset(path))

    def fragment(self, language: str, name: str, context: dict[str, Any]) -> str:
        """Render a fragment. Icons stay short and are expanded in the browser: svg doubles the size.

        `context` includes the globals (`with_globals`): a face's fragments share most of it, so it is built only once.
        """
        environment = self.languages[language]
        template = environment.get_template(f"fragments/{name}.html")
        try:
            return "".join(template.root_render_func(template.new_context(context, shared=True)))
        except Exception:
            environment.handle_exception()

    def with_globals(self, language: str, context: Mapping[str, Any]) -> dict[str, Any]:
        """The context and the environment's globals; with a table also `game_template`, by the name of a part."""
        found = {**self.languages[language].globals, **context}
        if "table" in context:
            found["game_template"] = self.paths_of(context["table"]["game"].key).__getitem__
        return found

    def paths_of(self, key: str) -> "GamePaths":
        """The paths of a game's templates."""
        found = self.paths.get(key)
        if found is None:
            found = self.paths[key] = GamePaths(self, key)
        return found

    def has(self, template: str) -> bool:
        try:
            self.loader.get_source(self.languages["en"], template)
        except TemplateNotFound:
            return False
        return True


class GamePaths(dict[str, str]):
    """The path of a game's template by part: the game's own, else the one in `_plain`."""

    def __init__(self, templates: Templates, key: str) -> None:
        self.templates = templates
        self.key = key

    def __missing__(self, part: str) -> str:
        own = f"games/{self.key}/{part}.html"
        path = own if self.templates.has(own) else f"games/_plain/{part}.html"
        if not self.templates.reload:
            self[part] = path
        return path


@cache
def templates_of(reload: bool) -> Templates:
    """One instance per process: all applications share the compiled templates."""
    return Templates(reload)


class GamesLoader(BaseLoader):
    """Loads `games/<key>/x.html` from `<package>/templates/x.html` of an installed game."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Any]:
        key, _, name = template.partition("/")
        game = games().get(key)
        file = brought(game, "templates", *name.split("/")) if game and ".." not in name.split("/") else None
        if file is not None:
            return file.read_text("utf-8"), str(file), lambda: False
        raise TemplateNotFound(f"games/{template}")


def template_line(error: BaseException) -> str:
    """The file and line of the template that raised this error; "" if none did."""
    if isinstance(error, TemplateSyntaxError):
        return f"{error.filename or error.name}:{error.lineno}"
    lines = [line for line in extract_tb(error.__traceback__) if line.filename.endswith(".html")]
    return f"{lines[-1].filename}:{lines[-1].lineno}" if lines else ""


def story(html: str) -> list[StoryLine]:
    """The lines that a game's reveal tells; icons are told by their labels."""
    return story_of(ICON.sub(r" \2 ", html))


def since(events: Sequence[dict[str, Any]], kind: str) -> Sequence[dict[str, Any]]:
    """The events from the last one of this kind on."""
    for n in range(len(events) - 1, -1, -1):
        if events[n]["kind"] == kind:
            return events[n:]
    return events


def by_scope(events: Sequence[dict[str, Any]], most: int) -> list[list[dict[str, Any]]]:
    """The newest entries for a log, at most this many: all events of a scope are one entry, any other event is one."""
    groups: list[list[dict[str, Any]]] = []  # newest first, like the events in each
    scope, later = "", list[dict[str, Any]]()
    for event in reversed(events):
        later.append(event)
        if event["kind"] not in ("revealed", "stepped_back"):
            continue
        if (before := event.get("scope", "")) and before == scope:
            groups[-1] += later
        elif len(groups) >= most:
            break
        else:
            groups += [later] if before else [[one] for one in later]
        scope, later = before, []
    else:
        groups += [[one] for one in later]
    return [group[::-1] for group in reversed(groups[:most])]


def by_kind(events: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The last event of each kind."""
    return {event["kind"]: event for event in events}


def by_seat(found: Mapping[str, Any]) -> dict[int, Any]:
    """With numbers as keys: in events, as in JSON, all keys are texts."""
    return {int(seat): value for seat, value in found.items()}


def numbered(values: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """Each value with its number, from 1; costs less than `loop.index`."""
    return enumerate(values, 1)


@lru_cache(256)
def qr(text: str) -> Markup:
    """The QR code of a link as svg; CSS sets its colours."""
    return Markup(segno.make(text, micro=False, error="m").svg_inline(omitsize=True, border=2))
