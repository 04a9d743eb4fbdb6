"""The rooms of Paper Dungeons' map: their cards, the signs, and steps by a tap."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from engine.games.scrawl.cards import deck
from tests.browser.positions import PAGES, shown
from tests.browser.scrawl_states import at, revealed, stealing
from tests.browser.states import END
from tests.support.browser import Onlooker, Person


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with shown() as (pages, address):
        pages["first"] = at().html()
        pages["walking"] = at().play((0, "move 5")).html()
        pages["fight"] = revealed(8, round=3).html()
        pages["gems"] = stealing().html()
        yield address


def room(page: Page, name: str) -> dict[str, float]:
    """Where the middle of a room is within the drawing."""
    box = page.locator(".drawing").bounding_box()
    assert box
    column, row = "ABCDEF".index(name[0]), 7 - int(name[1])
    across, down = 0.0509 + 0.8982 * (column + 0.5) / 6, 0.0206 + 0.9021 * (row + 0.5) / 7
    return {"x": box["width"] * across, "y": box["height"] * down}


def test_a_room_shows_its_card(address: str, person: Person) -> None:
    page = person("Mira")
    page.goto(address + "first")
    card = page.locator(".room-card")
    page.locator(".drawing").hover(position=room(page, "C4"))  # type: ignore[arg-type]
    expect(card).to_contain_text("C4")
    expect(card).to_contain_text("ghost of level 4, fought by the mage: 3 wounds")
    expect(card).to_contain_text("gem C: +3 glory")
    expect(card).to_contain_text("Closed: water to C3, wall to B4, water to D4.")
    page.mouse.move(1, 1)
    expect(card).to_have_count(0)
    page.locator(".drawing").focus()
    page.keyboard.press("ArrowRight")  # the first key shows the first room
    page.keyboard.press("ArrowUp")
    expect(card).to_contain_text("C2")
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    page.locator(".drawing").click(position=room(page, "F4"))  # type: ignore[arg-type]
    expect(card).to_contain_text("Giant Spider: reach it by the end of round 3")
    page.mouse.move(1, 1)
    expect(card).to_be_visible()
    page.locator("#ask").click()
    expect(card).to_have_count(0)


# Counts the moves that would be sent.
COUNT = """() => {
  window.sent = 0;
  const note = (event) => { window.sent++; event.preventDefault(); event.stopPropagation(); };
  window.addEventListener("submit", note, { capture: true });
}"""


def test_a_finger_that_rests_on_a_lit_room_reads_its_card(address: str, person: Person) -> None:
    page = person("Mira", phone=True)
    page.goto(address + "walking")
    page.evaluate(COUNT)
    expect(page.locator(".by-touch")).to_be_visible()
    box = page.locator("#r-B2").bounding_box()
    assert box
    at = {"x": box["x"] + 20, "y": box["y"] + 20}
    fingers = page.context.new_cdp_session(page)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    expect(page.locator(".room-card")).to_contain_text("ghost of level 2")
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator(".room-card")).to_be_visible()
    page.touchscreen.tap(at["x"], at["y"])
    page.wait_for_function("sent")
    assert page.evaluate("sent") == 1


def test_the_signs_and_the_map_in_words_open_and_close(address: str, person: Person) -> None:
    page = person("Mira", phone=True)
    page.goto(address + "first")
    for sheet, text in (("signs", "Arrow at the side"), ("map-in-words", "One step away")):
        page.locator(f".tools [popovertarget={sheet}]").click()
        expect(page.locator(f"#{sheet}")).to_contain_text(text)
        page.locator(f"#{sheet} header button").click()
        expect(page.locator(f"#{sheet}")).to_be_hidden()


def test_items_take_the_place_of_a_phones_map_until_another_die_is_picked(address: str, person: Person) -> None:
    page = person("Mira", phone=True)
    page.goto(address + "first")
    pick = page.locator(".pick")
    pick.nth(2).click()  # a clover crafts all items
    page.locator(".uses:visible .crafts > summary").click()
    expect(page.locator(".drawing")).to_be_hidden()
    expect(page.locator(".uses:visible [value^='craft ']")).to_have_count(8)
    for item in page.locator(".uses:visible [value^='craft ']").all():
        expect(item).to_be_in_viewport(ratio=1)
    pick.nth(0).click()
    expect(page.locator(".drawing")).to_be_visible()


def test_the_signs_name_the_heroes_whom_the_rules_name() -> None:
    words = PAGES.languages["en"].get_template("games/scrawl/words.html").module
    assert deck().minions == words.FOUGHT_BY  # type: ignore[attr-defined]


def test_a_long_reveal_comes_into_view_and_waits_for_the_player(address: str, person: Person) -> None:
    page = person("Mira", phone=True, reduced_motion="reduce")
    page.goto(address + "fight")
    page.evaluate("document.querySelector('[data-again]').click()")
    last = page.locator(".told-event").last
    expect(last).to_be_in_viewport()
    expect(page.locator(".told-event.fought")).to_be_in_viewport(ratio=0.5)
    expect(page.locator(".telling .acts .main")).to_be_in_viewport(ratio=1)
    assert page.locator(".reveal").evaluate("e => e.scrollTop") > 0
    page.locator(".telling .acts .main").click()
    expect(page.locator("body.playing")).to_have_count(0)


def test_stolen_gems_are_told_one_below_the_other(address: str, onlooker: Onlooker) -> None:
    page = onlooker()
    page.goto(address + "gems")
    page.evaluate(END)
    lines = page.locator(".told-event.gems li")
    expect(lines).to_have_text(["A: Mira", "D: Anton", "Lost to all others."])
    assert len(set(lines.evaluate_all("lines => lines.map((line) => line.getBoundingClientRect().x)"))) == 1


def test_a_reveal_without_sheets_stands_in_the_middle(address: str, person: Person) -> None:
    page = person("TV", viewport={"width": 1920, "height": 1080})
    page.goto(address + "fight")
    page.evaluate("document.querySelector('.opened').remove()")
    page.evaluate(END)
    box = page.locator(".telling").bounding_box()
    assert box
    assert abs(box["y"] + box["height"] / 2 - 1080 / 2) < 100


def test_the_scoring_begins_with_ones_own_column_and_ends_with_the_winner(person: Person) -> None:
    at_end = revealed(round=8)
    page = person("Anton", viewport={"width": 1440, "height": 1000})
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    with shown() as (pages, address):
        for seat in range(4):
            pages["end"] = at_end.html(seat=seat)
            page.goto(address + "end")
            own = page.locator("#scoring .twelve thead th").first
            expect(own).to_have_attribute("data-seat", str(seat + 1))
        title, sums = page.locator("#scoring h1"), page.locator("#scoring .twelve .sums td")
        expect(title).to_be_hidden()
        expect(sums.first).to_be_in_viewport()
        while sums.first.get_attribute("data-sum"):
            page.clock.run_for(200)
        expect(title).to_be_visible()
