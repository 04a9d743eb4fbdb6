"""A whole game with the keyboard only: Tab, arrow keys, Space and Enter."""

import re

from playwright.sync_api import Page, expect

from tests.browser.table import go_on
from tests.support.browser import Person
from tests.support.server import Server

LAID = "() => document.body.matches('.playing, .face-result') || !document.querySelector('#hand :checked')"


def tab_to(page: Page, selector: str, most: int = 40) -> None:
    for _ in range(most):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no Tab leads to {selector}")


def test_a_whole_game(server: Server, person: Person) -> None:
    page = person("Mira")
    page.goto(server.url)
    tab_to(page, "form[action='/tables'] [name=name]")
    page.keyboard.type("Mira")
    tab_to(page, "[name=bots]")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/t/"))
    while True:
        page.wait_for_function(
            "() => document.querySelector('#hand [name=move], body.face-result') || document.body.matches('.playing')"
        )
        if page.locator("body.face-result").count():
            break
        if page.locator("body.playing").count():
            page.keyboard.press("Enter")
            page.wait_for_timeout(60)
            continue
        if not page.locator("#hand [name=move]:not([data-anytime])").count():
            page.wait_for_timeout(60)
            continue
        tab_to(page, "#hand input[name=move]")
        page.keyboard.press("ArrowRight")
        page.keyboard.press(" ")
        expect(page.locator("#hand :checked")).to_have_count(1)
        tab_to(page, "#hand .lay, #hand .light")
        page.keyboard.press("Enter")
        page.wait_for_function(LAID)
    go_on(page)  # the last room is played before the scoring
    expect(page.locator("#scoring h1")).to_be_visible()
    tab_to(page, "#rematch")


def test_the_first_tab_leads_past_the_top_line(server: Server, person: Person) -> None:
    page = person("Mira")
    page.goto(server.url + "/about")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#main$"))
