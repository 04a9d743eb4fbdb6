"""Actions of others never disturb a player's lifted card, focus, scroll position or typing."""

from playwright.sync_api import expect

from tests.browser.table import ask, cards, join, lay, lift, next_choice, open_table, wait_for_reveal
from tests.support.browser import Person
from tests.support.server import Server


def test_a_lifted_card_stays_lifted(server: Server, person: Person) -> None:
    mira, anton = person("Mira", phone=True), person("Anton")
    link = open_table(mira, server, "Mira")
    join(anton, link, "Anton")
    mira.click("#bot-2")
    expect(anton.locator("#seat-3")).to_contain_text("bot")
    mira.click("#start")
    ask(mira), ask(anton)
    mira.wait_for_load_state()  # until then the browser restores the scroll position of a reloaded page

    card = lift(mira, 2)
    mira.evaluate("document.body.style.minHeight = '200vh'")  # otherwise all of it is in the window
    mira.evaluate("scrollTo(0, 60)")
    focused = mira.evaluate("document.activeElement.id")
    assert focused and mira.evaluate("scrollY") > 0
    sentence = mira.locator(".fates [data-fate='3']").inner_text()
    for _ in range(2):  # lay, take back, lay again
        lay(anton, 0)
        expect(mira.locator(".place[data-seat='2'] .back")).to_be_visible()
        assert card.locator("input").is_checked()
        anton.click("#take-back")
        expect(mira.locator(".place[data-seat='2'] .back")).to_be_hidden()
    lay(anton, 0)
    expect(mira.locator(".place[data-seat='2'] .back")).to_be_visible()
    assert card.locator("input").is_checked()
    assert mira.evaluate("document.activeElement.id") == focused
    assert mira.evaluate("scrollY") == 60
    assert mira.locator(".fates [data-fate='3']").inner_text() == sentence

    # The card stays lifted after a reload, but not in the next room.
    mira.reload()
    expect(cards(mira).nth(2).locator("input")).to_be_checked()
    mira.click("#hand .lay")
    wait_for_reveal(mira)
    next_choice(mira)
    assert mira.locator("#hand :checked").count() == 0


def test_typed_text_stays(server: Server, person: Person) -> None:
    mira, anton = person("Mira"), person("Anton")
    link = open_table(mira, server, "Mira")
    mira.click("details:has(#new-name) summary")
    mira.fill("#new-name", "Mira the Gr")
    mira.locator("#new-name").press("e")
    mira.evaluate("document.querySelector('#new-name').setSelectionRange(2, 5)")
    join(anton, link, "Anton")
    expect(mira.locator("#seat-2")).to_contain_text("Anton")
    anton.click("#ready")
    expect(mira.locator("#seat-2")).to_contain_text("ready")
    state = "f => [f.value, f.selectionStart, f.selectionEnd, document.activeElement === f]"
    assert mira.locator("#new-name").evaluate(state) == ["Mira the Gre", 2, 5, True]
    assert mira.locator("details:has(#new-name)").get_attribute("open") is not None
    mira.locator("#start").focus()  # the field loses the focus
    anton.click("#ready")
    expect(mira.locator("#seat-2")).to_contain_text("not ready yet")
    assert mira.input_value("#new-name") == "Mira the Gre"
    # The lobby shows the choice that fits the number of seats, after several changes.
    for seat in (3, 4):
        mira.locator(f"#bot-{seat - 1}").press("Enter")
        expect(mira.locator(f"#seat-{seat}")).to_contain_text("bot")
        expect(mira.locator(f"#free-{seat - 1}")).to_be_focused()
        for option in mira.locator("fieldset.option").all():
            assert option.locator(":checked").count() == 1
    # Settings changed on another device of the host arrive without moving the focus.
    mira.locator("#seconds").focus()
    mira.locator("#seconds").select_option("60")
    expect(anton.get_by_text("1 minute")).to_be_visible()
    expect(mira.locator("#seconds")).to_be_focused()


def test_a_double_click_lays_one_card(server: Server, person: Person) -> None:
    mira, anton = person("Mira"), person("Anton")
    link = open_table(mira, server, "Mira")
    join(anton, link, "Anton")
    mira.click("#bot-2")
    mira.click("#start")
    ask(mira), ask(anton)
    lift(mira, 0)
    mira.dblclick("#hand .lay")
    expect(mira.locator("#take-back")).to_be_visible()
    assert mira.locator("#f-notice [role=alert]").count() == 0
    # Laying a card in a past round is refused, and the notice can be dismissed.
    round = mira.locator("#hand [name=round]").input_value()
    lay(anton, 0)
    wait_for_reveal(mira)
    next_choice(mira)
    mira.evaluate("round => { document.querySelector('#hand [name=round]').value = round }", round)
    lay(mira, 0)
    expect(mira.get_by_role("alert")).to_contain_text("Too late")
    mira.get_by_role("alert").get_by_role("button").click()
    expect(mira.get_by_role("alert")).to_have_count(0)
