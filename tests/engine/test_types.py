"""A type checker finds what does not fit together in a game's code."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "rock_paper_scissors" / "rock_paper_scissors" / "__init__.py"

# What to change in the example, and what the type checker says about it.
MISTAKES = [
    ('Game[Play, Public, None] = Game(', 'Game[Play, Public, int] = Game(', '"private"'),
    ("def setup(seats: int,", "def setup(seats: str,", '"setup"'),
    ("def public(g: Play)", "def public(g: Public)", '"public"'),
    ("def shuffle_unknown(g: Play, seat: int | None,", "def shuffle_unknown(g: Play, seat: int,", '"shuffle_unknown"'),
    ('def who(self, g: "Play")', 'def who(self, g: "Public")', 'Argument 1 of "who"'),
    ("g.next(Show())", "g.next(Else())", '"next" of "State"'),
    ("    minutes=2,", "    minutes=2,\n    forecast=forecast,", '"forecast"'),
    ("    package=__name__,", "    package=__name__,\n    summary=summary,", '"summary"'),
    ("    rules=1,", '    rules=1,\n    bots={"wrong": bot},', "Dict entry 0"),
]  # fmt: skip
WRONG = """

class Other(State, kw_only=True):
    todo: list["Else"]


class Else(Ask[Other], frozen=True):
    pass


def forecast(shared: Shared[int], own: Own[int]) -> None:
    pass


def summary(shared: Shared[None]) -> None:
    pass


def bot(shared: Shared[Public], own: Own[str], luck: Random) -> Move:
    return own.moves[0]


game"""


def test_a_games_code_is_checked_against_its_own_types(tmp_path: Path) -> None:
    code = EXAMPLE.read_text("utf-8")
    assert code.count("\n\n\ngame") == 1
    code = code.replace("\n\n\ngame", WRONG).replace("from collections", "from random import Random\nfrom collections")
    code = code.replace("Result, Standing, State", "Own, Result, Shared, Standing, State")
    (tmp_path / "good.py").write_text(code, "utf-8")
    for right, wrong, _ in MISTAKES:
        assert code.count(right) == 1, right
        code = code.replace(right, wrong)
    (tmp_path / "bad.py").write_text(code, "utf-8")
    options = ["--strict", "--config-file=", f"--cache-dir={tmp_path / 'cache'}"]
    command = [sys.executable, "-m", "mypy", *options, str(tmp_path / "good.py"), str(tmp_path / "bad.py")]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    found = re.findall(r"/bad.py:\d+: error: (.*)", said)
    assert "good.py" not in said
    for _, wrong, error in MISTAKES:
        assert any(error in one for one in found), (wrong, said)
