"""A whole game of four people, from the lobby to the final scoring: two laptops, a phone, a reload in the middle."""

import re

from playwright.sync_api import Page, expect

from tests.browser.table import go_on, join, open_table, take_part
from tests.support.browser import Person
from tests.support.server import Server

TEXT_LEFT = """element => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getClientRects()[0].left;
}"""


def wide(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - screen.width"))


def test_from_the_lobby_to_the_scoring(server: Server, person: Person) -> None:
    mira, anton = person("Mira"), person("Anton")
    leila, dora = person("Leila", phone=True), person("Дора", locale="ru-RU")
    people = [mira, anton, leila, dora]
    link = open_table(mira, server, "Mira")
    for page, name in ((anton, "Anton"), (leila, "Leila"), (dora, "Дора")):
        join(page, link, name)
    expect(mira.locator("#seat-4")).to_contain_text("Дора")
    leila.click("#ready")
    expect(mira.locator("#seat-3")).to_contain_text("ready")
    mira.click("#start")

    for page in people:
        expect(page.locator("#f-board .rooms")).to_be_visible()
    assert wide(leila) <= 0
    turn, laid, reloaded = 0, 0, False
    while not mira.locator(".face-result").count():
        took_part = [take_part(page, turn + seat) for seat, page in enumerate(people)]
        turn, laid = turn + any(took_part), laid + sum(took_part)
        if not any(took_part):
            mira.wait_for_timeout(20)
        if laid >= 40 and not reloaded:
            reloaded = True
            anton.reload()
            expect(anton.locator("#f-board .rooms")).to_be_visible()

    for page in people:
        expect(page.locator("body.face-result")).to_have_count(1)
        go_on(page)
        expect(page).to_have_url(re.compile(r"/t/[^/]+$"))
        expect(page.locator("#scoring h1")).to_be_visible()
        expect(page.locator(".ranks tbody tr")).to_have_count(4)
        assert wide(page) <= 0
    headings = {page.locator("#scoring h1").inner_text() for page in (mira, anton, leila)}
    assert len(headings) == 1
    assert dora.locator("#scoring h1").inner_text() not in headings  # in Russian

    mira.click("#rooms summary")
    expect(mira.locator("#rooms tbody tr:not(.floor-row)")).to_have_count(25)
    expect(mira.locator(".chart")).to_have_count(2)
    with mira.expect_download() as download:
        mira.click("#fair summary")
        mira.get_by_role("link", name="Download the log").click()
    mira.goto(server.url + "/verify")
    mira.set_input_files("[name=file]", download.value.path())
    mira.click("form .btn.main")
    expect(mira.get_by_role("status")).to_contain_text("The log holds")

    # A rematch takes everybody back to the lobby.
    mira.goto(link)
    mira.click("#rematch")
    for page in people:
        expect(page.locator("#f-lobby")).to_be_visible()
    expect(leila.locator("#seat-4")).to_contain_text("Дора")
    # Who has won stays to be read, in line with the rest.
    last = mira.locator("#last-result")
    expect(last).to_contain_text(headings.pop())
    assert last.evaluate(TEXT_LEFT) == mira.locator("#f-lobby h1").evaluate(TEXT_LEFT)
