"""Notices changed files of Facedown and of the installed games, by polling their modification times."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from app.paths import MIGRATIONS, STATIC, TEMPLATES

# What a change of a file needs: code needs a new process, all else only new pages.
FileKind = Literal["code", "pages"]
KINDS: dict[str, FileKind] = {
    ".py": "code",
    ".toml": "code",  # cards, which are read once
    ".html": "pages",
    ".css": "pages",
    ".js": "pages",
    ".svg": "pages",
    ".po": "pages",
}


def folders() -> list[Path]:
    """Our own folders, and the packages of all installed games. A game that is a single module is its file."""
    packages = {point.module.partition(".")[0] for point in entry_points(group="facedown.games")}
    found = [TEMPLATES, STATIC, MIGRATIONS]
    for package in sorted({"app", "engine", *packages}):
        spec = find_spec(package)
        if spec is not None:
            found += [Path(place) for place in spec.submodule_search_locations or [spec.origin or ""]]
    return found


class Watch:
    """The files of one kind in these places."""

    def __init__(self, kind: FileKind, places: Iterable[Path]) -> None:
        self.kind = kind
        self.places = list(places)
        self.seen = self.times()

    def changed(self) -> list[Path]:
        """The files that were made, changed or removed since the last call."""
        before, self.seen = self.seen, self.times()
        return sorted(file for file in before.keys() | self.seen.keys() if before.get(file) != self.seen.get(file))

    def times(self) -> dict[Path, int]:
        found = {}
        for file in self.files():
            with suppress(FileNotFoundError):  # an editor replaces it just now
                found[file] = file.stat().st_mtime_ns
        return found

    def files(self) -> Iterator[Path]:
        for place in self.places:
            if place.is_file():
                yield from self.of_kind(place.parent, [place.name])
            for folder, _, names in os.walk(place):
                yield from self.of_kind(Path(folder), names)

    def of_kind(self, folder: Path, names: Iterable[str]) -> Iterator[Path]:
        for name in names:
            if KINDS.get(os.path.splitext(name)[1]) == self.kind:
                yield folder / name


def listed(files: list[Path]) -> str:
    """For a line in the terminal: the first file, and how many more."""
    shown = os.path.relpath(files[0])
    if shown.startswith(os.pardir):
        shown = str(files[0])
    return shown if len(files) == 1 else f"{shown} and {len(files) - 1} more"
