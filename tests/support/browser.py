"""Browsers for tests: real Chromium, driven by Playwright's synchronous API.

`HEADED=1` shows its windows, slowly enough to watch: `HEADED=1 .venv/bin/python -m pytest tests/browser/test_solo.py`.
"""

import asyncio
import os
import re
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Playwright, expect, sync_playwright

# Ignored by git.
FAILURES = Path(os.environ.get("FACEDOWN_FAILURES", Path(__file__).resolve().parents[1] / "failures"))

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-partial-raster",  # otherwise partial redraws change edges in screenshots
    "--disable-quic",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
    # Not localhost, so that http pages are no secure context, as on a LAN.
    "--host-resolver-rules=MAP *.test 127.0.0.1",
]

LAPTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}

PATIENCE = 30_000  # generous: servers and browsers share two cores
expect.set_options(timeout=PATIENCE)
SLOWER = 200  # ms before each action in a visible browser

Person = Callable[..., Page]

_report = pytest.StashKey[dict[str, pytest.TestReport]]()


def find_chromium() -> str | None:
    """Debian's Chromium or Chrome; None makes Playwright use its own download."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    return None


def launch(playwright: Playwright) -> Browser:
    shown = bool(os.environ.get("HEADED"))
    pace = SLOWER if shown else 0
    return playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS, headless=not shown, slow_mo=pace)


class _Loop:
    """Enters Playwright's event loop only while a test uses a browser.

    Playwright itself keeps it entered between calls, which would prevent async tests in the same process.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop

    def enter(self) -> None:
        asyncio._set_running_loop(self.loop)

    def leave(self) -> None:
        asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def _browser() -> Iterator[tuple[Browser, _Loop]]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        loop = _Loop(asyncio.get_running_loop())
        loop.leave()
        yield browser, loop
        loop.enter()
        browser.close()


@pytest.fixture
def browser(_browser: tuple[Browser, _Loop]) -> Iterator[Browser]:
    """The Chromium of this test process. Tests usually use `person`."""
    _browser[1].enter()
    yield _browser[0]
    _browser[1].leave()


@pytest.fixture
def person(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Person]:
    """Creates a browser context per person: `person("Ada")`, `person("Bo", phone=True, locale="ru-RU")`.

    A page error, a console error or a violation of the content security policy fails the test, unless it matches one
    of the patterns in `allow`. Other keywords go to Playwright's `new_context`. If the test fails, the state of each
    page is saved in `tests/failures`.
    """
    people: list[tuple[str, Page]] = []
    errors: list[str] = []

    def enter(
        name: str,
        phone: bool = False,
        locale: str = "en-GB",
        allow: tuple[str, ...] = (),
        **options: Any,
    ) -> Page:
        context = browser.new_context(**{**(PHONE if phone else LAPTOP), "locale": locale, **options})
        context.set_default_timeout(PATIENCE)
        page = context.new_page()

        def note(what: str) -> None:
            if not any(re.search(pattern, what) for pattern in allow):
                errors.append(f"{name}: {what}")

        def heard(message: ConsoleMessage) -> None:
            if message.type == "error":
                note(f"{message.text} ({message.location.get('url', '')})")

        context.on("console", heard)
        context.on("weberror", lambda error: note(str(error.error)))
        people.append((name, page))
        return page

    yield enter

    reports = request.node.stash.get(_report, {})
    failed = bool(errors) or any(report.failed for report in reports.values())
    for name, page in people:
        if failed and not page.is_closed():
            FAILURES.mkdir(parents=True, exist_ok=True)
            label = re.sub(r"[\W_]+", "-", f"{request.node.name}-{name}")
            with suppress(Error):  # otherwise the other pages would stay open, too
                page.screenshot(path=FAILURES / f"{label}.png", timeout=5_000)
        page.context.close()
    if errors:
        pytest.fail("errors in the browser:\n  " + "\n  ".join(errors), pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash.setdefault(_report, {})[report.when] = report
    return report


def violations(page: Page) -> list[str]:
    """The accessibility violations that axe finds on the page."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        f"{violation['id']}: {violation['help']}: {node['html']}" for violation in found for node in violation["nodes"]
    ]


if __name__ == "__main__":
    # Used by machine.sh to check that a browser starts.
    with sync_playwright() as _playwright:
        try:
            launch(_playwright).close()
        except Error as _error:
            raise SystemExit("\n".join(_error.message.splitlines()[:3])) from None
