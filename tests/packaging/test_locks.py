"""The lock files pin everything by hash and contain no host names."""

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import hatch_build
from tests.support.packages import ROOT, run

LOCKS = [ROOT / "requirements" / name for name in ("run.txt", "build.txt", "dev.txt", "node.txt")]


def entries(lock: Path) -> dict[str, str]:
    """name -> version."""
    lines = lock.read_text("utf-8").replace("\\\n", " ").splitlines()
    found: dict[str, str] = {}
    for line in lines:
        assert "--hash=sha256:" in line, f"{lock.name}: no hash: {line}"
        requirement = Requirement(line.partition("--hash")[0].strip())
        (specifier,) = requirement.specifier
        assert specifier.operator == "=="
        found[requirement.name] = specifier.version
    return found


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_every_entry_is_pinned_by_hash(lock: Path) -> None:
    assert entries(lock)


def test_the_development_lock_agrees_with_the_others() -> None:
    run_time, build_time, development, _ = map(entries, LOCKS)
    assert {**run_time, **build_time}.items() <= development.items()


def test_the_lock_covers_what_pyproject_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    locked = entries(LOCKS[0])
    for line in project["project"]["dependencies"]:
        requirement = Requirement(line)
        assert requirement.specifier.contains(locked[requirement.name]), line
    # pip builds with the requirements of pyproject and the hook, make with the locks: they must agree.
    built = {**entries(LOCKS[1]), **entries(LOCKS[3])}
    for line in [*project["build-system"]["requires"], hatch_build.NODE, hatch_build.BROTLI]:
        requirement = Requirement(line)
        assert requirement.specifier.contains(built[requirement.name]), line


def test_nothing_tracked_names_a_registry_or_a_folder_of_some_machine() -> None:
    hosts = "|".join(["pythonhosted", "registry.npmjs", r"pypi\.org", "registry.yarnpkg", "index-url http"])
    places = "/(?:root|home|Users|mnt)/[a-z]"
    listed = run(["git", "ls-files", "-z"], ROOT).split("\0")
    found = []
    for name in filter(None, listed):
        file = ROOT / name
        if not file.is_file() or file == Path(__file__):
            continue
        try:
            text = file.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{name}: {match.group()}" for match in re.finditer(f"{hosts}|{places}", text)]
    assert found == []


def test_the_environment_holds_together() -> None:
    assert "No broken requirements" in run([sys.executable, "-m", "pip", "check"], ROOT)


def test_the_lock_of_npm_has_biome_and_esbuild_for_every_system() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    wanted = json.loads((ROOT / "package.json").read_text("utf-8"))
    assert lock[""]["dependencies"] == wanted["dependencies"]
    assert lock[""]["devDependencies"] == wanted["devDependencies"]
    assert all("integrity" in entry and "resolved" not in entry for name, entry in lock.items() if name)
    biome = lock["node_modules/@biomejs/biome"]
    programs = {name.removeprefix("@biomejs/cli-") for name in biome["optionalDependencies"]}
    assert {"linux-x64", "linux-x64-musl", "linux-arm64", "linux-arm64-musl", "darwin-arm64", "win32-x64"} <= programs
    assert all(lock[f"node_modules/@biomejs/cli-{program}"]["version"] == biome["version"] for program in programs)
    systems = {name.removeprefix("@esbuild/") for name in lock["node_modules/esbuild"]["optionalDependencies"]}
    assert {"linux-x64", "linux-arm64", "darwin-arm64", "win32-x64"} <= systems
    assert all(f"node_modules/@esbuild/{system}" in lock for system in systems)
    assert f"/{biome['version']}/" in (ROOT / "biome.jsonc").read_text("utf-8")
