"""Checks that a name has one meaning: `python tools/names.py`, part of `make check`.

In `app` and in `engine` without its games, no two modules have the same file name, and no two modules define a class, a
type alias or a public function of the same name at top level. A reader who meets a name then knows which one it is.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("app", "engine")
LEFT_OUT = ("engine/games/",)  # all games have the same structure
EXCEPTIONS = {"main": "the entry point of a program"}  # name -> reason
TYPE_ALIAS = re.compile("[A-Z][A-Z0-9]*[a-z]")


def main() -> int:
    found = doubled(ROOT)
    print("\n".join(found) or "All names are unique.", file=sys.stderr if found else sys.stdout)
    return 1 if found else 0


def doubled(root: Path) -> list[str]:
    """All names that several modules below this folder define, one line each."""
    modules: dict[str, list[str]] = {}
    names: dict[str, list[str]] = {}
    for path, tree in sources(root):
        stem = path.rpartition("/")[2].removesuffix(".py")
        if not stem.startswith("__"):
            modules.setdefault(stem, []).append(path)
        for name in sorted({name for name in definitions(tree) if name not in EXCEPTIONS}):
            names.setdefault(name, []).append(path)
    found = [f"the same file name: {', '.join(paths)}" for paths in modules.values() if len(paths) > 1]
    found += [f"{name} is defined in {', '.join(paths)}" for name, paths in names.items() if len(paths) > 1]
    return sorted(found)


def sources(root: Path) -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(file for folder in FOLDERS for file in root.glob(f"{folder}/**/*.py")):
        path = file.relative_to(root).as_posix()
        if not path.startswith(LEFT_OUT):
            yield path, ast.parse(file.read_text("utf-8"), path)


def definitions(tree: ast.Module) -> Iterator[str]:
    """The names of a module's classes, type aliases and public functions."""
    for node in tree.body:
        match node:
            case ast.ClassDef(name=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if not name.startswith("_"):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]) if TYPE_ALIAS.match(name):
                yield name


if __name__ == "__main__":
    sys.exit(main())
