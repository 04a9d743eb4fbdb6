"""Names of the contract for games that have changed. A game that uses an old one is refused, not silently ignored."""

from collections.abc import Iterable

RENAMED = {
    "Game": {"help": "forecast", "redeal": "shuffle_unknown", "reveal_seconds": "beats"},
    "Choice": {"help": "hint"},
    "Ask": {"more": "unfinished"},
}


def refuse_old_names(part: str, of: str, names: Iterable[str]) -> None:
    """Raise TypeError if one of these names is an old name in this part of the contract. `of`: whose names they are."""
    if old := [f"`{name}` is now `{RENAMED[part][name]}`" for name in names if name in RENAMED[part]]:
        raise TypeError(f"{of}: {', '.join(old)}")
