"""The reveal: all cards turn together, and nothing on the page shows a later beat early."""

import re
from itertools import groupby, pairwise
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.table import (
    ask,
    go_on,
    hold,
    join,
    lay,
    next_choice,
    open_table,
    play_bots,
    take_part,
    wait_for_reveal,
)
from tests.support.browser import Person
from tests.support.server import Server

# The visible state of a page, without hidden elements.
SEEN = """() => {
  const seen = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  return {
    playing: document.body.classList.contains('playing'),
    reveal: document.querySelector('[data-reveal]').dataset.reveal,
    landed: [...document.querySelectorAll('[data-beat]')].filter(seen)
      .map((e) => Number(e.dataset.beat)).filter((beat) => beat > 0),
    stamps: [...document.querySelectorAll('.stamp')].filter(seen).length,
    now: document.querySelector('.room.now')?.dataset.room,
    hand: document.querySelector('#hand')?.checkVisibility() ?? false,
  };
}"""

# The page records every frame itself: polling from outside could miss some. It also records each change of a class: a
# busy browser may draw two beats in the same frame.
RECORD = f"""() => {{
  const look = {SEEN};
  const frames = window.frames_seen = [];
  const changes = new MutationObserver(() => frames.push(look()));
  changes.observe(document.body, {{ subtree: true, attributeFilter: ["class"] }});
  const next = () => {{
    frames.push(look());
    if (frames.at(-1).playing || !frames.some((frame) => frame.playing)) requestAnimationFrame(next);
    else changes.disconnect();
  }};
  next();
}}"""

PLAYED = """(reveal) =>
  !document.body.matches('.playing') || document.querySelector('[data-reveal]').dataset.reveal !== reveal"""


def first_room(page: Page) -> str:
    return str(page.locator(".room.now").get_attribute("data-room"))


def test_beat_by_beat(server: Server, person: Person) -> None:
    page = person("Mira")
    play_bots(page, server)
    room = first_room(page)
    page.evaluate(RECORD)
    lay(page, 0)
    # The next choice opens without a click.
    expect(page.locator(".room.now")).not_to_have_attribute("data-room", room)
    expect(page.locator("body:not(.playing)")).to_have_count(1)
    ask(page)
    history: list[dict[str, Any]] = [state for state in page.evaluate("frames_seen") if state["playing"]]
    for state in history:
        assert not state["hand"] and state["now"] == room, "the next choice waits for the last beat"
        assert state["stamps"] == 0 or 1 in state["landed"]
    beats: list[int] = []
    for _, states in groupby(history, lambda state: state["reveal"]):  # a bot's crystal ball makes two reveals
        told = [state["landed"] for state in states]
        assert not told[0]
        for before, after in pairwise(told):
            assert len(before) <= len(after), "what has landed stays"
        beats = [max(landed) for landed in told if landed]
        assert beats == sorted(beats) and set(range(1, max(beats, default=0) + 1)) <= set(beats), "one after another"
    assert beats
    # The reveal can be replayed.
    page.click("[data-again]:visible")
    wait_for_reveal(page)
    expect(page.locator("body:not(.playing)")).to_have_count(1)
    ask(page)


def test_skipping_is_a_click_a_tap_or_a_key(server: Server, person: Person) -> None:
    for name, phone in (("Mira", False), ("Anton", True)):
        page = person(name, phone=phone)
        play_bots(page, server, name)
        hold(page, beats=True)
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
            next_choice(page)
            # The focus is at the hand again, although the stage hid it.
            page.wait_for_function("document.activeElement.closest('.dock') !== null")


def test_the_stage_before_is_not_seen_again(server: Server, person: Person) -> None:
    page = person("Mira")
    play_bots(page, server)
    lay(page, 0)
    wait_for_reveal(page)
    next_choice(page)
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


TOLD = "() => [...document.querySelectorAll('#told p')].map((p) => p.textContent)"
LINES = """() => [...document.querySelectorAll('.telling :is(h2, li)')]
  .map((line) => [Number(line.closest('[data-beat]')?.dataset.beat ?? 0), line.innerText.trim()])
  .sort((a, b) => a[0] - b[0]).map(([, text]) => text)"""


