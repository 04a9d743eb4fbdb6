"""A game without templates is played to its end: its views, moves, events and scores are shown readably."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from msgspec import Struct
from playwright.sync_api import Page, expect

from app.web.templates import Templates
from tests.browser import table
from tests.browser.market import TREASURE
from tests.support.browser import Person, violations
from tests.support.server import Server

PHONE = {"phone": True, "viewport": {"width": 360, "height": 640}}


def facts(page: Page, where: str) -> dict[str, str]:
    """The single values that a view shows, by heading."""
    pairs = page.locator(f"{where} > dl > div").evaluate_all(
        "all => all.map((e) => [...e.children].map((c) => c.innerText))"
    )
    return dict(pairs)


def row(page: Page, seat: int, where: str = "#f-board .view") -> dict[str, str]:
    """A seat's row of the table of players, by heading."""
    cells = f"{where} > .rows tr[data-seat='{seat + 1}'] td[data-label]"
    return dict(page.locator(cells).evaluate_all("all => all.map((e) => [e.dataset.label, e.textContent])"))


def test_two_people_play_a_whole_game(plugged_server: Server, person: Person) -> None:
    ada, bo, tv = person("Ada"), person("Bo", **PHONE), person("TV", viewport={"width": 1280, "height": 720})
    table.begin_for_two(plugged_server, "market", ada, bo, tv)
    for page in (ada, bo, tv):
        expect(page.locator("#f-board .view")).to_be_visible()
        table.hold(page)

    # What everybody sees.
    for page in (ada, bo, tv):
        assert facts(page, "#f-board .view") == {
            "Round": "1", "Weather": "–", "Bell rung": "no", "Player": "–", "Last bids": "–", "Nothing yet": "–"
        }  # fmt: skip
        assert row(page, 1) == {"Coins": "0", "Goods": "–", "Guild": "–"}
        expect(page.locator("#f-board .view h3")).to_have_text(["Lots to come", "Harbour tax", "Corn", "Salt", "Map"])
        expect(page.locator("#f-board .view .more .rows tbody td:first-child")).to_have_text(["corn", "salt", "silk"])
        expect(page.locator("#f-board .view .grid tr")).to_have_count(3)
        expect(page.locator("#f-board .log li")).to_have_text(["The game begins."])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert not violations(page)
        assert TREASURE not in page.content()

    # What only one sees.
    hands = {}
    for page, other in ((ada, bo), (bo, ada)):
        mine = hands[page] = facts(page, "#hand .view")["Hand"]
        assert re.fullmatch(r"\d, \d, \d", mine)
        expect(page.locator("#hand button[name=move]")).to_have_text(
            [*(f"bid {card}" for card in mine.split(", ")), "ring bell"]
        )
        assert mine not in other.locator("main").inner_text() and mine not in tv.locator("main").inner_text()
    assert row(ada, 0, "#hand .view") == {"Hopes": "has a plan"}
    assert row(ada, 1, "#hand .view") == {"Hopes": "envies you"}
    expect(tv.locator("#hand, [name=move]")).to_have_count(0)
    ada.click("#hand .hold")  # hide
    expect(ada.locator("#hand .view")).not_to_be_visible()
    expect(ada.locator("#hand button[name=move]").first).not_to_be_visible()
    ada.click("#hand .hold")

    # A move at any time, and one that is taken back.
    bo.click("#hand button[value=ring_bell]")
    expect(tv.locator("#f-board .log li")).to_have_text(["Bo: rang", "Bo: ring bell", "The game begins."])
    assert facts(tv, "#f-board .view")["Bell rung"] == "yes"
    first = ada.locator("#hand button[name=move]").first
    said = first.inner_text()
    first.click()
    expect(ada.locator("#hand .ask")).to_contain_text(f"So far: {said}")
    expect(bo.locator("#f-board tr[data-seat='1'] .state .back")).to_be_visible()
    assert said not in bo.locator("main").inner_text()
    ada.click("#take-back")

    # Both bid their lowest card.
    for round in (1, 2):
        bids = {}
        for page in (ada, bo):
            lowest = page.locator("#hand button[name=move]").first
            bids[page] = lowest.inner_text()
            lowest.click()
        for page in (tv, ada, bo) if round == 1 else (tv,):
            table.wait_for_reveal(page)
            expect(page.locator(".stage .card")).to_have_text([bids[ada], bids[bo]])
            expect(page.locator(".story li").first).to_have_text(
                re.compile(r"(Ada|Bo): sold – lot (corn|salt); price \d")
            )
            expect(page.locator(".story li").nth(1)).to_contain_text("next weather light rain")
            table.go_on(page)
        if round == 1:
            high = 0 if bids[ada] > bids[bo] else 1
            for page in (ada, bo, tv):
                expect(page.locator("#f-board .view > dl")).to_contain_text("light rain")
                assert facts(page, "#f-board .view")["Player"] == ("Ada", "Bo")[high]
                assert row(page, high)["Goods"] == "corn"
                assert row(page, 0)["Last bids"] == bids[ada].removeprefix("bid ")
                # Two lots are left for two players, and are still a list of lots.
                expect(page.locator("#f-board .more .rows tbody td:first-child")).to_have_text(["salt", "silk"])

    for page in (ada, bo, tv):
        page.wait_for_selector(".ranks", state="attached")
        table.go_on(page)
        expect(page.locator("h1:not(.sr):visible")).to_have_text(re.compile(r"(Ada|Bo) wins"))
        expect(page.locator(".ranks thead th")).to_have_text(["Player", "Coins", "Last bid", "Place"])
        assert sum(map(int, page.locator(".ranks tbody td:nth-child(2)").all_inner_texts())) == 5
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert not violations(page)
    table.leave(ada, bo, tv)


