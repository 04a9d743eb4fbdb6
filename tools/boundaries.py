"""Checks which module may import which, and where tests are: `python tools/boundaries.py`, part of `make check`.

The rules are the tables below, each with the message that is printed when it is broken. All imports count, including
those inside functions and under `TYPE_CHECKING`.
"""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("app", "building", "engine", "migrations", "bench", "examples", "tests", "tools")

# ---------- our own modules; a name includes all its submodules ----------

# Stands for all names in `__all__` of engine/__init__.py, the public interface for games.
PUBLIC = "engine.__all__"
FOR_TESTS_OF_GAMES = ("engine.testing", "app.testing")
TOOLS = ("engine.cards", "engine.beats")  # public modules of their own: not every game needs them
GAMES = "engine.games"
OWN_GAME = "engine.games.{game}"
# The parts of the house that app/web may import.
FOR_WEB = ("app.house.house", "app.house.open_table")
# The parts of app/table that app/web may import.
FROM_TABLES = ("app.table.actions", "app.table.events", "app.table.example", "app.table.names", "app.table.picture")


@dataclass(frozen=True)
class Rule:
    modules: str  # the modules that the rule is for
    never: tuple[str, ...]  # modules that they must not import
    why: str
    but: tuple[str, ...] = ()  # exceptions to `never`
    outside: str = ""  # modules to which the rule does not apply


RULES = (
    Rule("engine", ("app",), "the engine knows nothing of the server"),
    Rule("engine", (PUBLIC,), "the engine's modules import each other, so that no import is circular", outside=GAMES),
    Rule(GAMES, ("engine",), "games use only engine's public names, and no other game", (PUBLIC, *TOOLS, OWN_GAME)),
    Rule("examples", ("app", "engine"), "games use only engine's public names", (PUBLIC, *TOOLS, *FOR_TESTS_OF_GAMES)),
    Rule("app.table", ("asyncio", "app.clock"), "a table is a value: it waits for nothing and knows no time"),
    Rule("app.table", ("app.house", "app.web"), "a table knows nothing of those who hold and show it"),
    Rule("app.table", ("app.store", "sqlalchemy", "asyncpg"), "a table knows nothing of how it is stored"),
    Rule("app", ("engine.table",), "only app/table plays on the engine's table", outside="app.table"),
    Rule("app.store", ("app.house", "app.web", "app.table"), "the store knows rows and bytes only"),
    Rule("app.house", ("app.web",), "the house knows nothing of who asks"),
    Rule("app.web", ("app.store",), "only the house reads and writes the store"),
    Rule("app.web", ("app.table",), "pages read pictures only", FROM_TABLES),
    Rule("app.web", ("app.house",), "the web speaks to the house and its open tables only", FOR_WEB),
)

# ---------- attributes that only some modules may read; setting them is not checked ----------


@dataclass(frozen=True)
class Attribute:
    name: str
    within: str
    why: str
    but: tuple[str, ...] = ()


ATTRIBUTES = (
    # The locks in app/store/ belong to connections.
    Attribute("lock", "app/", "only the commit takes a table's lock", ("app/house/commit.py", "app/store/")),
    Attribute("sitting", "app/web/", "pages read pictures only"),
    Attribute("_table", "app/web/", "what is behind a picture is not for pages"),
)

# ---------- other people's packages ----------

# Undocumented modules. Names with an underscore are private without being listed here.
NOT_PUBLIC = ("jinja2.compiler", "jinja2.idtracking", "jinja2.nodes", "uvicorn.protocols", "websockets.legacy")
NOT_PUBLIC_WHY = "it is not public and may change with any release"
KNOWN: frozenset[tuple[str, str]] = frozenset()

# ---------- tests: tests/app/web/test_pages.py tests app/web/pages.py ----------

MIRRORED = ("app",)
MIRRORED_WHY = "a module's tests bear its name"
OF_NO_SINGLE_MODULE = {
    "tests/app/house/test_crash.py",
    "tests/app/house/test_faults.py",
    "tests/app/house/test_notifications.py",
    "tests/app/house/test_passing.py",
    "tests/app/test_old_databases.py",
    "tests/app/table/test_windows.py",
    "tests/app/web/test_budgets.py",
    "tests/app/web/test_doubles.py",
    "tests/app/web/test_first_load.py",
    "tests/app/web/test_fuzz.py",
    "tests/app/web/test_guessing.py",
    "tests/app/web/test_hostile.py",
    "tests/app/web/test_news.py",
    "tests/app/web/test_socket_frames.py",
    "tests/app/web/test_noninterference.py",
    "tests/app/web/test_pace.py",
    "tests/app/web/test_taking_over.py",
}


