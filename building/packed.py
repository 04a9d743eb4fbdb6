"""Static files in compressed form, each once with brotli and once with gzip.

They are named by the digest of the file that they are made from, so none can be older than its file.
"""

import gzip
from collections.abc import Iterator
from pathlib import Path

import brotli

from building.bundles import digest

KINDS = (".css", ".js", ".svg")
FOLDER = "packed"
LEAST = 300  # bytes: a smaller file fits into one packet either way


def pack(static: Path, built: Path) -> None:
    """Bring the compressed forms of the files in `static`, and in its folder `built`, up to date."""
    folder = built / FOLDER
    folder.mkdir(exist_ok=True)
    wanted = dict(files(static))
    for old in folder.iterdir():
        if old.stem not in wanted:
            old.unlink()
    for name, file in wanted.items():
        content = file.read_bytes()
        for kind, packed in (("br", brotli.compress), ("gz", lambda data: gzip.compress(data, 9, mtime=0))):
            target = folder / f"{name}.{kind}"
            if not target.is_file():
                moving = folder / f"{name}.{kind}.new"
                moving.write_bytes(packed(content))
                moving.replace(target)


def files(static: Path) -> Iterator[tuple[str, Path]]:
    """The files worth compressing, by their digest."""
    for file in sorted(static.rglob("*")):
        if file.suffix in KINDS and file.is_file() and file.stat().st_size >= LEAST:
            yield digest(file), file
