"""Icons: `<ic coin>` and `<ic coin "coins">` in templates, shown from the sprite of the frame or that of a game."""

import json
from collections.abc import Callable
from functools import cache
from re import Match, compile

from app.paths import STATIC
from app.web.files import static_file
from engine.game import Game

ICON = compile(r'<ic ([^ ">]+)(?: "([^"]*)")?>')
FRAME = "built/icons-frame.svg"
PICTURES = "built/pictures.svg"


def expanded(html: str, asset: Callable[[str], str], game: Game | None) -> str:
    """With an svg for each icon; the same as in static/js/pictures.js."""
    frame, own = asset(FRAME), asset(sprite_of(game) or FRAME)

    def svg(found: Match[str]) -> str:
        id, label = found.groups("")
        read = f'role="img" aria-label="{label}"' if label else 'aria-hidden="true"'
        return f'<svg class="ic" {read}><use href="{frame if id in frame_icons() else own}#{id}"/></svg>'

    return ICON.sub(svg, html)


def sprite_of(game: Game | None) -> str:
    """The path of a game's own sprite: one that was built, or `static/icons.svg` of its package; "" if it has none."""
    if game is None:
        return ""
    paths = f"built/icons-{game.key}.svg", f"games/{game.key}/icons.svg"
    return next((path for path in paths if static_file(path)), "")


@cache
def frame_icons() -> frozenset[str]:
    listed, seats = (json.loads((STATIC / name).read_text("utf-8")) for name in ("icons.json", "seats.json"))
    return frozenset([*listed, *(f"seat-{n}" for n in range(1, len(seats) + 1))])


@cache
def drawn_pictures() -> frozenset[str]:
    """The games whose pictures are in the file of all pictures."""
    file = STATIC / PICTURES
    return frozenset(compile(r'<symbol id="(\w+)"').findall(file.read_text("utf-8") if file.is_file() else ""))
