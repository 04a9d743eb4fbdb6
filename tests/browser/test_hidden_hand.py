"""A hidden hand shows nothing: not the cards, not which is lifted, not which has the focus."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import ask, lift, play_bots
from tests.support.browser import Person
from tests.support.server import NewServer


def picture(page: Page) -> bytes:
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")
    box = page.locator("#hand").bounding_box()
    assert box
    clip: Any = {"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"]}
    return page.screenshot(clip=clip, animations="disabled")  # a card that was lifted is where it settles


def tap(page: Page) -> None:
    """Short for the page, however slow the machine is: held, the button does something else."""
    page.evaluate("() => { performance.now = () => 1 }")
    page.click(".hold")
    page.evaluate("() => { delete performance.now }")


@pytest.mark.parametrize("face", ["", "/hand"])
def test_nothing_tells_which_card_is_lifted(serve: NewServer, person: Person, face: str) -> None:
    page = person("Mira", phone=True)
    link = play_bots(page, serve(BOT_PAUSE="0"))
    page.goto(link + face)
    ask(page)
    shown = []
    for n in (0, 3):
        if page.locator(":root.hiding").count():
            tap(page)
        lift(page, n)
        tap(page)
        expect(page.locator(":root.hiding")).to_have_count(1)
        shown.append(picture(page))
    assert shown[0] == shown[1], "two lifted cards look alike"
    expect(page.locator("#hand .card").first).to_be_hidden()
    expect(page.locator("#hand .back").first).to_be_visible()
    assert page.locator(".fates").inner_text().strip() == "Your cards are hidden."
    # It is remembered, and no key finds the way in.
    page.reload()
    ask(page)
    assert page.locator(":root.hiding").count() == 1
    for _ in range(12):
        page.keyboard.press("Tab")
        assert not page.evaluate("document.activeElement.matches('#hand input')")
    # Holding shows them only as long as it is held.
    hold = page.locator(".hold").bounding_box()
    assert hold
    page.mouse.move(hold["x"] + 5, hold["y"] + 5)
    page.mouse.down()
    expect(page.locator("#hand .card").first).to_be_visible()
    page.wait_for_timeout(400)
    page.mouse.up()
    expect(page.locator("#hand .card").first).to_be_hidden()
    # The lifted card can be laid without showing it.
    page.click("#hand .lay")
    expect(page.locator("#take-back, body.playing").first).to_be_attached()


def test_laying_without_lifting_says_so_quietly(serve: NewServer, person: Person) -> None:
    page = person("Mira")
    play_bots(page, serve(BOT_PAUSE="0"))
    tap(page)
    page.locator("#hand .none").click(force=True)
    assert page.locator("body.playing").count() == 0
    tap(page)
    page.locator("#hand .none").click(force=True)
    expect(page.locator("#hand input:focus")).to_have_count(1)  # there one lifts a card
