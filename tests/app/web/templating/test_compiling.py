"""Our compiled templates render exactly the same as plain Jinja."""

import random
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from jinja2 import DictLoader, Environment, StrictUndefined, UndefinedError
from markupsafe import Markup
from msgspec import UNSET

from app.web.faces import Audience, context
from app.web.languages import languages, translations
from app.web.rendering import Pages
from app.web.templating.environment import Templates
from app.web.templating.macros import Kept
from app.web.templating.tight import Squeezed, Tight
from tests.app.web.conftest import Guest, Web
from tests.app.web.test_noninterference import played

Guests = Callable[..., Guest]
FRAGMENTS = {
    "play": "phase bar board waits reveal own",
    "hand": "waits cue own_hand",
    "screen": "board waits reveal invite",
}

PARTS = """
{% macro mark(id, label='') %}<i{% if label %} title="{{ label }}"{% endif %}>{{ id }}</i>{% endmacro %}
{% macro wrapped(tag) %}<{{ tag }}>{{ caller() }}</{{ tag }}>{% endmacro %}
{% macro any() %}{{ varargs|join(",") }}{{ kwargs|dictsort }}{% endmacro %}
{% macro kept_mark(id, label='') %}{{ mark(id, label) }}{% endmacro %}{% set kept_mark = kept(kept_mark) %}
{% macro all(names) %}{% for name in names %}{{ mark(name, label=name) }}{% endfor %}{% endmacro %}
"""


def templates(source: str, language: str = "en") -> Templates:
    loader = DictLoader({"page": source, "parts": PARTS})
    return Templates(translations(language), loader=loader, autoescape=True, undefined=StrictUndefined)


def by_jinja(ours: Templates) -> Environment:
    """The same environment without our compiler."""
    found = Environment(
        loader=ours.loader,
        autoescape=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n", "jinja2.ext.do", Tight],
        trim_blocks=ours.trim_blocks,
        lstrip_blocks=ours.lstrip_blocks,
    )
    found.globals |= ours.globals | {"kept": lambda macro: macro}
    found.filters |= ours.filters
    found.install_gettext_translations(ours.translations, newstyle=True)  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize(
    "source",
    [
        '{{ _("ready") }} {{ _("ready")|upper }} {% set a = _("ready") %}{{ a ~ "<" }}',
        '{{ _("The host, %(name)s, may open another game.", name=bad) }}',
        '{{ _("The host, %(name)s, may open another game.", name=bad)|length }}',
        '{{ _("no such text: 100%% of %(n)s, %(n)s", n=4) }} {{ _("%(n)d of them", n=4) }} {{ 1 }}',
        '{{ _("%(a)s%(b)s", a=bad, b=1) }}',
        '{{ pgettext("on a treasure", "Highest") }} {{ _(bad) }}',
        '{{ ngettext("%(num)d coin", "%(num)d coins", 3) }} {{ ngettext("%(num)d coin", "%(num)d coins", 1) }}',
        '{{ ngettext("%(what)s <%(num)d>", "%(what)s <%(num)d>!", 5, what=bad) }}',
        '{{ "a" if four == 4 }}{{ "a" if four == 5 }}{{ bad if four else "b" }}{{ "<" ~ bad if four else "b" }}',
        "{{ four }}{{ none }}{{ true }}{{ 1.5 }}{{ event.kind }}{{ event.items()|list }}{{ event['items'] }}",
        '{% from "parts" import mark, wrapped as w, any %}{{ mark(1, label=bad) }}{{ mark(label=2, id=1) }}'
        '{% call w("b") %}{{ bad }}{{ mark(1, "x") }}{% endcall %}{{ any(1, 2, a=bad) }}',
        '{% import "parts" as parts %}{{ parts.all(("a", bad)) }}{{ parts.mark(*("a",), **{"label": "b"}) }}',
        '{% macro own(a, class="c") %}{{ a }}{{ class }}{{ bad }}{% endmacro %}{{ own(1) }}{{ own(1, class=bad) }}',
        '{% for x in (1, 2) if x %}{{ loop.cycle(1, 2) }}{{ x if not loop.last else _("ready") }}{% endfor %}',
        "{% for a in (1, 2) %}{{ loop.first }}{% for b in 'xy' %}{{ loop.index }}{{ loop.last }}{% else %}"
        "{{ loop.first }}{% endfor %}{{ loop.index0 }}{{ loop.last }}{% endfor %}",
        "{% for x in () %}{{ loop.index }}{% else %}no{% endfor %}",
        "{% for x in (1, 2, 3) if x > 1 %}{{ loop.index }}{{ loop.last }}{% endfor %}",
        "{% for x in 'ab' %}{{ loop.index }}{% for y in 'c' %}{{ loop.length }}{{ x }}{% endfor %}{% endfor %}",
        '{% from "parts" import wrapped %}{% for n in (1, 2) %}{% call wrapped("b") %}{{ n }}{{ loop.index }}{{ bad }}'
        "{% endcall %}{% endfor %}{% call wrapped(tag=bad) %}{% endcall %}",
        '{% import "parts" as p %}{% set t = p.mark(bad) %}{{ t }}{{ t|length }}{{ p.mark(bad) ~ bad }}'
        "{{ p.mark(1)|upper }}"
        '{% call p.wrapped("b") %}{{ p.mark(label=bad, id=p.mark(1)) }}{% endcall %}{{ p.mark(p.kept_mark(bad)) }}',
        '{% from "parts" import mark, kept_mark %}{% macro m(mark) %}{{ mark }}{{ kept_mark(mark) }}{% endmacro %}'
        "{{ m(bad) }}{{ mark(4) }}{% for kept_mark in (bad,) %}{{ kept_mark }}{{ mark(kept_mark) }}{% endfor %}",
        '{% from "parts" import mark %}{% set mark = bad %}{{ mark }}',
    ],
)
@pytest.mark.parametrize("language", languages())
def test_as_jinja_does(source: str, language: str) -> None:
    given = {"bad": "<a & 'b'>", "four": 4, "event": {"kind": "<room>", "items": 1}}
    ours = templates(source, language)
    assert ours.get_template("page").render(given) == by_jinja(ours).get_template("page").render(given)


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ('<ul class="a">\n  <li data-b="-1" id="b">x</li>\n\n</ul>\n', '<ul class=a><li data-b=-1 id="b">x</li></ul>'),
        ('<b>a</b>\n  <i class="b c">d</i>\n  e f\n</p>', '<b>a</b>\n<i class="b c">d</i>\ne f</p>'),
        ('<a href="/x" rel="y" title="z" aria-hidden="true">', '<a href="/x" rel=y title="z" aria-hidden=true>'),
        ('<input value="1"/><i a="">', '<input value="1"/><i a="">'),
        ('<script>\n a="b" <p>\n\n</script>\n<p>', '<script>\n a="b" <p>\n\n</script><p>'),
        ("1 < 2 and\n3 > 2 <p>", "1 < 2 and\n3 > 2 <p>"),
    ],
)
def test_what_need_not_be_sent(written: str, sent: str) -> None:
    assert Squeezed().text(written) == sent


