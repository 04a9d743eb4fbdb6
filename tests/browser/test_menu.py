"""The table's menu: it follows what happens, closes easily, and asks before it gives a seat away."""

from playwright.sync_api import expect

from tests.browser.table import ask, join, open_table
from tests.support.browser import Person
from tests.support.server import Server


def test_it_follows_the_table_and_closes(server: Server, person: Person) -> None:
    mira, anton = person("Mira"), person("Anton", phone=True)
    link = open_table(mira, server, "Mira")
    join(anton, link, "Anton")
    mira.click("#bot-2")
    mira.click("#start")
    ask(mira), ask(anton)
    for page in (mira, anton):
        page.click(".menu > summary")
    code = anton.locator(".sheet").get_by_text("Code:")
    expect(code).to_be_visible()
    mira.get_by_text("For the host").click()
    mira.get_by_role("button", name="Lock the table").click()
    expect(mira.get_by_role("button", name="Unlock the table")).to_be_visible()
    expect(code).to_be_hidden()
    assert anton.locator(".menu[open]").count() == 1, "it stays open"
    anton.keyboard.press("Escape")
    expect(anton.locator(".sheet")).to_be_hidden()
    expect(anton.locator(".menu summary").first).to_be_focused()
    mira.mouse.click(5, 400)
    expect(mira.locator(".sheet")).to_be_hidden()

    mira.set_viewport_size({"width": 360, "height": 640})
    mira.click(".menu > summary")
    mira.get_by_text("Give this seat to a bot: Anton").click()
    expect(anton.locator("#hand .choice").first).to_be_visible()  # nothing has happened yet
    yes = mira.get_by_role("button", name="Yes, let a bot play for Anton")
    expect(yes).to_be_in_viewport(ratio=1)
    yes.click()
    expect(anton.get_by_text("You are watching")).to_be_visible()
    mira.get_by_role("button", name="Unlock the table").click()
    anton.get_by_role("button", name="Take over: Anton").click()
    expect(anton.locator("#hand .choice").first).to_be_visible()
    # The host's menu comes with the host's role.
    mira.get_by_text("Leave the table").click()
    mira.get_by_role("button", name="Leave for good").click()
    anton.click(".menu summary")
    anton.get_by_text("For the host").click()
    expect(anton.get_by_role("button", name="Lock the table")).to_be_visible()
