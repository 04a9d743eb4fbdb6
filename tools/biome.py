"""Installs Biome, which checks scripts and style sheets: `python tools/biome.py TARGET`, part of `make check`.

npm brings Biome as a program for each system; only that is kept, so running it needs neither node nor the network.
"""

import shutil
import sys
import tempfile
from pathlib import Path

import hatch_build

ROOT = Path(__file__).resolve().parents[1]


def install(target: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="facedown-npm-") as folder:
        modules = hatch_build.install(ROOT, Path(folder), "--include=dev", "--include=optional")
        found = sorted(modules.glob("@biomejs/cli-*/biome*"))
        if not found:
            raise SystemExit("There is no Biome for this system.")
        # Some npm install both programs for Linux; the last one, for musl, is static and runs everywhere.
        shutil.copy(found[-1], target)
        target.chmod(0o755)


if __name__ == "__main__":
    install(Path(sys.argv[1]))
