"""Files in a game's package: templates, static files, catalogues."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec

from engine.game import Game


def brought(game: Game, *parts: str) -> Traversable | None:
    """The file at this path in the game's package, if it exists."""
    file = in_package(game, *parts)
    return file if file and file.is_file() else None


def in_package(game: Game, *parts: str) -> Traversable | None:
    """This path in the game's package, whether it exists or not. A game that is a single module has no files."""
    spec = find_spec(game.package)
    if spec is None or spec.submodule_search_locations is None:
        return None
    return files(game.package).joinpath(*parts)
