"""Compressed forms belong to the files that are there."""

import gzip
from pathlib import Path

import brotli

from building.bundles import digest
from building.packed import LEAST, pack
from tests.support.packages import ROOT


def test_both_forms_of_what_is_worth_it(tmp_path: Path) -> None:
    (tmp_path / "built").mkdir()
    style, short = tmp_path / "a.css", tmp_path / "b.css"
    style.write_text("p { margin: 0 }\n" * 100)
    short.write_text("p" * (LEAST - 1))
    pack(tmp_path, tmp_path / "built")
    packed = tmp_path / "built" / "packed"
    assert {file.name for file in packed.iterdir()} == {f"{digest(style)}.br", f"{digest(style)}.gz"}
    assert brotli.decompress((packed / f"{digest(style)}.br").read_bytes()) == style.read_bytes()
    assert gzip.decompress((packed / f"{digest(style)}.gz").read_bytes()) == style.read_bytes()

    style.write_text("p { margin: 1px }\n" * 100)
    pack(tmp_path, tmp_path / "built")
    assert {file.stem for file in packed.iterdir()} == {digest(style)}, "none of a file that is gone"


def test_all_that_pages_load_is_there() -> None:
    packed = ROOT / "static" / "built" / "packed"
    for file in (ROOT / "static" / "built").glob("*.*"):
        if file.suffix in (".css", ".js", ".svg") and file.stat().st_size >= LEAST:
            assert (packed / f"{digest(file)}.br").stat().st_size < file.stat().st_size / 1.8, file.name
