"""Rodents and Tombs in browsers: the last turns of a game of two, on a phone and a laptop (by keyboard), with a TV."""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

from engine.game import find
from engine.table import Table
from engine.table_events import Revealed
from engine.testing.moves import deal, secret
from engine.verify import export
from tests.browser.table import GOES, leave
from tests.support.browser import Person, violations
from tests.support.server import Server

LAST = 9  # answers that are given in the browsers
PHONE = {"phone": True, "viewport": {"width": 360, "height": 740}}
Turns = list[tuple[int, tuple[str, ...]]]  # seats and their answers


def recorded(folder: Path) -> tuple[Path, int, Turns]:
    """A finished game, the line after which its last answers follow, and these answers."""
    table, events = Table.begin(find("tomb"), 2, deal(2, 9), {"first_player": "0"})
    luck, lines, answers = Random(9), list[int](), Turns()
    while not table.over:
        seat = table.waits[0]
        words = [word for word in table.moves(seat) if word != "skip"] or table.moves(seat)
        if "remove" in words and table.state.players[seat].paws:
            words.remove("remove")
        happened = table.play(seat, luck.choice(words), table.round, secret(luck))
        if happened and isinstance(happened[0], Revealed):
            answers.append((seat, happened[0].answers[0].words))
            lines.append(len(events) + 1)  # the header is line 1
        events += happened
    file = folder / "game.jsonl"
    file.write_bytes(b"".join(export(events, ["Mira", "Anton"])))
    return file, lines[-LAST], answers[-LAST:]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Server, Turns]]:
    file, line, turns = recorded(tmp_path)
    words = ("tomb", "--position", str(file), "--line", str(line))
    with Server(tmp_path, program=[sys.executable, "-m", "app", "dev", *words], BOT_PAUSE="0") as server:
        yield server, turns


def sit(page: Page, server: Server, link: str, seat: int) -> None:
    page.goto(f"{server.url}/dev/{link.rsplit('/', 1)[1]}?seat={seat}")
    page.goto(link)
    expect(page.locator("#ask")).to_be_visible()
    page.wait_for_load_state()


def say(page: Page, word: str, *then: str) -> int:
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
        payment = page.locator(f"#hand .way:enabled [name=then]:is(select:has([value='{more}']), [value='{more}'])")
        if radio.count():
            radio.check(force=True)
        elif payment.count() and payment.evaluate("e => e.matches('select')"):
            payment.select_option(more)
        elif not payment.count():
            break
        together += 1
    page.click("#hand .lay")
    return together


def lay_by_keyboard(page: Page, word: str) -> None:
    """From the skip link to the map, along the entrances with arrow keys, then Enter."""
    page.locator("a.skip[href='#ask']").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Tab")  # the map stands before the heading
    for _ in range(16):
        if page.evaluate("document.activeElement.value") == word:
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")


def answer(page: Page, words: tuple[str, ...]) -> None:
    round = page.locator("#hand [name=round]").first.input_value()
    said = 0
    while said < len(words):
        if said:
            expect(page.locator("#hand .sentence b")).to_have_count(said)
        if words[said].startswith("place "):
            lay_by_keyboard(page, words[said])
            said += 1
        else:
            said += say(page, *words[said:])
            assert said == len(words) or not words[0].startswith(("open ", "hire "))  # a purchase is one decision
    expect(page.locator(f"#hand [name=round][value='{round}']")).to_have_count(0)


def test_the_last_turns_of_a_game(table: tuple[Server, Turns], person: Person) -> None:
    server, turns = table
    mira, anton = person("Mira", allow=(GOES,), **PHONE), person("Anton", allow=(GOES,))
    tv = person("TV", allow=(GOES,), viewport={"width": 1920, "height": 1080})
    mira.goto(f"{server.url}/dev")
    link = mira.url.replace("/dev/", "/t/")
    for seat, page in enumerate((mira, anton)):
        sit(page, server, link, seat)
    tv.goto(link + "/screen")
    for page in (mira, anton, tv):  # a step is told as soon as it comes
        page.evaluate("document.documentElement.style.setProperty('--d-beat', '1ms')")
    reloaded = taken_back = False
    for seat, words in turns:
        page, other = (mira, anton) if seat == 0 else (anton, mira)
        expect(page.locator("#hand > [name=round]")).to_have_count(1)
        if words[0].startswith("lift ") and not reloaded:
            page.reload()
            page.evaluate("document.documentElement.style.setProperty('--d-beat', '1ms')")
            expect(page.locator(f"#hand input[value='{words[0]}']")).to_have_count(1)
            reloaded = True
        answer(page, words)
        back = page.locator("#take-back:not([aria-disabled])")
        if not taken_back and page.locator("body.face-play").count() and back.count() and words[0].startswith("lift "):
            steps = other.locator(".chain li").count()
            back.click()
            expect(other.locator(".chain li").last).to_contain_text("took back a step")
            assert steps
            answer(page, words)
            taken_back = True
    assert reloaded and taken_back
    for page in (mira, anton):
        expect(page.locator("body.face-result #scoring h1")).to_contain_text("wins with")
        assert not violations(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(tv.locator("#f-board h1")).to_contain_text("wins with")
    leave(mira, anton, tv)
