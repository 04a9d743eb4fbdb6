"""What happens to the people at a table is told on every face, and in the log."""

import re
from random import Random

import pytest
from playwright.sync_api import Locator, Page, expect

from app.table.announcements import Announcement
from engine.game import find
from engine.proof import Deal
from engine.table import Table
from tests.browser.positions import GamePosition, shown
from tests.browser.states import states
from tests.browser.table import ask, go_on, hold, join, lay, open_table, release, wait_for_reveal
from tests.support.browser import Person
from tests.support.server import Server

TIMER = """seconds => fetch(location.pathname + '/act',
  { method: 'POST', body: new URLSearchParams({ do: 'timer', seconds }) })"""

# The page's timer is started by the test.
BY_HAND = """const soon = window.setTimeout;
window.setTimeout = (what, time, ...more) => (time === 6000 ? (window.next = what) : soon(what, time, ...more));
sessionStorage.setItem('announced token', '1');"""
ABOUT = [
    Announcement(1, "away", 0, "Mira"),
    Announcement(2, "away", 1, "Anton"),
    Announcement(3, "time", 0, "Mira", words=("4",)),
    Announcement(4, "back", 0, "Mira"),
    Announcement(5, "host", 1, "Anton"),
]


def test_one_after_the_other_and_in_words_for_each(person: Person) -> None:
    at = states()["laid"][0]
    page = person("Mira")
    page.add_init_script(BY_HAND)
    shown_line = page.locator("#f-announced > p:visible")
    with shown() as (pages, address):
        for seat, lines in (
            (0, ["Anton is away.", "Your time ran out. Played for you: 4.", "Anton is the host now."]),
            (1, ["The time ran out. Played for Mira: 4.", "Mira is back.", "You are the host now."]),
        ):
            pages["play"] = at.html(seat=seat, announcements=ABOUT)
            page.goto(f"{address}play")
            for line in lines:
                expect(shown_line).to_have_text(line, use_inner_text=True)
                page.evaluate("next()")
            expect(shown_line).to_have_count(0)
            assert page.evaluate("sessionStorage.getItem('announced token')") == "5"


@pytest.mark.parametrize("key", ["raiders", "scrawl", "tomb"])
def test_what_was_played_is_said_as_the_game_says_it(key: str) -> None:
    game, luck = find(key), Random(key)
    table, began = Table.begin(game, 3, Deal("cd" * 32, ("",) * 3), game.choose_options({}, 3))
    at = GamePosition(table, began)
    moves: list[str] = []
    while len(moves) < 40 and not table.over:
        seat = luck.choice(table.waits)
        moves.append(luck.choice(table.moves(seat)))
        at.play((seat, moves[-1]))
    said = tuple(move for move in moves if "objective" not in move)  # these stay secret
    page = at.html(announcements=[Announcement(1, "time", 0, "Mira", words=said)])
    line = re.findall("Played for you: (.*?)</span>", page, re.DOTALL)[0]
    raw = {move for move in moves if " " in move or move in ("done", "stop", "flee")}
    assert line and not [move for move in raw if move in line]


def told(page: Page, text: str) -> Locator:
    """Which of all that is told is shown depends on how fast the machine is."""
    return page.locator("#f-announced > p").get_by_text(text)


def test_on_every_face(server: Server, person: Person) -> None:
    mira, anton, screen = person("Mira"), person("Anton", phone=True), person("TV")
    link = open_table(mira, server, "Mira")
    join(anton, link, "Anton")
    mira.click("#bot-2")
    mira.click("#start")
    ask(mira)
    anton.goto(link + "/hand")
    screen.goto(link + "/screen")
    ask(anton)
    screen.wait_for_load_state()
    for page in (mira, anton, screen):
        hold(page)
    lay(mira, 0)
    expect(mira.locator("#take-back")).to_be_visible()
    mira.evaluate(TIMER, 5)
    wait_for_reveal(mira)
    mira.evaluate(TIMER, 0)
    for page in (mira, screen):
        wait_for_reveal(page)
        assert not told(page, "time ran out").count(), "not before the cards have turned"
        release(page)
        go_on(page)
        expect(told(page, "The time ran out. Played for Anton: ")).to_be_attached()
    release(anton)
    anton.locator("[data-go]:visible").click()
    expect(told(anton, "Your time ran out. Played for you: ")).to_be_attached()
    expect(mira.locator(".log").get_by_text("Played for Anton: ")).to_be_attached()

    mira.click(".menu > summary")
    mira.get_by_text("For the host").click()
    mira.get_by_text("Give this seat to a bot: Anton").click()
    mira.get_by_role("button", name="Yes, let a bot play for Anton").click()
    expect(told(screen, "The host has given the seat of Anton to a bot.")).to_be_attached()
    expect(anton.get_by_text("A bot plays in your seat.")).to_be_visible()
    anton.get_by_role("button", name="Take over: Anton").click()
    expect(told(screen, "Anton has taken over a seat.")).to_be_attached()
    expect(anton.locator("body[data-me='2']")).to_have_count(1)

    mira.get_by_text("Leave the table").click()
    mira.get_by_role("button", name="Leave for good").click()
    expect(told(anton, "You are the host now.")).to_be_attached()
    expect(told(screen, "Mira has left. A bot plays on.")).to_be_attached()
    expect(told(screen, "Anton is the host now.")).to_be_attached()