def test_screen_readers_are_told_the_reveal_on_every_face(server: Server, person: Person) -> None:
    mira, anton, screen = person("Mira"), person("Anton", phone=True), person("TV")
    link = open_table(mira, server, "Mira")
    join(anton, link, "Anton")
    mira.click("#bot-2")
    mira.click("#start")
    ask(mira)
    anton.goto(link + "/hand")
    screen.goto(link + "/screen")
    for page in (mira, anton, screen):
        page.wait_for_load_state()
        hold(page)
    lay(anton, 0)
    lay(mira, 0)
    for page in (mira, anton, screen):
        page.wait_for_function("() => document.querySelector('.stage.turned')")
    lines = mira.evaluate(LINES)
    assert len(lines) >= 3 and "Mira" in lines[0]
    for page in (mira, anton, screen):
        assert page.evaluate(TOLD) == lines
        assert page.locator("[aria-live]:visible, [role=log]:visible").count() == 1
        assert page.evaluate("document.activeElement.id") == "told"
    expect(anton.locator("h1:visible")).to_have_count(1)
    go_on(mira)
    next_choice(mira)
    expect(mira.locator("#ask")).to_be_focused()


def test_with_reduced_motion_nothing_turns_but_the_order_stays(server: Server, person: Person) -> None:
    page = person("Mira", reduced_motion="reduce")
    play_bots(page, server)
    page.evaluate("document.documentElement.style.setProperty('--d-beat', '600s')")  # stays until it has been checked
    lay(page, 0)
    wait_for_reveal(page)
    page.wait_for_function("() => document.querySelector('.stage').matches('.turning')")
    moving = "() => document.getAnimations().map((a) => a.animationName).filter((name) => /turn|land/.test(name))"
    assert page.evaluate(moving) == []
    assert page.evaluate(SEEN)["landed"] == []
    page.evaluate("document.documentElement.style.removeProperty('--d-beat')")
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.querySelectorAll('[data-beat].landed').length > 0")
    assert page.evaluate(moving) == []


# As in browsers that draw what has come, before the scripts are there.
DRAWN_EARLY = """new MutationObserver(() => document.querySelector('[rel=expect]')?.remove())
  .observe(document, { childList: true, subtree: true })"""


def test_a_card_laid_before_the_scripts_have_loaded_brings_a_reveal(server: Server, person: Person) -> None:
    ada, bo, cy = person("Ada"), person("Bo"), person("Cy")
    link = open_table(ada, server, "Ada")
    join(bo, link, "Bo")
    join(cy, link, "Cy")
    ada.click("#start")
    for page in (ada, bo, cy):
        ask(page)
    ada.evaluate("sessionStorage.clear()")  # as if no script had run on a page of this game
    first = True
    ada.add_init_script(DRAWN_EARLY)
    ada.route("**/built/table-raiders.js*", lambda script: None if first else script.continue_())
    ada.goto(link, wait_until="commit")
    for other in (bo, cy):
        lay(other)
        expect(other.locator("#take-back")).to_be_visible()
    first = False
    lay(ada)  # the form is sent without htmx, and the answer is a new page
    wait_for_reveal(ada)


def test_a_hidden_tab_says_that_it_is_my_choice(server: Server, person: Person) -> None:
    page = person("Mira")
    page.add_init_script("Object.defineProperty(document, 'hidden', { get: () => window.away ?? false })")
    play_bots(page, server)
    title = page.title()
    page.evaluate("window.away = true; document.dispatchEvent(new Event('visibilitychange'))")
    expect(page).to_have_title(re.compile("Your choice"))
    page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    expect(page).to_have_title(title)


def test_the_last_room_is_told_before_the_scoring(server: Server, person: Person) -> None:
    """The result page first plays the last room; the scoring is hidden until then."""
    page = person("Mira")
    page.add_init_script(
        "addEventListener('DOMContentLoaded', () => { const h1 = document.querySelector('#scoring h1');"
        " window.early = h1?.checkVisibility() });"
    )
    play_bots(page, server)
    turn = 0
    while not page.locator("body.face-result").count():
        if take_part(page, turn):
            turn += 1
        else:
            page.wait_for_timeout(50)
    wait_for_reveal(page)
    page.wait_for_load_state("domcontentloaded")
    assert page.evaluate("window.early") is False
    go_on(page)
    expect(page.locator("#scoring h1")).to_be_visible()
    page.reload()  # it has been played now
    expect(page.locator("#scoring h1")).to_be_visible()
    assert page.locator("body.playing").count() == 0
