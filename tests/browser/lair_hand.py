"""Saying words on a hand of Dungeoneer: with a pointer, and by keyboard alone."""

from collections.abc import Callable
from random import Random

from playwright.sync_api import Page, expect

AT_ONCE = "document.documentElement.style.setProperty('--d-beat', '1ms')"  # a step is told as soon as it comes


def pointed(page: Page, word: str) -> None:
    """What stands for this word, a card, a location on the map or a button; then the button that sends it."""
    button = page.locator(f"#hand .acts [form='say-{word}']")
    radio = page.locator(f"#hand input[name=move][value='{word}']").first  # also of goals further on the same way
    expect(button.or_(radio)).to_have_count(1)
    if button.count():
        button.click()
        return
    way = radio.get_attribute("id") or ""
    offer = page.locator(f"#hand .offer:has([id='{way}']) input[name=move]").first.get_attribute("id") or ""
    if page.locator(f".aims [for='{offer}']").count():
        page.click("[data-map=all]")
    for id in dict.fromkeys((offer, way)):
        page.locator(f"label[for='{id}']:visible").first.click()
    expect(radio).to_be_checked()
    page.locator("#hand .go:visible").click()


def typed(page: Page, word: str) -> None:
    """The same by keyboard alone."""
    reached(page, word)
    page.keyboard.press("Enter")


def reached(page: Page, word: str) -> None:
    """By keyboard: from the skip link to the choices, and along them with arrow keys."""
    button = f"#hand .acts [form='say-{word}']"
    radio = page.locator(f"#hand input[name=move][value='{word}']").first
    expect(page.locator(button).or_(radio)).to_have_count(1)
    page.locator("a.skip[href='#ask']").focus()
    page.keyboard.press("Enter")
    if page.locator(button).count():
        press_until(page, button, lambda: "Tab")
    else:
        press_until(page, "#hand [name=move]", lambda: "Tab")
        if not page.locator("#hand [name=move]:checked").count():
            page.keyboard.press("Space")
        goal, luck = radio.evaluate(ON_GRID), Random(0)
        press_until(
            page, f"[value='{word}']", lambda: arrow(page.evaluate(f"({ON_GRID})(document.activeElement)"), goal, luck)
        )


# Where a choice lies on the grid of the map; null beside the map.
ON_GRID = """radio => {
  const { kind, x, y } = radio.closest('.offer').dataset;
  return kind === 'place' ? [Number(x), Number(y)] : null;
}"""


def arrow(at: list[int] | None, goal: list[int] | None, luck: Random) -> str:
    """A key that leads from one place of the grid towards another, and down from the map to the other choices."""
    if not at or not goal or at == goal:
        return "ArrowDown"
    right, down = goal[0] - at[0], goal[1] - at[1]
    keys = ["ArrowRight" if right > 0 else "ArrowLeft"] * bool(right)
    return luck.choice([*keys, *["ArrowUp" if down < 0 else "ArrowDown"] * bool(down)])


def press_until(page: Page, selector: str, key: Callable[[], str]) -> None:
    """Until the focused element is this one."""
    for _ in range(60):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press(key())
    raise AssertionError(f"the focus does not reach {selector}")
