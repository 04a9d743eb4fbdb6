"""Paper Dungeons in the browser: three teams and a bot, from the lobby to the final scoring."""

import re
from contextlib import suppress
from random import Random

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.table import join, open_table, unless_loading
from tests.support.browser import Person, violations
from tests.support.server import Server

ANSWERED = """was => document.body?.matches(".playing, .face-result")
    || document.querySelector("#hand")?.innerText !== was"""


def come(page: Page, selector: str) -> None:
    """Wait briefly for an element that may appear."""
    with suppress(PlaywrightTimeout):
        page.wait_for_selector(selector, timeout=1000)


def go_on(page: Page) -> None:
    """Skip the running reveal and all queued ones."""
    for _ in range(100):
        if not unless_loading(page.locator("body.playing").count, 1):
            return
        page.keyboard.press("Escape")  # shows all beats
        page.keyboard.press("Escape")  # ends the reveal
        come(page, "body:not(.playing)")
    raise AssertionError("the reveal does not end")


def say(page: Page, button: Locator) -> str:
    """Press a button and wait for the effect."""
    word = button.get_attribute("value") or ""
    was = page.locator("#hand").inner_text()
    button.click()
    page.wait_for_function(ANSWERED, arg=was)
    return word


def pick(page: Page, n: int = 0) -> None:
    page.locator(".pick:has(:enabled)").nth(n).click()


LOOK = """() => ({
    playing: document.body?.matches(".playing"),
    dice: document.querySelectorAll(".pick :enabled").length,
    picked: document.querySelectorAll(".pick :checked:enabled").length,
    words: [...document.querySelectorAll("#hand .tray button[name=move]")]
        .filter(button => button.checkVisibility()).map(button => button.value),
})"""


def take_part(page: Page, luck: Random) -> str:
    """Choose a word of a draft, if the table waits for one. Walking takes many words, so it is chosen rarely."""
    seen = unless_loading(lambda: page.evaluate(LOOK), None)
    if seen is None:
        return ""
    if seen["playing"]:
        go_on(page)
        return ""
    words = seen["words"]
    if not words and seen["dice"] > seen["picked"]:
        pick(page, luck.randrange(seen["dice"]))
        words = page.evaluate(LOOK)["words"]
    if not words:
        return ""
    short = [word for word in words if not word.startswith("move")] if luck.random() < 0.85 else []
    word = luck.choice(short or words)
    return say(page, page.locator(f"#hand .tray button[value='{word}']:visible"))


def until_dice(luck: Random, *pages: Page) -> None:
    """Play the set-up until the first round."""
    while ahead := [page for page in pages if not page.locator("body:not(.playing) .pick").count()]:
        for page in ahead:
            if not take_part(page, luck):
                page.wait_for_timeout(20)


