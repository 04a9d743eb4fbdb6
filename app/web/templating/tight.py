"""What a browser does not need is not sent."""

import re
from collections.abc import Iterator

from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

# Around these a browser shows no blank.
BLOCKS = frozenset(
    re.findall(
        r"\w+",
        "address article aside base blockquote body br caption dd details dialog div dl dt fieldset figcaption figure"
        " footer form h1 h2 h3 h4 h5 h6 head header hr html legend li link main meta nav ol optgroup option p script"
        " section style table tbody td template tfoot th thead title tr ul",
    )
)
AS_IT_STANDS = frozenset({"pre", "script", "style", "textarea"})
TAG = re.compile(r"<(?=[/a-zA-Z]|$)(/?\w*)")
LINES = re.compile(r"\s*\n\s*")
# Texts, and what others look for in a page, keep their quotes.
QUOTED = re.compile(
    r'(?<=\s)(?!(?:alt|aria-label|id|lang|name|placeholder|title|value)=)([\w:-]+)="([\w.:#-]+)"(?=[\s>])'
)


class Tight(Extension):
    """Templates may be laid out for whoever reads them: what a browser does not need is not sent. Line breaks around
    blocks go, others become one; quotes go where a plain word stands in them."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        squeezed = Squeezed()
        for token in stream:
            if token.type == "data":
                yield Token(token.lineno, "data", squeezed.text(str(token.value)))
            else:
                squeezed.after = ""
                yield token


class Squeezed:
    """One template, piece by piece: between two pieces stands what is not known yet."""

    def __init__(self) -> None:
        self.tag = ""  # that began last
        self.within = False  # it has not ended yet
        self.after = ""  # it has just ended
        self.raw = ""  # inside of this nothing is changed

    def text(self, rest: str) -> str:
        out = []
        while rest:
            if self.raw:
                text, end, rest = rest.partition(f"</{self.raw}")
                out.append(text)
                rest = end + rest
                self.raw = "" if end else self.raw
            elif self.within:
                text, end, rest = rest.partition(">")
                out.append(QUOTED.sub(r"\1=\2", text + end))
                if end:
                    self.within, self.after = False, self.tag
                    self.raw = self.tag if self.tag in AS_IT_STANDS else ""
            else:
                found = TAG.search(rest)
                text, rest = (rest[: found.start()], rest[found.start() :]) if found else (rest, "")
                out.append(self.between(text, found[1] if found else ""))
                if found:
                    self.tag, self.within = found[1], True
        return "".join(out)

    def between(self, text: str, before: str) -> str:
        if self.after.lstrip("/") in BLOCKS and (found := LINES.match(text)):
            text = text[found.end() :]
        if before.lstrip("/") in BLOCKS and (found := LINES.search(text, len(text.rstrip()))):
            text = text[: found.start()]
        self.after = "" if text else self.after
        return LINES.sub("\n", text)
