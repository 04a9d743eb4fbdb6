"""Names of 24 characters, in two scripts, are whole and unbroken; `test_sight.py` looks at the table."""

from functools import cache
from random import Random

import pytest
from playwright.sync_api import Page, expect

from engine.game import find
from engine.table import Table
from engine.testing import deal
from tests.browser.positions import LONG_NAMES, GamePosition, Position, shown
from tests.browser.table import open_table
from tests.support.browser import Person
from tests.support.server import Server

HOST, *FRIENDS = LONG_NAMES[2], LONG_NAMES[0], LONG_NAMES[1], LONG_NAMES[3]  # the first is one word
SIZES = ((360, 640), (1280, 720), (1920, 1080))

# Words of these names that are on more than one line, and texts that are wider than the window.
BROKEN = r"""(names) => {
  const words = new Set(names.flatMap((name) => name.match(/[\p{L}\p{N}]+/gu)));
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const of = text.parentElement;
    if (!of.checkVisibility({ visibilityProperty: true }) || of.closest('.sr, svg')) continue;
    for (const { 0: word, index } of text.data.matchAll(/[\p{L}\p{N}]+/gu)) {
      if (!words.has(word)) continue;
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const boxes = [...range.getClientRects()].filter((box) => box.width > 0.5);
      if (new Set(boxes.map((box) => Math.round(box.top))).size > 1) found.push(`${word} is broken`);
      if (!of.closest('.scroll') && boxes.some((box) => box.right > innerWidth + 0.5)) found.push(`${word} is cut off`);
    }
  }
  return found;
}"""


def broken(page: Page, where: str) -> list[str]:
    found = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found += [f"{where}, {width} px: {what}" for what in page.evaluate(BROKEN, LONG_NAMES)]
    return found


def test_before_the_game(server: Server, person: Person) -> None:
    host = person(HOST)
    link = open_table(host, server, HOST)
    for name in FRIENDS[:2]:
        answer = person(name).request.post(f"{link}/act", data={"do": "sit", "name": name})
        assert answer.ok, answer.text()
    wrong = []
    for locale in ("en-GB", "ru-RU"):
        last = person("last", locale=locale)
        last.goto(link)
        wrong += broken(last, f"join, {locale}")
        last.goto(f"{link}?watch=1")
        expect(last.locator("#f-lobby")).to_contain_text(HOST)
        wrong += broken(last, f"lobby, {locale}")
    expect(host.locator("#f-lobby")).to_contain_text(FRIENDS[1])
    wrong += broken(host, "the host's lobby")
    assert not wrong, "\n".join(wrong)


@cache
def finished() -> GamePosition:
    luck, names = Random(5), [HOST, *FRIENDS]
    table, began = Table.begin(find("raiders"), 4, deal(4, 5), {"edition": "second", "play": "sealed"})
    at = GamePosition(table, began, names)
    while not table.over:
        seat = luck.choice(table.waits)
        at.play((seat, luck.choice(table.moves(seat))))
    return at


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_hand_and_the_result(person: Person, language: str) -> None:
    hands = Position(names=[HOST, *FRIENDS])
    with shown() as (pages, address):
        pages["result"] = finished().html(language=language)
        for seat in range(4):
            pages[f"hand/{seat}"] = hands.html("hand", seat, language)
        page = person("Mira")
        wrong = []
        for name in pages:
            page.goto(address + name)
            if name == "result":
                page.evaluate("document.body.classList.remove('playing'); document.querySelector('#rooms').open = true")
            wrong += broken(page, f"{name}, {language}")
    assert not wrong, "\n".join(wrong)
