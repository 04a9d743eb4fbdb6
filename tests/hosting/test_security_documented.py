"""docs/security.md: every threat has a test, and the tests that it names exist."""

import ast
import re

from tests.support.packages import ROOT

DOC = (ROOT / "docs" / "security.md").read_text("utf-8")
ROWS = [line for line in DOC.splitlines() if line.startswith("| ") and not line.startswith("| threat ")]


def functions(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_every_threat_names_tests_that_exist() -> None:
    assert len(ROWS) > 30
    missing = []
    for row in ROWS:
        named = re.findall(r"`(tests/[^`:]+\.py)(?:::(\w+))?`", row.split("|")[3])
        if not named:
            missing.append(row)
        missing += [
            f"{path}::{name}"
            for path, name in named
            if not (ROOT / path).is_file() or (name and name not in functions(path))
        ]
    assert not missing, "\n".join(missing)
