"""Reading what is small on the table: by tap, mouse and keyboard."""

from playwright.sync_api import expect

from engine.games.raiders.positions import Place
from tests.browser.positions import Position, shown
from tests.support.browser import Person, violations


def vault() -> Position:
    heroes = [Place(items={"torch": 1}), Place(), Place()]
    return Position(heroes, floor=2, rooms={1: "dragon", 2: "armoury", 3: "snake"}, faceup="UUDDD").play((0, "torch"))


def test_a_card_is_read(person: Person) -> None:
    with shown() as (pages, address):
        pages["table"], pages["hand"] = vault().html(), vault().html("hand", language="ru")
        page = person("Mira", viewport={"width": 1280, "height": 720})
        page.goto(address + "table")
        sheet, armoury = page.locator("#card-sheet"), page.get_by_role("button", name="Read the card: vault (Armoury)")
        expect(sheet).to_be_hidden()
        # a mouse that rests on it
        armoury.hover()
        expect(sheet).to_contain_text("Sword: counts 5 against a monster, once.")
        beside, room = sheet.bounding_box(), armoury.bounding_box()
        assert beside and room and beside["x"] > room["x"] + room["width"]
        page.mouse.move(640, 600)
        expect(sheet).to_be_hidden()
        # the keyboard
        page.get_by_role("button", name="Read the card: Dragon").focus()
        page.keyboard.press("Tab")
        expect(armoury).to_be_focused()
        expect(sheet).to_contain_text("Everybody gets what stands beside the value")
        page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog", name="Read the card: vault (Armoury)")).to_be_visible()
        expect(sheet.get_by_role("button", name="Close")).to_be_focused()
        assert not violations(page)
        page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()
        expect(armoury).to_be_focused()
        page.keyboard.press("Enter")
        expect(sheet.get_by_role("button", name="Close")).to_be_focused()
        page.keyboard.press("Tab")  # out of it
        expect(sheet).to_be_hidden()
        expect(armoury).to_be_focused()
        # after it was beside a card, it is in the middle
        page.keyboard.press("Shift+Tab")
        expect(sheet).to_contain_text("Together you need")
        page.get_by_role("button", name="Read the card: Dragon").click()
        middle = sheet.bounding_box()
        assert middle and abs(middle["x"] + middle["width"] / 2 - 640) < 2
        sheet.get_by_role("button", name="Close").click()
        expect(sheet).to_be_hidden()
        # a click, and one outside; a room that the torch shows to this player alone
        page.get_by_role("button", name="Read the card: Snake, strength 8").click()
        expect(sheet).to_contain_text("Together you need 8.")
        page.mouse.click(640, 710)
        expect(sheet).to_be_hidden()


def test_a_card_is_read_on_a_phone(person: Person) -> None:
    with shown() as (pages, address):
        pages["table"], pages["hand"] = vault().html(), vault().html("hand", language="ru")
        page = person("Mira", phone=True, viewport={"width": 360, "height": 640})
        for face, button, text in (("table", "Armoury", "Torch: shows you the dark rooms"), ("hand", "Дракон", "14")):
            page.goto(address + face)
            page.get_by_role("button", name=button).tap()
            sheet = page.locator("#card-sheet")
            expect(sheet).to_contain_text(text)
            box, inside = (
                sheet.bounding_box(),
                "e => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth",
            )
            assert box and box["x"] >= 0 and box["y"] >= 0 and box["y"] + box["height"] <= 640
            assert sheet.evaluate(inside), "it need not be scrolled"
            sheet.locator(".btn").tap()
            expect(sheet).to_be_hidden()
