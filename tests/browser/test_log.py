"""The log: beside the board in a column of its own height, or a sheet that a button opens; newest entry first."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.positions import Position, shown
from tests.browser.sight import out_of_sight
from tests.support.browser import Person, violations

LEAD = {"who leads": ".if-now"}
LAST = {"what happened last": "#log li:first-child"}


@pytest.fixture
def address() -> Iterator[str]:
    at = Position(4, seed="07" * 32)
    for card in "5432":
        at.play(*((seat, card) for seat in at.table.waits))
    with shown() as (pages, address):
        pages["table"] = at.html()
        yield address + "table"


def test_a_long_log_is_as_high_as_the_board(address: str, person: Person) -> None:
    mira = person("Mira", viewport={"width": 1280, "height": 580})
    mira.goto(address)
    expect(mira.locator(".to-log")).to_be_hidden()
    assert not out_of_sight(mira, LEAD | LAST | {"the way on": ".hand .acts .none"})
    expect(mira.locator("#log li").first).to_contain_text("Room 5")
    expect(mira.locator("#log li").last).to_contain_text("Room 1")
    log = mira.locator("#log")
    assert log.evaluate("log => log.scrollHeight > log.clientHeight"), "the rest is reached by scrolling"
    assert mira.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_a_sheet_on_phones(address: str, person: Person) -> None:
    mira = person("Mira", phone=True)
    mira.goto(address)
    expect(mira.locator("#log")).to_be_hidden()
    assert not out_of_sight(mira, LEAD)
    button = mira.get_by_role("button", name="Log")
    button.tap()
    assert not out_of_sight(mira, LAST)
    assert not violations(mira)
    mira.get_by_role("button", name="Close").tap()
    expect(mira.locator("#log")).to_be_hidden()
    button.focus()
    mira.keyboard.press("Enter")
    expect(mira.locator("#log")).to_be_visible()
    mira.keyboard.press("Escape")
    expect(mira.locator("#log")).to_be_hidden()
    expect(button).to_be_focused()
