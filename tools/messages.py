"""Brings the Russian catalogue up to date with the texts in templates and Python: `python tools/messages.py`.

New texts come in empty, those that are gone go out. A game with a folder `locale` keeps its texts there, and one that
is not registered in pyproject.toml is not looked at.
"""

import sys
import tomllib
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
CATALOGUE = ROOT / "app" / "locale" / "ru.po"
METHODS = [("**.py", "python"), ("**.html", "jinja2")]
JINJA = {"**.html": {"extensions": "jinja2.ext.do", "trimmed": "true", "silent": "false", "encoding": "utf-8"}}
KEYWORDS = {
    "_": None, "N_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}  # fmt: skip


def found() -> Catalog:
    """All texts that there are, by the folder that they are in."""
    catalogue = Catalog(locale="ru", project="Facedown", charset="utf-8", fuzzy=False)
    for folder in ("app", "engine", "templates"):
        texts = extract_from_dir(
            str(ROOT / folder), METHODS, JINJA, KEYWORDS, ("Translators:",), directory_filter=ours
        )
        for file, _, text, comments, context in texts:
            where = Path(folder, file).as_posix()
            if elsewhere(where):
                continue
            # Without line numbers: they would change with every edit.
            catalogue.add(text, None, [(where, None)], auto_comments=comments, context=context)  # type: ignore[list-item]
    return catalogue


def ours(folder: str) -> bool:
    """babel would leave out `_plain`."""
    return Path(folder).name not in ("__pycache__", "_files")


def elsewhere(file: str) -> bool:
    """Does it belong to a game with a catalogue of its own, or to one that is not there yet?"""
    _, _, inside = file.partition("games/")
    game = inside.partition("/")[0] if "/" in inside else "_plain"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    known = project["entry-points"]["facedown.games"]
    return game != "_plain" and (game not in known or (ROOT / "engine" / "games" / game / "locale").is_dir())


def updated() -> bytes:
    """The catalogue as it should be: what is translated, in the order of what is found."""
    old = read_po(BytesIO(CATALOGUE.read_bytes()), locale="ru") if CATALOGUE.exists() else Catalog(locale="ru")
    new = found()
    for message in new:
        known = old.get(message.id, message.context) if message.id else None
        if known is not None and known.string:
            message.string = known.string
    for message in new:
        message.locations = sorted(set(message.locations))
        message.flags.discard("fuzzy")
    written = BytesIO()
    write_po(written, new, width=110, omit_header=False, ignore_obsolete=True, sort_by_file=True, include_lineno=False)
    lines = written.getvalue().splitlines(keepends=True)
    # Dates would change with every run.
    return b"".join(line for line in lines if not line.startswith((b'"POT-Creation-Date', b'"PO-Revision-Date')))


if __name__ == "__main__":
    CATALOGUE.parent.mkdir(exist_ok=True)
    CATALOGUE.write_bytes(updated())
    catalogue = read_po(BytesIO(CATALOGUE.read_bytes()), locale="ru")
    missing = [m for m in catalogue if m.id and not all(m.string if isinstance(m.string, tuple) else [m.string])]
    print(f"{CATALOGUE.relative_to(ROOT)}: {len(catalogue)} texts, {len(missing)} without a translation", file=sys.stderr)
