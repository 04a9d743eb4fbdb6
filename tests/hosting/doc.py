"""Commands and snippets extracted from docs/hosting.md."""

import re

from tests.support.packages import ROOT

TEXT = (ROOT / "docs" / "hosting.md").read_text("utf-8")


def command(start: str) -> str:
    """The only line of a shell block with this beginning."""
    (found,) = [line for line in TEXT.splitlines() if line.startswith(start)]
    return found


def snippet(language: str) -> str:
    """The only block in that language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    return str(found)


def settings() -> list[str]:
    """The rows of the settings table."""
    return re.findall(r"^\| `[A-Z_]+` \|.*$", TEXT.partition("## Settings")[2], re.MULTILINE)
