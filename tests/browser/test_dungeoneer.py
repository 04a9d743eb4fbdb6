"""Dungeoneer in browsers: the last turn of a game of three by keyboard alone; the map; a place for every word."""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

from engine.game import find
from engine.table import Table
from engine.testing.moves import deal
from tests.browser.lair_hand import AT_ONCE, pointed, reached, typed
from tests.browser.lair_states import MAP, forced, states
from tests.browser.positions import GamePosition, shown
from tests.browser.table import GOES, leave
from tests.support.browser import Person
from tests.support.server import Server

# Mira needs one more quest, which is sure at the Dark Altar. Anton and Leila can both trip her when her deeds begin.
POSITION = {
    "map": MAP,
    "phase": "villainy",
    "round": 7,
    # two attacks: one as strong as Anton's counter, one that he defeats; his challenge; a trap on Mira's way
    "dice": [3, 1, 4, 6, 5, 1, 6],
    "next_locations": ["arsenal"],
    "players": [
        {
            "hero": "amaura", "level": 3, "at": "rat_run", "hp": 5, "glory": 3, "peril": 4, "ap": 3,
            "visited": ["rat_run"],
            "hand": ["tunnel_stalker", "mend_flesh"], "lair": ["ghoul_pack"], "quests": ["blood_price"],
            "completed": ["signal_lantern", "still_the_blades"],
        },
        {
            "hero": "grog", "at": "rat_run", "hp": 4, "glory": 3, "peril": 7, "ap": 1, "kept": True,
            "hand": ["smoke_flask", "stumble"],
        },
        {"hero": "ilvaro", "at": "bone_tunnel", "glory": 5, "peril": 3, "hand": ["stumble", "vat_horror"]},
    ],
}  # fmt: skip


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    file = tmp_path / "position.json"
    file.write_text(json.dumps(POSITION), "utf-8")
    words = ("dungeoneer", "--seats", "3", "--position", str(file))
    with Server(tmp_path, program=[sys.executable, "-m", "app", "dev", *words], BOT_PAUSE="0") as server:
        yield server


def sit(page: Page, server: Server, link: str, seat: int) -> None:
    assert page.request.get(f"{server.url}/dev/{link.rsplit('/', 1)[1]}?seat={seat}").ok
    page.goto(link)
    page.wait_for_load_state()
    page.evaluate(AT_ONCE)


def asked(page: Page, title: str) -> None:
    """Wait for this question."""
    expect(page.locator("#ask")).to_have_text(title)


def test_the_last_turn_of_a_game_by_keyboard(server: Server, person: Person) -> None:
    """Mira has only a keyboard; her rivals answer on a phone and on a laptop."""
    mira, leila = person("Mira", allow=(GOES,)), person("Leila", allow=(GOES,))
    anton = person("Anton", allow=(GOES,), phone=True, viewport={"width": 390, "height": 844})
    link = mira.request.get(f"{server.url}/dev").url.replace("/dev/", "/t/")
    for seat, page in enumerate((mira, anton, leila)):
        sit(page, server, link, seat)

    # villainy: a group is put together in private and shown whole
    asked(mira, "Your villainy")
    typed(mira, "group")
    asked(mira, "Put together your group")
    typed(mira, "monster tunnel_stalker 1 speed")
    expect(mira.locator(".sentence")).to_have_text("In the group: Tunnel Stalker against Seat 1.")
    typed(mira, "lair 1 1 speed")
    expect(mira.locator(".sentence")).to_contain_text("Ghoul Pack against Seat 1")
    expect(mira.locator(".panel .acts")).to_contain_text("Send 2 cards")
    assert not anton.locator(".fight").count()
    typed(mira, "done")

    # the battle: Anton answers, and strikes back
    asked(anton, "You are attacked: answer or pass")
    expect(anton.locator(".bout")).to_have_count(2)
    expect(mira.locator("#ask")).to_have_text("Not your choice now")
    pointed(anton, "play smoke_flask")
    expect(anton.locator(".bout").first.locator(".tally").first).to_contain_text("Smoke Flask")
    asked(anton, "Strike back?")  # he has no other answer, so the table has passed for him
    expect(anton.locator(".bout").first.locator(".versus")).to_have_text("6 equals 6. Nothing happens.")
    expect(anton.locator(".bout").last.locator(".versus")).to_have_text("3 is below 8. Seat 1 strikes: it is defeated.")
    expect(anton.locator(".stake")).to_contain_text("Your strike: 1 wound, +1 glory")
    expect(anton.locator(".offers .btn").first).to_contain_text(re.compile(r"Tunnel Stalker: chance \d+.%"))
    pointed(anton, "attack monster 1 melee")

    # the table would not wait for those who hold Stumble; they want to be asked in this turn
    for page in (anton, leila):
        expect(page.locator(".unasked b")).to_have_text("Stumble")
        page.click(".unasked .btn")
        expect(page.locator("#orders summary")).to_contain_text("Whenever I can act")

    # a location is laid where it fits
    asked(mira, "Lay: Arsenal")
    typed(mira, "3 0 0")

    # a window: both rivals answer at once, the first in turn order acts, and nobody sees the other answer
    asked(anton, "The deeds of Seat 0 begin")
    asked(leila, "The deeds of Seat 0 begin")
    typed(leila, "play stumble 0")
    asked(leila, "Your answer is sealed")
    expect(mira.locator("#f-waits p").first).to_have_text("The table waits for an answer")
    assert "Seat 2" in mira.locator(".rivals").inner_text()  # so Leila is called on this page
    for part in ("#f-waits", "#f-announced", ".chain .story"):
        assert "Seat 2" not in mira.locator(part).inner_text(), part
    pointed(anton, "play stumble 0")
    asked(mira, "Your deeds")
    expect(leila.locator(".held .one")).to_have_count(2)
    expect(mira.locator(".chain .story")).not_to_contain_text("Seat 2")

    # Mira stands up and walks through a trap to her quest
    typed(mira, "stand")
    expect(mira.locator(".ap-of b")).to_have_text("2")
    typed(mira, "move e")
    asked(mira, "Before the check of Seat 0")  # she has an ability for it
    typed(mira, "pass")
    asked(leila, "Seat 0 has arrived")
    typed(leila, "pass")
    typed(mira, "attempt blood_price")
    for page in (mira, anton, leila):
        expect(page.locator("body.face-result #scoring h1")).to_contain_text("Seat 0")
    leave(mira, anton, leila)


