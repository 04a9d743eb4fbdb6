"""The real nginx and Caddy, configured as in docs/hosting.md."""

import asyncio
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPSConnection
from pathlib import Path

import pytest
import trustme
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from tests.hosting import doc
from tests.support.packages import ROOT
from tests.support.ports import free_port, listens, wait_until
from tests.support.server import JSON, Server

# Another loopback address: a client that differs from the proxy.
CLIENT = "127.0.0.77"


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    text: str


@dataclass
class Proxy:
    port: int
    trust: ssl.SSLContext
    plain: int | None = None

    def ask(self, method: str, path: str, said: object = None, client: str = CLIENT, **headers: str) -> Answer:
        """Send one request; `said` is sent as JSON."""
        connection = HTTPSConnection("localhost", self.port, context=self.trust, source_address=(client, 0), timeout=60)
        body = None
        if said is not None:
            body, headers = json.dumps(said), {**JSON, **headers}
        with closing(connection):
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            text = response.read().decode(errors="replace")
        return Answer(response.status, {key.lower(): value for key, value in response.getheaders()}, text)

    def talk(
        self, path: str, *, say: str | None = None, origin: str | None = None, headers: dict[str, str] | None = None
    ) -> str:
        """Open a socket, send `say` if it is given, and return the first message that comes."""

        # The threaded client would read and write one TLS connection from two threads, which loses data on Python 3.11.
        async def first() -> str:
            raw = socket.create_connection(("127.0.0.1", self.port), timeout=60, source_address=(CLIENT, 0))
            async with connect(
                f"wss://localhost:{self.port}{path}",
                sock=raw,
                ssl=self.trust,
                proxy=None,
                origin=None if origin is None else Origin(origin),
                additional_headers=headers,
                open_timeout=60,
            ) as connection:
                if say is not None:
                    await connection.send(say)
                return str(await connection.recv())

        return asyncio.run(first())


@dataclass
class Certificate:
    chain: Path
    key: Path
    trust: ssl.SSLContext


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """A certificate for localhost, signed by a test authority."""
    folder = tmp_path_factory.mktemp("certificate")
    authority = trustme.CA()
    issued = authority.issue_cert("localhost", "127.0.0.1")
    chain, key = folder / "fullchain.pem", folder / "privkey.pem"
    for index, blob in enumerate(issued.cert_chain_pems):
        blob.write_to_path(chain, append=index > 0)
    issued.private_key_pem.write_to_path(key)
    trust = ssl.create_default_context()
    authority.configure_trust(trust)
    return Certificate(chain, key, trust)


@contextmanager
def running(command: list[str], folder: Path, port: int, **environment: str) -> Iterator[None]:
    """Run a program that listens on a port; it is stopped at the end of the block."""
    log = folder / f"{Path(command[0]).name}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )

    def up() -> bool:
        assert process.poll() is None, f"{command} ended with {process.returncode}\n{log.read_text()}"
        return listens(port)

    try:
        wait_until(up, command[0], tail=log.read_text)
        yield
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def stub(folder: Path) -> Iterator[int]:
    """The port of a stub server that reports what it sees of its clients."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "tests.hosting.stub:app", "--port", str(port)]
    command += ["--ws", "websockets-sansio", "--no-proxy-headers"]
    with running(command, folder, port, PYTHONPATH=str(ROOT)):
        yield port


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with stub(tmp_path_factory.mktemp("behind")) as port:
        yield port


def program(name: str) -> str:
    """The path of a program. A missing program fails the test instead of skipping it."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    assert found, f"{name} is not on this machine: install the package {name!r} (make machine tries to)"
    return found


def adapted(text: str, changes: dict[str, str]) -> str:
    """The snippet with other ports and paths. Every replacement must match, to notice changes of the snippet."""
    for old, new in changes.items():
        assert old in text, f"what is documented no longer says {old!r}"
        text = text.replace(old, new)
    return text


@contextmanager
def nginx(behind: int, certificate: Certificate, folder: Path) -> Iterator[Proxy]:
    with run_nginx(doc.snippet("nginx"), {"127.0.0.1:8000": f"127.0.0.1:{behind}"}, certificate, folder) as proxy:
        yield proxy


