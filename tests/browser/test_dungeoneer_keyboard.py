"""A whole game of Dungeoneer for one, from the first page to the result, by keyboard alone."""

import re

from playwright.sync_api import Page, expect

from tests.browser.lair_hand import AT_ONCE, press_until, typed
from tests.support.browser import Person
from tests.support.server import Server

WISHES = ("attempt ", "attack ", "move ")
WALKS = 2  # so many turns with deeds; then rounds go by, to the last one


def wish(moves: list[str], turn: int) -> str:
    """What gets the hero on in the first turns, later the first word."""
    wishes = WISHES if turn <= WALKS else ()
    return next((word for wish in wishes for word in moves if word.startswith(wish)), moves[0])


def pressed(page: Page, selector: str, key: str, then: str) -> None:
    """Go to this element with Tab, and press a key until that one has the focus."""
    press_until(page, selector, lambda: "Tab")
    press_until(page, then, lambda: key)


def test_a_game_for_one(server: Server, person: Person) -> None:
    page = person("Mira")
    page.add_init_script(f"addEventListener('DOMContentLoaded', () => {AT_ONCE})")
    page.goto(server.url)
    pressed(page, "input[name=game]", "ArrowRight", "[value=dungeoneer]")
    press_until(page, "form[action='/tables'] [name=name]", lambda: "Tab")
    page.keyboard.type("Mira")
    press_until(page, "form[action='/tables'] .btn.main", lambda: "Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/t/"))
    pressed(page, "[name='option.last_round']", "ArrowDown", "#o-last_round-20")  # the shortest game
    expect(page.locator("#o-last_round-20:checked")).to_have_count(1)
    press_until(page, "#start", lambda: "Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#hand")).to_be_visible()

    path, bearer = page.url.removeprefix(server.url), page.context.cookies()[0]["value"]
    while (view := server.view(path, bearer)[1])["phase"] == "playing":
        own, round = view["own"], view["shared"]["round"]
        if not own["moves"] or own["spared"]:
            continue
        asked = page.locator(f"#hand > [name=round][value='{round}']")
        expect(asked).to_have_count(1)
        typed(page, wish(own["moves"], view["shared"]["public"]["turn"]))
        expect(asked).to_have_count(0)
    expect(page.locator("body.face-result #scoring h1")).to_be_visible()
    press_until(page, "#rematch", lambda: "Tab")