def test_along_the_map_by_keyboard(person: Person) -> None:
    page = person("Mira")
    with shown() as (pages, address):
        pages["en/deeds"] = states()["deeds"][0].html()
        page.goto(f"{address}en/deeds")
        page.locator("[id='walk-rat_run']").focus()
        page.keyboard.press("Space")
        expect(page.locator("#walk-rat_run")).to_be_checked()
        expect(page.locator(".aim.sel")).to_have_count(1)
        for key, place in (("ArrowDown", "hall_of_blades"), ("ArrowLeft", "bone_tunnel"), ("ArrowUp", "entrance")):
            page.keyboard.press(key)
            expect(page.locator(f"#walk-{place}")).to_be_checked()
        expect(page.locator(".way-to.sel path")).to_have_count(2)

        # past the last location to the choices beside the map, and to both ways of laying a card
        reached(page, "play notched_sword")
        pages["en/lay"] = states()["lay"][0].html()
        page.goto(f"{address}en/lay")
        for word in ("3 0 180", "-3 0 0", "-3 0 180", "0 2 0"):
            reached(page, word)

        # a place is chosen in a battle, too
        for face in ("play", "hand"):
            pages["en/forced"] = forced().html(face)
            page.goto(f"{address}en/forced")
            page.locator("label.aim", has_text="Dark Altar").click()
            expect(page.locator("#hand [value=e]")).to_be_checked()
        page.goto(f"{address}en/deeds")

        # the locations themselves are one stop; arrows go from one to the next
        page.locator("#at-flooded_cistern .readable").focus()
        assert page.locator(".map-view .readable[tabindex='0']").count() == 1
        page.keyboard.press("ArrowDown")
        expect(page.locator("#at-rat_run .readable")).to_be_focused()

        # larger and smaller, moved with the mouse, and back to the hero
        wide = page.locator("#at-rat_run").bounding_box()
        page.click("[data-map=in]")
        larger = page.locator("#at-rat_run").bounding_box()
        assert wide and larger and larger["width"] > wide["width"]
        page.mouse.move(larger["x"] + 30, larger["y"] + 30)
        page.mouse.down()
        page.mouse.move(larger["x"] - 70, larger["y"] + 50, steps=4)
        page.mouse.up()
        moved = page.locator("#at-rat_run").bounding_box()
        assert moved and moved["x"] < larger["x"] - 60
        aims = page.locator(".aims .cell:has([for=walk-rat_run])").bounding_box()
        assert aims and abs(aims["x"] - moved["x"]) < 2
        page.click("[data-map=all]")
        assert page.locator("#at-rat_run").bounding_box() == wide


@pytest.mark.no_cover
def test_every_word_can_be_said_on_the_page() -> None:
    """In random games with all variants: a radio button or a form for each word, whatever is asked."""
    luck, seen = Random(4), Counter[tuple[str, str]]()
    for options in (
        {},
        {"chosen_heroes": "yes", "whole_map": "yes"},
        {"limited": "yes", "dodge": "yes", "decks": "two"},
    ):
        table, events = Table.begin(find("dungeoneer"), 3, deal(3, 5), options)
        at = GamePosition(table, events)
        for _ in range(250):
            if table.over:
                break
            asks, seat = table.shared().asks, table.waits[0]
            words = table.moves(seat)
            kinds = {(asks, word.split()[0]) for word in words if asks not in ("Lay", "LayTile", "DropCard")} | {
                (asks, "")
            }
            if any(not seen[kind] for kind in kinds) and not table.own(seat).spared:
                seen.update(kinds)
                html = at.html(seat=seat, language=luck.choice(("en", "ru")))
                missing = [word for word in words if f'value="{word}"' not in html]
                assert not missing, (asks, missing)
            at.play((seat, luck.choice(words)))
    assert len({asks for asks, _ in seen}) > 15
