"""What contributors see: pages that reload themselves, and the desk with all faces of a table."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Frame, Page, expect

from tests.browser.table import GOES, leave, play_bots
from tests.support.browser import Person
from tests.support.packages import ROOT
from tests.support.reloading import Reloading
from tests.support.server import Server

WINDOW = {"viewport": {"width": 1440, "height": 900}}
LOG = ROOT / "tests" / "engine" / "games" / "raiders" / "corpus" / "second-shared.jsonl"

Desk = Callable[..., tuple[Page, Server]]


@pytest.fixture
def desk(tmp_path: Path, person: Person) -> Iterator[Desk]:
    """Runs `facedown dev` with these words and opens its page."""
    with ExitStack() as stack:

        def run(*words: str) -> tuple[Page, Server]:
            program = [sys.executable, "-m", "app", "dev", *words]
            server = stack.enter_context(Server(tmp_path, program=program, BOT_PAUSE="0"))
            page = person("Ada", **WINDOW)
            stack.callback(leave, page)
            page.goto(f"{server.url}/dev")
            return page, server

        yield run


def face(page: Page, name: str) -> Frame:
    frame = page.frame(name)
    assert frame is not None
    return frame


def test_all_faces_are_on_one_page_and_a_card_is_laid(desk: Desk) -> None:
    page, server = desk("raiders", "--seats", "4", "--seed", "7")
    assert server.log.read_text().startswith(f"raiders at seed 7: open http://127.0.0.1:{server.port}/dev\n")
    play, hand, screen = (face(page, name) for name in ("play", "hand", "screen"))
    for one, classes in ((play, "face-play"), (hand, "face-hand"), (screen, "face-screen")):
        expect(one.locator(f"body.{classes}")).to_be_visible()
    for one, width in ((play, 1280), (hand, 360), (screen, 1920)):
        assert one.evaluate("innerWidth") == width
    for figure in page.locator("figure").all():
        box = figure.bounding_box()
        assert box is not None and box["x"] + box["width"] <= 1440 and box["y"] + box["height"] <= 900
    cards = "#hand label.choice:not(.anytime)"
    expect(play.locator(cards)).to_have_count(5)
    expect(hand.locator(cards)).to_have_count(5)
    expect(screen.locator(cards)).to_have_count(0)

    play.locator(cards).nth(4).click()  # not one for which there is another card here
    play.locator("#hand .lay").click()
    for one in (play, screen):  # the bots have handed in: the reveal begins
        expect(one.locator("body.playing .stage")).to_be_visible()
    expect(hand.locator(cards)).to_have_count(4)


def test_one_looks_from_another_seat(desk: Desk) -> None:
    page, _ = desk("raiders", "--seats", "4", "--people", "3")
    expect(page.locator("select option:not([disabled])")).to_have_count(3)
    expect(face(page, "hand").locator("body[data-me='1']")).to_be_visible()
    page.select_option("select", "2")
    page.wait_for_url("**?seat=2")
    for name in ("hand", "play"):
        expect(page.frame_locator(f"iframe[name={name}]").locator("body[data-me='3']")).to_be_visible()
    page.reload()
    expect(page.locator("select")).to_have_value("2")


def test_a_moment_of_a_log_stands_still(desk: Desk) -> None:
    page, _ = desk("raiders", "--position", str(LOG), "--line", "60")
    expect(page.locator("h1")).to_have_text(f"{LOG.name}, line 60")
    expect(face(page, "screen").locator("#f-board")).to_be_visible()
    expect(page.locator("select option[disabled]")).to_have_count(0)
    first = page.url
    page.click(".again")
    expect(page.locator("h1")).to_have_text(f"{LOG.name}, line 60")
    assert page.url != first


def test_a_table_that_cannot_begin_is_refused_at_once(tmp_path: Path) -> None:
    for words, why in (
        (["whist"], "no game 'whist' is installed"),
        (["raiders", "--seats", "9"], "raiders is for 1 to 5 seats, not 9"),
        (["raiders", "--seats", "3", "--people", "4"], "--people takes 1 to 3 here"),
        (["raiders", "--position", str(LOG), "--people", "4"], "--people takes 1 to 3 here"),
        (["raiders", "--line", "4"], "--line is for --position"),
        (["raiders", "--option", "edition=third"], "raiders has no option edition=third"),
        (["raiders", "--position", "nowhere"], "nowhere: No such file or directory"),
        (["scrawl", "--position", str(LOG)], "is a log of raiders, not of scrawl"),
        (["raiders", "--position", str(ROOT / "README.md")], "line 1 is not a line of a log"),
    ):
        server = Server(tmp_path, program=[sys.executable, "-m", "app", "dev", *words])
        with pytest.raises(AssertionError, match="stopped with code 2"):
            server.start()
        said = server.log.read_text()
        assert said.startswith("facedown dev: ") and why in said and said.count("\n") == 1
        server.log.unlink()


def test_an_open_page_reloads_itself_when_files_change(tmp_path: Path, person: Person) -> None:
    with Reloading(tmp_path) as server:
        page = person("Ada", allow=(GOES,))
        play_bots(page, server)
        server.replace("templates/fragments/own.html", "</div>", "<b id=new>new</b></div>")
        expect(page.locator("#new")).to_be_visible()
        page.evaluate("document.body.id = 'before'")
        server.replace("app/web/ops.py", '"ok\\n"', '"changed\\n"')
        expect(page.locator("#before")).to_have_count(0)
        expect(page.locator("#new")).to_be_visible()
        leave(page)


def test_the_table_of_the_desk_is_there_after_a_change_of_code(tmp_path: Path, person: Person) -> None:
    with Reloading(tmp_path, "dev", "raiders", "--seats", "4") as server:
        page = person("Ada", **WINDOW, allow=(GOES,))
        page.goto(f"{server.url}/dev")
        table = page.url
        page.evaluate("document.body.id = 'before'")
        server.replace("app/web/ops.py", '"ok\\n"', '"changed\\n"')
        expect(page.locator("#before")).to_have_count(0)
        expect(page.frame_locator("iframe[name=play]").locator("#f-own")).to_be_visible()
        assert page.url == table
        leave(page)
