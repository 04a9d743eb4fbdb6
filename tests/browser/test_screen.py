"""The big screen shows only what everybody may see, even in a player's browser."""

from playwright.sync_api import Route, expect

from tests.browser.table import ask, hold, join, lay, lift, next_choice, open_table, wait_for_reveal
from tests.support.browser import LAPTOP, Person
from tests.support.server import Server

TV = {"viewport": {"width": 1920, "height": 1080}}


def older(route: Route) -> None:
    """A style sheet as a browser without :has() reads it."""
    response = route.fetch()
    route.fulfill(response=response, body=response.text().replace(":has(", ":no-such("))


def test_no_secret_and_no_seat(server: Server, person: Person) -> None:
    mira, anton, tv = person("Mira"), person("Anton", phone=True), person("TV", **{**LAPTOP, **TV})
    tv.route("**/*.css*", older)
    link = open_table(mira, server, "Mira")
    tv.goto(link + "/screen")
    expect(tv.locator(".qr svg")).to_be_visible()
    join(anton, link, "Anton")
    expect(tv.locator(".gathering")).to_contain_text("Anton")
    mira.click("#bot-2")
    mira.click("#start")
    ask(mira), ask(anton)
    anton.goto(link + "/hand")
    ask(anton)
    expect(tv.locator("#f-waits")).to_contain_text("Mira and Anton")  # it followed from the lobby by itself

    own = mira.context.new_page()  # the host's browser, with the host's cookie
    own.goto(link + "/screen")
    expect(own.locator("#f-board .rooms")).to_be_visible()
    lift(mira, 3)
    lay(anton, 1)
    expect(tv.locator(".place[data-seat='2'] .back")).to_be_visible()
    expect(tv.locator(".place .state .awaited:visible")).to_have_text(["choosing"])
    expect(tv.locator(".place .state .answered:visible")).to_have_text(["ready"] * 2)
    assert own.request.get(link + "/screen").text() == tv.request.get(link + "/screen").text()
    for screen in (tv, own):
        assert screen.locator("body[data-me], #hand, [name=move]").count() == 0
        assert screen.evaluate("document.documentElement.scrollHeight <= innerHeight"), "all of it at once"
        assert screen.evaluate("document.documentElement.scrollWidth <= innerWidth")

    hold(anton)
    lay(mira, 3)
    wait_for_reveal(tv)
    # The hand does not anticipate the screen's beats; it refers to the screen.
    expect(anton.get_by_text("Look at the screen")).to_be_visible()
    assert not anton.locator("#hand").is_visible()
    next_choice(anton)
    expect(tv.locator("body:not(.playing)")).to_have_count(1)  # without a click
    expect(tv.locator("#f-waits")).to_contain_text("Mira and Anton")
