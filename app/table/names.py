"""Cleaning of people's names: all scripts and emoji are allowed, characters that break the layout are removed."""

import unicodedata
from collections.abc import Collection

from engine.game import N_

BOT_NAMES = (N_("Wick"), N_("Ember"), N_("Flint"), N_("Soot"), N_("Tallow"), N_("Cinder"), N_("Spark"), N_("Taper"))
LONGEST = 24
MOST_MARKS = 3  # combining marks on one letter: enough for every script; more would cover other lines

JOINER = "\u200d"  # joins emoji
BLANK = "\u115f\u1160\u2800\u3164\uffa0"  # not spaces in Unicode, but shown as nothing
# Letters that look like Latin ones, in lower case.
ALIKE = str.maketrans("авекмнорстухіјѕԁԛԝαβεικνορτυχ01|", "abekmhopctyxijsdqwabeiknoptuxoll")


def clean(name: str) -> str:
    """The name as it is shown; "" if nothing visible is left. Direction marks are removed; pages use <bdi>."""
    normal = unicodedata.normalize("NFC", name[:500])
    spaced = "".join(" " if unicodedata.category(c)[0] == "Z" or c in BLANK else c for c in normal if readable(c))
    shown = trim(limit_marks(" ".join(spaced.split())))
    return shown if any(unicodedata.category(c)[0] in "LNPS" for c in shown) else ""


def readable(c: str) -> bool:
    category = unicodedata.category(c)
    return category not in ("Cc", "Cs", "Co", "Cn") and (category != "Cf" or c == JOINER)


def limit_marks(name: str) -> str:
    """Remove combining marks beyond MOST_MARKS on one letter."""
    result: list[str] = []
    marks = MOST_MARKS  # so that marks before the first letter are removed
    for c in name:
        marks = marks + 1 if unicodedata.category(c)[0] == "M" else 0
        if marks <= MOST_MARKS:
            result.append(c)
    return "".join(result)


def trim(name: str, longest: int = LONGEST) -> str:
    """Cut to length, but not between a letter and its combining marks, nor inside a joined emoji."""
    end = longest
    while 0 < end < len(name) and (unicodedata.category(name[end])[0] == "M" or JOINER in name[end - 1 : end + 1]):
        end -= 1
    return name[:end].strip().strip(JOINER)


def distinct(name: str, others: Collection[str]) -> str:
    """The name, with a number if it looks like one of the others."""
    taken = {skeleton(other) for other in others}
    number, shown = 1, name
    while skeleton(shown) in taken:
        number += 1
        shown = f"{trim(name, LONGEST - 3)} {number}"
    return shown


def skeleton(name: str) -> str:
    """A form that is equal for names that look the same."""
    return unicodedata.normalize("NFKC", name).casefold().translate(ALIKE)
