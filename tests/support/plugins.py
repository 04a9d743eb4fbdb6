"""Games for tests, made known to a server without installing anything."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def plugged(folder: Path, **games: str) -> str:
    """The PYTHONPATH of a server that also finds these games: `plugged(folder, market="tests.browser.market:game")`."""
    info = folder / "plugged-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1.0\n")
    points = "\n".join(f"{key} = {target}" for key, target in games.items())
    (info / "entry_points.txt").write_text(f"[facedown.games]\n{points}\n")
    return os.pathsep.join([str(folder), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH", "")])])
