"""Open play, card by card: whose turn it is, who follows, and the cards so far. First edition, including a duel."""

from typing import Any

from playwright.sync_api import Page, expect

from engine.games.raiders.positions import Place
from tests.browser.positions import Position, shown
from tests.browser.table import ask, cards, go_on, join, lay, open_table, wait_for_reveal
from tests.support.browser import Person
from tests.support.server import Server

JSON = {"accept": "application/json"}


def see(page: Page, link: str) -> dict[str, Any]:
    """The view of a program in this seat."""
    view: dict[str, Any] = page.request.get(link, headers=JSON).json()
    return view


def play(page: Page, link: str) -> None:
    """Play the lowest card of the seat whose turn it is, without using the page."""
    view = see(page, link)
    move = {"do": "play", "round": view["shared"]["round"], "move": view["own"]["moves"][0]}
    answer = page.request.post(f"{link}/act", data=move, headers=JSON)
    assert answer.ok, answer.text()


def in_turn(link: str, people: list[Page]) -> tuple[int, int]:
    """The two players in order of play."""
    now, then = see(people[0], link)["shared"]["public"]["order"]
    return now, then


def test_a_duel_from_the_lobby_through_a_floor(server: Server, person: Person) -> None:
    mira, anton = person("Mira"), person("Anton", phone=True)
    people, names = [mira, anton], ["Mira", "Anton"]
    link = open_table(mira, server, "Mira")
    join(anton, link, "Anton")
    for page in people:
        expect(page.locator("#f-lobby")).to_contain_text("Monsters cannot be beaten and hit the lower card.")
    expect(mira.locator("#o-play-open")).to_be_checked()
    expect(anton.locator("#f-lobby")).to_contain_text("One after another, face up.")
    mira.click("#start")
    for _ in range(5):
        for page in people:
            ask(page)
        now, then = in_turn(link, people)
        first, second = people[now], people[then]
        for page in people:  # both pages show the turn and the order
            expect(page.locator("#f-waits [role=status]")).to_contain_text(names[now])
            expect(page.locator("#f-waits [role=status]")).not_to_contain_text(names[then])
            expect(page.locator(f".place[data-seat='{now + 1}'] .state")).to_contain_text("choosing")
            expect(page.locator(f".place[data-seat='{then + 1}'] .state")).to_contain_text("plays next")
        expect(first.locator("#hand .order")).to_have_text(f"Still to play, in order: you and {names[then]}.")
        expect(second.locator("#hand .order")).to_have_text(f"Still to play, in order: {names[now]} and you.")
        expect(ask(second)).to_have_text("Wait for your turn")
        expect(cards(second)).to_have_count(0)
        lay(first)
        expect(second.locator(f".place[data-seat='{now + 1}'] .slot .card")).to_be_visible()
        expect(ask(second)).not_to_have_text("Wait for your turn")
        expect(ask(first)).to_have_text("Your card is on the table")
        for page in people:
            expect(page.locator("#f-waits [role=status]")).to_contain_text(names[then])
            expect(page.locator("#hand .sofar")).to_have_count(0)  # no sum beats a monster here
            expect(page.locator("[data-again]:visible")).to_have_count(0)  # single cards cannot be replayed
        lay(second)
        for page in people:
            wait_for_reveal(page)
        for page in people:
            go_on(page)
    for page in people:
        expect(page.locator(".where")).to_contain_text("Floor 2 of 5")


def test_what_lies_against_a_monster_is_told_to_everybody(person: Person) -> None:
    at = Position(3, "open", edition="first", rooms="troll", first=1)
    before = {(face, seat): at.html(face, seat) for face in ("play", "hand", "screen") for seat in range(3)}
    at.play((1, "4"))
    after = {(face, seat): at.html(face, seat) for face, seat in before}
    laptop, phone = person("Mira"), person("Anton", phone=True)
    with shown() as (pages, address):
        for face, seat in before:
            page = phone if face == "hand" else laptop
            sofar = page.locator(".sofar:visible")
            pages["before"], pages["after"] = before[face, seat], after[face, seat]
            page.goto(address + "before")
            expect(sofar).not_to_contain_text("so far")
            page.goto(address + "after")
            expect(sofar).to_contain_text("On the table so far: 4 of 14.")
            leila, mira = (
                ("you" if n == seat and face != "screen" else name) for n, name in ((2, "Leila"), (0, "Mira"))
            )
            expect(sofar).to_contain_text(f"Still to play, in order: {leila} and {mira}.")


