"""How templates become Python: texts are translated then and not at each rendering, and macros are called directly.

What a template gives is the same as with Jinja's own compiler.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from functools import lru_cache
from gettext import NullTranslations
from keyword import iskeyword
from typing import Any, NamedTuple

import msgspec
from jinja2 import Environment, Template, Undefined, nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef, find_undeclared
from jinja2.environment import TemplateModule
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.nodes import EvalContext
from jinja2.runtime import Context, Macro
from jinja2.utils import _PassArg, missing
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

PLACEHOLDER = re.compile(r"%\((\w+)\)s")
MOST = 4096  # results that a kept macro remembers

OF_DICTS = frozenset(dir(dict))
# An attribute is asked for by a function of the compiled template. The fields of an event are found at once.
GETTER = """
def a_{0}(obj):{1}
    try:
        return obj.{0}
    except AttributeError:
        return environment.getattr(obj, {0!r})
"""
FIELD = """
    if type(obj) is dict and {0!r} in obj:
        return obj[{0!r}]"""

SPECIAL = frozenset({"caller", "kwargs", "varargs"})


class Known(NamedTuple):
    """A macro that is called by a template that is being compiled."""

    arguments: tuple[str, ...]
    caller: bool
    kept: bool

    @classmethod
    def of(cls, macro: Any) -> "Known | None":
        inner = macro.macro if isinstance(macro, Kept) else macro
        if not isinstance(inner, Macro) or inner.catch_kwargs or inner.catch_varargs or inner.explicit_caller:
            return None
        return cls(tuple(inner.arguments), inner.caller, inner is not macro)

    def given(self, node: nodes.Call, caller: bool = False) -> list[nodes.Expr | None] | None:
        """What a call gives for each argument, or None for a call that does not fit."""
        named = {one.key: one.value for one in node.kwargs}
        rest = self.arguments[len(node.args) :]
        if len(node.args) > len(self.arguments) or caller > self.caller or not named.keys() <= {*rest}:
            return None
        found = [*node.args, *(named.get(name) for name in rest)]
        while self.kept and found and found[-1] is None:
            found.pop()
        return found


class Compiler(CodeGenerator):
    environment: "Templates"

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:
        Folded(self.environment, node).visit(node)
        node.set_environment(self.environment)
        self.direct = {"ngettext", "caller", *(macro.name for macro in node.find_all(nodes.Macro))}
        for found in node.find_all(nodes.FromImport):
            self.direct.update(name if isinstance(name, str) else name[1] for name in found.names)
        self.imported = {} if self.environment.auto_reload else imported(node)
        self.local = local(node)
        self.includes = any(node.find(kind) for kind in (nodes.Include, nodes.Extends, nodes.Block))
        self.attributes: set[str] = set()
        self.functions: dict[tuple[str, str], str] = {}
        self.imports: dict[tuple[str, str], str] = {}
        self.bare: nodes.Node | None = None
        super().visit_Template(node, frame)
        # All that follows is there before anything is rendered.
        self.writeline("shown = environment.shown")
        for name in sorted(self.attributes):
            self.write(GETTER.format(name, "" if name in OF_DICTS else FIELD.format(name)))
        for (template, name), alias in self.functions.items():
            self.writeline(f"{alias} = environment.function({template!r}, {name!r})")
        for (template, name), alias in self.imports.items():
            self.writeline(f"{alias} = environment.imported({template!r}, {name!r})")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        if iskeyword(node.attr):
            super().visit_Getattr(node, frame)
            return
        self.attributes.add(node.attr)
        self.write(f"a_{node.attr}(")
        self.visit(node.node, frame)
        self.write(")")

    # calls --------------------------------------------------------------------------------------------------------

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        plain = not (node.dyn_args or node.dyn_kwargs or any(iskeyword(one.key) for one in node.kwargs))
        if plain and (known := self.known(node.node, frame)) is not None:
            function, macro = known
            given = macro.given(node, forward_caller)
            if given is not None:
                marked = node is not self.bare and not macro.kept
                self.write("Markup(" * marked + function + "(")
                for one in given:
                    self.visit(one, frame) if one is not None else self.write("missing")
                    self.write(", ")
                if macro.caller:
                    self.write("caller" if forward_caller else "missing")
                self.write(")" + ")" * marked)
                return
        if not plain or forward_caller or not self.is_direct(node.node):
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for arg in (*node.args, *node.kwargs):
            self.visit(arg, frame)
            self.write(", ")
        self.write(")")

    def is_direct(self, node: nodes.Node) -> bool:
        """Macros and methods; functions of ours may want to be given the context."""
        return isinstance(node, nodes.Getattr | nodes.EnvironmentAttribute) or (
            isinstance(node, nodes.Name) and node.name in self.direct
        )

    def known(self, node: nodes.Node, frame: Frame) -> tuple[str, Known] | None:
        """The macro that this names and the function that it is here, where that is sure: it is this template's or
        imported, and nothing in between has the same name."""
        name = node.node if isinstance(node, nodes.Getattr) else node
        if not isinstance(name, nodes.Name) or frame.symbols.ref(name.name) != f"l_0_{name.name}":
            return None
        if name is node and name.name in self.local:
            return f"m_{name.name}", self.local[name.name]
        if name.name not in self.imported:
            return None
        template, macro = self.imported[name.name]
        if bool(macro) == isinstance(node, nodes.Getattr):
            return None
        at = template, node.attr if isinstance(node, nodes.Getattr) else macro
        if (found := self.environment.known(*at)) is None:
            return None
        return self.functions.setdefault(at, f"f_{len(self.functions)}"), found

    def visit_CallBlock(self, node: nodes.CallBlock, frame: Frame) -> None:
        found = (
            self.known(node.call.node, frame) if not (node.args or node.call.dyn_args or node.call.dyn_kwargs) else None
        )
        if found is None or found[1].given(node.call, True) is None:
            super().visit_CallBlock(node, frame)
            return
        self.macro_body(node, frame)
        self.writeline("caller = environment.caller(macro)")
        self.start_write(frame, node)
        self.visit_Call(node.call, frame, forward_caller=True)
        self.end_write(frame)

    def visit_Include(self, node: nodes.Include, frame: Frame) -> None:
        """What another template gives comes in one piece."""
        if node.ignore_missing or not node.with_context:
            super().visit_Include(node, frame)
            return
        self.writeline("template = environment.included(", node)
        self.visit(node.template, frame)
        self.write(f", {self.name!r})")
        self.start_write(frame, node)
        given = f"context.get_all(), True, {self.dump_local_context(frame)}"
        self.write(f"concat(template.root_render_func(template.new_context({given})))")
        self.end_write(frame)

    def visit_Macro(self, node: nodes.Macro, frame: Frame) -> None:
        super().visit_Macro(node, frame)
        if frame.toplevel and node.name in self.local:
            self.writeline(f"m_{node.name} = macro")

    def visit_Assign(self, node: nodes.Assign, frame: Frame) -> None:
        super().visit_Assign(node, frame)
        if frame.toplevel and (name := keeps(node)) in self.local:
            self.writeline(f"m_{name} = l_0_{name}.call")

    def macro_def(self, macro_ref: MacroRef, frame: Frame) -> None:
        if macro_ref.accesses_caller or macro_ref.accesses_kwargs or macro_ref.accesses_varargs:
            super().macro_def(macro_ref, frame)
            return
        arguments = tuple(arg.name for arg in macro_ref.node.args)
        name = getattr(macro_ref.node, "name", None)
        self.write(f"environment.macro(environment, macro, {name!r}, {arguments!r}, False, False, False, True)")

    def visit_Import(self, node: nodes.Import, frame: Frame) -> None:
        if self.once(node, frame):
            self.bind(node.target, node, "", frame)
        else:
            super().visit_Import(node, frame)

    def visit_FromImport(self, node: nodes.FromImport, frame: Frame) -> None:
        if not self.once(node, frame):
            super().visit_FromImport(node, frame)
            return
        for one in node.names:
            name, alias = (one, one) if isinstance(one, str) else one
            self.bind(alias, node, name, frame)

    def once(self, node: nodes.Import | nodes.FromImport, frame: Frame) -> bool:
        """Is this the same in each rendering, and seen by no other template?"""
        plain = frame.toplevel and not node.with_context and isinstance(node.template, nodes.Const)
        return plain and not self.includes and not self.environment.auto_reload

    def bind(self, alias: str, node: Any, name: str, frame: Frame) -> None:
        found = self.imports.setdefault((node.template.value, name), f"i_{len(self.imports)}")
        self.writeline(f"{frame.symbols.ref(alias)} = {found}", node)

    def _import_common(self, node: nodes.Import | nodes.FromImport, frame: Frame) -> None:
        if node.with_context or not isinstance(node.template, nodes.Const):
            super()._import_common(node, frame)
        else:
            self.write(f"environment.module({node.template.value!r})")

    def visit_Test(self, node: nodes.Test, frame: Frame) -> None:
        if node.name != "none":
            super().visit_Test(node, frame)
            return
        self.write("(")
        self.visit(node.node, frame)
        self.write(" is None)")

    def visit_Filter(self, node: nodes.Filter, frame: Frame) -> None:
        if node.name not in ("length", "list") or node.node is None:
            super().visit_Filter(node, frame)
            return
        self.write("len(" if node.name == "length" else "[*")
        self.visit(node.node, frame)
        self.write(")" if node.name == "length" else "]")

    # what is put out ----------------------------------------------------------------------------------------------

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.bare = node if self.is_bare(node, frame) else None
        if self.bare is None:
            self.write("shown(")

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if not self.is_bare(node, frame):
            self.write(")")

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        """A piece that is surely safe makes the whole safe, and all others are escaped."""
        safe = any(isinstance(one, nodes.TemplateData) or self.is_bare(one, frame) for one in node.nodes)
        if not safe or frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super().visit_Concat(node, frame)
            return
        self.write("Markup(concat((")
        for one in node.nodes:
            if isinstance(one, nodes.TemplateData | nodes.Const):
                self.write(repr(str(escape(one.as_const(frame.eval_ctx)))))
            else:
                self._output_child_pre(one, frame, None)
                self.visit(one, frame)
                self._output_child_post(one, frame, None)
            self.write(", ")
        self.write(")))")

    def is_bare(self, node: nodes.Node, frame: Frame) -> bool:
        """Is this the text of a macro, which is safe to join as it is?"""
        if not isinstance(node, nodes.Call) or node.dyn_args or node.dyn_kwargs:
            return False
        found = self.known(node.node, frame)
        return found is not None and found[1].given(node) is not None


def imported(node: nodes.Template) -> dict[str, tuple[str, str]]:
    """Names that stand for a template, or for a macro of one, wherever nothing inside hides them."""
    if node.find(nodes.Extends) or node.find(nodes.Block):
        return {}
    found: dict[str, tuple[str, str]] = {}
    for one in node.body:
        if not isinstance(one, nodes.Import | nodes.FromImport):
            continue
        if one.with_context or not isinstance(one.template, nodes.Const):
            continue
        if isinstance(one, nodes.Import):
            found[one.target] = one.template.value, ""
        else:
            names = [(name, name) if isinstance(name, str) else name for name in one.names]
            found |= {alias: (one.template.value, name) for name, alias in names}
    taken = {one.name for one in node.find_all(nodes.Name) if one.ctx == "store"}
    taken |= {one.name for one in node.find_all(nodes.Macro)}
    return {name: at for name, at in found.items() if name not in taken}


def local(node: nodes.Template) -> dict[str, Known]:
    """The template's own macros, as far as nothing but `kept` makes something else of their names."""
    if node.find(nodes.Extends) or node.find(nodes.Block):
        return {}
    kept = Counter(keeps(one) for one in node.body)
    stored = Counter(one.name for one in node.find_all(nodes.Name) if one.ctx == "store")
    stored.update(one.name for one in node.find_all(nodes.Macro))
    found = {}
    for one in node.body:
        if isinstance(one, nodes.Macro) and stored[one.name] == 1 + kept[one.name] <= 2:
            arguments = tuple(arg.name for arg in one.args)
            if not SPECIAL & {*arguments, *find_undeclared(one.body, SPECIAL)}:
                found[one.name] = Known(arguments, False, bool(kept[one.name]))
    return found


