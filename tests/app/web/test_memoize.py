"""Macros that are rendered once for the same arguments."""

from typing import Any

import pytest
from jinja2 import Environment, StrictUndefined, UndefinedError
from markupsafe import Markup
from msgspec import UNSET

from app.web import memoize as module
from app.web.memoize import memoize


class Counted:
    """Counts its calls, and returns its arguments as markup."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, *args: Any, **kwargs: Any) -> Markup:
        self.calls += 1
        return Markup(f"{args} {kwargs}")


def test_the_same_arguments_are_rendered_once() -> None:
    macro = Counted()
    remembered = memoize(macro)
    room = {"kind": "vault", "prizes": [1, 2]}
    for _ in range(3):
        assert remembered(dict(room), Markup("a"), b=2) == f"({room}, Markup('a')) {{'b': 2}}"
    assert macro.calls == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (1, 1.0),
        ("a", Markup("a")),
        (None, UNSET),
        ([1], [2]),
        ((Markup("a"),), ("a",)),
        ({"a": 1}, {"b": 1}),
    ],
)
def test_different_arguments_are_rendered_separately(one: Any, other: Any) -> None:
    macro = Counted()
    remembered = memoize(macro)
    assert remembered(one) != remembered(other)
    assert remembered(a=one) != remembered(a=other)
    assert macro.calls == 4


def test_what_was_used_lately_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 10)
    macro = Counted()
    remembered = memoize(macro)
    for n in range(100):
        remembered(n)
        remembered("often")
    assert macro.calls == 101
    remembered(0)
    assert macro.calls == 102


def test_what_has_no_content_to_compare_is_refused() -> None:
    with pytest.raises(TypeError, match="object"):
        memoize(Counted())(object())


def test_in_a_template() -> None:
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    environment.globals["memoize"] = memoize
    source = "{% macro m(a, b=1) %}{{ a }}{% endmacro %}{% set m = memoize(m) %}{{ m(x) }}{{ m(a=x) }}{{ m(x, [1]) }}"
    page = environment.from_string(source)
    assert page.render(x=Markup("<b>")) == "<b>" * 3
    assert page.render(x="<b>") == "&lt;b&gt;" * 3
    with pytest.raises(UndefinedError):
        page.render()
