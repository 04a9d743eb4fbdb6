"""Every numbered rule stands in the name of a test, and in the code."""

import re
from pathlib import Path

RULES = set(range(1, 104))


def test_every_rule_has_a_test() -> None:
    here = Path(__file__).parent
    text = "".join(path.read_text("utf-8") for path in here.glob("test_*.py"))
    tested = {int(number) for number in re.findall(r"def test_p(\d+)_", text)}
    assert sorted(RULES - tested) == []
    assert sorted(tested - RULES) == [], "no such rule"


def test_every_rule_stands_in_the_code() -> None:
    code = Path(__file__).parents[4] / "engine/games/scrawl"
    text = "".join(path.read_text("utf-8") for path in (*code.glob("*.py"), *code.glob("*.toml")))
    ranges = [(int(a), int(b)) for a, b in re.findall(r"P-(\d+) to P-(\d+)", text)]
    told = {int(number) for number in re.findall(r"P-(\d+)", text)}
    told |= {number for a, b in ranges for number in range(a, b + 1)}
    assert sorted(RULES - told) == []
