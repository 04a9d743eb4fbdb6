"""Rodents and Tombs in browsers, from the first move to the end: a game of two, on a phone and on a laptop by keyboard
alone; a game of three with a phone beside the TV."""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec import Struct
from playwright.sync_api import Page, expect

from engine.game import find
from engine.games.tomb.bot import digger
from engine.table import Table
from engine.table_events import Revealed
from engine.testing.moves import deal, secret
from engine.verify import export
from tests.browser.table import GOES, leave
from tests.support.browser import Person, violations
from tests.support.server import Server

PHONE = {"phone": True, "viewport": {"width": 360, "height": 740}}
TV = {"viewport": {"width": 960, "height": 540}}
AT_ONCE = "document.documentElement.style.setProperty('--d-beat', '1ms')"  # a step is told as soon as it comes
NAMES = ("Mira", "Anton", "Leila")


class Given(Struct):
    """An answer of a recorded game."""

    seat: int
    words: tuple[str, ...]
    round: int


class Played(Struct):
    """A table at the beginning of a recorded game."""

    url: str
    token: str
    answers: list[Given]

    def sit(self, page: Page, seat: int, face: str = "") -> None:
        assert page.request.get(f"{self.url}/dev/{self.token}?seat={seat}").ok
        self.open(page, face)
        expect(page.locator("#ask")).to_be_visible()

    def open(self, page: Page, face: str = "") -> None:
        page.goto(f"{self.url}/t/{self.token}{face}")
        page.evaluate(AT_ONCE)

    def send(self, page: Page, given: Given, round: int) -> None:
        """As a program does."""
        move, *then = given.words
        data = {"do": "play", "round": round, "move": move, "then": then}
        assert page.request.post(f"{self.url}/t/{self.token}/act", data=data).ok


class Tables(Struct):
    """A server that deals the game of a file anew for each test."""

    server: Server
    file: Path

    def begin(self, page: Page, seats: int, seed: int) -> Played:
        lines, answers = recorded(seats, seed)
        self.file.write_bytes(lines)
        begun = page.request.get(f"{self.server.url}/dev", max_redirects=0)
        return Played(self.server.url, begun.headers["location"].rpartition("/")[2], answers)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    folder = tmp_path_factory.mktemp("tables")
    file = folder / "game.jsonl"
    file.write_bytes(recorded(2, 8)[0])
    program = [sys.executable, "-m", "app", "dev", "tomb", "--position", str(file), "--line", "2"]
    with Server(folder, program=program) as server:
        yield Tables(server, file)


def recorded(seats: int, seed: int) -> tuple[bytes, list[Given]]:
    """A finished game: its log, and its answers."""
    table, events = Table.begin(find("tomb"), seats, deal(seats, seed), {"first_player": "0"})
    luck, answers = Random(seed), list[Given]()
    while not table.over:
        (seat,), round = table.waits, table.round
        happened = table.play(seat, digger(table.shared(), table.own(seat), luck), round, secret(luck))
        if happened and isinstance(happened[0], Revealed):
            answers.append(Given(seat, happened[0].answers[0].words, round))
        events += happened
    return b"".join(export(events, NAMES[:seats])), answers


# A pointer ------------------------------------------------------------------------------------------------------------


def point(page: Page, word: str, *then: str) -> int:
    """Choose this word on the map, in the list or with its button, with those that are chosen together with it. Returns
    how many words that are."""
    choice = page.locator(f"#hand input[name=move][value='{word}']")
    aside = page.locator(f"#hand .acts [form='say-{word}']")
    expect(choice.or_(aside)).to_have_count(1)
    if aside.count():
        aside.click()
        return 1
    choice.check(force=True)
    together = 1
    for more in then:
        radio = page.locator(f"#hand input[type=radio][name=then][value='{more}']")
        if radio.count():
            radio.check(force=True)
        elif not pays(page, more):
            break
        together += 1
    page.click("#hand .lay")
    return together


def pays(page: Page, word: str) -> bool:
    """Whether this payment is, or now is, chosen together with the card."""
    field = page.locator("#hand .way:enabled [name=then]")
    if field.count() and field.evaluate("field => field.matches('select')"):
        field.select_option(word)
    return field.count() == 1 and field.input_value() == word


# The keyboard alone ---------------------------------------------------------------------------------------------------


def go_to(page: Page, selector: str) -> None:
    """From the skip link to an element; the map stands before the heading."""
    page.locator("a.skip[href='#ask']").focus()
    page.keyboard.press("Enter")
    key = "Shift+Tab" if ".aims" in selector else "Tab"
    for _ in range(40):
        page.keyboard.press(key)
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"the focus does not reach {selector}")


def press_until(page: Page, value: str) -> None:
    for _ in range(16):
        if page.evaluate("document.activeElement.value") == value:
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"arrow keys do not reach {value}")


