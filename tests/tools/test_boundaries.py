"""The check of boundaries, on trees made up to break each rule."""

from pathlib import Path

import pytest

from tools.boundaries import broken

PICTURES = "pages read pictures only"
GAMES = "games use only engine's public names, and no other game"
CIRCULAR = "the engine's modules import each other, so that no import is circular"
LOCK = "only the commit takes a table's lock"
PRIVATE = "it is not public and may change with any release"

GOOD = {
    "app/clock.py": "import time",
    "engine/table.py": "import asyncio\nfrom engine.steps import Step",
    "engine/__init__.py": "from engine.chance import Chance\n\n__all__ = ['Chance']",
    "engine/games/raiders/rules.py": "from engine import Chance\nfrom engine.games.raiders.facts import Hit",
    "engine/games/raiders/facts.py": "from collections.abc import Sequence\nimport msgspec",
    "examples/dice/dice/__init__.py": "from engine import Chance",
    "examples/dice/test_dice.py": "from engine.testing import check_game",
    "app/table/sitting.py": "from app.table.saved import SavedSitting\nfrom engine.table import Table",
    "app/table/saved.py": "import msgspec",
    "app/house/commit.py": "async def commit(table):\n    async with table.lock:\n        pass",
    "app/house/open_table.py": "import asyncio\nfrom app.store.rows import StoredEntry\nself.lock = asyncio.Lock()",
    "app/house/house.py": "from app.table import sitting",
    "app/store/rows.py": "from msgspec import Struct",
    "app/store/express.py": "def run(self):\n    return self.lock",
    "app/web/pages.py": "from __future__ import annotations\nfrom app.house.house import House\nimport starlette",
    "app/web/feeds.py": "from app.house import open_table\nfrom app.table import actions",
    "app/server.py": "from app.house.house import House\nfrom app.store.store import Store",
    "tests/app/test_server.py": "",
    "tests/app/test_house.py": "from engine.table import Table",
    "tests/app/web/test_pages.py": "from app.table.sitting import Sitting",
}

BAD = [
    ("engine/table.py", "import app.clock", "app.clock: the engine knows nothing of the server"),
    ("engine/games/raiders/rules.py", "from app import clock", "app.clock: the engine knows nothing of the server"),
    ("engine/games/raiders/rules.py", "from engine.table import Table", f"engine.table: {GAMES}"),
    ("engine/games/raiders/rules.py", "from engine.chance import Chance", f"engine.chance: {GAMES}"),
    ("engine/games/raiders/rules.py", "from engine import Table", f"engine.Table: {GAMES}"),
    ("engine/games/raiders/rules.py", "import engine", f"engine: {GAMES}"),
    ("engine/games/raiders/rules.py", "from engine.testing import check_game", f"engine.testing: {GAMES}"),
    ("engine/table.py", "from engine import Chance", f"engine.Chance: {CIRCULAR}"),
    ("examples/dice/dice/__init__.py", "import engine.table", "engine.table: games use only engine's public names"),
    ("examples/dice/test_dice.py", "import app.clock", "app.clock: games use only engine's public names"),
    (
        "engine/games/raiders/rules.py",
        "from engine.games.scrawl.facts import Room",
        f"engine.games.scrawl.facts: {GAMES}",
    ),
    ("app/table/sitting.py", "import asyncio", "asyncio: a table is a value: it waits for nothing and knows no time"),
    (
        "app/table/sitting.py",
        "from app import clock",
        "app.clock: a table is a value: it waits for nothing and knows no time",
    ),
    (
        "app/table/sitting.py",
        "from app.house import house",
        "app.house.house: a table knows nothing of those who hold and show it",
    ),
    (
        "app/table/sitting.py",
        "from app.store.rows import Line",
        "app.store.rows: a table knows nothing of how it is stored",
    ),
    ("app/table/sitting.py", "import sqlalchemy.ext", "sqlalchemy.ext: a table knows nothing of how it is stored"),
    ("app/house/house.py", "import engine.table", "engine.table: only app/table plays on the engine's table"),
    ("app/store/rows.py", "from ..table import saved", "app.table.saved: the store knows rows and bytes only"),
    ("app/house/house.py", "from app.web.pages import router", "app.web.pages: the house knows nothing of who asks"),
    (
        "app/web/pages.py",
        "from app.store.rows import Line",
        "app.store.rows: only the house reads and writes the store",
    ),
    ("app/web/pages.py", "from app.table.sitting import Sitting", f"app.table.sitting: {PICTURES}"),
    ("app/web/pages.py", "from app.table import sitting", f"app.table.sitting: {PICTURES}"),
    ("app/web/pages.py", "def page():\n    from app.table import saved", f"app.table.saved: {PICTURES}"),
    ("app/web/pages.py", "if TYPE_CHECKING:\n    import app.table.saved", f"app.table.saved: {PICTURES}"),
    (
        "app/web/pages.py",
        "from app.house.commit import commit",
        "app.house.commit: the web speaks to the house and its open tables only",
    ),
    ("app/web/pages.py", "from jinja2.utils import _PassArg", f"jinja2.utils._PassArg: {PRIVATE}"),
    ("app/web/pages.py", "from starlette._utils import is_async", f"starlette._utils.is_async: {PRIVATE}"),
    ("app/web/pages.py", "import websockets.legacy.server", f"websockets.legacy.server: {PRIVATE}"),
    ("app/web/pages.py", "from jinja2 import nodes", f"jinja2.nodes: {PRIVATE}"),
    ("engine/table.py", "from jinja2.compiler import Frame", f"jinja2.compiler: {PRIVATE}"),
    ("tests/app/test_house.py", "import uvicorn.protocols.utils", f"uvicorn.protocols.utils: {PRIVATE}"),
]


