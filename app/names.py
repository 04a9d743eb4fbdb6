"""Names of people: anything that can be read and shown, nothing that can be abused."""

import unicodedata
from collections.abc import Collection

LONGEST = 24


def clean(name: str) -> str:
    """The name as it is shown; "" where nothing readable is left. Pages wrap it in <bdi>, so direction marks can go."""
    normal = unicodedata.normalize("NFC", name[:500])
    kept = "".join(c if not unicodedata.category(c).startswith("Z") else " " for c in normal if readable(c))
    return trim(" ".join(kept.split()))


def readable(c: str) -> bool:
    category = unicodedata.category(c)
    return category not in ("Cc", "Cs", "Co", "Cn") and (category != "Cf" or c == "\u200d")  # joins emoji


def trim(name: str) -> str:
    """Cut to length, but never between a letter and its marks or inside a joined emoji."""
    end = LONGEST
    while 0 < end < len(name) and (
        unicodedata.combining(name[end]) or "\u200d" in name[end - 1 : end + 1] or name[end] == "\ufe0f"
    ):
        end -= 1
    return name[:end].strip().strip("\u200d")


def apart(name: str, others: Collection[str]) -> str:
    """The name, numbered if somebody at the table has it already."""
    taken = {other.casefold() for other in others}
    number, shown = 1, name
    while shown.casefold() in taken:
        number += 1
        shown = f"{name[: LONGEST - 3]} {number}"
    return shown