def type_in(page: Page, word: str, *then: str) -> int:
    """The same by keyboard."""
    choice = page.locator(f"#hand input[name=move][value='{word}']")
    aside = f"#hand .acts [form='say-{word}']"
    expect(choice.or_(page.locator(aside))).to_have_count(1)
    if page.locator(aside).count():
        go_to(page, aside)
        page.keyboard.press("Enter")
        return 1
    where = ".aims" if page.locator(f"#hand .aims [name=move][value='{word}']").count() else ".opts"
    go_to(page, f"#hand {where} [name=move]")
    press_until(page, word)
    if len(then) == 1 and page.locator("#hand .way:enabled").count():
        if page.locator("#hand .way:enabled select").count():
            go_to(page, "#hand .way select")
            press_until(page, then[0])
        go_to(page, "#hand .lay")
    page.keyboard.press("Enter")
    return 2 if len(then) == 1 and word.startswith("hire ") else 1


def answer(page: Page, words: tuple[str, ...], keyboard: bool = False) -> None:
    round = page.locator("#hand [name=round]").first.input_value()
    said = 0
    while said < len(words):
        if said:
            expect(page.locator("#hand .sentence b")).to_have_count(said)
        said += (type_in if keyboard else point)(page, *words[said:])
        assert said == len(words) or not words[0].startswith(("open ", "hire "))  # a purchase is one decision
    expect(page.locator(f"#hand [name=round][value='{round}']")).to_have_count(0)


def waits_for(page: Page, round: int) -> None:
    expect(page.locator(f"#hand > [name=round][value='{round}']")).to_have_count(1)


def test_a_game_of_two(tables: Tables, person: Person) -> None:
    """Mira loads the page anew in the middle of a lift and steps back; Anton plays by keyboard alone, in Russian. In
    the middle of the game programs play, and no page is open."""
    mira, anton = person("Mira", allow=(GOES,), **PHONE), person("Anton", allow=(GOES,), locale="ru-RU")
    tv = person("TV", allow=(GOES,), **TV)
    played = tables.begin(mira, 2, 8)
    first, last = 10, len(played.answers) - 3
    for seat, page in enumerate((mira, anton)):
        played.sit(page, seat)
    played.open(tv, "/screen")
    later = 0  # each step back takes two rounds
    kinds: set[tuple[int, str]] = set()
    for n, given in enumerate(played.answers):
        page, other = (mira, anton) if given.seat == 0 else (anton, mira)
        round = given.round + later
        if n == first:
            leave(mira, anton, tv)
        if n == last:
            for one, face in ((mira, ""), (anton, ""), (tv, "/screen")):
                played.open(one, face)
        if first <= n < last:
            played.send(page, given, round)
            continue
        waits_for(page, round)
        lifts = given.words[0].startswith("lift ")
        if page == mira and lifts and not later:
            page.reload()
            page.evaluate(AT_ONCE)
            expect(page.locator(f"#hand input[value='{given.words[0]}']")).to_have_count(1)
        answer(page, given.words, keyboard=page == anton)
        kinds.add((given.seat, given.words[0].split()[0]))
        if page == mira and lifts and not later:
            page.locator("#take-back:not([aria-disabled])").click()
            expect(other.locator(".chain li").last).to_contain_text("берёт шаг назад")
            later = 2
            answer(page, given.words)
    assert later and {(0, "place"), (0, "lift"), (1, "remove"), (1, "hire")} <= kinds
    for page, won in ((mira, "wins with"), (anton, "побеждает")):
        expect(page.locator("body.face-result #scoring h1")).to_contain_text(won)
        assert not violations(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(tv.locator("#f-board h1")).to_contain_text("wins with")
    leave(mira, anton, tv)


def test_a_game_of_three(tables: Tables, person: Person) -> None:
    """On a laptop, a phone, and a phone beside the TV, which says who is to move and what was done. In the middle of
    the game programs play, and no page is open."""
    mira, anton = person("Mira", allow=(GOES,)), person("Anton", allow=(GOES,), **PHONE)
    leila, tv = person("Leila", allow=(GOES,), **PHONE), person("TV", allow=(GOES,), **TV)
    played = tables.begin(mira, 3, 4)
    first, last = 8, len(played.answers) - 5
    faces = ((mira, ""), (anton, ""), (leila, "/hand"))
    for seat, (page, face) in enumerate(faces):
        played.sit(page, seat, face)
    played.open(tv, "/screen")
    told = {"place": "A paw on entrance", "lift": "Lifted from", "hire": "is hired"}
    kinds: set[tuple[int, str]] = set()
    for n, given in enumerate(played.answers):
        page, kind = faces[given.seat][0], given.words[0].split()[0]
        if n == first:
            assert not violations(tv)
            leave(mira, anton, leila, tv)
        if n == last:
            for one, face in (*faces, (tv, "/screen")):
                played.open(one, face)
        if first <= n < last:
            played.send(page, given, given.round)
            continue
        waits_for(page, given.round)
        expect(tv.locator(".call h2")).to_contain_text(NAMES[given.seat])
        answer(page, given.words)
        kinds.add((given.seat, kind))
        if kind in told and n + 1 < len(played.answers):
            expect(tv.locator(".chain li").last).to_contain_text(told[kind])
    assert {(0, "place"), (1, "place"), (2, "place"), (2, "remove"), (2, "lift"), (2, "hire")} <= kinds
    leila.get_by_text("To the result").click()
    for page, _ in faces:
        expect(page.locator("body.face-result #scoring h1")).to_contain_text("Mira wins with")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(tv.locator("#f-board h1")).to_contain_text("Mira wins with")
    leave(mira, anton, leila, tv)
