"""Names of people: anything that can be read and shown, nothing that can be abused."""

import unicodedata
from collections.abc import Collection

from engine.game import N_

BOT_NAMES = (N_("Wick"), N_("Ember"), N_("Flint"), N_("Soot"), N_("Tallow"), N_("Cinder"), N_("Spark"), N_("Taper"))
LONGEST = 24
MOST_MARKS = 3  # on one letter: enough for every script, too few to climb over the neighbours

JOINER = "\u200d"  # joins emoji
BLANK = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs that show nothing
# Letters that look like Latin ones, in lower case.
ALIKE = str.maketrans("авекмнорстухіјѕԁԛԝαβεικνορτυχ01|", "abekmhopctyxijsdqwabeiknoptuxoll")


def clean(name: str) -> str:
    """The name as it is shown; "" where nothing readable is left. Pages wrap it in <bdi>, so direction marks can go."""
    normal = unicodedata.normalize("NFC", name[:500])
    kept = "".join(" " if unicodedata.category(c)[0] == "Z" or c in BLANK else c for c in normal if readable(c))
    shown = trim(limit_marks(" ".join(kept.split())))
    return shown if any(unicodedata.category(c)[0] in "LNPS" for c in shown) else ""


def readable(c: str) -> bool:
    category = unicodedata.category(c)
    return category not in ("Cc", "Cs", "Co", "Cn") and (category != "Cf" or c == JOINER)


def limit_marks(name: str) -> str:
    """No more marks on one letter than any script needs."""
    kept: list[str] = []
    marks = MOST_MARKS  # none before the first letter
    for c in name:
        marks = marks + 1 if unicodedata.category(c)[0] == "M" else 0
        if marks <= MOST_MARKS:
            kept.append(c)
    return "".join(kept)


def trim(name: str, longest: int = LONGEST) -> str:
    """Cut to length, but never between a letter and its marks or inside a joined emoji."""
    end = longest
    while 0 < end < len(name) and (unicodedata.category(name[end])[0] == "M" or JOINER in name[end - 1 : end + 1]):
        end -= 1
    return name[:end].strip().strip(JOINER)


def distinct(name: str, others: Collection[str]) -> str:
    """The name, numbered if somebody at the table has one that looks the same."""
    taken = {skeleton(other) for other in others}
    number, shown = 1, name
    while skeleton(shown) in taken:
        number += 1
        shown = f"{trim(name, LONGEST - 3)} {number}"
    return shown


def skeleton(name: str) -> str:
    """What a glance sees of it: names that look the same give the same."""
    return unicodedata.normalize("NFKC", name).casefold().translate(ALIKE)
