"""A table for twelve: every seat has its state, colour and emblem, and all of it fits on every face."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser import table
from tests.support.browser import Person
from tests.support.plugins import plugged
from tests.support.server import NewServer, Server

SEATS = 12
LAPTOP = {"viewport": {"width": 1280, "height": 720}}
PHONE = {"phone": True, "viewport": {"width": 360, "height": 640}}
TV = {"viewport": {"width": 1920, "height": 1080}}

# What of these elements is outside of the page's width, or lies over another one.
CLASHES = """(selector) => {
  const found = [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility({ visibilityProperty: true }));
  const boxes = found.map((e) => e.getBoundingClientRect());
  const text = (n) => found[n].textContent.trim().slice(0, 40);
  const wrong = boxes.flatMap((b, n) => (b.left < 0 || b.right > innerWidth ? [`${text(n)} is cut off`] : []));
  boxes.forEach((a, i) => boxes.forEach((b, j) => {
    const over = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const under = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (i < j && over > 1 && under > 1) wrong.push(`${text(i)} lies over ${text(j)}`);
  }));
  return { count: found.length, wrong };
}"""


def add_bots(page: Page, seats: range) -> None:
    for seat in seats:
        page.click(f"#bot-{seat}")
        expect(page.locator(f"#free-{seat}")).to_be_visible()


def fits(page: Page, selector: str, count: int = SEATS) -> None:
    expect(page.locator(selector).locator("visible=true")).to_have_count(count)
    found = page.evaluate(CLASHES, selector)
    assert found == {"count": count, "wrong": []}
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def whole(page: Page) -> None:
    """Nobody scrolls a TV."""
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_everybody_is_choosing_until_they_have_handed_in(serve: NewServer, tmp_path: Path, person: Person) -> None:
    path = plugged(tmp_path / "plugged", market="tests.browser.market:game")
    server = serve(BOT_PAUSE="100", PYTHONPATH=path)
    mira, tv = person("Mira", **LAPTOP), person("TV", **TV)
    link = table.open_table(mira, server, game="market")
    tv.goto(link + "/screen")
    add_bots(mira, range(1, SEATS))
    fits(tv, ".gathering .place")
    whole(tv)
    mira.click("#start")
    table.ask(mira)
    for page in (mira, tv):
        expect(page.locator(".view .state span.awaited:not(.empty):visible")).to_have_text(["choosing"] * SEATS)
        expect(page.locator(".view .state .answered:visible")).to_have_count(0)
        fits(page, "#f-board .view tbody tr[data-seat]")
        colours = "rows => new Set(rows.map((row) => getComputedStyle(row.querySelector('th')).color)).size"
        assert page.locator("#f-board .view tr[data-seat]").evaluate_all(colours) == SEATS
        emblems = page.locator("#f-board .view th use").evaluate_all("uses => uses.map((use) => use.href.baseVal)")
        assert [emblem.partition("#")[2] for emblem in emblems] == [f"seat-{n}" for n in range(1, SEATS + 1)]
    whole(tv)
    mira.click("#hand button[name=move]")
    expect(tv.locator(".view tr[data-seat='1'] .answered:not(.back)")).to_be_visible()
    expect(tv.locator(".view .state .awaited:not(.empty):visible")).to_have_count(SEATS - 1)
    table.leave(mira, tv)


def test_a_game_is_played_on_every_face(plugged_server: Server, person: Person) -> None:
    mira, tv = person("Mira", **LAPTOP), person("TV", **TV)
    anton = person("Anton", **PHONE)
    link = table.open_table(mira, plugged_server, game="market")
    tv.goto(link + "/screen")
    table.join(anton, link, "Anton")
    add_bots(mira, range(2, SEATS))
    mira.click("#start")
    for page in (mira, anton):
        table.ask(page)
    for round in (1, 2):
        for page in (mira, anton, tv):
            expect(page.locator(".view .state .answered:not(.back):visible")).to_have_count(SEATS - 2)
            fits(page, "#f-board .view tbody tr[data-seat]")
        whole(tv)
        if round == 1:
            for page in (mira, anton, tv):
                table.hold(page)
        anton.click("#hand button[name=move]")
        mira.click("#hand button[name=move]")
        if round == 2:
            break
        for page in (mira, anton, tv):
            expect(page.locator("body.playing .stage.turned")).to_be_visible()
            expect(page.locator(".stage .card")).to_have_count(SEATS)
            fits(page, ".stage .slot")
            fits(page, ".stage .who")
        for page in (mira, tv):
            whole(page)
        for page in (mira, anton, tv):
            table.go_on(page)
            expect(page.locator("#f-board .view")).to_be_visible()
    table.wait_for_reveal(tv)
    table.go_on(tv)
    expect(tv.locator(".over h1")).to_contain_text("win")
    fits(tv, ".ranks tbody tr")
    whole(tv)
    for page in (mira, anton):
        page.wait_for_selector(".face-result")
        table.go_on(page)
        fits(page, "#scoring .ranks tbody tr")
    table.leave(mira, anton, tv)
