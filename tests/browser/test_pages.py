"""Every page, in both languages: no violation for axe, no horizontal scrolling on a phone; refusals as text."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import ask, go_on, hold, join, lay, lift, next_choice, open_table, play_bots, wait_for_reveal
from tests.support.browser import Person, violations
from tests.support.server import NewServer, Server


def check(page: Page, what: str, wrong: list[str]) -> None:
    wrong += [f"{what}: {violation}" for violation in violations(page)]
    if page.evaluate("document.documentElement.scrollWidth > screen.width"):
        wrong.append(f"{what}: scrolls sideways")


@pytest.mark.parametrize("locale", ["en-GB", "ru-RU"])
def test_axe_finds_nothing(serve: NewServer, person: Person, locale: str) -> None:
    server = serve(BOT_PAUSE="0", TABLE_PASSWORD="lantern")
    allow = ("status of 40[34]",)
    mira = person("Mira", locale=locale, phone=True, allow=allow)
    anton = person("Anton", locale=locale, color_scheme="light", allow=allow)
    wrong: list[str] = []
    for path in ("/", "/about", "/verify", "/docs", "/move", "/nowhere"):
        mira.goto(server.url + path)
        check(mira, path, wrong)
    mira.goto(server.url)
    mira.fill("form[action='/tables'] [name=name]", "Mira")
    mira.fill("[name=password]", "lamp")
    mira.click("form[action='/tables'] .btn.main")
    expect(mira.get_by_role("alert")).to_be_visible()
    mira.go_back()
    mira.fill("[name=password]", "lantern")
    mira.click("form[action='/tables'] .btn.main")
    mira.wait_for_url(re.compile("/t/"))
    link = mira.url
    check(mira, "lobby, host", wrong)
    anton.goto(link)
    check(anton, "join", wrong)
    join(anton, link, "Anton <b>Ж</b> 🎲")
    check(anton, "lobby, guest", wrong)
    mira.click("#bot-2")
    mira.click("#bot-3")
    anton.click("#ready")
    mira.click("#start")
    ask(mira), ask(anton)
    check(mira, "play", wrong)
    anton.click(".menu summary")
    check(anton, "menu", wrong)
    anton.keyboard.press("Escape")
    for path in ("/rules", "/screen", "/hand"):
        anton.goto(link + path)
        check(anton, path, wrong)
    anton.goto(link)
    hold(mira)
    lay(mira, 0)
    lay(anton, 0)
    wait_for_reveal(mira)
    mira.wait_for_function("() => document.querySelector('.stage.turned')")
    check(mira, "reveal", wrong)
    go_on(mira)
    mira.click(".menu summary")
    mira.locator("form[action$='/device'] button").click()
    expect(mira.locator(".qr svg")).to_be_visible()
    check(mira, "device", wrong)
    assert not wrong, "\n".join(wrong)


def test_the_language_is_chosen_and_kept(server: Server, person: Person) -> None:
    page = person("Mira")
    link = play_bots(page, server)
    page.click(".menu summary")
    page.get_by_role("button", name="Русский").click()
    expect(page).to_have_url(link)
    expect(page.locator("html[lang=ru]")).to_have_count(1)
    expect(page.locator("#f-waits")).to_contain_text("Ждём выбора:")
    ask(page)
    lay(page, 0)
    wait_for_reveal(page)  # fragments from the socket are in Russian, too
    next_choice(page)
    expect(page.locator("#ask")).to_contain_text(re.compile("Выберите карту|Теперь"))


def test_day_and_night_are_kept(server: Server, person: Person) -> None:
    page = person("Mira", color_scheme="dark")
    page.goto(server.url)
    ground = "getComputedStyle(document.body).backgroundColor"
    night = page.evaluate(ground)
    page.click("[data-light]")
    day = page.evaluate(ground)
    assert day != night
    page.reload()
    assert page.evaluate(ground) == day


def test_without_script_one_can_play(server: Server, person: Person) -> None:
    page = person("Mira", java_script_enabled=False)
    play_bots(page, server)
    played = page.locator(".place[data-seat='1'] .was b")
    assert played.count() == 0
    page.locator("#hand label.choice:not(.anytime)").first.click()
    with page.expect_navigation():
        page.click("#hand .lay")
    while not played.count():  # the bots still play, and this page has no socket
        page.wait_for_timeout(100)
        page.reload()


def test_watching_and_taking_over_a_seat(server: Server, person: Person) -> None:
    mira, late, watcher = person("Mira"), person("Leila"), person("watcher")
    link = play_bots(mira, server)
    watcher.goto(link + "?watch=1")
    expect(watcher.locator("#ask")).to_contain_text("You are watching")
    assert watcher.locator("#hand .choice").count() == 0
    late.goto(link)
    late.fill("form [name=name]", "Leila")
    late.get_by_role("button", name="Take over: Wick").click()
    expect(late.get_by_text("A bot plays your seat until the next reveal.")).to_be_visible()
    expect(mira.locator(".place[data-seat='2']")).to_contain_text("Leila")
    lay(mira, 0)
    expect(late.locator("body[data-me='2'] #ask")).to_be_visible()
    expect(watcher.get_by_role("button", name="Take over: Wick")).to_have_count(0)


def test_an_away_seat_is_played_by_a_bot_until_its_owner_is_back(serve: NewServer, person: Person) -> None:
    server = serve(BOT_PAUSE="0", AWAY_SECONDS="5")  # longer than any page takes to load
    mira, anton = person("Mira"), person("Anton")
    link = open_table(mira, server, "Mira")
    join(anton, link, "Anton")
    mira.click("#bot-2")
    mira.click("#start")
    ask(mira), ask(anton)
    anton.goto("about:blank")
    mira.get_by_text("Anton is away: let a bot play").click()
    mira.get_by_role("button", name="Yes, let a bot play for Anton").click()
    expect(mira.locator(".place[data-seat='2']")).to_contain_text("a bot plays")
    expect(mira.locator(".place[data-seat='2'] .back")).to_be_visible()
    anton.goto(link)
    expect(anton.locator("#take-back")).to_be_visible()
    anton.click("#take-back")
    expect(anton.locator("#hand label.choice").first).to_be_visible()
    expect(mira.locator("#f-waits")).to_contain_text("Anton")


def test_a_clock_runs_and_the_lifted_card_is_laid(server: Server, person: Person) -> None:
    page = person("Mira")
    link = open_table(page, server, "Mira")
    for seat in (1, 2):
        page.click(f"#bot-{seat}")
    expect(page.locator("#seat-3")).to_contain_text("bot")
    said = "new URLSearchParams({ do: 'timer', seconds })"
    timer = f"seconds => fetch(location.pathname + '/act', {{ method: 'POST', body: {said} }})"
    page.evaluate(timer, 295)
    expect(page.locator("#seconds option[value='295']")).to_have_count(1)
    page.click("#start")
    ask(page)
    expect(page.locator(".clock")).to_have_text(re.compile(r"4:[0-5]\d"))
    first = page.locator(".clock").inner_text()
    expect(page.locator(".clock")).not_to_have_text(first)
    lift(page, 2)
    page.evaluate(timer, 5)
    wait_for_reveal(page)
    assert page.locator(".stage .place[data-seat='1'] .numeral").inner_text() == "3"
    page.goto(link + "/rules")
