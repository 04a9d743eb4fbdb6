"""The pages' words, without a browser: they render in every position, they are all there in Russian, they are true."""

import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from engine.game import find
from engine.proof import Deal
from engine.table import Table
from tests.browser.positions import PAGES, WORDS, Position

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "app" / "locale" / "ru.po"
TAGS = re.compile(r"<template>|<(script|style)\b.*?</\1>|<[^>]*>", re.S)
FIELD = re.compile(r"%\((\w+)\)[sd]|\{(\w+)\}")
LATIN = re.compile(r"[A-Za-z]{3,}")
# Names, and what has no other word.
ALLOWED = {"Facedown", "Mira", "Anton", "Leila", "Wick", "Bartholomew", "LAMP", "Dungeon", "Raiders", "https", "cards", "example",
           "token", "JSON", "cookie", "HOST", "Delapouite", "Lorc", "game", "icons", "net", "English"}  # fmt: skip


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    with CATALOGUE.open("rb") as file:
        return read_po(file, locale="ru")


def test_the_catalogue_is_complete_and_has_nothing_old(catalogue: Catalog) -> None:
    before = CATALOGUE.read_bytes()
    code = "import sys; sys.path.insert(0, 'tools'); import messages; sys.stdout.buffer.write(messages.updated())"
    updated = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True).stdout
    assert updated == before, "run tools/messages.py"
    assert not catalogue.obsolete
    for message in catalogue:
        if message.id:
            texts = message.string if isinstance(message.string, tuple) else (message.string,)
            assert all(texts), f"no Russian for {message.id!r}"
            assert not message.fuzzy


def test_plurals_have_three_forms_and_fields_are_the_same(catalogue: Catalog) -> None:
    for message in catalogue:
        if not message.id:
            continue
        if isinstance(message.id, tuple):
            assert len(message.string) == 3, message.id
        originals = message.id if isinstance(message.id, tuple) else (message.id,)
        texts = message.string if isinstance(message.string, tuple) else (message.string,)
        wanted = {name for text in originals for name in FIELD.findall(text)}
        for text in texts:
            assert set(FIELD.findall(text)) == wanted, f"{originals[0]!r} has other fields than {text!r}"


def words_of(html: str) -> str:
    html = re.sub(r"<code\b.*?</code>|<head>.*?</head>|lang=\"en\">English", " ", html, flags=re.S)
    spoken = re.findall(r'(?:aria-label|placeholder|title)="([^"]*)"', html)
    return " ".join([*spoken, TAGS.sub(" ", html)])


def positions(seats: int, seed: int, **options: str) -> Any:
    """A whole game by random moves: the position after each."""
    luck, game = Random(seed), find("raiders")
    at = Position.__new__(Position)
    at.table, began = Table.begin(game, seats, Deal(f"{seed:02x}" * 32, ("",) * seats), options)
    at.seats, at.events, at.last_reveal = seats, [], 1
    at.tell(began)
    yield at
    while not at.table.over:
        seat = luck.choice(at.table.waits)
        moves = at.table.moves(seat) + (at.table.anytime(seat) if luck.random() < 0.2 else [])
        at.tell(at.table.play(seat, luck.choice(moves), at.table.round, WORDS))
        yield at


MODES = {
    "second, sealed": partial(positions, 4, 1, edition="second", play="sealed"),
    "second, open": partial(positions, 5, 2, edition="second", play="open"),
    "second, three": partial(positions, 3, 3, edition="second", play="sealed"),
    "first, open": partial(positions, 4, 4, edition="first", play="open"),
    "first, sealed": partial(positions, 5, 5, edition="first", play="sealed"),
    "duel": partial(positions, 2, 6, edition="first", play="open"),
    "solo": partial(positions, 1, 7, edition="first"),
}


@pytest.mark.parametrize("mode", MODES)
def test_every_page_renders_in_every_position_and_in_russian(mode: str) -> None:
    for n, at in enumerate(MODES[mode]()):
        seat = n % at.seats
        for face in ("play", "hand", "screen") if n % 3 == 0 or at.table.over else ("play",):
            at.html(face, seat)
            russian = words_of(at.html(face, seat, "ru"))
            left = set(LATIN.findall(russian)) - ALLOWED
            assert not left, f"English words are left on the {face} face: {left}"


def test_names_are_never_bent() -> None:
    """Names stay in the nominative: every one of them is a field of its own, and no verb after it has a gender."""
    gendered = re.compile(r"%\((?:person|people|name|second|host)\)s[^.;:,(–]*?\b\w+(?:ла|лся|лась|шёл|шла)\b")
    with CATALOGUE.open("rb") as file:
        for message in read_po(file, locale="ru"):
            for text in message.string if isinstance(message.string, tuple) else (message.string,):
                assert message.id == "" or not gendered.search(text or ""), text


# What a page promises, against all that may happen -------------------------------------------------------------------


def verdict(forecast: dict[str, Any], room: Any, part: str = "short", **more: Any) -> str:
    module = PAGES.languages["en"].get_template("games/raiders/verdicts.html").module
    return TAGS.sub("", str(getattr(module, part)(forecast, room, *more.values()))).strip()


@pytest.mark.parametrize("mode", MODES)
def test_nothing_is_promised_that_may_not_come(mode: str) -> None:
    """The forecasts are compared with all that rivals may play by the engine's tests; here the words with the forecasts."""
    for at in MODES[mode]():
        if at.table.over:
            break
        public = at.table.shared().public
        room = public.rooms[public.place - 1].room
        for seat in at.table.waits:
            own = at.table.own(seat)
            for card, forecast in at.table.game.help(at.table.shared(), own).items():
                if card not in own.moves:
                    continue
                short = verdict(forecast, room)
                long = verdict(forecast, room, "long", my=public.raiders[seat], names=["A", "B", "C", "D", "E"], mode=public.mode)
                effects = forecast["effects"]
                harmed = [e for e in effects if e["wounds"] > 0 or e["coins"] < 0 or e["out"]]
                assert short and long and "Undefined" not in short + long
                if "safe" in short and "if" not in short:
                    assert not harmed, (short, forecast)
                if short.startswith(("you are hit", "hit, unless others")):
                    assert harmed or not (room.wounds or room.coins or room.stone) or public.raiders[seat].coins == 0, (short, forecast)
                if short in ("nothing", "nothing to lose", "harms nobody", "not you", "nothing to heal"):
                    assert all(e["coins"] == e["wounds"] == 0 and not e["item"] for e in effects), (short, forecast)
                if (gain := re.fullmatch(r"\+(\d+) coins?", short)) is not None:
                    assert {e["coins"] for e in effects} == {int(gain[1])}, (short, forecast)
                if (span := re.fullmatch(r"(\d+) to (\d+) coins?", short)) is not None:
                    assert {min(e["coins"] for e in effects), max(e["coins"] for e in effects)} == set(map(int, span.groups()))
                if "is hit, not you" in long or "You cannot be" in long:
                    assert not harmed, (long, forecast)
                if "whatever the others play" in long and "no coins" not in long:
                    assert len(effects) == 1, (long, forecast)