@contextmanager
def run_nginx(text: str, changes: dict[str, str], certificate: Certificate, folder: Path) -> Iterator[Proxy]:
    port, plain = free_port(), free_port()
    server = adapted(
        text,
        {
            "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
            "listen 80": f"listen 127.0.0.1:{plain}",
            "cards.example.org;": "localhost;",
            "/etc/letsencrypt/live/cards.example.org/fullchain.pem": str(certificate.chain),
            "/etc/letsencrypt/live/cards.example.org/privkey.pem": str(certificate.key),
            **changes,
        },
    )
    # The surrounding configuration of Debian's nginx.conf, in a temporary folder.
    user = "user root;" if os.geteuid() == 0 else ""
    temporary = "\n".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"{user} daemon off; pid {folder}/nginx.pid; error_log stderr; worker_processes 1;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{temporary}\n{server}\n}}\n"
    )
    command = [program("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]
    with running(command, folder, port):
        yield Proxy(port, certificate.trust, plain)


@contextmanager
def caddy(behind: int, certificate: Certificate, folder: Path) -> Iterator[Proxy]:
    changes = {"127.0.0.1:8000": f"127.0.0.1:{behind}"}
    with run_caddy(doc.snippet("caddyfile"), "cards.example.org", changes, certificate, folder) as proxy:
        yield proxy


@contextmanager
def run_caddy(text: str, site: str, changes: dict[str, str], certificate: Certificate, folder: Path) -> Iterator[Proxy]:
    port = free_port()
    tls = f"https://localhost:{port} {{\n\ttls {certificate.chain} {certificate.key}"
    server = adapted(text, {f"{site} {{": tls, **changes})  # instead of a certificate from the internet
    (folder / "Caddyfile").write_text(
        f"{{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n}}\n{server}"
    )
    command = [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    with running(command, folder, port, HOME=str(folder), XDG_DATA_HOME=str(folder), XDG_CONFIG_HOME=str(folder)):
        yield Proxy(port, certificate.trust)


Start = Callable[[int, Certificate, Path], AbstractContextManager[Proxy]]


@pytest.fixture(params=[nginx, caddy])
def proxy(request: pytest.FixtureRequest, behind: int, certificate: Certificate, tmp_path: Path) -> Iterator[Proxy]:
    start: Start = request.param
    with start(behind, certificate, tmp_path) as started:
        yield started


def test_a_page_comes_through_with_scheme_host_and_client(proxy: Proxy) -> None:
    seen = json.loads(proxy.ask("GET", "/seen").text)
    assert seen == {"scheme": "https", "host": f"localhost:{proxy.port}", "client": CLIENT}


def test_a_client_cannot_lie_about_itself(proxy: Proxy) -> None:
    lies = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "http", "X-Forwarded-Host": "evil.test"}
    assert json.loads(proxy.ask("GET", "/seen", **lies).text) == json.loads(proxy.ask("GET", "/seen").text)


def test_a_socket_comes_through_with_scheme_host_and_client(proxy: Proxy) -> None:
    seen = json.loads(proxy.talk("/seen", say="hello"))
    assert seen == {"scheme": "wss", "host": f"localhost:{proxy.port}", "client": CLIENT, "said": "hello"}


@pytest.mark.parametrize("start", [nginx, caddy])
def test_the_real_server_behind_it(start: Start, certificate: Certificate, tmp_path: Path) -> None:
    behind = Server(tmp_path / "server", TRUSTED_PROXIES="127.0.0.1", LIMIT_TABLES="1")
    with behind, start(behind.port, certificate, tmp_path) as proxy:
        ours = f"https://localhost:{proxy.port}"
        page = proxy.ask("GET", "/")
        assert page.status == 200
        assert page.headers["strict-transport-security"]
        assert f"wss://localhost:{proxy.port}" in page.headers["content-security-policy"]

        # The server compresses, the proxy does not: what must not be compressed stays as it is.
        ours_or_theirs = {"Accept-Encoding": "gzip", "Cookie": "facedown=ada"}
        packed = [
            proxy.ask("GET", "/", **ours_or_theirs, **{"Sec-Fetch-Site": by}).headers.get("content-encoding")
            for by in ("none", "cross-site")
        ]
        assert packed == ["gzip", None]

        opened = proxy.ask("POST", "/tables", {"game": "raiders", "name": "Ada"})
        assert opened.status == 201, opened.text
        table = json.loads(opened.text)
        assert table["link"].startswith(f"{ours}/t/")

        # The limit counts each client separately, not all as the proxy.
        more = [proxy.ask("POST", "/tables", {"game": "raiders", "name": "Ada"}).status for _ in range(4)]
        assert more[-1] == 429
        assert proxy.ask("POST", "/tables", {"game": "raiders", "name": "Bo"}, client="127.0.0.78").status == 201

        live = f"/t/{table['token']}/live?as=json"
        bearer = {"Authorization": f"Bearer {table['bearer']}"}
        assert json.loads(proxy.talk(live, origin=ours, headers=bearer))
        with pytest.raises(ConnectionClosed, match="origin"):
            proxy.talk(live, origin="https://evil.test", headers=bearer)


def test_nginx_sends_plain_http_to_https(behind: int, certificate: Certificate, tmp_path: Path) -> None:
    with nginx(behind, certificate, tmp_path) as started:
        assert started.plain
        with socket.create_connection(("127.0.0.1", started.plain), timeout=60) as raw:
            raw.sendall(b"GET /t/abc HTTP/1.0\r\nHost: localhost\r\n\r\n")
            answer = raw.makefile("rb").read().decode()
    assert " 301 " in answer.splitlines()[0]
    assert "Location: https://localhost/t/abc" in answer
