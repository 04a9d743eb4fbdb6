"""What a page costs a phone, in Chromium: `python -m bench.pages [--commit REVISION ...] [--only first raiders]`.

For the first page and a play page of every game: bytes over the wire and requests of a first load with an empty cache,
and at a fourth of the processor's speed the largest contentful paint (LCP), how long scripts and layout block the page
(BLOCKED), the layout shift (CLS), and the time from a tap to the next paint. COMPUTED is what BLOCKED would be on a
machine with nothing else to do, from the processor time of the main thread's tasks. Each figure is a median of several
loads. While a page loads bots wait, as what they do is no part of it; for the taps they play on. Commits are measured
in turns, so that what else the machine does concerns all of them; by default it is the working tree.
"""

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from engine.game import games
from tests.support.browser import PHONE, launch
from tests.support.ports import free_port, listens, wait_until
from tests.support.server import HURRY

ROOT = Path(__file__).resolve().parents[1]
SLOWER = 4  # times, than the processor of this machine
QUIET = 1200  # ms without a long task: the page has loaded
LONG = 50  # ms: a longer task blocks, as in BLOCKED
TASK = "ThreadControllerImpl::RunTask"
FIRST = "first"
OBSERVE = """
window.seen = {lcp: 0, shift: 0, blocked: 0, last: 0, taps: {}};
const watch = (type, note, more) => new PerformanceObserver((list) => list.getEntries().forEach(note))
  .observe({ type, buffered: true, ...more });
watch('largest-contentful-paint', (entry) => seen.lcp = entry.startTime);
watch('layout-shift', (entry) => entry.hadRecentInput || (seen.shift += entry.value));
watch('longtask', (entry) => {
  seen.blocked += Math.max(0, entry.duration - 50);
  seen.last = entry.startTime + entry.duration;
});
watch('event', (entry) => {
  const { interactionId: tap, duration } = entry;
  if (tap) seen.taps[tap] = Math.max(seen.taps[tap] ?? 0, duration);
}, { durationThreshold: 16 });
"""
# Where a finger can tap now: the middle of each choice that nothing covers, of the button that hands in, and of cards
# to be read while there is nothing to choose.
TARGETS = """() => {
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const free = (element) => {
    if (!element?.checkVisibility({ visibilityProperty: true })) return false;
    const on = document.elementFromPoint(...middle(element));
    return on !== null && (element.contains(on) || on.closest('label') === element);
  };
  const all = (selector) => [...document.querySelectorAll(selector)].filter(free).map(middle);
  const radios = [...document.querySelectorAll('input[type=radio]:enabled')].filter((one) => one.form?.id === 'hand');
  return {
    playing: document.body.matches('.playing'),
    go: all('[data-go]'),
    lifts: radios.flatMap((radio) => [...radio.labels].filter(free).map(middle)),
    lifted: radios.some((radio) => radio.checked),
    shuts: all('#card-sheet:popover-open [popovertarget]'),
    reads: all('main .readable'),
    lays: all('#hand .lay, #hand .btn.main, button[form=hand], #f-own button[name=move]:enabled'),
  };
}"""


class Load(NamedTuple):
    """One load of a page."""

    kilobytes: float
    requests: int
    lcp: float
    blocked: float
    computed: float
    shift: float
    taps: list[float]


class Served:
    """A commit, or the working tree, as two running servers: on one bots wait, on the other they play."""

    def __init__(self, name: str, waiting: str, playing: str) -> None:
        self.name = name
        self.waiting = waiting
        self.playing = playing
        self.loads: dict[str, list[Load]] = {}


@contextmanager
def checkout(revision: str) -> Iterator[Path]:
    """The files of a commit, with what its build fetches; the working tree if `revision` is empty."""
    if not revision:
        yield ROOT
        return
    with tempfile.TemporaryDirectory(prefix="facedown-commit-") as folder:
        archive = subprocess.check_output(["git", "archive", revision], cwd=ROOT)
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        subprocess.run([sys.executable, "hatch_build.py"], cwd=folder, check=True)
        yield Path(folder)


@contextmanager
def served(revision: str) -> Iterator[Served]:
    with checkout(revision) as folder, running(folder, "100") as waiting, running(folder, "0.2") as playing:
        yield Served(revision or "working tree", waiting, playing)


@contextmanager
def running(folder: Path, pause: str) -> Iterator[str]:
    """The address of a server of these files, whose bots pause so long."""
    with tempfile.TemporaryDirectory(prefix="facedown-data-") as data:
        port, output = free_port(), Path(data, "log")
        settings = {**HURRY, "PORT": str(port), "DATA_DIR": data, "PYTHONPATH": str(folder), "BOT_PAUSE": pause}
        command = [sys.executable, "-m", "app", "serve"]
        with output.open("wb") as log:
            process = subprocess.Popen(command, cwd=folder, env={**os.environ, **settings}, stdout=log, stderr=log)
        url = f"http://127.0.0.1:{port}"

        def serves() -> bool:
            assert process.poll() is None, output.read_text()
            return listens(port)

        try:
            wait_until(serves, f"the server of {folder}")
            yield url
        finally:
            process.terminate()
            process.wait(20)


