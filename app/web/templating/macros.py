"""Macros as they are called: what is known of them when a template is compiled, and those that remember."""

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
from jinja2 import Undefined, nodes
from jinja2.runtime import Macro
from jinja2.utils import missing
from markupsafe import Markup

MOST = 2048  # results that a kept macro remembers


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
