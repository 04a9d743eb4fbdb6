"""What people do at a table, as helpers for the tests."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.support.server import Server

GOES = "ERR_CONNECTION_REFUSED|WebSocket connection|Socket|ws:error"  # said in the console while the server is away

# After a card was laid: a reveal, the end, or a hand that waits.
LAID = "() => document.body.matches('.playing, .face-result') || !document.querySelector('#hand .lay')"


# A pause of seconds has no end.
HOLD = """() => {
  const soon = window.setTimeout;
  window.setTimeout = (what, time, ...more) => (time < 1000 ? soon(what, time, ...more) : 0);
}"""


def open_table(page: Page, server: Server, name: str = "Mira", url: str = "") -> str:
    """A new table; gives its link."""
    page.goto(url or server.url)
    page.fill("form[action='/tables'] [name=name]", name)
    page.click("form[action='/tables'] .btn.main")
    page.wait_for_url(re.compile("/t/"))
    return page.url


def play_bots(page: Page, server: Server, name: str = "Mira", url: str = "") -> str:
    """A table filled with bots, begun in one click; gives its link."""
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


def cards(page: Page) -> Locator:
    """What may be laid now."""
    return page.locator("#hand label.choice:not(.anytime)")


def ask(page: Page) -> Locator:
    """The heading of the hand, once it is there and its scripts are: a form that is sent before loads the page anew."""
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


def take_part(page: Page, n: int) -> bool:
    """Lays a card if the table waits for one; tells whether it did. A glance costs no waiting."""
    if page.locator("body.playing:not(.face-result)").count():
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        return False
    choices = cards(page)
    count = choices.count()
    if not count:
        return False
    choices.nth(n % count).click()
    page.locator("#hand .lay").click()
    page.wait_for_function(LAID)
    return True


def go_on(page: Page) -> None:
    """Past the reveal that is being played, if one is, and those that wait behind it."""
    while page.locator("body.playing").count():
        page.keyboard.press("Escape")  # again and again: the page's script may not be there yet
        page.wait_for_timeout(20)


def next_choice(page: Page) -> None:
    """Past what is revealed, to the next card to lay: a bot's crystal ball brings another reveal right after one."""
    go_on(page)
    while not cards(page).count():
        page.wait_for_timeout(20)
        go_on(page)


def hold(page: Page, beats: bool = False) -> None:
    """A reveal stays until it is skipped; so does each of its beats if they are held, too."""
    page.evaluate(HOLD)
    if beats:
        page.evaluate("document.documentElement.style.setProperty('--d-beat', '60s')")


def wait_for_reveal(page: Page) -> None:
    """Until the stage is there: what is pressed before would meet nothing."""
    expect(page.locator("body.playing .stage")).to_be_visible()


def leave(*pages: Page) -> None:
    """Before the server goes, so that nobody calls for it in vain."""
    for page in pages:
        page.goto("about:blank")