def load(browser: Browser, server: Served, page: str, taps: int) -> Load:
    with visitor(browser) as context:
        path = "/" if page == FIRST else opened(context, server.waiting, page)
        found = loaded(context, server.waiting + path)
    with visitor(browser) as context:
        path = "/" if page == FIRST else opened(context, server.waiting, page)
        found = found._replace(computed=computed(browser, context, server.waiting + path))
    if page == FIRST or not taps:
        return found
    with visitor(browser) as context:
        shown = slow_page(context)
        shown.goto(server.playing + opened(context, server.playing, page))
        return found._replace(taps=tapped(shown, taps))


@contextmanager
def visitor(browser: Browser) -> Iterator[BrowserContext]:
    phone: dict[str, Any] = {**PHONE}
    context = browser.new_context(**phone)
    yield context
    context.close()


def opened(context: BrowserContext, url: str, game: str) -> str:
    """The path of a new table of this game, on which bots play with the person of this browser."""
    form: dict[str, Any] = {"game": game, "name": "Ada", "bots": "1"}
    answer = context.request.post(f"{url}/tables", form=form, headers={"Origin": url})
    assert answer.ok, answer.status_text
    return answer.url.removeprefix(url)


def slow_page(context: BrowserContext) -> Page:
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.add_init_script(OBSERVE)
    return page


def loaded(context: BrowserContext, address: str) -> Load:
    page = slow_page(context)
    session = context.new_cdp_session(page)
    received: list[float] = []
    session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    session.send("Network.enable")
    page.goto(address)
    while page.evaluate(f"performance.now() < seen.last + {QUIET}"):
        page.wait_for_timeout(200)
    seen = page.evaluate("seen")
    return Load(sum(received) / 1000, len(received), seen["lcp"], seen["blocked"], 0, seen["shift"], [])


def computed(browser: Browser, context: BrowserContext, address: str) -> float:
    """Milliseconds by which the main thread's tasks would be too long on the slower processor."""
    page = context.new_page()
    browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline"])
    page.goto(address)
    page.wait_for_timeout(QUIET)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    named = [event for event in events if event["name"] == "thread_name"]
    mains = {(event["pid"], event["tid"]) for event in named if event["args"]["name"] == "CrRendererMain"}
    tasks: dict[tuple[int, int], list[float]] = {main: [] for main in mains}
    for event in events:
        if event["name"] == TASK and (thread := (event["pid"], event["tid"])) in tasks:
            tasks[thread].append(SLOWER * event.get("tdur", 0) / 1000)
    ours = max(tasks.values(), key=sum)  # the others are of pages that are gone
    return sum(max(0, task - LONG) for task in ours)


def tapped(page: Page, count: int) -> list[float]:
    """Play by touch; the milliseconds from each tap to the next paint. Chromium tells none below 16."""
    luck, made = Random(1), 0
    for _ in range(4 * count):
        if made >= count or page.locator("body.face-result").count():
            break
        now = page.evaluate(TARGETS)
        lay = now["lays"] and (now["lifted"] or not now["lifts"])
        if places := now["shuts"] or now["go"] or (now["lays"] if lay else now["lifts"]) or now["reads"]:
            page.touchscreen.tap(*luck.choice(places))
            made += 1
        page.wait_for_timeout(500)
    told = list(page.evaluate("seen.taps").values())
    return [*told, *[8.0] * (made - len(told))]


def measure(names: list[str], revisions: list[str], repeats: int, taps: int) -> list[Served]:
    with ExitStack() as stack:
        servers = [stack.enter_context(served(revision)) for revision in revisions]
        browser = launch(stack.enter_context(sync_playwright()))
        for _ in range(repeats):
            for name in names:
                for server in servers:
                    one = load(browser, server, name, taps)
                    server.loads.setdefault(name, []).append(one)
                    print(f"# {server.name} {name}: {told([one])}", file=sys.stderr, flush=True)
        browser.close()
    return servers


def told(loads: list[Load]) -> str:
    """A row of the table, without its name."""

    def middle(field: str) -> Any:
        return median(getattr(one, field) for one in loads)

    taps = [tap for one in loads for tap in one.taps]
    paint = f"{median(taps):.0f} ms, {max(taps):.0f} at most" if taps else "–"
    return (
        f"{middle('kilobytes'):.1f} kB | {middle('requests'):.0f} | {middle('lcp') / 1000:.2f} s | "
        f"{middle('blocked'):.0f} ms | {middle('computed'):.0f} ms | {middle('shift'):.3f} | {paint}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commit", nargs="+", default=[""], help="revisions; by default the working tree")
    parser.add_argument("--only", nargs="+", default=[FIRST, *games()], help="first, or games")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--taps", type=int, default=12)
    given = parser.parse_args()
    servers = measure(given.only, given.commit, given.repeats, given.taps)
    print(f"{date.today()}, processor {SLOWER} times slower, median of {given.repeats} loads\n")
    print("| commit | page | wire | requests | LCP | blocked | computed | CLS | tap to paint |")
    print("|---" * 9 + "|")
    for name in given.only:
        for server in servers:
            print(f"| {server.name} | {name} | {told(server.loads[name])} |")


if __name__ == "__main__":
    main()
