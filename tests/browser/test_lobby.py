"""The lobby by role: a host sees how friends come, friends see who is here; errors stand beside their field."""

from playwright.sync_api import Page, expect

from tests.browser.table import ask, join, open_table
from tests.support.browser import Person, violations
from tests.support.server import NewServer, Server

TOP = "e => e.getBoundingClientRect().top"
DIMS = "delete Navigator.prototype.wakeLock"


def order(page: Page, *selectors: str) -> list[str]:
    """The selectors from the top of the page to its bottom."""
    return sorted(selectors, key=lambda selector: float(page.locator(selector).first.evaluate(TOP)))


def test_by_role(server: Server, person: Person) -> None:
    mira, anton = person("Mira", phone=True), person("Anton", phone=True)
    anton.add_init_script(DIMS)
    link = open_table(mira, server, "Mira")
    expect(mira.locator(".start")).to_contain_text("Waiting for friends.")
    assert not mira.locator(".start button").count(), "who invites friends is not led to play alone"
    expect(mira.locator(".alone")).to_contain_text("The game for one")
    sections = (".invite", ".seats", "[href$='/rules'] >> visible=true")
    assert order(mira, *sections)[0] == ".invite"
    assert not violations(mira)

    anton.goto(link)
    expect(anton.locator("header")).to_contain_text(["Dungeon Raiders: Five floors"])
    assert anton.locator("main [href$='/rules']").is_visible()
    join(anton, link, "Anton")
    expect(anton.locator("#f-lobby .you-are")).to_contain_text("You are Anton")
    assert order(anton, ".you-are", ".invite", ".seats", "#f-lobby [href$='/rules']")[:3] == [
        ".you-are",
        ".seats",
        "#f-lobby [href$='/rules']",
    ]
    expect(anton.get_by_text("This browser lets the screen go dark")).to_be_visible()
    assert not violations(anton)
    expect(mira.locator(".alone")).to_have_count(0)
    expect(mira.locator("#start")).to_have_text("Start with 2")
    assert mira.get_by_text("This browser lets the screen go dark").is_hidden()

    anton.click(".menu > summary")
    anton.get_by_text("Leave the table").click()
    anton.get_by_role("button", name="Leave for good").click()
    mira.click("#with-bots")
    ask(mira)
    expect(mira.locator(".place")).to_have_count(4)


def test_errors_stand_beside_their_field(serve: NewServer, person: Person) -> None:
    server = serve(TABLE_PASSWORD="lantern")
    page = person("Mira", allow=("status of 40[0-9]",))
    wrong = page.locator("[aria-invalid] ~ #wrong")
    page.goto(server.url)
    page.check("[value=scrawl]")
    page.fill("[name=name]", "Mira")
    page.fill("[name=password]", "lamp")
    page.click("form[action='/tables'] .btn.main")
    expect(page.locator("[name=password] ~ #wrong")).to_have_text("This is not the password for opening tables.")
    assert page.locator("[value=scrawl]").is_checked() and page.input_value("[name=name]") == "Mira"
    assert not violations(page)
    page.fill("[name=code]", "ACDEFG")
    page.click("form[action='/join'] button")
    expect(page.locator("[name=code] ~ #wrong")).to_have_text("No open table has this code.")
    expect(wrong).to_have_count(1)
    assert page.input_value("[name=code]") == "ACDEFG"
    page.fill("[name=name]", "Mira")
    page.fill("[name=password]", "lantern")
    page.click("form[action='/tables'] .btn.main")
    code, link = page.locator(".code").inner_text(), page.url
    page.click("#lock")
    expect(page.get_by_text("The table is locked")).to_be_visible()
    stranger = person("Leila", allow=("status of 40[0-9]",))
    stranger.goto(server.url)
    stranger.fill("[name=code]", code)
    stranger.click("form[action='/join'] button")
    expect(stranger.locator("[name=code] ~ #wrong")).to_contain_text("is locked")
    page.goto(server.url)
    page.fill("[name=code]", code)
    page.click("form[action='/join'] button")
    expect(page).to_have_url(link)  # whoever sits there comes back
    page.click("#lock")
    expect(page.get_by_text("Friends join with this code")).to_be_visible()
    stranger.goto(link)
    stranger.fill("[name=name]", "\u2800")
    stranger.click("form .btn.main")
    expect(stranger.locator("[name=name] ~ #wrong")).to_have_text("Please give a name that can be read.")


SIX = ("squirrels", "capybaras", "rats", "mole_rats", "lemmings", "guinea_pigs")


def test_factions_are_picked_by_keyboard_and_told_to_all(server: Server, person: Person) -> None:
    small = {"viewport": {"width": 360, "height": 640}, "locale": "ru-RU"}
    mira, anton = person("Mira", **small), person("Anton")
    link = open_table(mira, server, "Mira", game="tomb")
    join(anton, link, "Anton")
    mira.locator("#picks-factions > summary").focus()
    mira.keyboard.press("Enter")
    boxes, sent = mira.locator("#pick-factions input[type=checkbox]"), mira.locator("#pick-factions button")
    expect(boxes).to_have_count(12)
    expect(mira.locator("#pick-factions legend")).to_have_text("Выберите 6")
    for faction in SIX:
        expect(sent).to_be_disabled()
        mira.locator(f"#p-factions-{faction}").focus()
        mira.keyboard.press("Space")
    expect(mira.locator("#pick-factions output")).to_have_text("6 / 6")
    assert not violations(mira)
    assert mira.evaluate("document.documentElement.scrollWidth") == 360
    mira.keyboard.press("Tab")
    mira.keyboard.press("Enter")
    expect(mira.locator("#o-factions-picked")).to_be_checked()
    expect(anton.locator(".option").filter(has_text="Factions")).to_contain_text(
        "By wish Squirrels, Capybaras, Rats, Mole rats, Lemmings, Guinea pigs"
    )
    mira.check("#o-factions-random")
    expect(anton.locator(".option").filter(has_text="Factions")).to_contain_text("At random")


def test_a_head_start_is_told(server: Server, person: Person) -> None:
    mira, anton = person("Mira"), person("Anton", locale="ru-RU")
    join(anton, open_table(mira, server, "Mira", game="tomb"), "Anton")
    for option, label, told in (("head_start-on", "Фора", "Да"), ("first_player-0", "Первый игрок", "Первое место")):
        mira.check(f"#o-{option}")
        expect(anton.locator(".option").filter(has_text=label)).to_contain_text(told)
    mira.click("#start")
    expect(mira.locator(".log.main, .log").first).to_contain_text("Anton begins with 6 glory.")
    expect(anton.locator(".log.main, .log").first).to_contain_text("Anton получает фору: 6 очков славы.")


def test_without_scripts_a_wrong_number_is_refused_in_words(server: Server, person: Person) -> None:
    mira = person("Mira", java_script_enabled=False, allow=("status of 400",))
    open_table(mira, server, "Mira", game="tomb")
    mira.click("#picks-factions > summary")
    mira.check("#p-factions-rats")
    mira.click("#pick-factions button")
    expect(mira.locator("body")).to_contain_text("Please choose as many as the game needs, each of them once.")
