"""Several servers: the real nginx and Caddy as configured in deploy/, and the files for Kubernetes."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import kubernetes_validate  # type: ignore[import-untyped]
import pytest
import yaml

from app.settings import described
from tests.hosting.test_proxies import CLIENT, Certificate, Proxy, certificate, run_caddy, run_nginx, stub
from tests.support.packages import ROOT
from tests.support.ports import wait_until

__all__ = ["certificate"]
DEPLOY = ROOT / "deploy"
TOKENS = [f"{n:x<22}" for n in range(40)]
Homes = dict[str, int]  # the server of each table, by its port
Start = Callable[[list[int], Certificate, Path], AbstractContextManager[Proxy]]


@contextmanager
def nginx(ports: list[int], certificate: Certificate, folder: Path) -> Iterator[Proxy]:
    changes = {f"server facedown-{n}:8000": f"server 127.0.0.1:{port}" for n, port in enumerate(ports, 1)}
    with run_nginx((DEPLOY / "nginx.conf").read_text(), changes, certificate, folder) as proxy:
        yield proxy


@contextmanager
def caddy(ports: list[int], certificate: Certificate, folder: Path) -> Iterator[Proxy]:
    changes = {f"facedown-{n}:8000": f"127.0.0.1:{port}" for n, port in enumerate(ports, 1)}
    text = (DEPLOY / "Caddyfile").read_text()
    with run_caddy(text, "{$SITE:cards.example.org}", changes, certificate, folder) as proxy:
        wait_until(lambda: proxy.ask("GET", "/seen").status == 200, "Caddy to find the servers")
        yield proxy


def home(proxy: Proxy, token: str, **headers: str) -> int:
    answer = proxy.ask("GET", f"/t/{token}", **headers)
    assert answer.status == 200, answer
    return int(json.loads(answer.text)["port"])


@pytest.mark.parametrize("start", [nginx, caddy])
def test_all_requests_of_a_table_go_to_one_server(start: Start, certificate: Certificate, tmp_path: Path) -> None:
    with ExitStack() as stack:
        ports = []
        last = ExitStack()  # one of the servers is stopped before the others
        stack.push(last)
        for n in range(3):
            folder = tmp_path / f"stub-{n}"
            folder.mkdir()
            ports.append((last if n == 2 else stack).enter_context(stub(folder)))
        proxy = stack.enter_context(start(ports, certificate, tmp_path))
        homes = {token: home(proxy, token) for token in TOKENS}
        assert set(homes.values()) == set(ports)
        for token in TOKENS[:8]:
            assert home(proxy, f"{token}/hand?face=x") == homes[token]
            assert home(proxy, token, **{"X-Facedown-Table": "another"}) == homes[token]
            assert int(proxy.talk(f"/t/{token}/live?as=json")) == homes[token]
        seen = json.loads(proxy.ask("GET", f"/t/{TOKENS[0]}").text)
        assert (seen["scheme"], seen["client"]) == ("https", CLIENT)
        lies = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "http", "X-Forwarded-Host": "evil.test"}
        assert json.loads(proxy.ask("GET", "/seen", **lies).text) == json.loads(proxy.ask("GET", "/seen").text)
        assert proxy.ask("GET", "/metrics").status == 404
        # Of a server that is gone, the tables move to the others; all other tables stay.
        last.close()
        for token in TOKENS:
            now = home(proxy, token)
            assert now == homes[token] if homes[token] != ports[2] else now in ports[:2]


def test_the_files_for_kubernetes_are_valid() -> None:
    folder = DEPLOY / "kubernetes"
    whole = yaml.safe_load((folder / "kustomization.yaml").read_text())
    files = {path.name for path in folder.glob("*.yaml")}
    assert {*whole["resources"], "kustomization.yaml", "controller.yaml"} == files
    found = {}
    for name in (*whole["resources"], "controller.yaml"):
        resource = yaml.safe_load((folder / name).read_text())
        kubernetes_validate.validate(resource, kubernetes_validate.latest_version(), strict=True)
        found[resource["kind"]] = resource
    pod = found["Deployment"]["spec"]["template"]
    (container,) = pod["spec"]["containers"]
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    name = {"app.kubernetes.io/name": "facedown"}
    assert pod["metadata"]["labels"] == found["Service"]["spec"]["selector"] == name
    assert found["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == name
    # The same map as for nginx without Kubernetes.
    variable = found["Ingress"]["metadata"]["annotations"]["nginx.ingress.kubernetes.io/upstream-hash-by"]
    pattern = r"~^/t/(?<{}token>[A-Za-z0-9_-]+) "
    assert variable == "$facedown_table" and variable in found["ConfigMap"]["data"]["http-snippet"]
    assert pattern.format("facedown_") in found["ConfigMap"]["data"]["http-snippet"]
    assert pattern.format("") in (DEPLOY / "nginx.conf").read_text()
    said = (folder / "deployment.yaml").read_text()
    settings = {variable for variable, _, _ in described()}
    assert {"DATABASE_URL", "SECRET_KEY", "PUBLIC_URL"} <= {word for word in settings if word in said}
