"""No page of any recorded game shows a tag or an entity as text, in any language, has a tag that is not closed, or has
an icon that is in no sprite. Without a browser."""

import json
import re
from collections import deque
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from app.dev.tables import Beginning, Making, at_line, person
from app.paths import STATIC, TEMPLATES
from app.table import actions as do
from app.table.events import History
from app.table.picture import Picture, draw
from app.web.context import Audience, Scene
from app.web.faces import FACES, fits
from app.web.fragments import Fragments
from app.web.icons import frame_icons
from app.web.languages import languages
from app.web.render_cache import RenderCache
from app.web.templates import templates_of
from engine.game import Game
from engine.proof import canonical
from tests.support.wellformed import malformed

GAMES = Path(__file__).parents[1] / "engine" / "games"
RECORDED = sorted(GAMES.glob("*/corpus/*.jsonl"))

# A tag or an entity that was escaped, or a tag in an attribute, which screen readers would spell.
AS_TEXT = re.compile(r"""&lt;/?[a-z!]|&amp;\#?\w+;|=(?:"[^"<]*<[^"]*"|'[^'<]*<[^']*')""")

ICON_ID = re.compile(r'<ic ([^ ">]+)')
LABEL = re.compile(r'<ic [^ ">]+ "([^"]*)"')


def names_as_labels(html: str, names: list[str]) -> list[str]:
    """Labels of icons with a player's name. Scripts expand them in pages; a name belongs into the text beside them."""
    labels: list[str] = LABEL.findall(html)
    return [label for label in labels if any(name and name in re.findall(r"\w+", label) for name in names)]


def unknown_icons(html: str, game: Game) -> list[str]:
    """Icons that are neither in the sprite of the frame nor in the game's."""
    return [id for id in ICON_ID.findall(html) if id not in frame_icons() and id not in icons_of(game.key)]


@cache
def icons_of(key: str) -> frozenset[str]:
    return frozenset(json.loads((STATIC / "games" / key / "icons.json").read_text("utf-8")))


def shown_markup(html: str) -> list[str]:
    return [html[max(0, found.start() - 60) : found.end() + 60] for found in AS_TEXT.finditer(html)]


class Replay(Making):
    """Makes the table of a recorded game, and renders parts of its pages after each entry, or now and then."""

    def __init__(self, beginning: Beginning) -> None:
        self.fragments = Fragments(templates_of(False), RenderCache())
        self.history = History()
        self.picture: Picture | None = None
        self.languages = deque(languages())
        self.looks = 0
        self.every = 1 + len(beginning.moves) // 40  # long games have many alike entries
        self.wrong: dict[str, str] = {}  # what was found, by where
        super().__init__(beginning)

    def note(self, entry: do.Entry, events: Any) -> None:
        super().note(entry, events)
        if events:
            self.history = self.history.add(canonical(events).decode())
        before, self.picture = self.picture, draw(self.sitting, self.history, self.picture)
        if before is not None and self.sitting.seq % self.every:
            return
        if before is None or events:
            self.look_at_next(self.picture)
        elif self.picture.shared:
            self.look([("play", "own")], self.languages[0], self.picture.people[entry.person])  # this seat's answer

    def look_at_next(self, picture: Picture) -> None:
        """Each time the next face in the next language, as the next seat sees it; every reveal, whatever the face."""
        faces = [face for face in FACES.values() if fits(face, picture)]
        face = faces[self.looks // len(self.languages) % len(faces)]
        parts = [(face.name, part) for part in face.parts]
        if picture.shared and ("play", "reveal") not in parts:
            parts.append(("play", "reveal"))
        self.look(parts, self.languages[0], self.looks % len(picture.card.seats))
        self.languages.rotate()
        self.looks += 1

    def look_at_all(self) -> None:
        """All faces in all languages."""
        assert self.picture is not None
        parts = [(face.name, part) for face in FACES.values() if fits(face, self.picture) for part in face.parts]
        for language in self.languages:
            self.look(parts, language, 0)

    def look(self, parts: list[tuple[str, str]], language: str, seat: int) -> None:
        """Render these parts, by face, as this seat sees them."""
        assert self.picture is not None
        me = self.picture.me(person(seat))
        for face, part in parts:
            scene = Scene.of("table", self.picture, 0, Audience(face, language, "http://x"), me)
            html = self.fragments.of(scene, part).html
            names = [seat.name for seat in self.picture.card.seats]
            faults = malformed(html) if language == "en" else []  # the same in all languages, and slow
            faults += [f"no icon {id}" for id in unknown_icons(html, self.picture.game)]
            for found in (*shown_markup(html), *names_as_labels(html, names), *faults):
                self.wrong.setdefault(f"{face} {part} {language}", found)


@pytest.mark.no_cover
@pytest.mark.parametrize("file", RECORDED, ids=[f"{file.parents[1].name}-{file.stem}" for file in RECORDED])
def test_no_page_of_a_recorded_game_shows_markup(file: Path) -> None:
    replay = Replay(at_line(file.read_bytes().splitlines(), None, None))
    replay.make()
    replay.look_at_all()
    assert replay.sitting.phase == "over"
    assert not replay.wrong


def test_words_with_markup_are_made_by_macros() -> None:
    """In `"<b>"|safe ~ text` Jinja joins constants as plain text, which is then escaped."""
    assert [path for path in TEMPLATES.rglob("*.html") if "|safe" in path.read_text("utf-8")] == []
