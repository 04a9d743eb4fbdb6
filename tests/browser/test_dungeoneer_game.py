"""A whole game of Dungeoneer from the lobby to the rematch: a laptop, two phones, one of them beside a TV."""

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec import Struct
from playwright.sync_api import Page, expect

from tests.browser.lair_hand import AT_ONCE, pointed
from tests.browser.table import join, open_table
from tests.support.browser import Person
from tests.support.ports import wait_until
from tests.support.programs import Choose, Http, Table
from tests.support.server import Server

NAMES = ("Mira", "Anton", "Leila")
WISHES = ("complete ", "attempt ", "take ", "stand", "group", "attack ", "move ")
View = dict[str, Any]


def sensible(moves: list[str], drafted: object = ()) -> str:
    """The first choice that gets the hero on; a group of one."""
    if moves[0] == "done":
        return moves[0] if drafted else moves[-1]
    return next((word for wish in WISHES for word in moves if word.startswith(wish)), moves[0])


def quarrelsome(luck: Random, moves: list[str]) -> str:
    """The first choice, but with a group against rivals."""
    if moves[0] == "done":
        return luck.choice(moves)
    return "group" if "group" in moves and luck.random() < 0.9 else moves[0]


def first(luck: Random, moves: list[str]) -> str:
    return moves[0]


def awaited(view: View) -> bool:
    """Whether this player is asked; where only a pass is left, the table makes it."""
    return bool(view["own"] and view["own"]["moves"]) and not view["own"]["spared"]


def attacked(view: View) -> bool:
    return awaited(view) and view["shared"]["asks"] in ("Respond", "Challenge")


class Played(Struct):
    """A game in which everybody has a page."""

    server: Server
    pages: list[Page]
    token: str
    bearers: dict[int, str]

    def view(self, seat: int | None = None) -> View:
        return self.server.view(f"/t/{self.token}", "" if seat is None else self.bearers[seat])[1]

    def by_hand(self, until: Callable[[View], bool]) -> None:
        """On their pages, everybody takes the first sensible choice."""
        while not until(self.view()):
            views = {seat: self.view(seat) for seat in self.bearers}
            seat = next((seat for seat, view in views.items() if view["phase"] == "playing" and awaited(view)), None)
            if seat is not None:
                self.choose(seat, views[seat])

    def choose(self, seat: int, before: View) -> None:
        page, own = self.pages[seat], before["own"]
        expect(page.locator(f"#hand > [name=round][value='{before['shared']['round']}']")).to_have_count(1)
        if own["draft"]:
            expect(page.locator("#hand .sentence b")).to_have_count(len(own["draft"]))
        pointed(page, sensible(own["moves"], own["draft"]))
        wait_until(lambda: stands(before) != stands(self.view(seat)), f"what follows {own['moves']}")

    def by_programs(self, choose: Choose, until: Callable[[View], bool]) -> None:
        with Http(self.server.port) as http:
            Table(http, self.token, self.bearers).play(Random(1), until, choose)


def stands(view: View) -> tuple[Any, ...]:
    return view["phase"], view["shared"]["round"], view["own"] and view["own"]["draft"]


def test_from_the_lobby_to_the_rematch(server: Server, person: Person) -> None:
    mira, anton, leila = person("Mira"), person("Anton", phone=True), person("Leila", phone=True)
    tv = person("TV", viewport={"width": 1920, "height": 1080})
    people = [mira, anton, leila]
    for page in (*people, tv):
        page.add_init_script(f"addEventListener('DOMContentLoaded', () => {AT_ONCE})")
    link = open_table(mira, server, "Mira", game="dungeoneer")
    for page, name in ((anton, "Anton"), (leila, "Leila")):
        join(page, link, name)
        page.click("#ready")
    tv.goto(link + "/screen")
    mira.click("#o-last_round-20")  # the shortest game
    expect(anton.locator("#f-lobby")).to_contain_text("The 20th")
    mira.click("#start")
    for page, face in ((mira, "play"), (anton, "play"), (leila, "play"), (tv, "screen")):
        expect(page.locator(f"body.face-{face} section.map-view")).to_be_visible()
    leila.goto(link + "/hand")

    bearers = {seat: page.context.cookies()[0]["value"] for seat, page in enumerate(people)}
    played = Played(server, people, link.rsplit("/", 1)[1], bearers)
    begins = played.view()["shared"]["public"]["active"]
    played.by_hand(until=lambda view: view["shared"]["public"]["turn"] > 1)
    expect(tv.locator(".turn-of")).to_contain_text(NAMES[(begins + 1) % 3])

    # Programs play on until somebody is attacked and can answer; who is attacked reloads the page.
    played.by_programs(quarrelsome, until=attacked)
    victim = next(seat for seat in bearers if attacked(played.view(seat)))
    people[victim].reload()
    for page in (people[victim], tv):
        expect(page.locator(".bout").first).to_be_visible()
    played.by_hand(until=lambda view: not view["shared"]["public"]["group"])

    # Programs again, to the last turn; meanwhile nobody looks.
    links = [page.url for page in (*people, tv)]
    for page in (*people, tv):
        page.goto("about:blank")
    last = {"round": 20, "active": (begins + 2) % 3}
    played.by_programs(first, until=lambda view: last.items() <= view["shared"]["public"].items())
    for page, url in zip((*people, tv), links, strict=True):
        page.goto(url)
    played.by_hand(until=lambda view: view["phase"] != "playing")

    headings = set()
    for page in (mira, anton):
        expect(page.locator("body.face-result #scoring .ranks tbody tr")).to_have_count(3)
        headings.add(page.locator("#scoring h1").inner_text())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(tv.locator("#f-board h1")).to_have_text(headings.pop())
    assert not headings

    mira.click("#rematch")
    for page in people:
        expect(page.locator("#f-lobby")).to_be_visible()
    expect(tv.locator(".gathering")).to_contain_text("Mira’s table")
