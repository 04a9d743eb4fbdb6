"""Updates the catalogues from the texts in templates and Python: `python tools/messages.py`.

New texts are added without a translation, and unused ones are removed. A language is one of which there is a catalogue
in app/locale; `python tools/messages.py pt_BR` adds one. The server's catalogues are in app/locale, those of a game in
the folder `locale` of its package. See docs/translating.md.
"""

import sys
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
OURS = ROOT / "app" / "locale"
METHODS = [("**.py", "python"), ("**.html", "jinja2")]
JINJA = {"**.html": {"extensions": "jinja2.ext.do", "trimmed": "true", "silent": "false", "encoding": "utf-8"}}
KEYWORDS = {
    "_": None, "N_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}  # fmt: skip


def languages() -> list[str]:
    return sorted(path.stem for path in OURS.glob("*.po"))


def catalogues() -> list[Path]:
    """The paths of all catalogues, in all languages."""
    homes = [OURS, *(locale_of(game) for game in sorted(our_games()))]
    return [home / f"{language}.po" for language in languages() for home in homes]


@cache
def our_games() -> frozenset[str]:
    """The games that this project registers."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return frozenset(project["entry-points"]["facedown.games"])


def locale_of(game: str) -> Path:
    return ROOT / "engine" / "games" / game / "locale"


def home_of(file: str) -> Path | None:
    """The folder of the catalogues for the texts of a file; None if it belongs to a game that is not registered."""
    _, _, inside = file.partition("games/")
    game = inside.partition("/")[0] if "/" in inside else ""
    if game in ("", "_plain"):
        return OURS
    return locale_of(game) if game in our_games() else None


@cache
def found() -> list[tuple[str, Any, list[str], str | None]]:
    """All texts: file, text, comments for translators, context."""
    return list(look())


def look() -> Iterator[tuple[str, Any, list[str], str | None]]:
    for folder in ("app", "engine", "templates"):
        for file, _, text, notes, context in extract_from_dir(
            str(ROOT / folder), METHODS, JINJA, KEYWORDS, ("Translators:",), directory_filter=ours
        ):
            yield Path(folder, file).as_posix(), text, notes, context


def ours(folder: str) -> bool:
    """Whether to search this folder. babel's default filter would skip `_plain`."""
    return Path(folder).name not in ("__pycache__", "_files")


def key(text: Any) -> str:
    """The text, or its singular if it has plural forms."""
    return text if isinstance(text, str) else str(text[0])


def read(path: Path) -> Catalog:
    """A catalogue; an empty one if there is no such file yet."""
    locale = Locale.parse(path.stem)
    return read_po(BytesIO(path.read_bytes()), locale=locale) if path.exists() else Catalog(locale=locale)


def updated(path: Path) -> bytes:
    """The updated catalogue: the texts found now, with their existing translations."""
    old, home = read(path), path.parent
    new = Catalog(locale=old.locale, project="Facedown", charset="utf-8", fuzzy=False)
    # The server's catalogue applies to every game, so its texts are not repeated in other catalogues.
    said = {(key(text), context) for file, text, _, context in found() if home != OURS and home_of(file) == OURS}
    for file, text, notes, context in found():
        if home_of(file) == home and (key(text), context) not in said:
            # No line numbers, because they would change with every edit.
            new.add(text, None, [(file, None)], auto_comments=notes, context=context)  # type: ignore[list-item]
    for message in new:
        known = old.get(message.id, message.context) if message.id else None
        if known is not None and known.string:
            message.string = known.string
        message.locations = sorted(set(message.locations))
        message.flags.discard("fuzzy")
    written = BytesIO()
    write_po(written, new, width=110, ignore_obsolete=True, sort_by_file=True, include_lineno=False)
    lines = written.getvalue().splitlines(keepends=True)
    # No dates, because they would change with every run.
    return b"".join(line for line in lines if not line.startswith((b'"POT-Creation-Date', b'"PO-Revision-Date')))


def main(added: Sequence[str]) -> None:
    for language in added:
        (OURS / f"{Locale.parse(language.replace('-', '_'))}.po").touch()
    for path in catalogues():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(updated(path))
        texts = [message for message in read(path) if message.id]
        missing = [m for m in texts if not all(m.string if isinstance(m.string, tuple) else [m.string])]
        print(f"{path.relative_to(ROOT)}: {len(texts)} texts, {len(missing)} not translated", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