def test_the_first_edition_with_bots(server: Server, person: Person) -> None:
    mira = person("Mira", phone=True)
    link = open_table(mira, server, "Mira")
    for bot in ("#bot-1", "#bot-2"):
        mira.click(bot)
    mira.check("#o-edition-first")
    expect(mira.locator("#o-play-open")).to_be_checked()
    mira.click("#start")
    for place in range(1, 6):
        expect(cards(mira).first).to_be_visible()
        public = see(mira, link)["shared"]["public"]
        assert public["place"] == place
        room = public["rooms"][place - 1]["room"]
        worth = {"key": 5, "sword": 5, "ball": 0}
        plays = [one["play"] for one in public["raiders"] if one["play"]]
        laid = [worth[play] if play in worth else int(play) for play in plays]
        if room["kind"] == "monster" and laid:
            told = f"On the table so far: {sum(laid)} of {room['strength']}."
            expect(mira.locator("#hand .sofar")).to_contain_text(told)
        if len(public["order"]) > 1:
            expect(mira.locator("#hand .order")).to_contain_text("in order: you")
        lay(mira)
        wait_for_reveal(mira)
        go_on(mira)
    expect(mira.locator(".where")).to_contain_text("Floor 2 of 5")


def test_a_card_laid_during_a_reveal_waits_for_those_to_come(server: Server, person: Person) -> None:
    """The screen is still playing earlier rooms when the first card of a new room is laid: it is shown at the end."""
    mira, anton, tv = person("Mira"), person("Anton"), person("TV")
    people = [mira, anton]
    link = open_table(mira, server, "Mira")
    join(anton, link, "Anton")
    tv.goto(link + "/screen")
    mira.click("#start")
    for page in people:
        ask(page)
        page.goto("about:blank")  # from here on they play as programs
    expect(tv.locator("#f-board .rooms")).to_be_visible()
    for _ in range(8):  # more reveals than the queue holds: the other fragments of dropped ones must not be lost
        now, then = in_turn(link, people)
        play(people[now], link)
        play(people[then], link)
        wait_for_reveal(tv)
    now, _ = in_turn(link, people)
    play(people[now], link)
    expect(tv.locator("body:not(.playing)")).to_have_count(1, timeout=60_000)
    expect(tv.locator(".where")).to_contain_text("Floor 2 of 5")
    expect(tv.locator(".room.now")).to_have_attribute("data-room", "4")
    expect(tv.locator(f".heroes .place[data-seat='{now + 1}'] .slot .card")).to_be_visible()


def test_five_on_the_screen(person: Person) -> None:
    at = Position(
        [Place(coins=n, items={"ball": 1}) for n in range(5)], "open", edition="first", rooms="troll", first=2
    )
    tv = person("TV", viewport={"width": 1920, "height": 1080})
    with shown() as (pages, address):
        for language in ("en", "ru"):
            pages["screen"] = at.play((2 if language == "en" else 3, "4")).html("screen", language=language)
            tv.goto(address + "screen")
            assert tv.evaluate("document.documentElement.scrollHeight <= innerHeight"), language
            sizes = [slot.bounding_box() for slot in tv.locator(".heroes .slot").all()]
            log, invitation = tv.locator(".log ol").bounding_box(), tv.locator(".invite").bounding_box()
            assert log and invitation and log["y"] + log["height"] < invitation["y"], language
            assert len(sizes) == 5 and all(size and size["width"] > 100 for size in sizes)


def test_half_of_nothing_is_no_wound(person: Person) -> None:
    at = Position([Place(wounds=9), Place(wounds=3), Place(wounds=2)], "open", edition="first", rooms="spikes")
    mira = person("Mira")
    with shown() as (pages, address):
        pages["spikes"] = at.play((0, "2"), (1, "1"), (2, "3")).html()
        mira.goto(address + "spikes")
        expect(mira.locator(".reveal .stamp")).to_have_text(["+3 wounds", "+4 wounds"])
        expect(mira.locator(".reveal .story li").first).to_have_text("The last card: Leila 3.")
