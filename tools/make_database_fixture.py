"""Makes a fixture of the database as this version stores it: `python tools/make_database_fixture.py`.

It starts the server on SQLite, opens tables over the API, brings each of them into another situation, records what
everybody sees there, and writes `tests/fixtures/database-<next number>.sql` (the database) and `.json` (what was seen).
`tests/app/test_old_databases.py` opens every such database with the code of its day.

A fixture stays as it is for ever. Make a further one with the last code before what is stored changes (a migration, the
stored form of a table, of its log or of a game's state), or once there is a new game; a new situation is added to
`tools/situations.py`.

The deals are random, so two runs give different fixtures. A situation that not every game comes to is looked for in
one game after the other; what was opened in vain is left out. It takes some minutes. Timers in the fixture run for two
minutes more; the test is for afterwards.
"""

import hashlib
import json
import sqlite3
import sys
import tempfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.support.programs import Http, Json, signer  # noqa: E402
from tests.support.server import Server  # noqa: E402
from tools.opened import Opened, sockets  # noqa: E402
from tools.situations import QUICK, SITUATIONS, SLOW, SOON_AWAY  # noqa: E402

FIXTURES = ROOT / "tests" / "fixtures"


def make(folder: Path) -> list[tuple[str, Opened]]:
    made = []
    for settings in (QUICK, SOON_AWAY, SLOW):
        with sockets, Server(folder, None, **settings) as server, Http(server.port) as http:
            for name, its, make_one in SITUATIONS:
                if its is settings:
                    print(name, flush=True)
                    made.append((name, make_one(http)))
            server.stop()
    return made


def record(http: Http, key: str, name: str, table: Opened) -> Json:
    """What is to be seen of a table, by everybody and by each seat besides."""
    table.http = http
    view = table.view()
    own = {}
    for seat, bearers in sorted(table.devices.items()):
        for bearer in bearers:
            seen = table.http.get(table.path, bearer)
            own[str(seat)] = seen["own"]
            assert without_clock({**seen, "own": None}) == without_clock(view)
    log = table.log()
    people = {str(seat): [signer(key).loads(one) for one in bearers] for seat, bearers in sorted(table.devices.items())}
    if "left" in table.notes:
        seat, bearer = table.notes["left"]
        table.notes["left"] = {"seat": seat, "person": signer(key).loads(bearer)}
    return {
        "situation": name,
        "token": table.token,
        "phase": view["phase"],
        "version": view["version"],
        "round": view["shared"] and view["shared"]["round"],
        "people": people,
        "salts": table.salts,
        **table.notes,
        "log": log and {"lines": len(log.splitlines()), "sha256": hashlib.sha256(log).hexdigest()},
        "view": view,
        "own": own,
    }


def without_clock(view: Json) -> Json:
    return {name: part for name, part in view.items() if name != "remaining"}


def dump(file: Path, tokens: Iterable[str]) -> str:
    """The database as SQL, with these tables only."""
    with closing(sqlite3.connect(file)) as stored, closing(sqlite3.connect(":memory:")) as copy:
        stored.backup(copy)
        copy.execute("PRAGMA foreign_keys = ON")
        copy.execute("CREATE TEMP TABLE wanted AS SELECT value AS token FROM json_each(?)", [json.dumps(list(tokens))])
        copy.execute("DELETE FROM tables WHERE token NOT IN (SELECT token FROM wanted)")
        copy.execute("DELETE FROM moves WHERE table_id NOT IN (SELECT id FROM tables)")
        copy.execute("DROP TABLE wanted")
        copy.commit()
        return "\n".join(copy.iterdump()) + "\n"


def value(file: Path, query: str) -> Any:
    with closing(sqlite3.connect(file)) as stored:
        return stored.execute(query).fetchone()[0]


def in_lines(found: Json) -> str:
    """JSON with each field of a table on a line of its own."""
    tables = [
        "{\n" + ",\n".join(f"{json.dumps(name)}: {compact(part)}" for name, part in table.items()) + "\n}"
        for table in found["tables"]
    ]
    first = "".join(f"{json.dumps(name)}: {compact(part)},\n" for name, part in found.items() if name != "tables")
    return "{\n" + first + '"tables": [\n' + ",\n".join(tables) + "\n]\n}\n"


def compact(part: object) -> str:
    return json.dumps(part, ensure_ascii=False, separators=(",", ":"))


def main() -> None:
    FIXTURES.mkdir(exist_ok=True)
    number = 1 + max((int(file.stem.rpartition("-")[2]) for file in FIXTURES.glob("database-*.sql")), default=0)
    target = FIXTURES / f"database-{number:04}.sql"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "facedown.sqlite3"
        made = make(folder)
        # The server that is asked has read everything from the database; bots do nothing until it is stopped.
        with Server(folder, None, **SLOW) as server, Http(server.port) as http:
            key = value(file, "SELECT value FROM keys WHERE name = 'secret_key'")
            tables = [record(http, key, situation, table) for situation, table in made]
            server.stop()
        revision = value(file, "SELECT version_num FROM alembic_version")
        target.write_text(dump(file, [table["token"] for table in tables]), "utf-8")
        found = {"revision": revision, "secret_key": key, "tables": tables}
        target.with_suffix(".json").write_text(in_lines(found), "utf-8")
    print(target.relative_to(ROOT), f"{len(tables)} tables, {target.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
