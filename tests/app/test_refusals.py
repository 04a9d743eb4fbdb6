"""Every reason of a refusal has a text, and every text a reason."""

import re
from pathlib import Path
from typing import get_args

from app.refusals import TEXTS, Reason
from engine.move_error import MoveErrorReason

ROOT = Path(__file__).resolve().parents[2]


def reasons(kind: object) -> set[str]:
    """The reasons of a union of literals."""
    return {reason for part in get_args(kind) for reason in (reasons(part) or {str(part)})}


def test_every_reason_has_words_and_a_status() -> None:
    assert reasons(Reason) == TEXTS.keys()
    assert reasons(MoveErrorReason) < reasons(Reason)
    assert all(400 <= status < 600 and text.endswith(".") for status, text in TEXTS.values())


def test_every_reason_is_given_somewhere() -> None:
    files = [*(ROOT / "app").rglob("*.py"), ROOT / "engine" / "table.py"]
    texts = [file.read_text("utf-8") for file in files]
    code = "".join(text.rpartition("\nclass Refusal(Exception)")[2] for text in texts)  # without the list of reasons
    assert {reason for reason in TEXTS if not re.search(f'"{reason}"', code)} == set()
