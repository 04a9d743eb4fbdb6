"""Tests of the test helpers."""

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from tests.support.browser import Person, launch
from tests.support.postgres import Postgres, start_postgres, wheel_binaries
from tests.support.wellformed import malformed


async def test_each_database_is_real_and_empty(database_url: str) -> None:
    engine = create_async_engine(database_url)
    async with engine.begin() as connection:
        await connection.execute(text("CREATE TABLE once (n INTEGER)"))
        await connection.execute(text("INSERT INTO once VALUES (1)"))
        assert await connection.scalar(text("SELECT count(*) FROM once")) == 1
    await engine.dispose()


# pytest runs this once per database; the second run must not see data of the first.
test_and_the_next_test_finds_it_empty_again = test_each_database_is_real_and_empty


async def test_a_database_is_dropped_under_those_who_are_still_connected(postgres: Postgres) -> None:
    name = postgres.create()
    left_open = await asyncpg.connect(postgres.url(name).replace("+asyncpg", ""))
    postgres.drop(name)
    with pytest.raises(asyncpg.PostgresError):
        await left_open.execute("SELECT 1")


def test_the_postgres_of_the_wheel_serves_a_machine_that_has_none() -> None:
    with start_postgres(wheel_binaries()) as server:
        name = server.create()
        assert server.url(name).startswith("postgresql+asyncpg://postgres@127.0.0.1:")


def test_two_people_have_nothing_in_common(person: Person) -> None:
    ada, bo = person("Ada"), person("Bo", phone=True, locale="ru-RU")
    assert ada.evaluate("navigator.language") == "en-GB"
    assert bo.evaluate("[navigator.language, screen.width, navigator.maxTouchPoints]") == ["ru-RU", 360, 1]
    assert ada.context is not bo.context


async def test_async_tests_run_beside_browser_tests(database_url: str) -> None:
    await test_each_database_is_real_and_empty(database_url)


def test_a_person_again(person: Person) -> None:
    page = person("Ada")
    page.set_content("<title>Hello</title>")
    assert page.title() == "Hello"


SPILLS = {
    "Ada: spilt ink": "console.error('spilt ink')",
    "nowhere is not defined": "setTimeout(() => nowhere())",
    "Content Security Policy": """document.write(
        `<meta http-equiv="Content-Security-Policy" content="style-src 'self'"><style>p { top: 0 }</style>`
    )""",
}


@pytest.mark.parametrize("headed", ["", "1"])
def test_a_browser_is_visible_on_request(headed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADED", headed)
    playwright = Mock()
    launch(playwright)
    assert playwright.chromium.launch.call_args.kwargs["headless"] is not bool(headed)


@pytest.mark.parametrize("said", SPILLS)
def test_what_goes_wrong_in_a_browser_fails_the_test(tmp_path: Path, said: str) -> None:
    file = tmp_path / "test_inner.py"
    file.write_text(
        f"""
def test_inner(person):
    page = person("Ada", allow=("dry ink",))
    page.evaluate("console.error('dry ink')")
    page.evaluate({SPILLS[said]!r})
    with page.expect_console_message(lambda message: message.text == "the last word"):
        page.evaluate("void setTimeout(() => console.log('the last word'), 50)")
"""
    )
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.support.browser", "-p", "no:cacheprovider"]
    inner = subprocess.run(
        [*command, "--rootdir", str(tmp_path), "-c", str(root / "pyproject.toml"), str(file)],
        cwd=root,
        env={**os.environ, "FACEDOWN_FAILURES": str(tmp_path / "failures")},
        capture_output=True,
        text=True,
    )
    assert inner.returncode == 1, inner.stdout + inner.stderr
    assert said in inner.stdout
    assert "Ada: dry ink" not in inner.stdout
    assert (tmp_path / "failures" / "test-inner-Ada.png").exists()


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ('<!doctype html><ul class=a><li data-b="c>d">e<br><ic coin "coins"></li></ul><svg><use href="#a"/></svg>', ""),
        ("<p><b>x</p>", "</p> in ['p', 'b']"),
        ('<input type="radio" checked<b>x</b>', "no tag"),
        ('<a title="x"y">z</a>', "no tag"),
        ("<a b=1 b=2></a>", "an attribute twice"),
        ("<p><ul></ul></p>", "<ul> in <p>"),
        ("<label><b><label></label></b></label>", "<label> in <label>"),
        ("<div><p>x</p>", "<div> is not closed"),
    ],
)
def test_html_that_is_not_well_formed_is_found(html: str, fault: str) -> None:
    assert [found.partition(":")[0] for found in malformed(html)][:1] == ([fault] if fault else [])