def test_what_stands_between_is_not_known() -> None:
    page = templates('<p>\n{{ a }}\n<b id="{{ a }}">x</b>\n{{ a }}</p>\n{{ a }}').get_template("page")
    assert page.render(a="y") == '<p>y\n<b id="y">x</b>\ny</p>y'


@pytest.mark.parametrize("source", ["{{ missing }}", "{{ _('%(a)s', a=missing) }}", "{{ event.missing }}", "{{ m() }}"])
def test_what_is_not_there(source: str) -> None:
    macro = "{% macro m(a) %}{{ a }}{% endmacro %}"
    with pytest.raises(UndefinedError):
        templates(macro + source).get_template("page").render(event={})


def test_a_macro_takes_what_it_names() -> None:
    for wrong in ("m(1, 2)", "m(1, b=2)", "m(a=1, b=2)"):
        with pytest.raises(TypeError):
            templates("{% macro m(a) %}{{ a }}{% endmacro %}{{ " + wrong + " }}").get_template("page").render()


def test_what_is_kept() -> None:
    asked: list[Any] = []

    def macro(*args: Any, **kwargs: Any) -> Markup:
        asked.append(args)
        return Markup(f"{args} {kwargs}")

    kept = Kept(macro)
    assert kept(1, a=2) == kept(1, a=2) == macro(1, a=2) != kept(1, a=3)
    room = {"kind": "vault", "prizes": [1, 2]}
    assert kept(room, Markup("a")) == kept(dict(room), Markup("a")) == macro(room, Markup("a"))
    assert kept(room, a=[1]) != kept(room, a=[2])
    assert len(asked) == 7
    assert kept(1) == "(1,) {}" and kept(True) == "(True,) {}" and kept(1.0) == "(1.0,) {}"
    assert kept((Markup("a"),)) != kept(("a",)) and kept(UNSET) == kept(UNSET) != kept(None)
    with pytest.raises(TypeError):
        kept(object())


def test_a_text_is_not_taken_for_markup() -> None:
    macro = "{% macro m(a, b=1) %}{{ a }}{% endmacro %}{% set m = kept(m) %}"
    page = templates(macro + "{{ m(bad) }}{{ m(a=bad) }}{{ m(bad, [1]) }}").get_template("page")
    assert page.render(bad=Markup("<b>")) == "<b>" * 3
    assert page.render(bad="<b>") == "&lt;b&gt;" * 3


@pytest.mark.parametrize(
    ("game", "options"),
    [("raiders", {}), ("raiders", {"play": "open"}), ("raiders", {"edition": "first"}), ("scrawl", {})],
)
async def test_every_fragment_of_a_game(web: Web, guest: Guests, game: str, options: dict[str, str]) -> None:
    pages = Pages()
    stock = {language: by_jinja(ours) for language, ours in pages.languages.items()}
    luck = random.Random(5)
    for moves in (0, 7, 40):
        table = await played(web, guest, game, luck, moves, **options)
        showing = web.site.showing(table.live)
        me = showing.me(str(table.live.sitting.saved.seats[0].person))
        for (face, fragments), language in product(FRAGMENTS.items(), languages()):
            for name in fragments.split():
                given = context(showing, Audience(face, language, "http://x"), me if "own" in name else None)
                given["names"] = tuple(f"<b>&amp; 'm\" {name}" for name in given["names"])
                by_others = stock[language].get_template(f"fragments/{name}.html").render(given)
                assert pages.fragment(language, name, given) == by_others
