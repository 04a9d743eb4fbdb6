"""The program `facedown`, as a process of its own."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.support.packages import ROOT
from tests.support.server import NewServer, Server


def facedown(folder: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "DATA_DIR": str(folder), **settings},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_setting_that_will_not_do(tmp_path: Path) -> None:
    for command in ("serve", "migrate"):
        done = facedown(tmp_path, command, PORT="http")
        assert done.returncode == 2 and "PORT=http" in done.stderr and "Traceback" not in done.stderr
    assert facedown(tmp_path, "serve", WORKERS="2").returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_without_a_command_it_says_what_there_is(tmp_path: Path) -> None:
    done = facedown(tmp_path)
    assert done.returncode == 2 and "serve" in facedown(tmp_path, "--help").stdout
    assert "AWAY_SECONDS" in facedown(tmp_path, "--help").stdout


def test_migrate_and_back_up(tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    assert facedown(tmp_path, "backup", str(copy)).returncode == 2  # there is nothing yet
    assert facedown(tmp_path, "migrate").returncode == 0
    assert facedown(tmp_path, "migrate").returncode == 0
    assert facedown(tmp_path, "backup", str(copy)).returncode == 0
    assert {path.stat().st_mode & 0o077 for path in tmp_path.glob("*.sqlite3")} == {0}  # nobody else's to read
    with sqlite3.connect(copy) as connection:
        assert connection.execute("SELECT count(*) FROM tables").fetchone() == (0,)
    connection.close()
    assert facedown(tmp_path, "backup", str(copy)).returncode == 1  # never over another file
    assert "pg_dump" in facedown(tmp_path, "backup", "x", DATABASE_URL="postgresql://localhost/x").stderr


def test_a_database_that_is_not_there(tmp_path: Path) -> None:
    done = facedown(tmp_path, "migrate", DATABASE_URL="postgresql://nobody@127.0.0.1:1/none")
    assert done.returncode == 1 and "cannot be reached" in done.stderr and "Traceback" not in done.stderr


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
        )  # sent again by a page that saw no answer
        for bearer in (bo, cy):
            view = http.get(here, headers=bearer).json()
            move = {"do": "play", "round": view["shared"]["round"], "move": view["own"]["moves"][0]}
            assert http.post(f"{here}/act", json=move, headers=bearer).status_code == 200
        assert http.get(here, headers=ada).json()["shared"]["round"] == 2
    assert table["token"] not in server.log.read_text() and bearers[0] not in server.log.read_text()


def test_it_says_where_it_is_reached_and_stops_in_order(server: Server) -> None:
    assert server.get("/healthz")[0] == server.get("/readyz")[0] == 200
    assert f"http://127.0.0.1:{server.port}/" in server.tail()
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()
