"""A seat whose person does not play: somebody asks for it, whoever sits at the table may refuse."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser import scrawl_states
from tests.browser import states as raiders_states
from tests.browser.positions import shown
from tests.browser.sight import check_in_sight
from tests.browser.table import ask, join, lay, open_table
from tests.support.browser import Onlooker, Person, violations
from tests.support.server import Server

# A server at which others may ask for a seat a second after its player has gone.
HURRIED = "import app.table.seats as seats; seats.REST = 1.0; from app.cli import main; main(['serve'])"


@pytest.fixture
def hurried(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, None, [sys.executable, "-c", HURRIED], BOT_PAUSE="0", AWAY_SECONDS="2") as server:
        yield server


def test_a_lost_seat_is_asked_for_and_a_silent_player_replaced(hurried: Server, person: Person) -> None:
    mira, anton, lost, screen = person("Mira"), person("Anton", phone=True), person("Anton again"), person("TV")
    link = open_table(mira, hurried, "Mira")
    join(anton, link, "Anton")
    mira.click("#bot-2")
    mira.click("#start")
    ask(mira), ask(anton)
    screen.goto(link + "/screen")

    # Anton's browser has forgotten him.
    anton.goto("about:blank")
    expect(mira.locator(".place[data-seat='2']")).to_contain_text("away")
    expect(screen.locator("#f-waits > .standin")).to_have_text("Anton is away. On a phone you can let a bot play.")
    asking = lost.get_by_text("Ask for the seat of somebody who is away")
    lost.goto(link)
    while not asking.count():  # this page follows no changes
        lost.reload()
    asking.click()
    lost.fill("#claim-name", "Toni")
    lost.get_by_role("button", name="Ask for the seat: Anton").click()
    expect(lost.get_by_text("You have asked for the seat of Anton.")).to_be_visible()
    asked = "Toni asks for the seat of Anton, and gets it only if one of you agrees within a minute."
    for page in (mira, screen):
        expect(page.locator(".claim p")).to_have_text(asked)
    for page in (screen, lost):
        assert not page.locator("#object").is_visible() and not page.locator("#agree").is_visible()
    mira.click("#agree")
    expect(screen.locator(".claim p")).to_contain_text("unless somebody refuses. Agreed: Mira.")
    mira.click("#object")
    expect(mira.locator(".claim")).to_have_count(0)
    expect(lost.get_by_text("You have asked")).to_have_count(0)
    expect(screen.locator("#f-announced")).to_contain_text("Anton: everything stays as it is, somebody has objected.")

    # Mira, the host, does not answer; whatever she does is an answer.
    anton.goto(link)
    anton.click(".menu > summary")
    anton.get_by_text("Somebody does not answer").click()
    anton.get_by_text("Does not answer: Mira").click()
    anton.get_by_role("button", name="Yes, let a bot play for Mira").click()
    expect(mira.get_by_text("Are you here? In a minute a bot plays for you.")).to_be_visible()
    expect(anton.locator(".claim").get_by_text("Mira does not answer: in a minute a bot plays on.")).to_be_visible()
    anton.keyboard.press("Escape")
    lay(mira, 0)
    expect(mira.locator(".claim")).to_have_count(0)
    expect(anton.locator(".claim")).to_have_count(0)


def test_another_host_is_asked_for_after_the_end(onlooker: Onlooker) -> None:
    page = onlooker()
    ends = {"raiders": raiders_states.states()["end"][0], "scrawl": scrawl_states.states()["end"][0]}
    bar = {"who asks": ".claim p", "refuse": "#object", "the way on": "#rematch"}
    with shown() as (pages, address):
        for game, end in ends.items():
            for language in ("en", "ru"):
                pages[f"{game}-{language}"] = end.html(language=language, claim={"seat": 0, "name": "", "agreed": []})

            def opened(language: str, game: str = game) -> None:
                page.goto(f"{address}{game}-{language}")

            check_in_sight(page, opened, bar)
            assert not violations(page)
