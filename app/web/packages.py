"""What a game's package brings along: templates, static files, a catalogue."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec

from engine.game import Game


def brought(game: Game, *parts: str) -> Traversable | None:
    """The file at this path in the game's package, if there is one. A game that is one module brings nothing."""
    spec = find_spec(game.package)
    if spec is None or spec.submodule_search_locations is None:
        return None
    file = files(game.package).joinpath(*parts)
    return file if file.is_file() else None
