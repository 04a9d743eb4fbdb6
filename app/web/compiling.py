"""How templates become Python: texts are translated then and not at each rendering, and macros are called directly.

What a template gives is the same as with Jinja's own compiler.
"""

import re
from collections.abc import Callable, Hashable, Iterable, MutableMapping
from gettext import NullTranslations
from keyword import iskeyword
from typing import Any

import msgspec
from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.environment import TemplateModule
from jinja2.runtime import Macro
from jinja2.utils import missing
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

PLACEHOLDER = re.compile(r"%\((\w+)\)s")
MOST = 4096  # results that a kept macro remembers


OF_DICTS = frozenset(dir(dict))


class Compiler(CodeGenerator):
    environment: "Templates"

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:
        Folded(self.environment, node).visit(node)
        node.set_environment(self.environment)
        self.direct = {"ngettext", *(macro.name for macro in node.find_all(nodes.Macro))}
        for found in node.find_all(nodes.FromImport):
            self.direct.update(name if isinstance(name, str) else name[1] for name in found.names)
        super().visit_Template(node, frame)

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        plain = not (
            forward_caller or node.dyn_args or node.dyn_kwargs or any(iskeyword(one.key) for one in node.kwargs)
        )
        if not (plain and self.is_direct(node.node)):
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
        return isinstance(node, nodes.Getattr) or (isinstance(node, nodes.Name) and node.name in self.direct)

    def macro_def(self, macro_ref: MacroRef, frame: Frame) -> None:
        if macro_ref.accesses_caller or macro_ref.accesses_kwargs or macro_ref.accesses_varargs:
            super().macro_def(macro_ref, frame)
            return
        arguments = tuple(arg.name for arg in macro_ref.node.args)
        name = getattr(macro_ref.node, "name", None)
        self.write(f"environment.macro(environment, macro, {name!r}, {arguments!r}, False, False, False, True)")

    def _import_common(self, node: nodes.Import | nodes.FromImport, frame: Frame) -> None:
        if node.with_context or not isinstance(node.template, nodes.Const):
            super()._import_common(node, frame)
        else:
            self.write(f"environment.module({node.template.value!r})")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write("environment.shown(")


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
    """A macro whose text follows from its arguments alone: rendered once for the same ones. Those that cannot be looked
    up, like events, are known by what they hold."""

    def __init__(self, macro: Callable[..., Markup]) -> None:
        self.macro = macro
        self.texts: dict[Hashable, Markup] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Markup:
        values = (*args, *kwargs.values()) if kwargs else args
        types = tuple(map(type, values))  # 1 is not True, and a text no Markup
        key: Hashable = values, types, tuple(kwargs)
        try:
            text = self.texts.get(key)
        except TypeError:
            key = encode(values), types, tuple(kwargs)
            text = self.texts.get(key)
        if text is None:
            if len(self.texts) >= MOST:
                self.texts.clear()
            text = self.texts[key] = self.macro(*args, **kwargs)
        return text


def as_text(value: Any) -> str:
    if isinstance(value, str):
        return str.__str__(value)
    raise TypeError(type(value))


encode = msgspec.msgpack.Encoder(enc_hook=as_text).encode


class Templates(Environment):
    """One language's templates. What compiled templates ask of it comes here."""

    code_generator_class = Compiler
    macro = Plain

    def __init__(self, translations: NullTranslations, **options: Any) -> None:
        super().__init__(extensions=["jinja2.ext.i18n", "jinja2.ext.do"], **options)
        self.translations = translations
        self.modules: dict[str, TemplateModule] = {}
        self.install_gettext_translations(translations, newstyle=True)  # type: ignore[attr-defined]
        self.globals |= {"ngettext": Kept(self.ngettext), "kept": Kept}

    @staticmethod
    def shown(value: Any) -> str:
        """As `escape`, for what is joined and no more."""
        kind = type(value)
        if kind is Markup or (kind is str and value.isalnum()):
            safe: str = value
            return safe
        return str(value) if kind is int else escape(value)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """As in Jinja; the fields of an event are found at once."""
        if type(obj) is dict and attribute in obj and attribute not in OF_DICTS:
            return obj[attribute]
        try:
            return getattr(obj, attribute)
        except AttributeError:
            return super().getattr(obj, attribute)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Without any of its own a template has those of all, and no chain of two to look through."""
        return self.globals if d is None else super().make_globals(d)

    def module(self, name: str) -> TemplateModule:
        """What is imported without context, made once."""
        found = self.modules.get(name)
        if found is None or self.auto_reload:
            found = self.modules[name] = self.get_template(name).module
        return found

    def ngettext(self, singular: str, plural: str, num: int, **variables: Any) -> Markup:
        """As Jinja's, which is given the context."""
        return Markup(self.translations.ngettext(singular, plural, num)) % {"num": num, **variables}


class Folded(NodeTransformer):
    """What is the same in every rendering: constant texts are translated, and taken apart where they hold a `%(name)s`;
    kept macros that are given constants are called."""

    def __init__(self, environment: Templates, node: nodes.Template) -> None:
        self.translations = environment.translations
        self.kept: dict[str, Kept] = {}
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

    def visit_Output(self, node: nodes.Output) -> list[nodes.Node]:
        """What is joined or chosen only to be put out is put out piece by piece."""
        self.generic_visit(node)
        return pieces(node.nodes, node.lineno)


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
