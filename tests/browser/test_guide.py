"""The guided first turn: hints for whoever asks for them, each once."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from engine.games.tomb.positions import Board
from tests.browser.positions import GamePosition, Position, TombPosition, shown
from tests.support.browser import Person, violations


def tomb() -> GamePosition:
    return TombPosition(Board(food=2), Board(), paws={"5": 0, "7": 0})


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with shown() as (pages, address):
        pages["begin"] = tomb().html()
        pages["hand"] = tomb().html("hand")
        pages["waits"] = tomb().html(seat=1)
        pages["lift"] = tomb().play((0, "remove")).html()
        pages["raiders"] = Position(3).html()
        yield address


def test_hints_come_once_to_those_who_ask(address: str, person: Person) -> None:
    mira = person("Mira")
    hint, switch = mira.locator("#guide"), mira.locator(".menu [data-guide=on]")
    mira.goto(address + "begin")
    expect(hint).to_be_hidden()
    mira.click(".menu > summary")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    expect(hint).to_contain_text("Lay a paw on an entrance")
    assert not violations(mira)
    for page in ("begin", "hand"):  # it stays until it was read or answered
        mira.goto(address + page)
        expect(hint).to_be_visible()
    hint.get_by_role("button", name="Understood").click()
    expect(hint).to_be_hidden()
    mira.goto(address + "begin")
    expect(hint).to_be_hidden()
    mira.goto(address + "lift")
    expect(hint).to_contain_text("Lift your paws")
    hint.get_by_role("button", name="No more hints").click()
    mira.reload()
    expect(hint).to_be_hidden()
    expect(switch).to_have_attribute("aria-pressed", "false")


def test_who_waits_and_who_plays_a_game_without_hints_has_none(address: str, person: Person) -> None:
    mira = person("Mira")
    for page in ("waits", "raiders"):
        mira.goto(address + page)
        expect(mira.locator("#guide")).to_have_count(0)
    expect(mira.locator("[data-guide]")).to_have_count(0)
