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
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

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
Onlooker = Callable[..., Page]

_report = pytest.StashKey[dict[str, pytest.TestReport]]()


BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# Debian's Chromium without windows: a page of one's own takes a quarter of the processor time, a test some 60 %.
WINDOWLESS = ("chromium-headless-shell",)


def find_chromium(shown: bool = False) -> str | None:
    """Debian's Chromium or Chrome; None makes Playwright use its own download. `shown`: one that has windows."""
    for name in BROWSERS if shown else WINDOWLESS + BROWSERS:
        if found := shutil.which(name):
            return found
    return None


def launch(playwright: Playwright) -> Browser:
    shown = bool(os.environ.get("HEADED"))
    pace = SLOWER if shown else 0
    program = find_chromium(shown)
    return playwright.chromium.launch(executable_path=program, args=FLAGS, headless=not shown, slow_mo=pace)


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
        _listen(context, name, errors, allow)
        people.append((name, page))
        return page

    yield enter

    _keep_failure(request, people, errors)
    for _, page in people:
        page.context.close()
    _fail_if(errors)


@pytest.fixture(scope="session")
def _onlookers() -> dict[bool, tuple[Page, list[str]]]:
    return {}


@pytest.fixture
def onlooker(
    browser: Browser, request: pytest.FixtureRequest, _onlookers: dict[bool, tuple[Page, list[str]]]
) -> Iterator[Onlooker]:
    """A page without motion that tests share: `onlooker()` or `onlooker(phone=True)`. For tests that measure pages
    and change nothing but the size of the window: a page of one's own, as `person` makes, takes longer than most of
    them. Errors are as for `person`."""
    used: dict[bool, tuple[Page, list[str]]] = {}

    def enter(phone: bool = False) -> Page:
        if phone not in _onlookers:
            context = browser.new_context(**(PHONE if phone else LAPTOP), locale="en-GB", reduced_motion="reduce")
            context.set_default_timeout(PATIENCE)
            errors: list[str] = []
            _listen(context, "onlooker", errors)
            _onlookers[phone] = context.new_page(), errors
        used[phone] = _onlookers[phone]
        return used[phone][0]

    yield enter

    wrong = [error for _, errors in used.values() for error in errors]
    _keep_failure(request, [("onlooker", page) for page, _ in used.values()], wrong)
    for page, errors in used.values():
        errors.clear()
        page.evaluate("location.protocol === 'http:' && (localStorage.clear(), sessionStorage.clear())")
    _fail_if(wrong)


def _listen(context: BrowserContext, name: str, errors: list[str], allow: tuple[str, ...] = ()) -> None:
    """Note the errors of these pages."""

    def note(what: str) -> None:
        if not any(re.search(pattern, what) for pattern in allow):
            errors.append(f"{name}: {what}")

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error":
            note(f"{message.text} ({message.location.get('url', '')})")

    context.on("console", heard)
    context.on("weberror", lambda error: note(str(error.error)))


def _keep_failure(request: pytest.FixtureRequest, pages: list[tuple[str, Page]], errors: list[str]) -> None:
    """If the test has failed, save what these pages show in `tests/failures`."""
    reports = request.node.stash.get(_report, {})
    if not errors and not any(report.failed for report in reports.values()):
        return
    FAILURES.mkdir(parents=True, exist_ok=True)
    for name, page in pages:
        label = re.sub(r"[\W_]+", "-", f"{request.node.name}-{name}")
        with suppress(Error):  # otherwise the other pages would stay open, too
            if not page.is_closed():
                page.screenshot(path=FAILURES / f"{label}.png", timeout=5_000)


def _fail_if(errors: list[str]) -> None:
    if errors:
        pytest.fail("errors in the browser:\n  " + "\n  ".join(errors), pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash.setdefault(_report, {})[report.when] = report
    return report


def violations(page: Page, *rules: str) -> list[str]:
    """The accessibility violations that axe finds on the page: of these rules, or of all."""
    from axe_playwright_python.sync_playwright import Axe

    only = {"runOnly": list(rules)} if rules else {}
    found = Axe().run(page, options={"resultTypes": ["violations"], **only}).response["violations"]
    return [
        f"{violation['id']}: {violation['help']}: {node['html']}" for violation in found for node in violation["nodes"]
    ]


def violations_by_night_and_day(page: Page) -> list[str]:
    """The same for both themes. By day only contrast is looked at: the theme matters for no other rule."""
    page.emulate_media(color_scheme="dark")
    found = violations(page)
    page.emulate_media(color_scheme="light")
    return found + [f"by day: {violation}" for violation in violations(page, "color-contrast")]


if __name__ == "__main__":
    # Used by machine.sh to check that a browser starts.
    with sync_playwright() as _playwright:
        try:
            launch(_playwright).close()
        except Error as _error:
            raise SystemExit("\n".join(_error.message.splitlines()[:3])) from None
