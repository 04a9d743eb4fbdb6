"""Texts of templates: translated, and with escaped values."""

from gettext import NullTranslations

import pytest
from jinja2 import DictLoader, Environment, StrictUndefined, UndefinedError
from markupsafe import Markup

from app.web.languages import languages, translations
from app.web.texts import Texts, Translate

BAD = "<a & 'b'>"
ESCAPED = "&lt;a &amp; &#39;b&#39;&gt;"


class Loud(NullTranslations):
    """Translates to upper case, except placeholders."""

    def gettext(self, message: str) -> str:
        return message.upper().replace("%(NAME)S", "%(name)s").replace("%(NUM)D", "%(num)d")

    def pgettext(self, context: str, message: str) -> str:
        return f"{context}: {message}"

    def npgettext(self, context: str, singular: str, plural: str, n: int) -> str:
        return f"{context}: {singular if n == 1 else plural}"

    def ngettext(self, singular: str, plural: str, n: int) -> str:
        return self.gettext(singular if n == 1 else plural)


def rendered(source: str, **values: object) -> str:
    environment = Environment(
        extensions=[Translate], loader=DictLoader({"page": source}), autoescape=True, undefined=StrictUndefined
    )
    environment.globals |= Texts(Loud()).functions
    return environment.get_template("page").render(values)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('{{ _("ready") }} {{ _("ready")|lower }}{% set a = _("x") %}{{ a ~ "<" }}', "READY readyX&lt;"),
        ('<i title="{{ _("ready") }}">', '<i title="READY">'),
        ('{{ _("of %(name)s, 100%%", name=bad) }}', f"OF {ESCAPED}, 100%"),
        ('{{ _("%(name)s%(name)s", name="b"|upper) }}', "BB"),
        ('{{ _("a & <b>b</b>") }}', "A & <B>B</B>"),  # a text is markup
        ('{{ _("a") if 1 else _("b") }}{{ (_("a"), _(bad))|join(",") }}', "AA,<A & 'B'>"),
        ('{{ pgettext("on a chest", "Highest") }}', "on a chest: Highest"),
        (
            '{{ ngettext("%(num)d coin", "%(num)d coins", 1) }}, {{ ngettext("%(num)d coin", "%(num)d coins", n) }}',
            "1 COIN, 3 COINS",
        ),
        ('{{ npgettext("purse", "%(num)d coin", "%(num)d coins", n) }}', "purse: 3 coins"),
        ('{{ ngettext("a %(name)s", "%(num)d %(name)s", 2, name=bad) }}', f"2 {ESCAPED}"),
        ("{% macro m(_) %}{{ _ }}{% endmacro %}{{ m(4) }}{% for _ in (1, 2) %}.{% endfor %}", "4.."),
        ('{{ _(bad) }}{{ _ ("a") }}', "<A & 'B'>A"),
    ],
)
def test_texts(source: str, text: str) -> None:
    assert rendered(source, bad=BAD, n=3) == text


def test_a_missing_value_is_an_error() -> None:
    for source in ('{{ _("%(name)s", name=missing) }}', '{{ _("%(name)s", other=1) }}'):
        with pytest.raises((UndefinedError, KeyError)):
            rendered(source)


@pytest.mark.parametrize("language", languages())
def test_constant_texts_are_translated_when_the_template_is_parsed(language: str) -> None:
    texts = Texts(translations(language))
    environment = Environment(extensions=[Translate], autoescape=True)
    environment.globals["_"] = texts.gettext
    template = environment.from_string('{{ _("ready") }}')
    environment.globals["_"] = texts.gettext = None  # type: ignore[assignment,method-assign]
    assert template.render() == translations(language).gettext("ready")


def test_values_that_are_markup_stay_so() -> None:
    assert Texts(Loud()).gettext("%(name)s", name=Markup("<b>x</b>")) == "<b>x</b>"
