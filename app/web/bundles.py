"""Which style sheets and scripts a page loads: bundles that the build has made, else the single files."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

import structlog
from msgspec import Struct

from app.paths import STATIC
from app.web.files import fingerprint, modified, static_file, style_sheets
from engine.game import Game

BUILT = "built"
TABLE = "table"
log = structlog.get_logger("web")


class Script(Struct, frozen=True):
    path: str
    module: bool


class Loads(Struct, frozen=True):
    """What a page loads, in this order."""

    styles: Sequence[str]
    scripts: Sequence[Script]


def loads(bundle: str, game: Game | None = None) -> Loads:
    """For a page, with the bundles if there are any for these sources. A game in a package of its own is not in them:
    its files come behind."""
    if game is not None and f"{bundle}-{game.key}" in bundled():
        return built(f"{bundle}-{game.key}")
    common = built(bundle) if bundle in bundled() else parts_of(bundle)
    return common if game is None else with_game(common, game)


def single_files(bundle: str, game: Game | None = None) -> Loads:
    """The same without bundles, for development."""
    common = parts_of(bundle)
    return common if game is None else with_game(common, game)


def built(name: str) -> Loads:
    return Loads((f"{BUILT}/{name}.css",), (Script(f"{BUILT}/{name}.js", False),))


def parts_of(bundle: str) -> Loads:
    parts = json.loads((STATIC / "bundles.json").read_text("utf-8"))[bundle]
    scripts = tuple(Script(path, not path.startswith("vendor/")) for path in parts["scripts"])
    return Loads(tuple(parts["styles"]), scripts)


def with_game(common: Loads, game: Game) -> Loads:
    """With the game's style sheets and its script, which may find the page before the common one changes it."""
    script = f"games/{game.key}/{TABLE}.js"
    own = (Script(script, True),) if static_file(script) else ()
    return Loads((*common.styles, *style_sheets(game)), (*common.scripts[:-1], *own, common.scripts[-1]))


@cache
def bundled() -> frozenset[str]:
    """The bundles that may be used: none if a source has changed since they were built."""
    manifest = STATIC / BUILT / "manifest.json"
    if not manifest.is_file():
        return frozenset()
    made: dict[str, Any] = json.loads(manifest.read_text("utf-8"))
    changed = [path for path, digest in made["inputs"].items() if fingerprint(path, modified(path)) != digest]
    if changed:
        log.warning("bundles are not used: their sources have changed; make setup builds them", changed=changed[:3])
        return frozenset()
    return frozenset(made["bundles"])