def keeps(node: nodes.Node) -> str:
    """The name of x in `{% set x = kept(x) %}`."""
    if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name) and isinstance(node.node, nodes.Call):
        name, call = node.target.name, node.node
        if call.node == nodes.Name("kept", "load") and call.args == [nodes.Name(name, "load")]:
            return name
    return ""


class Plain(Macro):
    """A macro that takes what it names and nothing else."""

    def __call__(self, *args: Any, **kwargs: Any) -> Markup:
        if lacks := self._argument_count - len(args):
            given = (
                (kwargs.pop(name, missing) for name in self.arguments[len(args) :]) if kwargs else (missing,) * lacks
            )
            args = (*args, *given)
        if kwargs:
            raise TypeError(f"macro {self.name!r} takes no {', '.join(kwargs)}")
        return str.__new__(Markup, self._func(*args))


class Kept:
    """A macro whose text follows from its arguments alone: rendered once for the same ones. They are known by what they
    hold, events and the game's structs too; a list is as good as a tuple, and a struct as a dict."""

    def __init__(self, macro: Callable[..., Markup]) -> None:
        self.macro = macro
        self.texts: dict[Any, Markup] = {}
        self.call = self.calling(macro, self.texts)

    @staticmethod
    def calling(macro: Callable[..., Markup], texts: dict[Any, Markup]) -> Callable[..., Markup]:
        def call(*args: Any, **kwargs: Any) -> Markup:
            key = (encode(args), encode(kwargs)) if kwargs else encode(args)
            try:
                return texts[key]
            except KeyError:
                pass
            if len(texts) >= MOST:
                texts.clear()
            text = texts[key] = macro(*args, **kwargs)
            return text

        return call

    def __call__(self, *args: Any, **kwargs: Any) -> Markup:
        return self.call(*args, **kwargs)


