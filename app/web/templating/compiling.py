"""How templates become Python: macros are called directly, attributes are asked for at once.

What a template gives is the same as with Jinja's own compiler.
"""

from collections import Counter
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef, find_undeclared
from markupsafe import escape

from app.web.templating.folding import Folded
from app.web.templating.macros import Known

if TYPE_CHECKING:
    from app.web.templating.environment import Templates


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
