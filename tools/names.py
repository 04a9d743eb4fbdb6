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

# Definitions that are not counted yet. An empty name stands for the module itself.
KNOWN = frozenset(
    {
        ("app/web/api.py", "changed"),
        ("app/web/api.py", "events"),
        ("app/web/answers.py", "here"),
        ("app/web/edge.py", "Answer"),
        ("app/web/faces.py", "Told"),
        ("app/web/faces.py", "changed"),
        ("app/web/faces.py", "shared_news"),
        ("app/web/openapi.py", "Seat"),
        ("app/web/pages.py", "local"),
        ("app/web/pages.py", "table"),
        ("app/web/templating/environment.py", "Ready"),
        ("app/web/views.py", ""),
        ("app/web/views.py", "Plain"),
    }
)


def main() -> int:
    found = doubled(ROOT)
    print("\n".join(found) or "All names are unique.", file=sys.stderr if found else sys.stdout)
    return 1 if found else 0


def doubled(root: Path, known: frozenset[tuple[str, str]] = KNOWN) -> list[str]:
    """All names that several modules below this folder define, one line each."""
    modules: dict[str, list[str]] = {}
    names: dict[str, list[str]] = {}
    for path, tree in sources(root):
        stem = path.rpartition("/")[2].removesuffix(".py")
        if not stem.startswith("__"):
            modules.setdefault(stem, []).append(path)
        for name in sorted({name for name in definitions(tree) if name not in EXCEPTIONS}):
            names.setdefault(name, []).append(path)
    found: list[str] = []
    unused = set(known)
    for what, places in [*(("", paths) for paths in modules.values()), *names.items()]:
        counted = [path for path in places if (path, what) not in known]
        if len(counted) > 1:
            subject = f"{what} is defined in" if what else "the same file name:"
            found.append(f"{subject} {', '.join(counted)}")
        if len(places) > 1:
            unused -= {(path, what) for path in places}
    found += [f"{path}: {what or 'the file name'} is unique: take it out of KNOWN" for path, what in unused]
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
