"""One language's templates, and what they ask for while they are rendered."""

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from functools import lru_cache
from gettext import NullTranslations
from typing import Any

from jinja2 import Environment, Template
from jinja2.environment import TemplateModule
from jinja2.nodes import EvalContext
from jinja2.runtime import Context
from jinja2.utils import _PassArg, missing
from markupsafe import Markup, escape

from app.web.templating.compiling import OF_DICTS, Compiler
from app.web.templating.macros import MOST, Kept, Known, Plain
from app.web.templating.tight import Tight

escaped = lru_cache(MOST)(escape)


class Given(Context):
    """As Jinja's, made at less cost."""

    def __init__(
        self, environment: Environment, parent: dict[str, Any], name: str | None, blocks: Any, globals: Any = None
    ) -> None:
        self.parent = parent
        self.vars = {}
        self.environment = environment
        self.eval_ctx = EvalContext(environment, name)
        self.exported_vars = set()
        self.name = name
        self.globals_keys = globals.keys() if globals is not None else set()
        self.blocks = {name: [block] for name, block in blocks.items()} if blocks else {}

    def call(self, __obj: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if not kwargs and getattr(__obj, "jinja_pass_arg", None) is _PassArg.context:
            return __obj(self, *args)
        return super().call(__obj, *args, **kwargs)


class Ready(Template):
    """As Jinja's, rendered at less cost."""

    def new_context(
        self, vars: dict[str, Any] | None = None, shared: bool = False, locals: Mapping[str, Any] | None = None
    ) -> Context:
        if locals:
            return super().new_context(vars, shared, locals)
        given = vars or {}
        return Given(
            self.environment, given if shared else {**self.globals, **given}, self.name, self.blocks, self.globals
        )


class Templates(Environment):
    """One language's templates. What compiled templates ask of it comes here."""

    code_generator_class = Compiler
    context_class = Given
    template_class = Ready
    macro = Plain

    def __init__(self, translations: NullTranslations, **options: Any) -> None:
        super().__init__(extensions=["jinja2.ext.i18n", "jinja2.ext.do", Tight], **options)
        self.translations = translations
        self.modules: dict[str, TemplateModule] = {}
        self.templates: dict[str, Template] = {}
        self.install_gettext_translations(translations, newstyle=True)  # type: ignore[attr-defined]
        self.filters["since"] = since
        self.globals |= {"ngettext": Kept(self.ngettext).call, "kept": Kept}

    @staticmethod
    def shown(value: Any) -> str:
        """As `escape`, for what is joined and no more."""
        kind = type(value)
        if kind is Markup:
            safe: str = value
            return safe
        if kind is str:
            return escaped(value)
        return str(value) if kind is int else escape(value)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """As in Jinja; the fields of an event are found at once."""
        if type(obj) is dict and attribute in obj and attribute not in OF_DICTS:
            return obj[attribute]
        try:
            return getattr(obj, attribute)
        except AttributeError:
            return super().getattr(obj, attribute)

    @staticmethod
    def counted(values: Iterable[Any]) -> Iterator[tuple[int, bool, Any]]:
        """Each with its number from 0, and whether it is the last."""
        rest = iter(values)
        for now in rest:
            n = 0
            for after in rest:
                yield n, False, now
                n, now = n + 1, after
            yield n, True, now

    @staticmethod
    def caller(macro: Callable[[], str]) -> Callable[[], Markup]:
        return lambda: Markup(macro())

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Without any of its own a template has those of all, and no chain of two to look through."""
        return self.globals if d is None else super().make_globals(d)

    def included(self, name: Any, parent: str) -> Template:
        """As Jinja finds it, at once the second time."""
        if not isinstance(name, str) or self.auto_reload:
            return self.get_or_select_template(name, parent)
        found = self.templates.get(name)
        if found is None:
            found = self.templates[name] = self.get_template(name, parent)
        return found

    def module(self, name: str) -> TemplateModule:
        """What is imported without context, made once."""
        found = self.modules.get(name)
        if found is None or self.auto_reload:
            found = self.modules[name] = self.get_template(name).module
        return found

    def known(self, template: str, name: str) -> Known | None:
        return Known.of(getattr(self.module(template), name, None))

    def imported(self, template: str, name: str) -> Any:
        """A template's module, or what is named in it."""
        module = self.module(template)
        found = getattr(module, name, missing) if name else module
        return self.undefined(f"{template!r} has no {name!r}", name=name) if found is missing else found

    def function(self, template: str, name: str) -> Callable[..., str]:
        """What a known macro does; of one that is not kept, a text that is not marked as safe."""
        macro = getattr(self.module(template), name)
        found: Callable[..., str] = macro.call if isinstance(macro, Kept) else macro._func
        return found

    def ngettext(self, singular: str, plural: str, num: int, **variables: Any) -> Markup:
        """As Jinja's, which is given the context."""
        return Markup(self.translations.ngettext(singular, plural, num)) % {"num": num, **variables}


def since(events: Sequence[dict[str, Any]], kind: str) -> Sequence[dict[str, Any]]:
    """From the last one of this kind on."""
    for n in range(len(events) - 1, -1, -1):
        if events[n]["kind"] == kind:
            return events[n:]
    return events
