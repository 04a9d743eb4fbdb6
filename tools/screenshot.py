"""Takes the screenshots of the docs from a real server: the README's reveal, and a table whose parts are labelled, for
authors of templates. `make screenshot` writes them to docs/."""

import re
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.table import go_on, hold  # noqa: E402
from tests.support.browser import launch  # noqa: E402
from tests.support.server import Server  # noqa: E402

DOCS = ROOT / "docs"
MOST = 12  # maximum number of rooms to play until one is suitable

HAND = {
    "board.html": ".rooms",
    "log.html": ".log.main",
    "where.html": "#f-bar",
    ".places": ".places",
    "own.html, #hand": ".dock",
    "#ask": "#ask",
    ".choices": ".choices",
    ".choice[data-n]": ".choice:nth-of-type(2)",
    ".fates": ".fates",
    ".lay": ".lay",
    ".hold": ".hold",
}
REVEAL = {
    "reveal.html: .stage, .places.big": ".stage",
    ".turn": ".places.big .turn",
    ".stamp, data-beat": ".stamp",
    ".words.telling": ".words.telling",
    ".story": ".story",
    "data-go": ".words .main[data-go]",
    "data-again": ".words [data-again]",
}
# A dashed frame around each part, with its label on the upper edge.
LABEL = """([label, selector]) => {
  const part = document.querySelector(selector)?.getBoundingClientRect();
  if (!part?.width) throw new Error(selector);
  const frame = document.body.appendChild(document.createElement('div'));
  Object.assign(frame.style, {
    position: 'absolute', left: `${part.left}px`, top: `${part.top}px`, width: `${part.width}px`,
    height: `${part.height}px`, border: '2px dashed #5fd7ff', zIndex: 20, pointerEvents: 'none',
  });
  const text = document.createElement('b');
  text.textContent = label;
  Object.assign(text.style, {
    position: 'absolute', top: '-10px', right: '4px', whiteSpace: 'nowrap',
    background: '#5fd7ff', color: '#000', font: '600 13px monospace', padding: '1px 4px',
  });
  frame.replaceChildren(text);
}"""


def labelled(page: Page, labels: dict[str, str], name: str) -> None:
    for label in labels.items():
        page.evaluate(LABEL, label)
    page.screenshot(path=DOCS / name, type="jpeg", quality=60, animations="disabled")


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


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), BOT_PAUSE="0") as server:
        with sync_playwright() as playwright:
            browser = launch(playwright)
            page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="dark", locale="en-GB")
            open_table(page, server)
            page.wait_for_load_state()
            hold(page)
            for _ in range(MOST):
                if play_room(page):
                    break
                go_on(page)
            page.screenshot(path=DOCS / "reveal.png", animations="disabled")
            page.set_viewport_size({"width": 1280, "height": 800})
            labelled(page, REVEAL, "templates-reveal.jpg")
            page.reload()
            go_on(page)
            page.locator("#hand label.choice:not(.anytime)").nth(1).click()
            labelled(page, HAND, "templates.jpg")
            browser.close()


if __name__ == "__main__":
    main()
