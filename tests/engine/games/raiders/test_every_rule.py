"""Every numbered rule stands in the name of a test."""

import re
from pathlib import Path

RULES = {
    1, 2, 3, 4, 5,
    10, 11, 12,
    20, 21, 22, 23, 24, 25, 26, 27,
    30, 31, 32, 33,
    40, 41, 42, 43,
    50, 51, 55, 56,
    60, 61, 62, 63, 64,
    70, 71,
    80, 81, 82, 83, 84,
    90, 91,
    95, 96, 97, 98, 99,
}  # fmt: skip


def test_every_rule_has_a_test() -> None:
    here = Path(__file__).parent
    text = "".join(path.read_text("utf-8") for path in here.glob("test_*.py"))
    tested = {int(number) for number in re.findall(r"def test_r(\d+)_", text)}
    assert sorted(RULES - tested) == []
    assert sorted(tested - RULES) == [], "no such rule"


def test_every_rule_stands_in_the_code() -> None:
    code = Path(__file__).parents[4] / "engine/games/raiders"
    text = "".join(path.read_text("utf-8") for path in code.glob("*.py"))
    ranges = [(int(a), int(b)) for a, b in re.findall(r"R-(\d+) to R-(\d+)", text)]
    told = {int(number) for number in re.findall(r"R-(\d+)", text)}
    told |= {number for a, b in ranges for number in range(a, b + 1)}
    assert sorted(RULES - told) == []