def main() -> int:
    found = broken(ROOT)
    print("\n".join(found) or "The boundaries hold.", file=sys.stderr if found else sys.stdout)
    return 1 if found else 0


def broken(root: Path, known: frozenset[tuple[str, str]] = KNOWN) -> list[str]:
    """All violations below this folder, one line each."""
    found: list[str] = []
    gone = set(known)
    public = public_names(root)
    for file in sorted(file for folder in FOLDERS for file in root.glob(f"{folder}/**/*.py")):
        path = file.relative_to(root).as_posix()
        tree = ast.parse(file.read_text("utf-8"), path)
        wrong = {*ours(root, path, tree, public), *attributes(path, tree)}
        for line, private in theirs(root, path, tree):
            gone.discard((path, private))
            if (path, private) not in known:
                wrong.add((line, f"imports {private}: {NOT_PUBLIC_WHY}"))
        found += [f"{path}:{line} {what}" for line, what in sorted(wrong)]
    found += [f"{path} does not import {module} any more: take it out of KNOWN" for path, module in sorted(gone)]
    return found + list(misplaced(root))


# ---------- imports ----------


@dataclass(frozen=True)
class Import:
    line: int
    module: str
    name: str = ""  # the name imported from it

    @property
    def whole(self) -> str:
        return f"{self.module}.{self.name}" if self.name else self.module


def imports(path: str, tree: ast.Module) -> Iterator[Import]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(node.lineno, alias.name)
        elif isinstance(node, ast.ImportFrom):
            above = path.split("/")[: -node.level] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                yield Import(node.lineno, module, alias.name)


def within(name: str, modules: tuple[str, ...]) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def public_names(root: Path) -> tuple[str, ...]:
    """The names in `__all__` of engine/__init__.py, as in "engine.Game"."""
    for node in ast.parse((root / "engine" / "__init__.py").read_text("utf-8")).body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=names):
                return tuple(f"engine.{name}" for name in ast.literal_eval(names))
    return ()


def ours(root: Path, path: str, tree: ast.Module, public: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    importer = module_of(path)
    game = ".".join(importer.split(".")[2:3])

    def modules(names: tuple[str, ...]) -> tuple[str, ...]:
        plain = tuple(name.format(game=game) for name in names if name != PUBLIC)
        return plain + public if PUBLIC in names else plain

    rules = [rule for rule in RULES if within(importer, (rule.modules,)) and not within(importer, (rule.outside,))]
    for one in imports(path, tree):
        for rule in rules:
            if within(one.whole, modules(rule.never)) and not within(one.whole, modules(rule.but)):
                yield one.line, f"imports {shown(root, one)}: {rule.why}"


def shown(root: Path, one: Import) -> str:
    """The imported module; with the name, if it is a package that the name is imported from."""
    place = root.joinpath(*one.module.split("."))
    return one.whole if place.is_dir() else one.module


def module_of(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def is_module(root: Path, name: str) -> bool:
    place = root.joinpath(*name.split("."))
    return place.with_suffix(".py").is_file() or place.is_dir()


def theirs(root: Path, path: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Imports of private names from third-party packages."""
    for one in imports(path, tree):
        top = one.module.partition(".")[0]
        if top in sys.stdlib_module_names or is_module(root, top):
            continue
        if any(part.startswith("_") and not part.endswith("__") for part in one.whole.split(".")):
            yield one.line, one.whole
        elif within(one.whole, NOT_PUBLIC):
            yield one.line, one.whole if one.whole in NOT_PUBLIC else one.module


def attributes(path: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    rules = [one for one in ATTRIBUTES if path.startswith(one.within) and not path.startswith(one.but or "\0")]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Store):
            for rule in rules:
                if node.attr == rule.name:
                    yield node.lineno, f"uses .{rule.name}: {rule.why}"


# ---------- tests ----------


def misplaced(root: Path) -> Iterator[str]:
    for top in MIRRORED:
        for file in sorted(root.glob(f"tests/{top}/**/test_*.py")):
            path = file.relative_to(root).as_posix()
            module = path.removeprefix("tests/").replace("test_", "").removesuffix(".py")
            if path not in OF_NO_SINGLE_MODULE and not is_module(root, module.replace("/", ".")):
                yield f"{path} tests no module {module}.py: {MIRRORED_WHY}"


if __name__ == "__main__":
    sys.exit(main())