def write(root: Path, path: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text + "\n")


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A tree in which every boundary holds."""
    for path, text in GOOD.items():
        write(tmp_path, path, text)
    return tmp_path


def test_a_good_tree(good: Path) -> None:
    assert broken(good, frozenset()) == []


@pytest.mark.parametrize(("path", "text", "found"), BAD)
def test_an_import_over_a_boundary(good: Path, path: str, text: str, found: str) -> None:
    write(good, path, text)
    assert broken(good, frozenset()) == [f"{path}:{len(text.splitlines())} imports {found}"]


def test_a_lock_outside_of_the_commit(good: Path) -> None:
    write(good, "app/house/journal.py", "async def run(live):\n    await live.lock.acquire()")
    assert broken(good, frozenset()) == [f"app/house/journal.py:2 uses .lock: {LOCK}"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def show(table):\n    return table.sitting.saved.seed", "uses .sitting: pages read pictures only"),
        ("def show(picture):\n    return picture._table", "uses ._table: what is behind a picture is not for pages"),
    ],
)
def test_a_page_that_looks_behind_the_picture(good: Path, text: str, found: str) -> None:
    write(good, "app/web/pages.py", text)
    assert broken(good, frozenset()) == [f"app/web/pages.py:2 {found}"]


def test_what_is_known_is_let_through_until_it_is_gone(good: Path) -> None:
    known = frozenset({("app/web/pages.py", "jinja2.nodes")})
    write(good, "app/web/pages.py", "from jinja2 import nodes")
    assert broken(good, known) == []
    write(good, "app/web/pages.py", "")
    assert broken(good, known) == ["app/web/pages.py does not import jinja2.nodes any more: take it out of KNOWN"]


def test_tests_that_bear_no_modules_name(good: Path) -> None:
    write(good, "tests/app/test_pages.py", "")  # app/web/pages.py
    write(good, "tests/app/web/test_fuzz.py", "")  # one of those that test no single module
    assert broken(good, frozenset()) == [
        "tests/app/test_pages.py tests no module app/pages.py: a module's tests bear its name"
    ]
