"""The program `facedown`, as a separate process."""

import errno
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog.testing

from app import logs, server
from app.cli import main
from app.settings import Settings
from tests.support.packages import ROOT
from tests.support.ports import free_port
from tests.support.server import NewServer


def facedown(
    folder: Path, *words: str, program: Sequence[str] = ("-m", "app"), **settings: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *program, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "DATA_DIR": str(folder), **settings},
        capture_output=True,
        text=True,
        timeout=60,
    )


def assert_one_line(done: subprocess.CompletedProcess[str], beginning: str) -> None:
    """It failed with one line of text."""
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith(f"facedown: {beginning}") and done.stderr.count("\n") == 1
    assert "s3cret" not in done.stderr + done.stdout


def test_an_invalid_setting_is_named(tmp_path: Path) -> None:
    for command in ("serve", "migrate"):
        done = facedown(tmp_path, command, PORT="http")
        assert done.returncode == 2 and "PORT=http" in done.stderr and "Traceback" not in done.stderr
    assert facedown(tmp_path, "serve", WORKERS="2").returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_without_a_command_the_commands_are_listed(tmp_path: Path) -> None:
    done = facedown(tmp_path)
    assert done.returncode == 2 and "serve" in facedown(tmp_path, "--help").stdout
    assert "AWAY_SECONDS" in facedown(tmp_path, "--help").stdout


def test_it_says_its_version(tmp_path: Path) -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    done = facedown(tmp_path, "--version")
    assert (done.returncode, done.stdout) == (0, f"facedown {declared}\n")
    assert server.create_app(Settings()).openapi()["info"]["version"] == declared
    unreleased, *released = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert (unreleased, released[0]) == ("Unreleased", declared)


