"""Turns of several steps on the plain board: told as one chain, taken back step by step, and the reason why not."""

from playwright.sync_api import Page, expect

from tests.browser import table
from tests.support.browser import Person, violations
from tests.support.server import Server

PHONE = {"phone": True, "viewport": {"width": 360, "height": 640}}


def say(page: Page, *moves: str) -> None:
    for move in moves:
        page.click(f"#hand button[value='{move}']")


def shown(page: Page) -> list[str]:
    """The steps of the chain that have been told."""
    steps: list[str] = page.locator(".chain li").evaluate_all(
        "all => all.filter((e) => e.checkVisibility({ visibilityProperty: true })).map((e) => e.textContent)"
    )
    return steps


def test_a_turn_is_told_and_taken_back_step_by_step(plugged_server: Server, person: Person) -> None:
    ada, bo, tv = person("Ada"), person("Bo", **PHONE), person("TV", viewport={"width": 1280, "height": 720})
    table.begin_for_two(plugged_server, "digging", ada, bo, tv)
    for page in (ada, bo, tv):
        expect(page.locator(".chain")).to_have_count(0)

    # A player's own steps are there at once; the others are told them beat by beat.
    bo.evaluate("document.documentElement.style.setProperty('--d-beat', '60s')")
    say(ada, "dig", "here")
    expect(ada.locator(".chain li")).to_have_count(1)
    assert shown(ada) == ["Ada: dig, here. Ada: dug – how here; points 1"]
    say(ada, "dig", "there")
    expect(ada.locator(".chain li")).to_have_count(2)
    assert len(shown(ada)) == 2 and ada.locator("body.following").count() == 0
    expect(bo.locator("body.following .chain")).to_be_visible()
    assert shown(bo) == []
    bo.keyboard.press("Escape")
    expect(bo.locator(".chain li.landed")).to_have_count(1)
    expect(bo.locator(".chain li")).to_have_count(2)
    bo.keyboard.press("Escape")
    expect(bo.locator("body.following")).to_have_count(0)
    assert len(shown(bo)) == 2
    expect(tv.locator(".chain li")).to_have_count(2)

    # Everybody sees that a step was taken back; what it did is gone.
    points = ada.locator("#f-board tr[data-seat='1'] td[data-label='Points']")
    expect(points).to_have_text("3")
    ada.click("#take-back")
    expect(points).to_have_text("1")
    for page in (ada, bo, tv):
        expect(page.locator(".chain li")).to_have_text(
            ["Ada: dig, here. Ada: dug – how here; points 1", "Ada took back a step"]
        )
    ada.click("#take-back")
    expect(points).to_have_text("0")
    expect(ada.locator("#take-back")).to_have_count(0)

    # Once a card is turned up, the button says why it does nothing.
    bo.evaluate("document.documentElement.style.removeProperty('--d-beat')")
    say(ada, "dig", "here")
    expect(ada.locator("#take-back[aria-disabled]")).to_have_count(0)
    say(ada, "turn")
    expect(ada.locator("#why-not")).to_have_text("Not possible: a card has been turned up.")
    expect(ada.locator("#take-back")).to_have_attribute("aria-disabled", "true")
    say(ada, "ask")
    expect(bo.locator("#hand button[value=yes]")).to_be_visible()
    say(bo, "yes")
    expect(ada.locator("#why-not")).to_have_text("Not possible: another player has acted since.")
    for page in (ada, bo, tv):
        expect(page.locator("body.following")).to_have_count(0)
        assert not violations(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    # The turn is one entry of the log, which opens into its steps.
    say(ada, "dig", "here")
    say(bo, "dig", "there")
    entry = ada.locator("#f-board .log details")
    expect(entry.locator("summary")).to_have_text("Ada: 5 steps")
    expect(entry.locator("li").first).to_be_hidden()
    entry.locator("summary").click()
    expect(entry.locator("li").first).to_be_visible()
    ada.reload()
    table.ask(ada)
    assert len(shown(ada)) == 1 and ada.locator("body.following").count() == 0
    table.leave(ada, bo, tv)
