"""A page is drawn when all of it is there: nothing moves while it loads."""

import pytest
from playwright.sync_api import Route

from tests.support.browser import Person
from tests.support.server import NewServer

SHIFTS = """window.shifts = [];
new PerformanceObserver((list) => list.getEntries().forEach(({ value, sources }) => shifts.push({
  value, of: sources.map(({ node }) => node?.outerHTML?.slice(0, 90) ?? String(node)),
}))).observe({ type: 'layout-shift', buffered: true });"""
MOST = 0.02  # what Chromium calls a cumulative layout shift; 0.1 is said to be good
SLOW = 600  # ms that a script takes


@pytest.mark.parametrize("game", ["raiders", "dungeoneer"])
def test_nothing_moves_while_a_page_loads(serve: NewServer, person: Person, game: str) -> None:
    server = serve(BOT_PAUSE="100")
    page = person("Ada", phone=True)
    page.goto(server.url)
    page.check(f"input[name=game][value={game}]")
    page.click("form[action='/tables'] [name=bots]")
    page.locator("#ask:visible, #f-waits:visible").first.wait_for()

    def late(route: Route) -> None:
        page.wait_for_timeout(SLOW)
        route.continue_()

    page.route("**/unseen.js*", late)
    page.route("**/built/table-*.js*", late)
    page.add_init_script(SHIFTS)
    page.reload()
    shifts = page.evaluate("shifts")
    assert sum(shift["value"] for shift in shifts) <= MOST, shifts