def test_migrate_and_back_up(tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    assert facedown(tmp_path, "backup", str(copy)).returncode == 2  # there is no database yet
    assert facedown(tmp_path, "migrate").returncode == 0
    assert facedown(tmp_path, "migrate").returncode == 0
    assert facedown(tmp_path, "backup", str(copy)).returncode == 0
    assert {path.stat().st_mode & 0o077 for path in tmp_path.glob("*.sqlite3")} == {0}  # readable only by the user
    with sqlite3.connect(copy) as connection:
        assert connection.execute("SELECT count(*) FROM tables").fetchone() == (0,)
    connection.close()
    assert facedown(tmp_path, "backup", str(copy)).returncode == 1  # never overwrites a file
    assert "pg_dump" in facedown(tmp_path, "backup", "x", DATABASE_URL="postgresql://localhost/x").stderr


NOWHERE = "postgresql://nobody:s3cret@127.0.0.1:1/none"
IMPATIENT = "import sys, app.cli; app.cli.DATABASE_SECONDS = 0; sys.exit(app.cli.main(sys.argv[1:]))"


def test_a_database_that_is_not_there(tmp_path: Path) -> None:
    done = facedown(tmp_path, "migrate", DATABASE_URL=NOWHERE)
    assert_one_line(done, "the database cannot be reached")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_serving_without_its_database(tmp_path: Path, workers: str) -> None:
    settings = {"DATABASE_URL": NOWHERE, "WORKERS": workers, "PORT": str(free_port())}
    done = facedown(tmp_path, "serve", program=["-c", IMPATIENT], **settings)
    assert_one_line(done, "the database cannot be reached")
    assert done.stdout == ""


def test_stopped_while_it_waits_for_its_database(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DATABASE_URL": NOWHERE, "PORT": str(free_port())}
    command = [sys.executable, "-m", "app", "serve"]
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "waiting for the database" in line and "s3cret" not in line
        process.terminate()
        assert process.stdout.read() == ""
        assert process.wait(20) == 0


def test_a_database_that_a_newer_version_has_written(tmp_path: Path) -> None:
    assert facedown(tmp_path, "migrate").returncode == 0
    with closing(sqlite3.connect(tmp_path / "facedown.sqlite3")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'later'")
        connection.commit()
    for command in ("migrate", "serve"):
        done = facedown(tmp_path, command, PORT=str(free_port()))
        assert_one_line(
            done, f"sqlite:///{tmp_path}/facedown.sqlite3 was written by a newer version of Facedown (later,"
        )


def test_a_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Root can write anywhere, so the system's refusal is played."""
    folder, opened = tmp_path / "data", Path.open
    folder.mkdir()
    us = os.stat(folder).st_uid

    def refuse(path: Path, mode: str = "r", *more: Any, **named: Any) -> Any:
        if path.parent == folder:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return opened(path, mode, *more, **named)

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(os, "geteuid", lambda: us + 7)
    monkeypatch.setattr(server, "bind", lambda *_: [])
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(logs, "set_up", lambda *_: None)
    monkeypatch.setenv("DATA_DIR", str(folder))
    for command in ("serve", "migrate"):
        assert main([command]) == 1
        assert capsys.readouterr().err == (
            f"facedown: the folder {folder} cannot be written: it belongs to user {us}, this program runs as user "
            f"{us + 7}; chown it to {us + 7}, or set DATA_DIR to another folder.\n"
        )


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    beginning = f"the file {tmp_path}/file cannot be written: Not a directory, or set DATA_DIR"
    assert_one_line(facedown(tmp_path, "serve", PORT=str(free_port()), DATA_DIR=f"{tmp_path}/file/data"), beginning)


def test_a_start_names_what_looks_like_a_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUBLICURL", "https://s3cret.example")
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(server, "bind", lambda *_: [])
    monkeypatch.setattr(server, "run_server", lambda *_: 0)
    monkeypatch.setattr(logs, "set_up", lambda *_: None)
    with structlog.testing.capture_logs() as told:
        assert main(["serve"]) == 0
    warned = [line for line in told if line["log_level"] == "warning"]
    assert [(line["variable"], line["meant"]) for line in warned] == [("PUBLICURL", "PUBLIC_URL")]
    assert "s3cret" not in str(told)


def test_a_database_address_that_cannot_be_read_is_not_shown(tmp_path: Path) -> None:
    done = facedown(tmp_path, "serve", DATABASE_URL="postgresql://host:s3cret/name")
    assert done.returncode == 2 and "DATABASE_URL" in done.stderr
    assert "s3cret" not in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_port_that_is_in_use(tmp_path: Path, workers: str) -> None:
    with socket.create_server(("127.0.0.1", free_port())) as other:
        port = str(other.getsockname()[1])
        done = facedown(tmp_path, "serve", PORT=port, WORKERS=workers, DATABASE_URL=NOWHERE if workers == "2" else "")
    assert_one_line(done, f"port {port} on 127.0.0.1 is in use; set PORT")
    assert done.stdout == "" and list(tmp_path.iterdir()) == []


def test_a_host_that_is_not_this_machine(tmp_path: Path) -> None:
    assert_one_line(facedown(tmp_path, "serve", HOST="192.0.2.1"), "192.0.2.1 is no address of this machine; set HOST")
    assert_one_line(facedown(tmp_path, "serve", HOST="nowhere.invalid"), "there is no host nowhere.invalid; set HOST")


def test_a_port_that_is_not_allowed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(server, "bind", refuse)
    monkeypatch.setenv("PORT", "80")
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(logs, "set_up", lambda *_: None)
    assert main(["serve"]) == 1
    assert capsys.readouterr() == (
        "",
        "facedown: port 80 on 127.0.0.1 is not allowed to this user; set PORT above 1023.\n",
    )


def test_simulate_and_verify_are_there(tmp_path: Path) -> None:
    done = facedown(tmp_path, "simulate", "raiders", "--seats", "3", "--seed", "7", "--jsonl", "-")
    kinds = [json.loads(line)["kind"] for line in done.stdout.splitlines()]
    assert done.returncode == 0 and kinds[0] == "began" and kinds.count("room") == 25
    assert facedown(tmp_path, "verify", "nothing").returncode == 2


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_killed_and_started_again_everybody_keeps_their_seat_and_card(
    serve: NewServer, request: pytest.FixtureRequest, database: str
) -> None:
    settings = {"DATABASE_URL": request.getfixturevalue("postgres_url")} if database == "postgres" else {}
    server = serve(BOT_PAUSE="0", **settings)
    with httpx.Client(base_url=server.url, trust_env=False, timeout=60) as http:
        table = http.post("/tables", json={"game": "raiders", "name": "Ada"}).json()
        here = f"/t/{table['token']}"
        bearers = [table["bearer"]]
        bearers += [http.post(f"{here}/join", json={"name": name}).json()["bearer"] for name in ("Bo", "Cy")]
        ada, bo, cy = [{"authorization": f"Bearer {bearer}"} for bearer in bearers]
        sealed = {"edition": "second", "play": "sealed"}
        for action in ({"do": "options", "options": sealed}, {"do": "start"}):
            assert http.post(f"{here}/act", json=action, headers=ada).status_code == 200
        view = http.get(here, headers=ada).json()
        move = {"do": "play", "round": view["shared"]["round"], "move": view["own"]["moves"][0], "id": "m1"}
        first = http.post(f"{here}/act", json=move, headers=ada).json()
        server.kill()
        server.start()
        again = http.get(here, headers=ada).json()
        assert again["own"]["ready"] and again["own"]["draft"] == [move["move"]]
        assert again["shared"]["digests"] and again["shared"]["waits"] == [1, 2]
        assert (
            http.post(f"{here}/act", json=move, headers=ada).json() == first
        )  # sent again, as by a page that got no reply
        for bearer in (bo, cy):
            view = http.get(here, headers=bearer).json()
            move = {"do": "play", "round": view["shared"]["round"], "move": view["own"]["moves"][0]}
            assert http.post(f"{here}/act", json=move, headers=bearer).status_code == 200
        assert http.get(here, headers=ada).json()["shared"]["round"] == 2
    assert table["token"] not in server.log.read_text() and bearers[0] not in server.log.read_text()


def test_an_operator_confirms_the_clock(tmp_path: Path) -> None:
    assert_one_line(facedown(tmp_path, "confirm-clock"), "there is no database at ")
    assert facedown(tmp_path, "migrate").returncode == 0
    done = facedown(tmp_path, "confirm-clock")
    assert done.returncode == 0 and "old tables may be deleted again" in done.stdout
    with closing(sqlite3.connect(tmp_path / "facedown.sqlite3")) as stored:
        assert stored.execute("SELECT count(*) FROM keys WHERE name = 'clock confirmed'").fetchone() == (1,)
