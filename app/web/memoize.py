"""`memoize`: a template's macro that is rendered once for the same arguments."""

from collections.abc import Callable
from typing import Any

import msgspec
from jinja2 import Undefined
from markupsafe import Markup

MOST = 4096  # results of one macro in each of two generations

Macro = Callable[..., Markup]


class Memoized:
    """A macro that is rendered once for the same arguments.

    Arguments are compared by their content, including events and a game's structs. Results that were not used for a
    while are dropped: when `recent` is full, it becomes `older`, and what was in `older` is gone.
    """

    def __init__(self, macro: Macro) -> None:
        self.macro = macro
        self.recent: dict[bytes, Markup] = {}
        self.older: dict[bytes, Markup] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Markup:
        key = encode((args, kwargs) if kwargs else args)
        text = self.recent.get(key)
        return self.make(key, args, kwargs) if text is None else text

    def make(self, key: bytes, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Markup:
        text = self.older.get(key)
        if text is None:
            text = self.macro(*args, **kwargs)
        if len(self.recent) >= MOST:
            self.recent, self.older = {}, self.recent
        self.recent[key] = text
        return text


def memoize(macro: Macro) -> Memoized:
    """Use it as `{% set card = memoize(card) %}` for a macro whose text depends on its arguments alone."""
    return Memoized(macro)


def key_part(value: Any) -> msgspec.msgpack.Ext:
    """The part of a key for what msgpack cannot encode. Markup and plain text with the same characters differ."""
    if isinstance(value, str):
        return msgspec.msgpack.Ext(1, f"{type(value).__name__} {str.__str__(value)}".encode())
    if value is msgspec.UNSET:
        return msgspec.msgpack.Ext(2, b"")
    if isinstance(value, Undefined):
        str(value)  # raises, as every use of an undefined value does
    raise TypeError(f"a memoized macro is given {type(value)}")


encode = msgspec.msgpack.Encoder(enc_hook=key_part).encode
