"""A table opened on a TV: the first phone is the host, phones hold hands, another game follows, people find back."""

from playwright.sync_api import Page, expect

from tests.browser.table import ask, go_on, wait_for_reveal
from tests.support.browser import Person, violations
from tests.support.server import Server

TV = {"viewport": {"width": 1920, "height": 1080}}


def sit(page: Page, link: str, name: str) -> None:
    page.goto(link + "/hand")
    page.fill("form [name=name]", name)
    page.click("form .btn.main")
    expect(page.locator("#f-lobby")).to_be_visible()


def test_from_the_tv_to_another_game(plugged_server: Server, person: Person) -> None:
    server = plugged_server
    tv, mira, anton = person("TV", **TV), person("Mira", phone=True), person("Anton", phone=True)
    tv.goto(server.url)
    tv.check("input[value=market]")
    tv.click("[name=screen]")
    tv.wait_for_url("**/t/*/screen")
    link = tv.url.removesuffix("/screen")
    expect(tv.locator("#f-waits")).to_contain_text("Whoever sits down first")
    assert not tv.context.cookies()
    width = tv.locator(".qr svg").evaluate("e => e.getBoundingClientRect().width")
    assert width >= 400

    # The first phone is the host; the whole table is one tap away.
    mira.goto(link + "/hand")
    expect(mira.get_by_role("link", name="The whole table on this phone")).to_be_visible()
    sit(mira, link, "Mira")
    sit(anton, link, "Anton")
    expect(tv.locator(".gathering")).to_contain_text("Mira’s table")
    anton.get_by_role("link", name="The whole table on this phone").click()
    anton.wait_for_url(link)
    anton.goto(link + "/hand")
    anton.click("#ready")
    mira.click("#start")
    for page in (mira, anton):
        expect(page.locator("body.face-hand")).to_have_count(1)
        ask(page)
        assert page.url == link + "/hand"

    # Back from the first page: to the face that was shown last.
    anton.goto(link)
    ask(anton)
    anton.goto(server.url)
    expect(anton.get_by_role("link", name="Back to your table")).to_have_attribute(
        "href", link.removeprefix(server.url)
    )
    anton.goto(link + "/hand")
    ask(anton)
    anton.goto(server.url)
    anton.get_by_role("link", name="Back to your table").click()
    anton.wait_for_url(link + "/hand")
    ask(anton)

    for _ in (1, 2):
        for page in (anton, mira):
            page.locator("#hand button[name=move]").first.click()
        for page in (mira, anton, tv):
            wait_for_reveal(page)
            go_on(page)
    expect(tv.locator(".over h1")).to_be_visible()
    assert violations(mira) == []
    mira.click("#other-games summary")
    mira.click("#game-scrawl")
    for page in (mira, anton):
        expect(page.locator("#f-lobby")).to_contain_text("Paper Dungeons")
        expect(page.locator("#f-lobby")).to_contain_text("Anton")
        assert page.url == link + "/hand"
    expect(tv.locator(".gathering")).to_contain_text("Anton")
    expect(tv.locator("link[href*='table-scrawl.css']")).to_have_count(1)
    mira.click("#start")
    expect(tv.locator(".common-map").first).to_be_visible()
    for page in (mira, anton):
        expect(page.locator("#hand .keep").first).to_be_visible()


def test_too_many_for_the_other_game_are_told_so(server: Server, person: Person) -> None:
    host, tv = person("Mira"), person("TV", **TV)
    bearer = {}
    opened = host.request.post(server.url + "/tables", data={"game": "scrawl", "screen": True}).json()
    assert opened["seat"] is None and "bearer" not in opened
    link = opened["link"]
    tv.goto(link + "/screen")
    sit(host, link, "Mira")
    for n in range(5):
        bearer[n] = tv.request.post(link + "/join", data={"name": f"Guest {n}"}).json()["bearer"]
    expect(host.locator("#f-lobby")).to_contain_text("Guest 4")
    host.click("#other-games summary")
    told = "For 5 players at most. 1 of you has to give up the seat."
    expect(host.locator("#other-games")).to_contain_text(told)
    host.click("#game-raiders")
    expect(host.locator(".start")).to_contain_text(told)
    expect(tv.locator("#f-waits")).to_contain_text(told)
    expect(host.locator("#start")).to_be_disabled()
    host.click("#free-5")
    expect(host.locator("#start")).to_be_enabled()