def told_apart(value: Any) -> msgspec.msgpack.Ext:
    """What msgpack knows no bytes of: a text that is safe is not the text that it looks like."""
    if isinstance(value, str):
        return msgspec.msgpack.Ext(1, f"{type(value).__name__} {str.__str__(value)}".encode())
    if value is msgspec.UNSET or value is missing:
        return msgspec.msgpack.Ext(2, str(value).encode())
    if isinstance(value, Undefined):
        str(value)  # raises, as anything that is done with it
    raise TypeError(f"a kept macro is given {type(value)}")


encode = msgspec.msgpack.Encoder(enc_hook=told_apart).encode
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


# Around these a browser shows no blank.
BLOCKS = frozenset(
    re.findall(
        r"\w+",
        "address article aside base blockquote body br caption dd details dialog div dl dt fieldset figcaption figure"
        " footer form h1 h2 h3 h4 h5 h6 head header hr html legend li link main meta nav ol optgroup option p script"
        " section style table tbody td template tfoot th thead title tr ul",
    )
)
AS_IT_STANDS = frozenset({"pre", "script", "style", "textarea"})
TAG = re.compile(r"<(?=[/a-zA-Z]|$)(/?\w*)")
LINES = re.compile(r"\s*\n\s*")
# Texts, and what others look for in a page, keep their quotes.
QUOTED = re.compile(
    r'(?<=\s)(?!(?:alt|aria-label|id|lang|name|placeholder|title|value)=)([\w:-]+)="([\w.:#-]+)"(?=[\s>])'
)


