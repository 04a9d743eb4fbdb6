"""The reveal: all cards turn together, and nothing on the page tells a later beat early."""

import re
from itertools import pairwise

from playwright.sync_api import Page, expect

from tests.browser.table import ask, lay, play_bots, take_part, wait_for_reveal
from tests.support.browser import Person
from tests.support.server import NewServer

# What can be seen of a page, by whoever cannot see what is not there yet.
SEEN = """() => {
  const seen = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  return {
    playing: document.body.classList.contains('playing'),
    turned: document.querySelector('.stage')?.matches('.turning, .turned') ?? false,
    landed: [...document.querySelectorAll('[data-beat]')].filter(seen).map((e) => Number(e.dataset.beat)),
    stamps: [...document.querySelectorAll('.stamp')].filter(seen).length,
    now: document.querySelector('.room.now')?.dataset.room,
    struck: [...document.querySelectorAll('.struck')].filter((e) => e.matches('.landed')).length,
    hand: document.querySelector('#hand')?.checkVisibility() ?? false,
    text: document.body.innerText,
  };
}"""

# Nothing goes on by itself any more.
NEVER = """() => {
  const soon = window.setTimeout;
  document.documentElement.style.setProperty('--d-beat', '60s');
  window.setTimeout = (what, time, ...more) => (time < 1000 ? soon(what, time, ...more) : 0);
}"""

PLAYED = """(reveal) =>
  !document.body.matches('.playing') || document.querySelector('[data-reveal]').dataset.reveal !== reveal"""


def first_room(page: Page) -> str:
    return str(page.locator(".room.now").get_attribute("data-room"))


def test_beat_by_beat(serve: NewServer, person: Person) -> None:
    page = person("Mira")
    play_bots(page, serve(BOT_PAUSE="0"))
    room = first_room(page)
    lay(page, 0)
    wait_for_reveal(page)
    history = []
    for _ in range(60):
        history.append(page.evaluate(SEEN))
        if not history[-1]["playing"]:
            break
        page.wait_for_timeout(150)
    told = [state["landed"] for state in history if state["playing"]]
    assert not told[0] and any(told)
    for before, after in pairwise(told):
        assert len(before) <= len(after), "what has landed stays"
    for state in history:
        if state["playing"]:
            assert not state["hand"] and state["now"] == room, "the next choice waits for the last beat"
            assert state["stamps"] == 0 or 1 in state["landed"]
    beats = [max(landed) for landed in told if landed]
    assert beats == sorted(beats) and set(range(1, max(beats) + 1)) <= set(beats), "one after another"
    # Then the next choice opens by itself, and what happened can be looked at again.
    ask(page)
    assert first_room(page) != room
    page.click("[data-again]:visible")
    wait_for_reveal(page)
    expect(page.locator("body:not(.playing)")).to_have_count(1, timeout=20_000)
    ask(page)


def test_skipping_is_a_click_a_tap_or_a_key(serve: NewServer, person: Person) -> None:
    server = serve(BOT_PAUSE="0")
    for name, phone in (("Mira", False), ("Anton", True)):
        page = person(name, phone=phone)
        play_bots(page, server, name)
        page.evaluate(NEVER)
        for way in ("click", "key", "button"):
            lay(page, 0)
            wait_for_reveal(page)
            reveal = page.locator("[data-reveal]").get_attribute("data-reveal")
            for _ in range(2):
                if way == "key":
                    page.keyboard.press("Enter")
                elif way == "button":
                    page.locator("[data-go]:visible").click()
                elif phone:
                    page.locator(".stage").tap()
                else:
                    page.locator(".stage").click(position={"x": 5, "y": 5})
            page.wait_for_function(PLAYED, arg=reveal)
            while page.locator("body.playing").count():  # a bot's crystal ball has made another
                page.keyboard.press("Escape")
            # One is where one chooses: the focus was not lost under the stage.
            page.wait_for_function("document.activeElement.closest('.dock') !== null")


def test_the_stage_before_is_not_seen_again(serve: NewServer, person: Person) -> None:
    page = person("Mira")
    play_bots(page, serve(BOT_PAUSE="0"))
    lay(page, 0)
    wait_for_reveal(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    ask(page)
    old = page.locator("[data-reveal]").get_attribute("data-reveal")
    page.evaluate(
        "() => { const swap = htmx.swap, told = new Promise((go) => window.goOn = go);"
        " htmx.swap = async (how) => {"
        " if (document.body.matches('.playing')) await told; return swap.call(htmx, how); } }"
    )
    lay(page, 0)
    expect(page.locator("body.playing")).to_have_count(1)
    assert page.locator("[data-reveal]").get_attribute("data-reveal") == old, "the new one is on its way"
    assert not page.locator(".stage").is_visible()
    page.evaluate("goOn()")
    wait_for_reveal(page)
    assert page.locator("[data-reveal]").get_attribute("data-reveal") != old


def test_with_reduced_motion_nothing_turns_but_the_order_stays(serve: NewServer, person: Person) -> None:
    page = person("Mira", reduced_motion="reduce")
    play_bots(page, serve(BOT_PAUSE="0"))
    lay(page, 0)
    wait_for_reveal(page)
    page.wait_for_function("() => document.querySelector('.stage').matches('.turning')")
    moving = "() => document.getAnimations().map((a) => a.animationName).filter((name) => /turn|land/.test(name))"
    assert page.evaluate(moving) == []
    assert page.evaluate(SEEN)["landed"] == []
    page.wait_for_function("() => document.querySelectorAll('[data-beat].landed').length > 0")
    assert page.evaluate(moving) == []


def test_a_hidden_tab_says_that_it_is_my_choice(serve: NewServer, person: Person) -> None:
    page = person("Mira")
    page.add_init_script("Object.defineProperty(document, 'hidden', { get: () => window.away ?? false })")
    play_bots(page, serve(BOT_PAUSE="0"))
    title = page.title()
    page.evaluate("window.away = true; document.dispatchEvent(new Event('visibilitychange'))")
    expect(page).to_have_title(re.compile("Your choice"))
    page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    expect(page).to_have_title(title)


def test_the_last_room_is_told_before_the_scoring(serve: NewServer, person: Person) -> None:
    """The page of the result plays what came with the end, and the scoring is not seen before."""
    page = person("Mira")
    page.add_init_script(
        "addEventListener('DOMContentLoaded', () => { const h1 = document.querySelector('#scoring h1');"
        " window.early = h1?.checkVisibility() });"
    )
    play_bots(page, serve(BOT_PAUSE="0"))
    for turn in range(200):
        if page.locator("body.face-result").count():
            break
        if not take_part(page, turn):
            page.wait_for_timeout(50)
    wait_for_reveal(page)
    assert page.evaluate("window.early") is False
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("#scoring h1")).to_be_visible()
    page.reload()  # it has been seen now
    expect(page.locator("#scoring h1")).to_be_visible()
    assert page.locator("body.playing").count() == 0
