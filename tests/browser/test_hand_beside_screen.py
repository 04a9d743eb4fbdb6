"""The phone with the hand beside a TV: it tells nothing before the TV does, and its laid card lies face down."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import HOLD, ask, hold, join, lay, open_table, play_bots, wait_for_reveal
from tests.support.browser import Person
from tests.support.server import Server

TV = {"viewport": {"width": 1920, "height": 1080}}
PLAYING = "body.playing .stage"


def playing(page: Page) -> bool:
    return bool(page.evaluate(f"document.querySelector('{PLAYING}')?.checkVisibility() ?? false"))


def time_of_reveal(*pages: Page) -> list[int]:
    """How long each page plays the reveal that comes now, in ms of its own clock, which stands still otherwise."""
    began: dict[Page, int] = {}
    ended: dict[Page, int] = {}
    now = 0
    while len(ended) < len(pages):
        for page in pages:
            if page not in began and playing(page):
                began[page] = now
            elif page in began and page not in ended and not playing(page):
                ended[page] = now - began[page]
            page.clock.run_for(100)
        now += 100
    return [ended[page] for page in pages]


def stop_clocks(*pages: Page) -> None:
    for page in pages:
        page.clock.pause_at(page.evaluate("Date.now() + 1000"))


@pytest.mark.parametrize("game", ["raiders", "scrawl"])
def test_a_hand_goes_on_when_the_screen_has_played_out(server: Server, person: Person, game: str) -> None:
    phone, tv = person("Mira", phone=True), person("TV", **TV)
    for page in (phone, tv):
        page.clock.install()
    phone.goto(server.url)
    phone.check(f"input[value={game}]")
    phone.click("form[action='/tables'] [name=bots]")
    phone.wait_for_url("**/t/*")
    link = phone.url
    tv.goto(link + "/screen")
    phone.goto(link + "/hand")
    ask(phone)
    stop_clocks(phone, tv)
    if game == "raiders":
        lay(phone)
    else:
        phone.locator("button.keep").first.click()
        expect(phone.locator(".keep.kept")).to_have_count(1)
        phone.locator("button.keep").first.click()
    of_phone, of_tv = time_of_reveal(phone, tv)
    assert abs(of_phone - of_tv) <= 200 and of_tv > 3500


def test_an_accidental_touch_does_not_end_the_wait(server: Server, person: Person) -> None:
    page = person("Mira", phone=True)
    link = play_bots(page, server)
    page.goto(link + "/hand")
    ask(page)
    hold(page)
    lay(page)
    wait_for_reveal(page)
    page.locator(".stage .told").click()
    assert playing(page)
    page.get_by_role("button", name="Go on").click()  # once
    expect(page.locator("#ask")).to_be_attached()
    expect(page.locator("body:not(.playing)")).to_have_count(1)


def test_a_page_that_is_loaded_anew_plays_the_reveal_first(server: Server, person: Person) -> None:
    phone, tv = person("Mira", phone=True), person("TV", **TV)
    link = play_bots(phone, server)
    phone.goto(link + "/hand")
    tv.goto(link + "/screen")
    ask(phone)
    expect(tv.locator("#f-waits")).to_contain_text("Mira")
    for page in (phone, tv):
        hold(page)
    lay(phone)
    for page in (phone, tv):
        wait_for_reveal(page)
        page.add_init_script(f"""addEventListener("DOMContentLoaded", () => {HOLD})""")
        page.reload()
        wait_for_reveal(page)
    expect(tv.locator(".stage .card").first).to_be_visible()
    assert not tv.locator("#f-waits").is_visible() and not tv.locator(".places:not(.big)").is_visible()
    assert not phone.locator("#hand").is_visible()


def test_a_laid_card_lies_face_down_and_holding_shows_it(server: Server, person: Person) -> None:
    phone, anton = person("Mira", phone=True), person("Anton", phone=True)
    link = open_table(phone, server)
    join(anton, link, "Anton")
    phone.click("#bot-2")
    phone.click("#start")
    ask(phone), ask(anton)
    phone.goto(link + "/hand")
    ask(phone)
    lay(phone, 3)
    mine = phone.locator("#hand .choice.mine")
    for _ in range(2):
        expect(mine.locator(".back")).to_be_visible()
        assert not phone.locator("#hand .card").locator("visible=true").count()
        box = mine.locator(".back").bounding_box()
        assert box
        phone.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        phone.mouse.down()
        expect(mine.locator(".card")).to_be_visible()
        assert phone.locator("#hand .card").locator("visible=true").count() == 1, "only the card that is laid"
        phone.mouse.up()
        expect(mine.locator(".card")).to_be_hidden()
        phone.reload()
        ask(phone)
    # The button shows the whole hand, which lies open again once the card is taken back.
    phone.click(".hold")
    expect(phone.locator("#hand .card").first).to_be_visible()
    phone.click(".hold")
    expect(phone.locator("#hand .card").first).to_be_hidden()
    phone.click("#take-back")
    expect(phone.locator("#hand .card").first).to_be_visible()
