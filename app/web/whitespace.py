"""Removes from templates what browsers ignore: line breaks around blocks, and quotes around simple attribute values."""

import re
from collections.abc import Iterator

from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

# Browsers show no space around these.
BLOCKS = frozenset(
    re.findall(
        r"\w+",
        "address article aside base blockquote body br caption dd details dialog div dl dt fieldset figcaption figure"
        " footer form h1 h2 h3 h4 h5 h6 head header hr html legend li link main meta nav ol optgroup option p script"
        " section style table tbody td template tfoot th thead title tr ul",
    )
)
VERBATIM = frozenset({"pre", "script", "style", "textarea"})
TAG = re.compile(r"<(?=[/a-zA-Z]|$)(/?\w*)")
LINES = re.compile(r"\s*\n\s*")
# Attributes with texts keep their quotes, and those that scripts and tests search for.
QUOTED = re.compile(
    r'(?<=\s)(?!(?:alt|aria-label|id|lang|name|placeholder|title|value)=)([\w:-]+)="([\w.:#-]+)"(?=[\s>])'
)


class Trim(Extension):
    """Trims the text of a template while it is parsed, so that templates may be laid out for readers.

    Line breaks around block elements are removed, others become a single one. Quotes are removed where HTML needs none.
    """

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        trimmer = Trimmer()
        for token in stream:
            if token.type == "data":
                yield Token(token.lineno, "data", trimmer.trim(str(token.value)))
            else:
                trimmer.after = ""
                yield token


class Trimmer:
    """Trims one template. Its pieces are separated by expressions, whose output is not known yet."""

    def __init__(self) -> None:
        self.tag = ""  # the last tag that began
        self.within = False  # that tag has not ended yet
        self.after = ""  # the tag that ended just before this place
        self.raw = ""  # the element whose content must not be changed, such as "pre"

    def trim(self, rest: str) -> str:
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
                    self.raw = self.tag if self.tag in VERBATIM else ""
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
