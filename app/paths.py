"""Paths of the files that are not Python: in `app/_files` when installed, else in the checkout."""

from pathlib import Path

_here = Path(__file__).resolve().parent

FILES: Path = _here / "_files" if (_here / "_files").is_dir() else _here.parent
TEMPLATES: Path = FILES / "templates"
STATIC: Path = FILES / "static"
MIGRATIONS: Path = FILES / "migrations"
