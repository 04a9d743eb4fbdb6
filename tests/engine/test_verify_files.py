"""`facedown verify`: files that are no logs, and the command."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from engine.proof import canonical
from engine.testing import whole_log
from engine.verify import FILE_LIMIT, LINE_LIMIT, Report, export, verify, verify_and_print
from tests.engine import tiny
from tests.engine.logs import lines, log

pytestmark = pytest.mark.usefixtures("tiny_games")


# Files that are no logs ----------------------------------------------------------------------------------------------

BAD_LINES = {
    "empty line": b"{}",
    "text": b"hello",
    "not a dict": b"[1,2]",
    "cut off": b'{"kind":"revealed","rou',
    "deep": b'{"kind":"revealed","round":' + b"[" * 100_000,
    "deep and unknown": b'{"kind":"x","round":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "binary": bytes(range(256)),
    "no utf-8": b'{"kind":"revealed","round":"\xff\xfe"}',
    "half a pair": b'{"kind":"\\ud800"}',
    "kind is a number": b'{"kind":7}',
    "huge number": b'{"kind":"any_time","round":' + b"9" * 5000 + b',"seat":0,"move":"x"}',
    "float": b'{"kind":"any_time","round":1e400,"seat":0,"move":"x"}',
    "nan": b'{"kind":"any_time","round":NaN,"seat":0,"move":"x"}',
    "null": b"null",
    "nul": b"\0",
}


@pytest.mark.parametrize("bad", BAD_LINES.values(), ids=BAD_LINES)
@pytest.mark.parametrize("at", [0, 1, 2, 4])
def test_a_bad_line_is_refused_clearly(bad: bytes, at: int) -> None:
    good = lines(log(tiny.dice, 3))
    report = verify([*good[:at], bad, *good[at + 1 :]])
    assert not report.holds and report.line == at + 1
    assert report.say() and "Traceback" not in report.say()


@pytest.mark.parametrize("empty", [[], [b""], [b"\n", b"\r\n"], [""]])
def test_an_empty_file(empty: list[bytes | str]) -> None:
    report = verify(empty)
    assert not report.holds and report.say() == "A log begins with how the game began."


def test_a_file_that_is_far_too_long_is_not_read_to_its_end() -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b'{"kind":"said","seat":0,"total":1,"x":"' + b"x" * 100_000 + b'"}'

    report = verify(endless())
    assert not report.holds and (report.line or 0) <= FILE_LIMIT // 100_000 + 1
    assert verify([b"x" * (LINE_LIMIT + 1)]).say() == "This is far longer than a log can be."


def test_a_file_that_is_not_text() -> None:
    assert not verify(["\ud800"]).holds


# The command ---------------------------------------------------------------------------------------------------------


def test_the_command_says_that_a_log_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(b"".join(export(whole_log(tiny.dice, 3), ["Ada", "Bo", "Cy"])))
    assert verify_and_print(str(file)) == 0
    assert capsys.readouterr().out.startswith(f"{file}: dice, 3 seats, 2 rounds. Everything holds")


def test_the_command_says_that_a_game_is_unfinished(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(b"\n".join(lines(log(tiny.dice, 3))[:5]))
    assert verify_and_print(str(file)) == 3
    assert "This game is not finished." in capsys.readouterr().out


def test_the_command_names_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.jsonl"
    played = log(tiny.dice, 3)
    played[-1]["seed"] = "00" * 32
    file.write_bytes(b"\n".join(lines(played)))
    assert verify_and_print(str(file)) == 1
    assert f"line {len(played)} does not hold. This seed" in capsys.readouterr().out


def test_the_command_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"".join(export(whole_log(tiny.dice, 3), []))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert verify_and_print("-") == 0


def test_the_command_without_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify_and_print(str(tmp_path / "none")) == 2
    assert verify_and_print(str(tmp_path)) == 2
    assert verify_and_print("a\0b") == 2
    assert "none" in capsys.readouterr().err


def test_a_report_can_be_said_in_another_language() -> None:
    report = Report(False, False, 3, "Seat {seat}", {"seat": "2"})
    assert report.say({"Seat {seat}": "Место {seat}"}.__getitem__) == "Место 2"


def test_events_may_be_exported_from_their_bytes() -> None:
    events = whole_log(tiny.dice, 3)
    stored = [msgspec.Raw(canonical(event)) for event in events]
    assert list(export(stored, ["Ada"])) == list(export(events, ["Ada"]))
