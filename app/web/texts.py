"""The texts of one language, as templates call them: `_`, `pgettext` and `ngettext`."""

import re
from collections.abc import Hashable, Iterator
from gettext import NullTranslations
from typing import Any

from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from markupsafe import Markup, escape

FEW = range(200)  # numbers whose plural forms are remembered
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]")


class Text:
    """A translated text, split at its placeholders `%(name)s`. It is markup; values put into it are escaped."""

    def __init__(self, text: str) -> None:
        parts = PLACEHOLDER.split(text)
        self.names = parts[1::2]
        between = [part.replace("%%", "%") for part in parts[::2]]
        self.plain = Markup(between[0])  # the text, if it has no placeholders
        self.pattern = "%s".join(part.replace("%", "%%") for part in between)

    def fill(self, values: dict[str, Any]) -> Markup:
        if not self.names:
            return self.plain
        return Markup(self.pattern % tuple([escape(values[name]) for name in self.names]))


class Texts:
    """The functions of gettext, with values. Each text is looked up in the catalogue and split once."""

    def __init__(self, translations: NullTranslations) -> None:
        self.translations = translations
        self.texts: dict[Hashable, Text] = {}

    def gettext(self, message: str, /, **values: Any) -> Markup:
        text = self.texts.get(message)
        if text is None:
            text = self.texts[message] = Text(self.translations.gettext(message))
        return text.fill(values)

    def pgettext(self, context: str, message: str, /, **values: Any) -> Markup:
        text = self.texts.get((context, message))
        if text is None:
            text = self.texts[context, message] = Text(self.translations.pgettext(context, message))
        return text.fill(values)

    def ngettext(self, singular: str, plural: str, num: int, /, **values: Any) -> Markup:
        return self.plural("", singular, plural, num).fill({"num": num, **values})

    def npgettext(self, context: str, singular: str, plural: str, num: int, /, **values: Any) -> Markup:
        return self.plural(context, singular, plural, num).fill({"num": num, **values})

    def plural(self, context: str, singular: str, plural: str, num: int) -> Text:
        key = context, singular, plural, num
        text = self.texts.get(key)
        if text is None:
            found = self.translations
            text = Text(
                found.npgettext(context, singular, plural, num) if context else found.ngettext(singular, plural, num)
            )
            if num in FEW:
                self.texts[key] = text
        return text

    @property
    def functions(self) -> dict[str, Any]:
        """By the names that templates use."""
        return {
            "_": self.gettext,
            "gettext": self.gettext,
            "pgettext": self.pgettext,
            "ngettext": self.ngettext,
            "npgettext": self.npgettext,
        }


class Translate(Extension):
    """Translates calls with constant arguments, `_("...")` and `pgettext("...", "...")`, while a template is parsed."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        call: list[Token] = []  # the beginning of such a call
        for token in stream:
            if call and token.type != CALLS[call[0].value][len(call)]:
                yield from call
                call = []
            if call or (token.type == "name" and token.value in CALLS):
                call.append(token)
            else:
                yield token
            if call and len(call) == len(CALLS[call[0].value]):
                yield from self.translated(call)
                call = []
        yield from call

    def translated(self, call: list[Token]) -> list[Token]:
        function: Any = self.environment.globals[call[0].value]
        text = function(*(token.value for token in call if token.type == "string"))
        # A string in a template is escaped, the call's result is not.
        return [Token(call[0].lineno, "string", str(text))] if escape(str(text)) == text else call


CALLS = {
    "_": ["name", "lparen", "string", "rparen"],
    "pgettext": ["name", "lparen", "string", "comma", "string", "rparen"],
}
