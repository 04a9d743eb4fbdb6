"""Log lines contain no secrets."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from app import logs


@pytest.fixture(autouse=True)
def untouched() -> Iterator[None]:
    """Restores the logging of the tests."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:], root.level = handlers, level
    logging.getLogger("uvicorn.access").disabled = False
    structlog.reset_defaults()


@pytest.mark.parametrize("format", ["json", "text"])
def test_secrets_stay_out(capsys: pytest.CaptureFixture[str], format: str) -> None:
    logs.set_up("info", format)
    secrets = {name: "s3cret" for name in logs.SECRET}
    structlog.stdlib.get_logger("test").info("said", table="t1", **secrets, Token="s3cret", COOKIE="s3cret")
    out = capsys.readouterr().out
    assert "said" in out and "t1" in out and "s3cret" not in out


def test_a_traceback_shows_no_values(capsys: pytest.CaptureFixture[str]) -> None:
    for format in ("json", "text"):
        logs.set_up("info", format)
        hidden = "".join(["s3", "cret"])
        try:
            raise ZeroDivisionError(len(hidden))
        except ZeroDivisionError:
            structlog.stdlib.get_logger("test").exception("broke")
    out = capsys.readouterr().out
    assert out.count("ZeroDivisionError") >= 2 and "s3cret" not in out


def test_every_line_is_json_when_programs_read_it(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("debug", "json")
    structlog.stdlib.get_logger("ours").info("one\ntwo", n=1)
    logging.getLogger("theirs").warning("three %s", 4)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["event"], line["level"]) for line in lines] == [("one\ntwo", "info"), ("three 4", "warning")]


def test_uvicorn_writes_no_paths(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("debug")
    logging.getLogger("uvicorn.access").info('%s - "%s %s HTTP/%s" %d', "::1", "GET", "/t/s3cret", "1.1", 200)
    logging.getLogger("uvicorn.error").info('%s - "WebSocket %s" [accepted]', "::1", "/t/s3cret/live")
    logging.getLogger("uvicorn.error").error("kept")
    out = capsys.readouterr().out
    assert "s3cret" not in out and "kept" in out


def test_text_that_is_no_utf8_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("info")
    try:
        b"\xff".decode()
    except UnicodeDecodeError:
        logging.getLogger("uvicorn.error").exception("Invalid UTF-8 sequence received from client.")
    [line] = capsys.readouterr().out.splitlines()
    assert "Invalid UTF-8" in line
