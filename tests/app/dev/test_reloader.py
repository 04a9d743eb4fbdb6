"""`facedown serve --reload` as a process of its own, on a copy of our files that the tests change."""

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli import main
from app.dev.reloader import start_server, stop_server
from tests.support.ports import listens, wait_until
from tests.support.reloading import Reloading
from tests.support.server import opener

RESTART = "changed: the server starts again."


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Reloading]:
    with Reloading(tmp_path) as server:
        yield server


def test_changed_pages_are_served_by_the_same_process(server: Reloading) -> None:
    process, count = server.state
    server.replace("templates/about.html", "{% block main %}", "{% block main %}<b>one more line</b>")
    assert "<b>one more line</b>" in server.get("/about")[1]
    assert server.state == (process, count + 1)

    style = re.compile(r"/static/css/base.css\?v=\w+")
    before = style.findall(server.get("/about")[1])
    (server.copy / "static/css/base.css").write_text("body { color: red }")
    after = style.findall(server.get("/about")[1])
    assert before != after and server.get(after[0]) == (200, "body { color: red }")

    server.replace(
        "app/locale/ru.po", 'msgid "Skip to what matters"\nmsgstr "', 'msgid "Skip to what matters"\nmsgstr "§'
    )
    assert "§" in server.russian("/about")
    assert server.state == (process, count + 3)
    assert server.said("changed: pages reload.") == 3 and server.said(RESTART) == 0


def test_changed_code_starts_the_server_again_and_no_table_is_lost(server: Reloading) -> None:
    _, table = server.post("/tables", game="raiders", name="Ada")
    process, _ = server.state
    server.replace("app/web/ops.py", '"ok\\n"', '"changed\\n"')
    server.wait_for(f"ops.py {RESTART}")
    wait_until(lambda: server.get("/healthz") == (200, "changed\n"), "the new code", tail=server.tail)
    assert server.state[0] != process
    status, view = server.view(f"/t/{table['token']}", table["bearer"])
    assert status == 200 and view["table"]["seats"][0]["name"] == "Ada"


def test_a_syntax_error_ends_the_server_until_the_next_change(server: Reloading) -> None:
    server.replace("app/web/ops.py", '"ok\\n"', '"ok\\n')
    server.wait_for("It starts again when a file changes.")
    assert re.search(r"^facedown: \S+ops\.py:\d+: unterminated string literal", server.log.read_text(), re.M)
    assert server.said("Traceback") == 0 and server.said("The server ended with code 1.") == 1
    server.replace("app/web/ops.py", '"ok\\n', '"mended\\n"')
    wait_until(lambda: server.get("/healthz") == (200, "mended\n"), "the mended code", tail=server.tail)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_all_processes(server: Reloading, number: signal.Signals) -> None:
    assert server.process is not None
    if number == signal.SIGINT:
        os.killpg(server.process.pid, number)  # as a terminal does on Ctrl-C
    else:
        server.process.send_signal(number)
    if number == signal.SIGKILL:
        assert server.process.wait(30) == -number
        wait_until(lambda: not listens(server.port), "the end of the server without its reloader", tail=server.tail)
    else:
        assert server.process.wait(30) == 0
    assert not listens(server.port)
    wait_until(lambda: server.said("] stopped") == 1, "an orderly end", tail=server.tail)
    assert server.said("Traceback") == 0


def test_the_server_itself_gets_no_signal_of_the_terminal() -> None:
    server = start_server(["--version"], [])
    try:
        assert os.getpgid(server.pid) == server.pid
    finally:
        stop_server(server)


def test_it_is_for_one_process(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("WORKERS", "2")
    monkeypatch.setenv("DATABASE_URL", "postgresql://localhost/none")
    assert main(["serve", "--reload"]) == 2
    assert capsys.readouterr().err == "facedown: --reload is for one process: set WORKERS=1.\n"


def test_it_has_no_desk_and_may_not_be_framed(server: Reloading) -> None:
    assert server.get("/dev/changes")[1] == "-".join(map(str, server.state))
    assert server.get("/dev")[0] == 404
    with opener.open(server.url + "/about", timeout=30) as response:
        assert "frame-ancestors 'none'" in response.headers["content-security-policy"]
