"""Takes the README's screenshot of a reveal from a real server. `make screenshot` writes docs/reveal.png."""

import re
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.support.browser import launch  # noqa: E402
from tests.support.server import Server  # noqa: E402

PICTURE = ROOT / "docs" / "reveal.png"
MOST = 12  # maximum number of rooms to play until one is suitable


def open_table(page: Page, server: Server) -> None:
    page.goto(server.url)
    page.fill("form[action='/tables'] [name=name]", "Mira")
    page.click("form[action='/tables'] [name=bots]")
    page.wait_for_url(re.compile("/t/"))


def play_room(page: Page) -> bool:
    """Play a card and wait for the last beat. Returns whether a monster was not beaten and hit somebody."""
    page.wait_for_selector("#hand label.choice:not(.anytime)")
    page.locator("#hand label.choice:not(.anytime)").nth(1).click()
    page.click("#hand .lay")
    page.wait_for_selector("body.playing .stage.turned", timeout=30_000)
    return page.locator(".measure .short").count() > 0 and page.locator(".stamp.harm").count() > 0


def go_on(page: Page) -> None:
    page.keyboard.press("Escape")
    page.wait_for_selector("body:not(.playing)")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), BOT_PAUSE="0") as server:
        with sync_playwright() as playwright:
            browser = launch(playwright)
            page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="dark", locale="en-GB")
            open_table(page, server)
            for _ in range(MOST):
                if play_room(page):
                    break
                go_on(page)
            page.screenshot(path=PICTURE, animations="disabled")
            browser.close()
    print(PICTURE.relative_to(ROOT))


if __name__ == "__main__":
    main()