# ---------- any plain data ----------

NAMES = ("Ada", "Bo", "Cy")
Show = Callable[..., str]


@pytest.fixture(scope="module")
def show() -> Show:
    module: Any = Templates().languages["en"].get_template("parts/values.html").module

    def show(value: Any, guess: bool = True) -> str:
        html = str(module.view(value, NAMES, guess))
        return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html)).strip()

    return show


class Named(Struct):
    BY_SEAT: ClassVar = ("points",)

    points: tuple[int, ...]
    dice: tuple[int, ...]


@dataclass
class Card:
    suit: str
    worth: int | None


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, ""),
        ({}, ""),
        ("two_words", "two words"),
        ({"first_card": None, "left": 0, "open": True, "ratio": 0.5}, "First card – Left 0 Open yes Ratio 0.5"),
        ({"winner": 1, "order": [2, 0, 1], "seat": 9}, "Winner Bo Order Cy , Ada , Bo Seat 9"),
        ({"cards": ["a", "b"]}, "Cards a, b"),
        ({"pile": [Card("red", 1), Card("blue", None)]}, "Pile Suit Worth red 1 blue –"),
        ({"top": Card("red", 1)}, "Top Suit red Worth 1"),
        ({"grid": [[1, 2], [3, 4]]}, "Grid 1 2 3 4"),
        ({"points": [3, 4, 5]}, "Player Points Ada 3 Bo 4 Cy 5"),
        ({"points": {0: 3, 1: 4, 2: 5}}, "Player Points Ada 3 Bo 4 Cy 5"),
        ({"table": [Card("red", 1), None, Card("blue", 2)]}, "Player Suit Worth Ada red 1 Bo – – Cy blue 2"),
        (Named((3, 4, 5), (6, 6, 6)), "Dice 6, 6, 6 Player Points Ada 3 Bo 4 Cy 5"),
        ({"<b>": "<i>"}, "&lt;b&gt; &lt;i&gt;"),
    ],
)
def test_plain_data_is_shown_readably(show: Show, value: Any, shown: str) -> None:
    assert show(value) == shown


def test_a_list_of_a_hand_is_not_mistaken_for_the_players(show: Show) -> None:
    assert show({"hand": [3, 4, 5]}, guess=False) == "Hand 3, 4, 5"
    assert show({"knows": {0: 3, 1: 4, 2: 5}}, guess=False) == "Player Knows Ada 3 Bo 4 Cy 5"
