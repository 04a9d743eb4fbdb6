"""What docs/hosting.md tells hosts to write, taken from it word for word."""

import re

from tests.support.packages import ROOT

TEXT = (ROOT / "docs" / "hosting.md").read_text("utf-8")


def command(start: str) -> str:
    """The one line in a block of shell that starts so."""
    (found,) = [line for line in TEXT.splitlines() if line.startswith(start)]
    return found


def snippet(language: str) -> str:
    """The one block of that language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    return str(found)


def settings() -> list[str]:
    """The rows of the table of settings."""
    return re.findall(r"^\| `[A-Z_]+` \|.*$", TEXT.partition("## Settings")[2], re.MULTILINE)
