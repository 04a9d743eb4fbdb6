"""A hidden hand reveals nothing: neither cards nor which one is lifted, laid or focused."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine.games.raiders.positions import Place
from tests.browser.positions import Position, shown
from tests.browser.table import ask, lift, play_bots
from tests.support.browser import Person
from tests.support.server import Server

ITEMS = {"key": 1, "sword": 1, "ball": 1, "torch": 1}
ROOMS: dict[str, dict[str, Any]] = {
    "monster": {"floor": 2, "rooms": "troll"},
    "boss to flee from": {"floor": 5, "place": 5, "boss": "wolf_pack"},
}
WIDTHS = range(360, 430, 7)
LIFT = """n => document.querySelectorAll("#hand input[name=move]").forEach((card, m) => { card.checked = m === n })"""
# The height of the hand with no card lifted, and with each card lifted.
HEIGHTS = """() => [-1, ...document.querySelectorAll("#hand input[name=move]").keys()].map((n) => {
  document.querySelectorAll("#hand input[name=move]").forEach((card, m) => { card.checked = m === n });
  return document.querySelector("#hand").getBoundingClientRect().height;
})"""


# Does a click on this button submit a form? The submission itself is prevented.
SENDS = """selector => {
  let sends = false;
  const note = (event) => { sends = true; event.preventDefault(); event.stopPropagation(); };
  document.body.addEventListener("submit", note, { capture: true });
  document.querySelector(selector).click();
  return sends;
}"""


def picture(page: Page) -> bytes:
    page.mouse.move(0, 0)
    return page.locator("#hand").screenshot(animations="disabled")  # lifted cards are in their final position


def tap(page: Page) -> None:
    """A short press from the page's view, even on a slow machine: a long press has another meaning."""
    page.evaluate("() => { performance.now = () => 1 }")
    page.click(".hold")
    page.evaluate("() => { delete performance.now }")


def at(room: str, items: dict[str, int]) -> Position:
    return Position([Place(coins=3, items=items), Place(wounds=1), Place(), Place()], **ROOMS[room])


def open_hidden(page: Page, url: str) -> None:
    """Open the page on a phone where the hand was hidden before."""
    page.add_init_script("localStorage.setItem('hiding', '1')")
    page.goto(url)
    expect(page.locator(":root.hiding .hold[aria-pressed=true]")).to_have_count(1)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("face", ["play", "hand"])
@pytest.mark.parametrize("items", [{}, ITEMS], ids=["few", "many"])
def test_nothing_tells_which_card_is_lifted(person: Person, face: str, language: str, items: dict[str, int]) -> None:
    page = person("Mira", phone=True, device_scale_factor=1)
    with shown() as (pages, address):
        position = at("monster", items)
        lifted = [*position.table.moves(0), *position.table.anytime(0)]
        pages["page"] = position.html(face, language=language)
        open_hidden(page, address + "page")
        for width in WIDTHS:  # at some widths a verdict only just fits into its line
            page.set_viewport_size({"width": width, "height": 740})
            heights = page.evaluate(HEIGHTS)
            assert len(heights) == len(lifted) + 1
            for alike in alikes(lifted):
                assert len({heights[n + 1] for n in alike}) == 1, (width, heights)
        for alike in alikes(lifted):
            pictures = []
            for n in alike:
                page.evaluate(LIFT, n)
                pictures.append(page.screenshot(animations="disabled"))
            assert len(set(pictures)) == 1


def alikes(lifted: list[str]) -> list[list[int]]:
    """Numbers of cards that must look alike. A hidden torch cannot be lit: it must look as if no card were lifted."""
    torch = lifted.index("torch") if "torch" in lifted else -1
    return [[n for n in range(len(lifted)) if n != torch], [-1, torch]]


def test_a_hidden_torch_is_not_lit(person: Person) -> None:
    page = person("Mira", phone=True)
    with shown() as (pages, address):
        position = at("monster", ITEMS)
        pages["page"] = position.html()
        open_hidden(page, address + "page")
        page.evaluate(LIFT, len(position.table.moves(0)))
        assert page.locator("#hand :checked").get_attribute("value") == "torch"
        expect(page.locator("#hand .light")).to_be_hidden()
        assert not page.evaluate(SENDS, "#hand .none")
        page.evaluate("document.documentElement.classList.remove('hiding')")
        expect(page.locator("#hand .light")).to_be_visible()
        assert page.evaluate(SENDS, "#hand .light")


@pytest.mark.parametrize("face", ["play", "hand"])
@pytest.mark.parametrize("room", ROOMS)
def test_nothing_tells_which_card_is_laid(person: Person, face: str, room: str) -> None:
    page = person("Mira", phone=True, device_scale_factor=1)
    with shown() as (pages, address):
        pictures = []
        for card in at(room, ITEMS).table.moves(0):
            pages[card] = at(room, ITEMS).play((0, card)).html(face)
            open_hidden(page, address + card)
            expect(page.locator("#take-back")).to_be_visible()
            pictures.append(page.screenshot(animations="disabled"))
        assert len(pictures) >= 4
        assert len(set(pictures)) == 1


@pytest.mark.parametrize("face", ["", "/hand"])
def test_a_tap_hides_the_hand_and_holding_shows_it(server: Server, person: Person, face: str) -> None:
    page = person("Mira", phone=True)
    link = play_bots(page, server)
    page.goto(link + face)
    ask(page)
    page.wait_for_function("document.querySelector('#f-waits').dataset.waits.trim() === document.body.dataset.me")
    pictures = []  # taken when the bots have laid, so that nothing moves the hand
    for n in (3, 0, 3):
        lift(page, n)
        tap(page)
        expect(page.locator(":root.hiding")).to_have_count(1)
        pictures.append(picture(page))
        tap(page)
        expect(page.locator(":root:not(.hiding)")).to_have_count(1)
    # When the hand is hidden for the first time, the browser may draw all backs a fraction of a pixel off.
    assert len(set(pictures[1:])) == 1
    tap(page)
    expect(page.locator("#hand .card").first).to_be_hidden()
    expect(page.locator("#hand .back").first).to_be_visible()
    assert page.locator(".fates").inner_text().strip() == "Your cards are hidden."
    # The state survives a reload, and no key reaches the cards.
    page.reload()
    ask(page)
    assert page.locator(":root.hiding").count() == 1
    for _ in range(12):
        page.keyboard.press("Tab")
        assert not page.evaluate("document.activeElement.matches('#hand input')")
    # Holding the button shows the cards only while it is held.
    page.hover(".hold")
    page.evaluate("() => { performance.now = () => 1 }")
    page.mouse.down()
    expect(page.locator("#hand .card").first).to_be_visible()
    page.evaluate("() => { performance.now = () => 1000 }")
    page.mouse.up()
    expect(page.locator("#hand .card").first).to_be_hidden()
    # The lifted card can be laid while hidden.
    page.click("#hand .lay")
    expect(page.locator("#take-back, body.playing").first).to_be_attached()


def test_laying_without_lifting_says_so_quietly(server: Server, person: Person) -> None:
    page = person("Mira")
    play_bots(page, server)
    tap(page)
    page.locator("#hand .none").click(force=True)
    assert page.locator("body.playing").count() == 0
    tap(page)
    page.locator("#hand .none").click(force=True)
    expect(page.locator("#hand input:focus")).to_have_count(1)  # the focus is on a card to lift
