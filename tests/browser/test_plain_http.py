"""Plain http on a LAN address, where browsers disable clipboard, wake lock, randomUUID and crypto.subtle."""

from playwright.sync_api import expect

from tests.browser.table import ask, join, lay, next_choice, open_table, wait_for_reveal
from tests.support.browser import Person
from tests.support.server import NewServer, Server

WITHHELD = """
  delete Navigator.prototype.clipboard; delete Navigator.prototype.wakeLock; delete Navigator.prototype.share;
  delete Crypto.prototype.randomUUID; delete Crypto.prototype.subtle;
"""


def test_everything_works_without_them(serve: NewServer, person: Person) -> None:
    server = serve(BOT_PAUSE="0", ALLOWED_HOSTS="cards.test")
    home = f"http://cards.test:{server.port}/"  # not localhost: no secure context
    mira, anton = person("Mira"), person("Anton", phone=True)
    for page in (mira, anton):
        page.add_init_script(WITHHELD)
    link = open_table(mira, server, "Mira", home)
    assert mira.evaluate("isSecureContext") is False
    assert mira.evaluate("[navigator.clipboard, navigator.wakeLock, crypto.randomUUID, crypto.subtle]") == [None] * 4
    assert not mira.get_by_text("Phones cannot reach").count()
    mira.click("[data-copy]:visible")
    expect(mira.get_by_text("Copied")).to_be_visible()
    mira.evaluate("document.querySelector('h1').insertAdjacentHTML('afterend', '<textarea id=probe></textarea>')")
    mira.locator("#probe").press("Control+V")
    expect(mira.locator("#probe")).to_have_value(link)

    join(anton, link, "Anton")
    mira.click("#bot-2")
    mira.click("#start")
    for _ in range(2):
        for page in (mira, anton):
            ask(page)
            lay(page, 1)
        for page in (mira, anton):
            wait_for_reveal(page)
            next_choice(page)
    # The seat moves to another device by a link with the secret in its fragment.
    anton.click(".menu summary")
    anton.get_by_text("Move my seat").click()
    one_time = anton.locator(".link code").inner_text()
    tablet = person("tablet")
    tablet.goto(one_time)
    tablet.locator("main .btn.main").click()
    expect(tablet.locator("body[data-me='2']")).to_have_count(1)
    tablet.goto(f"{home}move")
    expect(tablet.get_by_text("not whole")).to_be_visible()


def test_the_notice_on_localhost(server: Server, person: Person) -> None:
    page = person("Mira")
    open_table(page, server, "Mira")
    expect(page.get_by_text("Phones cannot reach this address.")).to_be_visible()
