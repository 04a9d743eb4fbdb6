"""The pages' texts, without a browser: they render in every position, in Russian, too, and are true."""

import re
from functools import partial
from random import Random
from typing import Any

import pytest

from engine.game import find
from engine.games.raiders.positions import Place
from engine.proof import Deal
from engine.table import Table
from tests.browser.positions import PAGES, WORDS, GamePosition, Position

TAGS = re.compile(r"<template>|<(script|style)\b.*?</\1>|<[^>]*>", re.S)
LATIN = re.compile(r"[A-Za-z]{3,}")
# Names and words that are the same in Russian.
ALLOWED = {
    "Facedown", "Mira", "Anton", "Leila", "Wick", "Bartholomew", "LAMP", "Dungeon", "Raiders", "https", "cards",
    "example", "token", "JSON", "cookie", "HOST", "Delapouite", "Lorc", "game", "icons", "net", "English",
}  # fmt: skip


def words_of(html: str) -> str:
    html = re.sub(r"<code\b.*?</code>|<head>.*?</head>|lang=\"en\">English", " ", html, flags=re.S)
    spoken = re.findall(r'(?:aria-label|placeholder|title)="([^"]*)"', html)
    return " ".join([*spoken, TAGS.sub(" ", html)])


def positions(seats: int, seed: int, **options: str) -> Any:
    """The positions of a whole game of random moves."""
    luck, game = Random(seed), find("raiders")
    at = GamePosition(*Table.begin(game, seats, Deal(f"{seed:02x}" * 32, ("",) * seats), options))
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


def test_who_leads_and_who_faints_is_marked_on_every_face() -> None:
    at = Position([Place(coins=9), Place(coins=3), Place(coins=20, wounds=1), Place(coins=1)])
    lead, faint = 'aria-label="in the lead"', 'aria-label="out, if it ended now"'
    for face in ("play", "screen"):
        for seat, place in enumerate(at.html(face).split("<li class=place")[1:]):
            assert (lead in place, faint in place) == (seat == 0, seat == 2), face
    for seat in range(4):
        hand = at.html("hand", seat)
        assert (lead in hand, faint in hand) == (seat == 0, seat == 2)


# texts of forecasts, compared with their data ------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_nothing_is_promised_that_may_not_come(mode: str) -> None:
    """The engine's tests compare forecasts with all possible plays; this compares the texts with the forecasts."""
    names = list("ABCDE")
    words = PAGES.languages["en"].get_template("games/raiders/verdicts.html").module
    for at in MODES[mode]():
        if at.table.over:
            break
        shared = at.table.shared()
        public = shared.public
        room = public.rooms[public.place - 1].room
        for seat in at.table.waits:
            own, me = at.table.own(seat), public.raiders[seat]
            for card, forecast in at.table.game.forecast(shared, own).items():
                if card in own.moves:
                    short = TAGS.sub("", str(words.short(forecast, room, names))).strip()  # type: ignore[attr-defined]
                    long = words.long(forecast, room, me.coins, names, public.mode)  # type: ignore[attr-defined]
                    keep_promises(short, TAGS.sub("", str(long)).strip(), forecast["effects"], me.coins)


def keep_promises(short: str, long: str, effects: list[dict[str, Any]], my_coins: int) -> None:
    said = (short, long, effects)
    coins = [e["coins"] for e in effects]
    harmed = [e["wounds"] > 0 or e["coins"] < 0 or e["out"] for e in effects]
    assert short and long and "Undefined" not in short + long
    if "not hit" in short:
        assert not any(harmed), said
    if "hit unless" in short:
        assert any(harmed) != all(harmed) or my_coins == 0, said
    if short.startswith("you are hit"):
        assert all(harmed) or my_coins == 0, said
    if short in ("nothing", "nothing to lose", "harms nobody", "nothing to heal"):
        assert all(e["coins"] == e["wounds"] == 0 and not e["item"] for e in effects), said
    if gain := re.fullmatch(r"\+(\d+) coins?", short):
        assert set(coins) == {int(gain[1])}, said
    if span := re.fullmatch(r"(\d+) to (\d+) coins?", short):
        assert (min(coins), max(coins)) == (int(span[1]), int(span[2])), said
    if ranks := re.findall(r"(?:highest|second) (?:\d+–)?(\d+)", short):
        assert max(coins) == max(map(int, ranks)), said
    if loss := re.fullmatch(r"you lose up to (\d+) coins?", short):
        assert min(coins) == -int(loss[1]) and max(coins) == 0, said
    if loss := re.fullmatch(r"you take (\d+) wounds?", short):
        assert {e["wounds"] for e in effects} == {int(loss[1])}, said
    if "is hit, not you" in long or "You cannot be" in long:
        assert not any(harmed), said
    if "whatever the others play" in long and "no coins" not in long:
        assert len(effects) == 1, said
