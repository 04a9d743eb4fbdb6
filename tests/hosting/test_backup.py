"""Back-up and restore with the commands of docs/hosting.md."""

import os
import shlex
import shutil
from pathlib import Path

from sqlalchemy.engine import make_url

from tests.hosting import doc
from tests.support.packages import ROOT, run
from tests.support.postgres import Postgres, find_binaries
from tests.support.server import Server


def open_table(server: Server) -> dict[str, str]:
    status, table = server.post("/tables", game="raiders", name="Ada")
    assert status == 201, table
    return table


def seated(server: Server, table: dict[str, str]) -> bool:
    """Does the table exist, and does its host still hold the first seat?"""
    status, _ = server.view(f"/t/{table['token']}", table["bearer"])
    if status == 404:
        return False
    assert status == 200
    # Only a seated player may do this; with another secret key the host's cookie would be invalid.
    return server.post(f"/t/{table['token']}/device", table["bearer"])[0] == 200


def test_sqlite(tmp_path: Path) -> None:
    # The document assumes the data in ./data and the program in ./.venv.
    data = tmp_path / "data"
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    with Server(data) as server:
        before = open_table(server)
        assert seated(server, before)
        run(["sh", "-ec", doc.command(".venv/bin/facedown backup")], tmp_path, DATA_DIR="data", DATABASE_URL="")
        after = open_table(server)
        server.kill()
        run(["sh", "-ec", doc.command("rm -f data/") + "\n" + doc.command("cp backup")], tmp_path)
        server.start()
        assert seated(server, before)
        assert not seated(server, after)


def test_postgres(postgres: Postgres, postgres_url: str, tmp_path: Path) -> None:
    url = make_url(postgres_url)
    # The commands run in the container, where programs are on the PATH and host and user are set.
    path = f"{find_binaries()}{os.pathsep}{os.environ['PATH']}"
    assert shutil.which("pg_dump", path=path), "pg_dump is not on this machine: install postgresql-client"
    environment = {"PATH": path, "PGHOST": str(url.host), "PGPORT": str(url.port or 5432)}
    environment["PGPASSWORD"] = str(url.password or "")

    def as_documented(start: str) -> None:
        text = doc.command(start).removeprefix("docker compose exec -T db ")
        words = [{"facedown": str(url.database)}.get(word, word) for word in shlex.split(text)]
        user = words.index("-U") + 1
        words[user] = str(url.username)
        line = " ".join(word if word in "<>" else shlex.quote(word) for word in words)
        run(["sh", "-ec", line], tmp_path, **environment)

    with Server(tmp_path / "data", DATABASE_URL=postgres_url) as server:
        before = open_table(server)
        as_documented("docker compose exec -T db pg_dump")
        after = open_table(server)
        server.stop()
        as_documented("docker compose exec -T db pg_restore")
        server.start()
        assert seated(server, before)
        assert not seated(server, after)
