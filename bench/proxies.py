"""The documented proxies before several servers, without TLS."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.support.ports import free_port, listens

DEPLOY = Path(__file__).parents[1] / "deploy"


def nginx(servers: Sequence[int], folder: Path, port: int) -> list[str]:
    text = (DEPLOY / "nginx.conf").read_text()
    whole, _, rest = text.partition("    server facedown-1")
    rest = rest[rest.index("    keepalive") :]
    upstreams = "".join(f"    server 127.0.0.1:{one};\n" for one in servers)
    lines = (whole + upstreams + rest).replace("listen 443 ssl http2", f"listen 127.0.0.1:{port}").splitlines()
    kept = "\n".join(line for line in lines if "ssl_" not in line)
    kept = kept[: kept.rindex("server {")]  # without the redirect
    user = "user root;" if os.geteuid() == 0 else ""
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = folder / "nginx.conf"
    config.write_text(
        f"{user} daemon off; pid {folder}/nginx.pid; error_log stderr; worker_processes 1;\n"
        f"events {{ worker_connections 4096; }}\nhttp {{\naccess_log off;\n{temporary}\n{kept}\n}}\n"
    )
    program = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin") or "nginx"
    return [program, "-p", str(folder), "-c", str(config), "-e", "stderr"]


def caddy(servers: Sequence[int], folder: Path, port: int) -> list[str]:
    text = (DEPLOY / "Caddyfile").read_text()
    text = text.replace("{$SITE:cards.example.org}", f"http://127.0.0.1:{port}")
    text = text.replace(
        "facedown-1:8000 facedown-2:8000 facedown-3:8000", " ".join(f"127.0.0.1:{one}" for one in servers)
    )
    config = folder / "Caddyfile"
    config.write_text(f"{{\n\tadmin off\n\tauto_https off\n}}\n{text}")
    return [shutil.which("caddy") or "caddy", "run", "--adapter", "caddyfile", "--config", str(config)]


PROXIES = {"nginx": nginx, "caddy": caddy}


@contextmanager
def proxy_before(kind: str, servers: Sequence[int], folder: Path) -> Iterator[tuple[int, int]]:
    """Run the proxy before servers on these ports. Yields its port and its process id."""
    port = free_port()
    folder.mkdir(exist_ok=True)
    homes = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            PROXIES[kind](servers, folder, port),
            env={**os.environ, **homes},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        while not listens(port):
            if process.poll() is not None:
                raise RuntimeError((folder / "log").read_text()[-2000:])
            time.sleep(0.05)
        time.sleep(3)  # until Caddy has found the servers to be well
        yield port, process.pid
    finally:
        process.terminate()
        process.wait()
