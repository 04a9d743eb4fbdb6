"""What is done once, when a template is compiled: texts translated, loops and what is put out made plain."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from jinja2 import nodes
from jinja2.visitor import NodeTransformer
from markupsafe import Markup

from app.web.templating.macros import Kept

if TYPE_CHECKING:
    from app.web.templating.environment import Templates


PLACEHOLDER = re.compile(r"%\((\w+)\)s")
COUNTED = {"index", "index0", "first", "last"}


class Folded(NodeTransformer):
    """What is the same in every rendering: constant texts are translated, and taken apart where they hold a `%(name)s`;
    kept macros that are given constants are called."""

    def __init__(self, environment: "Templates", node: nodes.Template) -> None:
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
