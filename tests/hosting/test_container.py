"""Dockerfile and compose file, as far as they can be tested without a container engine."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import hatch_build
from app.settings import described
from tests.support.packages import ROOT, run

BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def compose(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The compose file as rendered by podman-compose."""
    # podman-compose first asks podman for its version; rendering needs nothing else from podman.
    podman = tmp_path_factory.mktemp("bin") / "podman"
    podman.write_text("#!/bin/sh\necho podman version 4.3.1\n")
    podman.chmod(0o755)
    command = [str(BIN / "podman-compose"), "--podman-path", str(podman), "config"]
    command.insert(1, "--profile=many")
    text = run(command, ROOT, PORT="9000", TABLE_PASSWORD="open sesame", POSTGRES_PASSWORD="s3cret")
    rendered = yaml.safe_load(text)
    assert isinstance(rendered, dict)
    return rendered


def test_hadolint_finds_nothing() -> None:
    done = subprocess.run([BIN / "hadolint", "Dockerfile"], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def dockerfile() -> list[str]:
    joined = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    return [re.sub(r"\s+", " ", line) for line in joined.splitlines() if line and not line.startswith("#")]


def test_the_image_is_not_run_by_root_and_checks_its_health() -> None:
    lines = dockerfile()
    final = lines[max(index for index, line in enumerate(lines) if line.startswith("FROM")) :]
    assert "USER 10001" in final
    (check,) = [line for line in final if line.startswith("HEALTHCHECK")]
    command = json.loads(check.partition("CMD ")[2])
    # The quoted text must be valid Python.
    compile(command[2], "HEALTHCHECK", "exec")
    assert command[:2] == ["python", "-c"] and "/healthz" in command[2]
    assert final[-1] == 'CMD ["facedown", "serve"]'
    assert not [line for line in lines if "<<" in line]


def test_the_image_is_built_from_everything_the_wheel_is_made_of() -> None:
    allowed = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    needed = [
        "app",
        "engine",
        "requirements",
        "hatch_build.py",
        "building",
        "package.json",
        "package-lock.json",
        ".npmrc",
    ]
    for name in [*hatch_build.CARRIED, *needed]:
        assert f"!{name}" in allowed or f"!{name}/" in allowed, name


def test_one_command_brings_up_the_server_and_its_database(compose: dict[str, Any]) -> None:
    server, database = compose["services"]["facedown"], compose["services"]["db"]
    assert server["ports"] == ["0.0.0.0:9000:8000"]
    assert server["depends_on"] == {"db": {"condition": "service_healthy"}}
    assert server["environment"]["TABLE_PASSWORD"] == "open sesame"
    assert "pg_isready" in " ".join(database["healthcheck"]["test"])
    assert database["volumes"] == ["db:/var/lib/postgresql/data"] and "db" in compose["volumes"]
    assert "ports" not in database
    user, password, name = (database["environment"][f"POSTGRES_{key}"] for key in ("USER", "PASSWORD", "DB"))
    assert server["environment"]["DATABASE_URL"] == f"postgresql+asyncpg://{user}:{password}@db/{name}"


def test_every_setting_reaches_the_container(compose: dict[str, Any]) -> None:
    given = set(compose["services"]["facedown"]["environment"])
    # The image sets these three; PORT of the compose file is the published port.
    assert {variable for variable, _, _ in described()} - {"HOST", "PORT", "DATA_DIR"} == given


def test_a_profile_runs_three_servers_behind_a_proxy(compose: dict[str, Any]) -> None:
    services = compose["services"]
    names = ["facedown-1", "facedown-2", "facedown-3"]
    assert list(services["proxy"]["depends_on"]) == names and services["proxy"]["profiles"] == ["many"]
    proxied = (ROOT / "deploy" / "Caddyfile").read_text("utf-8")
    for name in names:
        assert services[name]["profiles"] == ["many"] and not services[name].get("ports")
        assert services[name]["environment"] == services["facedown"]["environment"] | {
            "TRUSTED_PROXIES": "172.16.0.0/12"
        }
        assert f"{name}:8000" in proxied
    assert "profiles" not in services["facedown"] and "profiles" not in services["db"]
    (config, data) = services["proxy"]["volumes"]
    assert "deploy/Caddyfile" in str(config) and "caddy" in str(data)


def test_all_containers_are_confined_and_limited(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        assert service["cap_drop"] == ["ALL"] and service["read_only"] is True, service
        assert "no-new-privileges:true" in service["security_opt"]
        assert service["pids_limit"] and service["mem_limit"]


def test_postgres_has_no_default_password() -> None:
    text = (ROOT / "docker-compose.yml").read_text("utf-8")
    assert re.findall(r"\$\{POSTGRES_PASSWORD(:.)", text) == [":?", ":?"]


def test_base_images_are_named_by_digest(compose: dict[str, Any]) -> None:
    """A tag may later name another image. A host can name other images in `.env`."""
    (python,) = [line.removeprefix("ARG PYTHON_IMAGE=") for line in dockerfile() if line.startswith("ARG")]
    assert {line.split()[1] for line in dockerfile() if line.startswith("FROM")} == {"${PYTHON_IMAGE}"}
    for image in (python, compose["services"]["db"]["image"]):
        assert re.fullmatch(r"[a-z]+:[\d.]+[a-z-]*@sha256:[0-9a-f]{64}", image), image
    text = (ROOT / "docker-compose.yml").read_text("utf-8")
    assert "- PYTHON_IMAGE" in text and "${POSTGRES_IMAGE:-" in text
