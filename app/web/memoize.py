"""`memoize`: a template's macro that is rendered once for the same arguments."""

from collections.abc import Callable
from typing import Any

import msgspec
from jinja2 import Undefined
from markupsafe import Markup

MOST = 4096  # results of one macro in each of two generations

Macro = Callable[..., Markup]


def memoize(macro: Macro) -> Macro:
    """Use it as `{% set card = memoize(card) %}` for a macro whose text depends on its arguments alone.

    Arguments are compared by their content, including events and a game's structs. Results that were not used for a
    while are dropped: when `recent` is full, it becomes `older`, and what was in `older` is gone.
    """
    recent: dict[bytes, Markup] = {}
    older: dict[bytes, Markup] = {}

    def remembered(*args: Any, **kwargs: Any) -> Markup:
        nonlocal recent, older
        key = encode((args, kwargs) if kwargs else args)
        text = recent.get(key)
        if text is None:
            if len(recent) >= MOST:
                recent, older = {}, recent
            text = older.get(key)
            if text is None:
                text = macro(*args, **kwargs)
            recent[key] = text
        return text

    return remembered


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
