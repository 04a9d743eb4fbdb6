"""Every reason that anything gives has words."""

import re
from pathlib import Path

from app.web.refusals import TEXTS, Refusal
from engine.table import REASONS

CODE = Path(__file__).resolve().parents[3]
GIVEN = re.compile(r"""(?:Refused|Refusal|refuse)\((?:[\w.]+,\s*)?["'](\w+)["']""")


def test_every_reason_has_words() -> None:
    given = set(REASONS)
    for file in [*(CODE / "app").rglob("*.py"), *(CODE / "engine").glob("*.py")]:
        given |= set(GIVEN.findall(file.read_text("utf-8")))
    assert given <= TEXTS.keys()
    assert len(given) > 20


def test_an_unknown_reason_is_no_crash() -> None:
    assert Refusal("never heard of").status == 400