class Tight(Extension):
    """Templates may be laid out for whoever reads them: what a browser does not need is not sent. Line breaks around
    blocks go, others become one; quotes go where a plain word stands in them."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        squeezed = Squeezed()
        for token in stream:
            if token.type == "data":
                yield Token(token.lineno, "data", squeezed.text(str(token.value)))
            else:
                squeezed.after = ""
                yield token


class Squeezed:
    """One template, piece by piece: between two pieces stands what is not known yet."""

    def __init__(self) -> None:
        self.tag = ""  # that began last
        self.within = False  # it has not ended yet
        self.after = ""  # it has just ended
        self.raw = ""  # inside of this nothing is changed

    def text(self, rest: str) -> str:
        out = []
        while rest:
            if self.raw:
                text, end, rest = rest.partition(f"</{self.raw}")
                out.append(text)
                rest = end + rest
                self.raw = "" if end else self.raw
            elif self.within:
                text, end, rest = rest.partition(">")
                out.append(QUOTED.sub(r"\1=\2", text + end))
                if end:
                    self.within, self.after = False, self.tag
                    self.raw = self.tag if self.tag in AS_IT_STANDS else ""
            else:
                found = TAG.search(rest)
                text, rest = (rest[: found.start()], rest[found.start() :]) if found else (rest, "")
                out.append(self.between(text, found[1] if found else ""))
                if found:
                    self.tag, self.within = found[1], True
        return "".join(out)

    def between(self, text: str, before: str) -> str:
        if self.after.lstrip("/") in BLOCKS and (found := LINES.match(text)):
            text = text[found.end() :]
        if before.lstrip("/") in BLOCKS and (found := LINES.search(text, len(text.rstrip()))):
            text = text[: found.start()]
        self.after = "" if text else self.after
        return LINES.sub("\n", text)


def since(events: Sequence[dict[str, Any]], kind: str) -> Sequence[dict[str, Any]]:
    """From the last one of this kind on."""
    for n in range(len(events) - 1, -1, -1):
        if events[n]["kind"] == kind:
            return events[n:]
    return events


class Folded(NodeTransformer):
    """What is the same in every rendering: constant texts are translated, and taken apart where they hold a `%(name)s`;
    kept macros that are given constants are called."""

    def __init__(self, environment: Templates, node: nodes.Template) -> None:
        self.translations = environment.translations
        self.kept: dict[str, Kept] = {}
        self.loops = 0
        if environment.auto_reload:
            return
        for found in node.find_all(nodes.FromImport):
            if not found.with_context and isinstance(found.template, nodes.Const):
                module = environment.module(found.template.value)
                names = [(name, name) if isinstance(name, str) else name for name in found.names]
                macros = {alias: getattr(module, name, None) for name, alias in names}
                self.kept |= {name: macro for name, macro in macros.items() if isinstance(macro, Kept)}

    def visit_Call(self, node: nodes.Call) -> nodes.Node:
        self.generic_visit(node)
        name = node.node.name if isinstance(node.node, nodes.Name) else ""
        args = [arg.value for arg in node.args if isinstance(arg, nodes.Const)]
        if len(args) != len(node.args) or node.dyn_args or node.dyn_kwargs:
            return node
        if name in ("_", "gettext"):
            return self.text(self.translations.gettext(*args), node)
        if name == "pgettext":
            return self.text(self.translations.pgettext(*args), node)
        if name in self.kept and not node.kwargs:
            return nodes.Const(self.kept[name](*args), lineno=node.lineno)
        return node

    def text(self, text: str, node: nodes.Call) -> nodes.Node:
        given = {one.key: one.value for one in node.kwargs}
        parts = PLACEHOLDER.split(text)
        if any(name not in given for name in parts[1::2]) or any("%" in said.replace("%%", "") for said in parts[::2]):
            return node
        parts[::2] = [said.replace("%%", "%") for said in parts[::2]]
        if len(parts) == 1:
            return nodes.Const(Markup(parts[0]), lineno=node.lineno)
        pieces: list[nodes.Expr] = [nodes.TemplateData(parts[0], lineno=node.lineno)]
        for name, said in zip(parts[1::2], parts[2::2], strict=True):
            pieces.append(given[name])
            pieces.append(nodes.TemplateData(said, lineno=node.lineno))
        return nodes.Concat(pieces, lineno=node.lineno)

    def visit_For(self, node: nodes.For) -> nodes.Node:
        """A loop that is asked for no more than its number, and whether it is the first or the last one."""
        self.generic_visit(node)
        asked = [one for part in node.body for one in asked_of_loop(part)]
        if asked and not (node.recursive or node.test) and {getattr(one, "attr", "") for one in asked} <= COUNTED:
            self.loops += 1
            count = Counted(f"_number_{self.loops}", f"_last_{self.loops}")
            node.body = [count.visit(part) for part in node.body]
            node.target = nodes.Tuple([*count.names("store"), node.target], "store", lineno=node.lineno)
            node.iter = nodes.Call(nodes.EnvironmentAttribute("counted"), [node.iter], [], None, None)
        return node

    def visit_Output(self, node: nodes.Output) -> list[nodes.Node]:
        """What is joined or chosen only to be put out is put out piece by piece."""
        self.generic_visit(node)
        return pieces(node.nodes, node.lineno)


COUNTED = {"index", "index0", "first", "last"}


def of_loop(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name) and node.node.name == "loop"


def asked_of_loop(node: nodes.Node) -> Iterator[Any]:
    """Where `loop` is named, as far as it is the loop around this node."""
    if of_loop(node) or (isinstance(node, nodes.Name) and node.name == "loop"):
        yield node
    elif isinstance(node, nodes.Macro | nodes.CallBlock):
        yield from node.find_all(nodes.Name)  # they may be called elsewhere
    else:
        inside = node.iter_child_nodes(only=("iter", "else_") if isinstance(node, nodes.For) else None)
        for child in inside:
            yield from asked_of_loop(child)


class Counted(NodeTransformer):
    """A loop's `loop.index` and the like become variables."""

    def __init__(self, number: str, last: str) -> None:
        self.number, self.last = number, last

    def names(self, ctx: str) -> list[nodes.Expr]:
        return [nodes.Name(self.number, ctx), nodes.Name(self.last, ctx)]

    def visit_For(self, node: nodes.For) -> nodes.Node:
        node.iter = self.visit(node.iter)
        node.else_ = [self.visit(part) for part in node.else_]
        return node

    def visit_Getattr(self, node: nodes.Getattr) -> nodes.Node:
        if not of_loop(node):
            return self.generic_visit(node)
        number, last = self.names("load")
        if node.attr == "last":
            return last
        if node.attr == "first":
            return nodes.Compare(number, [nodes.Operand("eq", nodes.Const(0))])
        return number if node.attr == "index0" else nodes.Add(number, nodes.Const(1))


def pieces(shown: Iterable[nodes.Expr], lineno: int) -> list[nodes.Node]:
    out: list[nodes.Node] = []
    for one in shown:
        if isinstance(one, nodes.Concat):
            found = pieces(one.nodes, lineno)
        elif isinstance(one, nodes.CondExpr):
            instead = pieces([one.expr2], lineno) if one.expr2 is not None else []
            found = [nodes.If(one.test, pieces([one.expr1], lineno), [], instead, lineno=lineno)]
        else:
            found = [nodes.Output([one], lineno=lineno)]
        for piece in found:
            if out and isinstance(piece, nodes.Output) and isinstance(last := out[-1], nodes.Output):
                last.nodes += piece.nodes
            else:
                out.append(piece)
    return out
