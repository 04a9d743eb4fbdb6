"""The sprites: one of the frame (menu, seats, lobby, result), one of each game, and one of the games' pictures.

`static/icons.json` lists the frame's icons, `static/games/<key>/icons.json` a game's, each with its name in game-icons;
the emblems of `static/seats.json` become `seat-1`, `seat-2`, …. A list has to agree with the templates: an icon that
they name must be listed, and a listed one must be named, by a template or by the rules and cards that give the name.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from building.outlines import rounded

CREDIT = "game-icons.net, by Lorc, Delapouite and others, CC BY 3.0 (creativecommons.org/licenses/by/3.0)"
FRAME = "frame"
SEATS = Path("static", "seats.json")
# `<ic coin>`, `<ic coin "coins">`, `<ic lair-{{ card.name }}>`, `<ic {% if so %}lock{% else %}unlock{% endif %}>`.
ICON = re.compile(r"<ic ((?:\{\{.*?\}\}|\{%.*?%\}|[^>{])*)>", re.DOTALL)
WRITTEN = re.compile(r'([\w-]+)(?: ".*)?', re.DOTALL)
BEGUN = re.compile(r"([\w-]+-)(?=\{\{)")
WORD = re.compile(r"[\w-]+")
QUOTED = re.compile(r"""['"]([\w-]+)['"]""")
DRAWN = re.compile(r"\}\}#([\w-]+-)\{\{")  # <use href="{{ asset("built/icons-tomb.svg") }}#tomb-{{ id }}"/>
OUTLINE = re.compile(r' d="([^"]*)"')


class Area:
    """The frame, or a game: which icons it lists, and the texts that name them."""

    def __init__(self, root: Path, name: str) -> None:
        self.name = name
        if name == FRAME:
            self.list = root / "static" / "icons.json"
            parts = [path for path in (root / "templates").rglob("*.html")]
            ours = [path for path in parts if "games" not in path.parts[-3:-1] or path.parent.name == "_plain"]
            self.templates, self.code = ours, list[Path]()
        else:
            self.list = root / "static" / "games" / name / "icons.json"
            self.templates = list((root / "templates" / "games" / name).glob("*.html"))
            rules = (root / "engine" / "games" / name).rglob("*")
            self.code = [file for file in rules if file.suffix in (".py", ".toml")]

    @property
    def icons(self) -> dict[str, str]:
        found: dict[str, str] = json.loads(self.list.read_text("utf-8")) if self.list.is_file() else {}
        return found

    def uses(self) -> "Uses":
        texts = [file.read_text("utf-8") for file in sorted(self.templates)]
        code = {word for file in self.code for word in WORD.findall(file.read_text("utf-8"))}
        inside = [content for text in texts for content in ICON.findall(text)]
        written = {found[1] for content in inside if (found := WRITTEN.fullmatch(content.strip()))}
        begun = {start for content in inside for start in BEGUN.findall(content)}
        begun |= {start for text in texts for start in DRAWN.findall(text)}
        quoted = {word for text in texts for word in QUOTED.findall(text)}
        quoted |= {word for content in inside for word in WORD.findall(content)}
        words = {word for text in texts for word in WORD.findall(text)}
        return Uses({name for name in written if name not in begun}, quoted | code, begun, words | code)


class Uses(NamedTuple):
    named: set[str]  # icons that templates name
    names: set[str]  # words that a template may put where it names an icon
    begun: set[str]  # beginnings of names, such as `lair-`
    words: set[str]  # that may follow these

    def may_be(self, id: str) -> bool:
        """Whether an icon is used, as far as texts can tell."""
        if id in self.named or id in self.names:
            return True
        return any(id.startswith(start) and id.removeprefix(start) in self.words for start in self.begun)


def areas(root: Path) -> list[Area]:
    lists = sorted((root / "static" / "games").glob("*/icons.json"))
    return [Area(root, FRAME), *(Area(root, file.parent.name) for file in lists)]


def seats(root: Path) -> dict[str, str]:
    found = json.loads((root / SEATS).read_text("utf-8"))
    return {f"seat-{n}": seat["emblem"] for n, seat in enumerate(found, 1)}


def read_icons(root: Path) -> dict[str, dict[str, str]]:
    """The icons of each area: id -> name in game-icons. Raises SystemExit if lists and templates disagree."""
    found, wrong = {area.name: area.icons for area in areas(root)}, list[str]()
    found[FRAME] = {**seats(root), **found[FRAME]}
    for area in areas(root):
        uses, both = area.uses(), {**found[FRAME], **found[area.name]}
        wrong += [f"{area.name}: templates use the icon {id!r}, which is not listed" for id in uses.named - both.keys()]
        wrong += [f"{area.name}: no template uses the icon {id!r}" for id in area.icons if not uses.may_be(id)]
        if area.name != FRAME:
            shared = area.icons.keys() & found[FRAME].keys()
            wrong += [f"{area.name}: the icon {id!r} is one of the frame" for id in shared]
    if wrong:
        raise SystemExit("\n".join(sorted(wrong)))
    return found


def sprite(wanted: dict[str, str], icons: dict[str, dict[str, str]]) -> str:
    """One file of all icons; pages show one by its id."""
    if missing := sorted(set(wanted.values()) - icons.keys()):
        raise SystemExit(f"game-icons has no icon named: {', '.join(missing)}")
    return together({id: lighter(icons[name]["body"]) for id, name in wanted.items()})


def pictures(files: Iterable[Path]) -> str:
    """One file of the games' pictures, by the key of the game."""
    found = {}
    for file in files:
        _, _, content = re.sub(r"<!--.*?-->", "", file.read_text("utf-8"), flags=re.DOTALL).partition(">")
        found[file.parent.name] = lighter(content.rpartition("</svg>")[0].strip())
    return together(found)


def together(symbols: dict[str, str]) -> str:
    lines = [f'<symbol id="{id}" viewBox="0 0 512 512">{body}</symbol>' for id, body in symbols.items()]
    return "\n".join(['<svg xmlns="http://www.w3.org/2000/svg">', f"<!-- {CREDIT} -->", *lines, "</svg>", ""])


def lighter(body: str) -> str:
    return OUTLINE.sub(lambda found: f' d="{rounded(found[1])}"', body)
