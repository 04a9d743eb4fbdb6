"""Helpers for tests: actions of people at a table."""

import re
from collections.abc import Callable
from typing import TypeVar

from playwright.sync_api import Error, Locator, Page, expect

from tests.support.server import Server

T = TypeVar("T")

GOES = "ERR_CONNECTION_REFUSED|WebSocket connection|Socket|ws:error"  # console messages while the server is down

# Possible states after a card was laid: a reveal, the result, or a waiting hand.
# While another page is loading there is no body.
LAID = """() => document.body
  && (document.body.matches('.playing, .face-result') || !document.querySelector('#hand .lay'))"""


# Each reveal is shown until it is skipped.
HOLD = "document.documentElement.style.setProperty('--d-hold', '3600s')"


# Skip a reveal of the game in play. Checked and done in one step: a key pressed a moment later could reach the result
# page and skip the reveal there.
SKIP = """() => {
  if (!document.body?.matches('.playing:not(.face-result)')) return false;
  const escape = () => new KeyboardEvent('keydown', { key: 'Escape', bubbles: true });
  for (let n = 0; n < 2; n++) document.body.dispatchEvent(escape());
  return true;
}"""


def open_table(page: Page, server: Server, name: str = "Mira", url: str = "", game: str = "raiders") -> str:
    """Open a new table. Returns its link."""
    page.goto(url or server.url)
    page.check(f"input[name=game][value={game}]")
    page.fill("form[action='/tables'] [name=name]", name)
    page.click("form[action='/tables'] .btn.main")
    page.wait_for_url(re.compile("/t/"))
    return page.url


def play_bots(page: Page, server: Server, name: str = "Mira", url: str = "") -> str:
    """Start a game with bots in one click. Returns its link."""
    page.goto(url or server.url)
    page.fill("form[action='/tables'] [name=name]", name)
    page.click("form[action='/tables'] [name=bots]")
    page.wait_for_url(re.compile("/t/"))
    ask(page)
    return page.url


def join(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.fill("form [name=name]", name)
    page.click("form .btn.main")
    expect(page.locator("#f-lobby")).to_be_visible()


def begin_for_two(server: Server, game: str, ada: Page, bo: Page, screen: Page) -> None:
    """Ada opens a table of this game, Bo joins, and they start."""
    link = open_table(ada, server, "Ada", game=game)
    join(bo, link, "Bo")
    screen.goto(link + "/screen")
    ada.click("#start")
    ask(ada), ask(bo)


def cards(page: Page) -> Locator:
    """The cards that may be laid now."""
    return page.locator("#hand label.choice:not(.anytime)")


def ask(page: Page) -> Locator:
    """The heading of the hand, after the scripts have loaded: a form sent earlier would reload the page."""
    heading = page.locator("#ask")
    expect(heading).to_be_visible()
    page.wait_for_load_state()
    return heading


def lift(page: Page, n: int = 0) -> Locator:
    card = cards(page).nth(n)
    card.click()
    expect(card.locator("input")).to_be_checked()
    return card


def lay(page: Page, n: int = 0) -> None:
    lift(page, n)
    page.click("#hand .lay")


def unless_loading(look: Callable[[], T], otherwise: T) -> T:
    """What `look` returns; `otherwise` if the page has begun to load anew, because the phase has changed."""
    try:
        return look()
    except Error as error:
        if "context was destroyed" not in str(error):
            raise
        return otherwise


def take_part(page: Page, n: int) -> bool:
    """Lay a card if the table waits for one. Returns whether it did; does not wait."""
    choices = cards(page)
    count = unless_loading(lambda: 0 if page.evaluate(SKIP) else choices.count(), 0)
    if not count:
        return False
    choices.nth(n % count).click()
    page.locator("#hand .lay").click()
    page.wait_for_function(LAID)
    return True


def go_on(page: Page) -> None:
    """Skip the running reveal and all queued ones."""
    while page.locator("body.playing").count():
        page.keyboard.press("Escape")  # repeated, since the page's script may not have loaded yet
        page.wait_for_timeout(20)


def next_choice(page: Page) -> None:
    """Skip reveals until a card may be laid: after a bot's crystal ball a second reveal follows."""
    go_on(page)
    while not cards(page).count():
        page.wait_for_timeout(20)
        go_on(page)


def hold(page: Page, beats: bool = False) -> None:
    """Make the page show each reveal, and optionally each beat, until the test skips it. This function first waits for
    the page's scripts: without them a form reloads the page, and the new page would end its reveals by itself."""
    page.wait_for_load_state()
    page.evaluate(HOLD)
    if beats:
        page.evaluate("document.documentElement.style.setProperty('--d-beat', '60s')")


def release(page: Page) -> None:
    """After `hold`: reveals that begin from now on end by themselves. One that is shown already must be skipped."""
    page.evaluate("document.documentElement.style.removeProperty('--d-hold')")


def wait_for_reveal(page: Page) -> None:
    """Wait for the stage: keys pressed earlier would have no effect."""
    expect(page.locator("body.playing .stage")).to_be_visible()


def leave(*pages: Page) -> None:
    """Leave the page before the server stops, so that the page does not log failed requests."""
    for page in pages:
        page.goto("about:blank")