def wide(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def test_from_the_lobby_to_the_scoring(server: Server, person: Person) -> None:
    luck = Random(5)
    mira, anton, leila = person("Mira"), person("Антон", locale="ru-RU"), person("Leila", phone=True)
    people = [mira, anton, leila]
    link = open_table(mira, server, "Mira", game="scrawl")
    join(anton, link, "Антон")
    join(leila, link, "Leila")
    mira.select_option("#level-3", "doodler")
    for seat, page in ((2, anton), (3, leila)):  # what others do changes nothing that the host has chosen
        page.click("#ready")
        expect(mira.locator(f"#seat-{seat}")).not_to_contain_text("not ready yet")
    mira.click("#bot-3")
    expect(mira.locator("#seat-4")).to_contain_text("bot, a beginner")
    screen = person("screen", viewport={"width": 1920, "height": 1080})
    screen.goto(link + "/screen")
    mira.click("#start")
    for page in people:
        expect(page.locator(".keep")).to_have_count(4)
        page.wait_for_load_state()  # until then the buttons are plain forms
        assert page.evaluate("scrollY") == 0
        assert wide(page) <= 0

    said, reloaded, checked = 0, False, False
    while not all(unless_loading(page.locator(".face-result").count, 0) for page in people):
        words = sum(bool(take_part(page, luck)) for page in people)
        said += words
        if not words:
            mira.wait_for_timeout(20)
        if not reloaded and said > 60 and anton.locator("body:not(.playing) .pick.used").count() == 1:
            reloaded = True
            draft = anton.locator(".map .fresh, .box.fresh, .heart.fresh").count()
            heading = anton.locator("#ask").inner_text()
            anton.reload()
            expect(anton.locator("#ask")).to_have_text(heading)
            assert anton.locator(".map .fresh, .box.fresh, .heart.fresh").count() == draft
        if not checked and said > 80 and not leila.locator("body.playing").count():
            checked = True
            assert [wide(page) for page in (*people, screen)] == [0, 0, 0, 0]
            assert violations(mira) == []
            assert violations(leila) == []
            assert violations(screen) == []

    assert reloaded and checked
    for page in people:
        go_on(page)
        expect(page.locator("#scoring h1")).to_be_visible()
        expect(page.locator(".twelve .lines tr")).to_have_count(11)
        assert wide(page) <= 0
    sums = mira.locator(".twelve .sums td").all_inner_texts()
    columns = [mira.locator(f".twelve .lines td:nth-child({n + 2})").all_inner_texts() for n in range(4)]
    for column, total in zip(columns, sums, strict=True):
        assert sum(number(text) for text in column) == number(total)
    assert mira.locator("#scoring h1").inner_text() != anton.locator("#scoring h1").inner_text()  # in Russian
    assert mira.locator(".chart path[data-seat]").count() == 4
    mira.emulate_media(reduced_motion="reduce")  # no fading during the check
    assert violations(mira) == []
    go_on(screen)
    expect(screen.locator(".twelve .sums td")).to_have_count(4)


def number(text: str) -> int:
    return int(text.split()[0].replace("−", "-"))


def test_a_draft_is_ones_own(server: Server, person: Person) -> None:
    """Undo goes back word by word, never past a reveal; drafts of others change nothing on this page."""
    luck = Random(3)
    mira, anton = person("Mira", viewport={"width": 1280, "height": 700}), person("Anton")
    link = open_table(mira, server, "Mira", game="scrawl")
    join(anton, link, "Anton")
    anton.click("#ready")
    mira.click("#start")
    for page in (mira, anton):
        expect(page.locator(".keep")).to_have_count(4)
        page.wait_for_load_state()
    until_dice(luck, mira, anton)

    # There is nothing to undo at the start of a round.
    expect(mira.locator("#undo")).to_have_count(0)
    # A walk step by step on the map: the player's sheet shows it at once, other pages do not.
    mira.locator(".pick:has(:enabled)").first.click()
    say(mira, mira.locator("#hand .uses:visible button[value^=move]"))
    said = 2
    expect(mira.locator("#ask")).to_be_focused()
    target = mira.locator(".targets button").first
    expect(target).to_have_accessible_name(re.compile(r"To [A-F]1: "))
    say(mira, target)
    expect(mira.locator(".map .fresh")).to_have_count(1)
    while mira.locator("#hand .what > .uses.open button").count():
        say(mira, mira.locator("#hand .what > .uses.open button").first)
        said += 1
    expect(anton.locator("#f-board .here")).to_have_count(0)

    # A hand-in of another player changes neither the picked die nor scroll position nor focus.
    pick(mira, 0)
    picked = mira.locator(".pick :checked:enabled").get_attribute("id")
    mira.locator(".team button").first.focus()
    mira.evaluate("scrollTo(0, 120)")
    top = mira.evaluate("scrollY")
    while not anton.locator("#take-back").count():
        take_part(anton, luck)
    expect(mira.locator(".team[data-seat='2'] .answered", has_text="done")).to_be_visible()
    expect(mira.locator(".team[data-seat='2'] .awaited", has_text="choosing")).to_be_hidden()
    expect(mira.locator(".team button").first).to_be_focused()
    assert mira.locator(".pick :checked:enabled").get_attribute("id") == picked
    assert mira.evaluate("scrollY") == top
    expect(mira.locator("#f-board .here")).to_have_count(0)

    # Undo all words, each after the last answer; then play the round again.
    for _ in range(said):
        say(mira, mira.locator("#undo"))
    expect(mira.locator("#undo")).to_have_count(0)
    expect(mira.locator(".map .fresh")).to_have_count(0)
    expect(mira.locator(".pick.used")).to_have_count(0)
    # With a picked die, a room one step away can be tapped at once. C1 is empty in every dungeon.
    pick(mira, 0)
    box = mira.locator("[data-near=C1]").bounding_box()
    assert box
    mira.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(mira.locator(".map .fresh")).to_have_count(1)
    for _ in range(2):
        say(mira, mira.locator("#undo"))
    while not mira.locator("#m-done").count():
        take_part(mira, luck)
    mira.locator("#m-done").click()
    expect(mira.locator("body.playing")).to_have_count(1)
    go_on(mira)
    expect(mira.locator("#f-bar")).to_contain_text("Round 2")
    expect(mira.locator("#undo")).to_have_count(0)


def test_by_keyboard_alone(server: Server, person: Person) -> None:
    """Solo game: Tab, arrows, Space and Enter reach every control."""
    luck = Random(1)
    page = person("Ada")
    link = open_table(page, server, "Ada", game="scrawl")
    page.click("#start")
    expect(page.locator(".keep")).to_have_count(4)
    page.wait_for_load_state()  # until then the buttons are plain forms
    for kind in ("talent", "objective"):
        page.locator(f"button[value^={kind}]").first.focus()
        page.keyboard.press("Enter")
        if kind == "talent":
            expect(page.locator("button[value^=objective]").first).to_be_visible()
            expect(page.locator("#ask")).to_be_focused()
    expect(page.locator("body.playing")).to_have_count(1)
    until_dice(luck, page)
    page.locator("#ask").focus()
    page.keyboard.press("Tab")  # to the rules link
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page.locator(".pick :checked")).to_have_count(1)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == "move"
    page.keyboard.press("Enter")
    expect(page.locator("#undo")).to_be_visible()
    for face in ("/hand", "/rules"):
        page.goto(link + face)
        assert wide(page) <= 0
        assert violations(page) == []
