"""The game of docs/adding-a-game.md as a separate distribution, installed beside ours in an empty environment."""

import re
import shutil
import sysconfig
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import table
from tests.support.browser import Person
from tests.support.packages import ROOT, Environment, build, run
from tests.support.server import Server

EXAMPLE = ROOT / "examples" / "rock_paper_scissors"
KEY = "rock_paper_scissors"
ROUNDS = 3
NEW_KEY = "liars_dice"


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with our wheel, the game's, and that of a game that `facedown new-game` has written there. To save
    time, other packages come from the tests' environment."""
    folder = tmp_path_factory.mktemp("plugin")
    source = Path(shutil.copytree(EXAMPLE, folder / "source"))
    made = Environment(folder / "venv")
    made.install("--no-deps", wheel)
    (site_packages(made) / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    run([made.facedown, "new-game", NEW_KEY, "--folder", folder / "new"], folder, PYTHONPATH="")
    made.install("--no-deps", *(build("wheel", game, folder / "wheels") for game in (source, folder / "new")))
    return made


def site_packages(environment: Environment) -> Path:
    return next(environment.folder.glob("lib/python3*/site-packages"))


def serve(environment: Environment, folder: Path) -> Server:
    return Server(folder, program=[environment.facedown, "serve"], PYTHONPATH="")


def open_table(page: Page, server: Server, name: str, button: str, key: str = KEY) -> None:
    page.goto(server.url)
    page.locator(f"input[value={key}]").check()
    form = page.locator("form[action='/tables']")
    form.locator("[name=name]").fill(name)
    form.locator(button).click()
    page.wait_for_url(re.compile("/t/"))


def choose(page: Page, hand: str) -> None:
    """Lift this card and lay it."""
    page.locator(f"#hand label.choice:has([value={hand}])").click()
    page.locator("#hand .lay").click()


def go_on(page: Page) -> None:
    """Wait for the reveal, and skip it. By keys: a button to skip beats is gone once they have been told, perhaps just
    before it is clicked."""
    table.wait_for_reveal(page)
    table.go_on(page)


def leave(*pages: Page) -> None:
    """Leave the pages before the server stops: failed requests would count as console errors."""
    for page in pages:
        page.goto("about:blank")


def test_both_come_from_their_wheels(environment: Environment, tmp_path: Path) -> None:
    code = f"import app, engine, {KEY}; print(app.__file__, engine.__file__, {KEY}.__file__)"
    for file in run([environment.python, "-I", "-c", code], tmp_path).split():
        assert Path(file).is_relative_to(environment.folder)


def test_it_is_played_in_a_browser_in_two_languages(environment: Environment, tmp_path: Path, person: Person) -> None:
    with serve(environment, tmp_path) as server:
        ada, vera = person("Ada"), person("Вера", phone=True, locale="ru-RU")
        open_table(ada, server, "Ada", ".btn.main")
        expect(ada.locator(f"[name='option.rounds'][value='{ROUNDS}']")).to_be_checked()
        vera.goto(ada.url)
        expect(vera.locator("h1 + .lede")).to_contain_text("Камень, ножницы, бумага")
        vera.locator("form [name=name]").fill("Вера")
        vera.locator("form .btn.main").click()
        expect(ada.locator("#seat-2")).to_contain_text("Вера")
        ada.locator("#start").click()

        expect(ada.locator(".bar")).to_contain_text("Round 1 of 3")
        expect(vera.locator(".bar")).to_contain_text("Раунд 1 из 3")
        expect(ada.locator("#ask")).to_have_text("Choose a hand")
        expect(vera.locator("#ask")).to_have_text("Выберите, что показать")
        for page in (ada, vera):
            table.hold(page)
        # The game's own style and icons work under our content security policy.
        assert ada.locator(".points ol").evaluate("list => getComputedStyle(list).display") == "flex"
        vera.locator("#hand .card img").first.evaluate("picture => picture.decode()")

        choose(ada, "scissors")
        expect(ada.locator("#ask")).to_have_text("Your hand is hidden")
        expect(vera.locator(".place[data-seat='1'] .back")).to_be_visible()
        assert "scissors" not in vera.locator("#f-board").inner_html()
        ada.locator("#take-back").click()
        for number in range(1, ROUNDS + 1):
            choose(ada, "rock")
            choose(vera, "scissors")
            if number < ROUNDS:
                go_on(ada)
                go_on(vera)
                expect(vera.locator(".bar")).to_contain_text(f"Раунд {number + 1} из 3")
                expect(ada.locator(".points li").first).to_have_text(f"Ada {number}")
        expect(ada.locator("#scoring h1")).to_have_text("Ada wins")
        expect(vera.locator("#scoring .ranks th[scope=col]")).to_have_text(["Игрок", "Очки", "Место"])
        expect(vera.locator("#scoring .ranks tr").nth(2).locator("td")).to_have_text(["0", "2"])
        log = ada.request.get(f"{ada.url.partition('?')[0]}/log").body()
        leave(ada, vera)

    file = tmp_path / "log.jsonl"
    file.write_bytes(log)
    assert "Everything holds" in run([environment.facedown, "verify", file], tmp_path)


def test_without_templates_it_gets_plain_buttons(environment: Environment, tmp_path: Path, person: Person) -> None:
    with_templates = site_packages(environment) / KEY
    away = with_templates.with_name("away")
    (with_templates / "templates").rename(away)
    try:
        with serve(environment, tmp_path) as server:
            ada = person("Ada")
            open_table(ada, server, "Ada", "[name=bots]")
            buttons = ada.locator("#hand button[name=move]")
            expect(buttons).to_have_text(["rock", "scissors", "paper"])
            expect(ada.locator("#hand .choice")).to_have_count(0)
            table.hold(ada)
            for number in range(1, ROUNDS + 1):
                buttons.filter(has_text="paper").click()
                if number < ROUNDS:
                    go_on(ada)
            expect(ada.locator("#scoring h1")).to_contain_text(re.compile("win|victory", re.I))
            leave(ada)
    finally:
        away.rename(with_templates / "templates")


def test_a_new_game_is_played_with_plain_buttons(environment: Environment, tmp_path: Path, person: Person) -> None:
    with serve(environment, tmp_path) as server:
        ada = person("Ada", locale="ru-RU")
        open_table(ada, server, "Ada", "[name=bots]", NEW_KEY)
        for number in range(1, ROUNDS + 1):
            expect(ada.locator(".bar")).to_contain_text(f"Раунд {number} из 3")
            expect(ada.locator("#hand button[name=move]")).to_have_count(ROUNDS - number + 1)
            if number == 1:
                table.hold(ada)
            ada.locator("#hand button[name=move]").last.click()
            if number < ROUNDS:
                go_on(ada)
        expect(ada.locator("#scoring .ranks")).to_contain_text("Очки")
        ada.goto(f"{ada.url.partition('?')[0]}/rules")
        expect(ada.locator("main")).to_contain_text("Карты пронумерованы от 1 до 30.")
        leave(ada)


def test_it_is_simulated(environment: Environment, tmp_path: Path) -> None:
    summary = run([environment.facedown, "simulate", KEY, "--seats", "8", "--games", "5"], tmp_path)
    assert "5 games in" in summary


def test_its_own_tests_pass(environment: Environment, tmp_path: Path) -> None:
    test = EXAMPLE / f"test_{KEY}.py"
    said = run(
        [environment.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={tmp_path}", test], tmp_path
    )
    assert " passed" in said


def test_the_page_for_authors_shows_this_very_game() -> None:
    """The page contains the source that is tested here."""
    shown = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
    assert (EXAMPLE / KEY / "__init__.py").read_text("utf-8") in shown
    assert (EXAMPLE / "pyproject.toml").read_text("utf-8") in shown
    for template in (EXAMPLE / KEY / "templates").iterdir():
        assert template.name in shown
