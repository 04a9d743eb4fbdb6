"""`facedown check`, `export` and `import`."""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from app.cli import main
from engine.verify import verify
from tests.support.packages import ROOT
from tests.support.programs import Http, Table
from tests.support.server import Server

FIXTURE = ROOT / "tests" / "fixtures" / "database-0001.sql"
Rows = list[tuple[object, ...]]
Json = dict[str, Any]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The database of an earlier version."""
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    with closing(sqlite3.connect(tmp_path / "facedown.sqlite3")) as database:
        database.executescript(FIXTURE.read_text("utf-8"))
    return tmp_path


def change(data: Path, statement: str, *values: object) -> Rows:
    with closing(sqlite3.connect(data / "facedown.sqlite3")) as database, database:
        return database.execute(statement, values).fetchall()


def rows(data: Path) -> Iterator[Rows]:
    for table in ("tables", "moves", "deadlines", "alembic_version"):
        yield change(data, f"SELECT * FROM {table} ORDER BY rowid")


def test_check_says_what_would_not_go_on_and_changes_nothing(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [(count,)] = change(data, "SELECT count(*) FROM tables WHERE phase <> 'over'")
    before = list(rows(data))
    assert main(["check"]) == 0
    assert capsys.readouterr().out == f"{count} tables tried, {count} go on.\n"
    assert list(rows(data)) == before

    running = change(data, "SELECT id, code, saved FROM tables WHERE phase = 'playing' ORDER BY id")
    (unknown, _, one), (stuck, stuck_code, two), (broken, _, three), (other, other_code, four) = running[:4]
    change(data, "UPDATE tables SET saved = ? WHERE id = ?", str(one).replace('"raiders"', '"whist"'), unknown)
    change(data, "UPDATE tables SET saved = ? WHERE id = ?", str(two).replace('"floor":', '"storey":'), stuck)
    saved = json.loads(str(three))
    saved["table"]["state"]["rooms"] = []
    change(data, "UPDATE tables SET saved = ? WHERE id = ?", json.dumps(saved), broken)
    saved = json.loads(str(four))
    saved["table"]["rules"] = 0
    event = "SELECT seq, events FROM moves WHERE table_id = ? AND events LIKE '%began%'"
    [(seq, events)] = change(data, event, other)
    older = str(events).replace('"rules":1', '"rules":0', 1)
    change(data, "UPDATE moves SET events = ? WHERE table_id = ? AND seq = ?", older, other, seq)
    assert main(["check"]) == 1
    lines = capsys.readouterr().out.splitlines()
    expected = [
        f"table {unknown}: does not go on: no game 'whist' is installed",
        f"table {stuck_code}, raiders: does not go on: it cannot be played on: ",
        f"table {broken}: does not go on: it cannot be read: IndexError",
        f"table {other_code}, raiders: goes on, but its log will not verify: event 1: This was played by version 0",
        f"{count} tables tried, {int(str(count)) - 3} go on.",
    ]
    assert all(line.startswith(start) for line, start in zip(lines, expected, strict=True)), "\n".join(lines)


def test_a_database_of_a_newer_version_is_named_as_that(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(data, "UPDATE alembic_version SET version_num = '9999'")
    for words in (["check"], ["export", "AAAAAA", str(data / "file")]):
        assert main(words) == 1
        told = capsys.readouterr().err
        assert "was written by a newer version of Facedown (9999, this one knows 00" in told and told.count("\n") == 1


def test_without_a_database_there_is_nothing_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    for words in (["check"], ["export", "AAAAAA", str(tmp_path / "file")]):
        assert main(words) == 1
        assert capsys.readouterr().err == f"facedown: there is no database at {tmp_path}/facedown.sqlite3.\n"
    assert list(tmp_path.iterdir()) == []


def test_a_running_table_goes_on_at_another_server(
    data: Path, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.json"
    tables = json.loads(FIXTURE.with_suffix(".json").read_text("utf-8"))["tables"]
    was = next(table for table in tables if table["situation"] == "raiders: some have handed in")
    token, code = was["token"], was["view"]["table"]["code"]
    assert main(["export", f"https://cards.example.org/t/{token}", str(file)]) == 0
    assert file.stat().st_mode & 0o077 == 0
    assert main(["export", code, str(file)]) == 1, "it would overwrite a file"
    assert main(["export", "AAAAAA", str(tmp_path / "none")]) == 1

    monkeypatch.setenv("DATA_DIR", str(server.folder))
    capsys.readouterr()
    assert main(["import", str(file)]) == 0
    links = [line.split("#")[1] for line in capsys.readouterr().out.splitlines()[1:]]
    assert main(["import", str(file)]) == 1
    assert "there already" in capsys.readouterr().err
    with Http(server.port) as http:
        moved = [http.post("/move", token=link) for link in links]
        table = Table(http, token, {one["seat"]: one["bearer"] for one in moved})
        for seat in table.bearers:
            own = table.view(seat)["own"]
            assert all(own[part] == was["own"][str(seat)][part] for part in ("draft", "ready", "moves", "private"))
        log = table.log() or b""
        assert hashlib.sha256(log).hexdigest() == was["log"]["sha256"]
        assert table.play(Random(2))["phase"] == "over"
        report = verify((table.log() or b"").splitlines())
        assert report.holds and report.finished
    whole = file.read_bytes()
    for spoilt in (
        b"",
        b"{}",
        whole.replace(b'"seq":2', b'"seq":3', 1),
        whole.replace(b'"facedown_table":1', b'"facedown_table":2'),
    ):
        file.write_bytes(spoilt)
        assert main(["import", str(file)]) == 1
    assert "Traceback" not in capsys.readouterr().err


Spoil = Callable[[Json, Json], object]


def export_of(data: Path, file: Path, game: str = "raiders") -> Json:
    """The file of a running table, on which two cards are laid."""
    query = "SELECT token FROM tables WHERE phase = 'playing' AND game = ? ORDER BY id LIMIT 1 OFFSET 1"
    [(token,)] = change(data, query, game)
    assert main(["export", str(token), str(file)]) == 0
    return dict(json.loads(file.read_bytes()))


def put(found: Json, saved: Json, file: Path) -> None:
    found["snapshot"]["saved"] = json.dumps(saved, separators=(",", ":"), ensure_ascii=False)
    file.write_text(json.dumps(found))


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Path]:
    """Takes the commands to a server without tables."""

    def go() -> Path:
        folder = tmp_path / "elsewhere"
        folder.mkdir(exist_ok=True)
        monkeypatch.setenv("DATA_DIR", str(folder))
        return folder

    return go


SPOILT: dict[str, Spoil] = {
    "coins": lambda file, saved: saved["table"]["state"]["raiders"][0].update(coins=99),
    "seed": lambda file, saved: saved.update(seed="5" * 64),
    "holder": lambda file, saved: saved["seats"][1].update(holders=["eve"]),
    "second holder": lambda file, saved: saved["seats"][1]["holders"].append("eve"),
    "host": lambda file, saved: saved.update(host="eve"),
    "phase": lambda file, saved: saved.update(phase="x"),
    "column of the phase": lambda file, saved: file["snapshot"].update(phase="over"),
    "seats": lambda file, saved: saved.update(seats=[]),
    "name": lambda file, saved: saved["seats"][1].update(name="\x1b[31mBo"),
    "option": lambda file, saved: saved["options"].update(play="open"),
    "token": lambda file, saved: saved.update(token="A" * 22),
    "event": lambda file, saved: file["entries"][-1].update(events='[{"kind":"torch","seat":0}]'),
    "events": lambda file, saved: [one.update(events=None) for one in file["entries"]],
    "version": lambda file, saved: file["entries"][-1].update(version=99),
    "secret": lambda file, saved: file["entries"][0].update(secret="x"),
    "order": lambda file, saved: file["entries"][-1].update(at=0.0),
    "future": lambda file, saved: file["entries"][-1].update(at=4e9),
    "id": lambda file, saved: file.update(id="\x1b[31m"),
    "first entry": lambda file, saved: file["entries"][0].update(action='{"do":"rematch"}'),
    "action": lambda file, saved: file["entries"][-1].update(action='{"do":"start"}'),
    "depth": lambda file, saved: file["entries"][-1].update(events="[" * 100_000),
}


@pytest.mark.parametrize("what", SPOILT)
def test_a_file_that_is_not_what_its_log_says_is_refused(
    data: Path, elsewhere: Callable[[], Path], tmp_path: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = export_of(data, file := tmp_path / "table.json")
    SPOILT[what](found, saved := json.loads(found["snapshot"]["saved"]))
    put(found, saved, file)
    folder = elsewhere()
    assert main(["import", str(file)]) == 1
    assert change(folder, "SELECT count(*) FROM tables") == [(0,)]
    said = capsys.readouterr().err
    assert said.startswith("facedown: ") and "Traceback" not in said and "\x1b" not in said


def test_a_table_that_differs_from_its_log_is_named_by_check(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [(id, code, text)] = change(data, "SELECT id, code, saved FROM tables WHERE phase = 'playing' LIMIT 1")
    saved = json.loads(str(text))
    saved["table"]["state"]["raiders"][0]["coins"] = 99
    change(data, "UPDATE tables SET saved = ? WHERE id = ?", json.dumps(saved), id)
    assert main(["check"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[:-1] == [
        f"table {code}, raiders: goes on, but is not what its log says: the snapshot has another table"
    ]


def test_what_this_program_cannot_rebuild_is_taken_only_unchecked(
    data: Path, elsewhere: Callable[[], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = export_of(data, file := tmp_path / "table.json")
    for entry in found["entries"]:
        entry["events"] = entry["events"] and entry["events"].replace('"rules":1', '"rules":0')
    saved = json.loads(found["snapshot"]["saved"])
    saved["table"]["rules"] = 0
    saved["seats"][0]["name"] = "\x1b[31mA\u202eda"
    put(found, saved, file)
    elsewhere()
    assert main(["import", str(file)]) == 1
    assert "a game was played by version 0 of its rules" in capsys.readouterr().err
    assert main(["import", "--unchecked", str(file)]) == 0
    assert "  [31mAda: http" in capsys.readouterr().out


def test_a_file_that_is_too_large_or_takes_too_long_is_refused(
    data: Path,
    elsewhere: Callable[[], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    export_of(data, file := tmp_path / "table.json")
    elsewhere()
    monkeypatch.setattr("app.house.transfer.LONGEST_REBUILD", 0.0)
    assert main(["import", str(file)]) == 1
    monkeypatch.setattr("app.house.transfer.MOST_BYTES", 1000)
    assert main(["import", str(file)]) == 1
    takes, large = capsys.readouterr().err.splitlines()
    assert "it takes longer than 0 seconds" in takes and "larger than" in large


def test_on_postgres(
    data: Path, postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [(token,)] = change(data, "SELECT token FROM tables WHERE phase = 'playing' ORDER BY id LIMIT 1")
    file = tmp_path / "table.json"
    assert main(["export", str(token), str(file)]) == 0
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    assert main(["check"]) == 0, "an empty database"
    assert main(["import", str(file)]) == 0
    assert main(["check"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "0 tables tried, 0 go on." and lines[-1] == "1 tables tried, 1 go on."
