"""Creates a fixture with the database format of this version: `python tools/make_database_fixture.py [WORD …]`, with
all situations, or with those whose names contain one of the words.

It starts the server on SQLite, opens tables over the API, brings each into a different situation, records all views,
and writes `tests/fixtures/database-<next number>.sql` (the database) and `.json` (the views).
`tests/app/test_old_databases.py` opens every fixture with the current code.

Fixtures are never changed. Create another one before a change of the stored format (a migration, or the stored form of
a table, its log or a game's state), and when a game is added. Add new situations to `tools/situations.py` or
`tools/turn_situations.py`.

Deals are random, so two runs give different fixtures. For situations that not every game reaches, games are played
until one does; the other tables are left out of the fixture. This takes some minutes. Timers in the fixture run for two
more minutes; run the test after that. A deal waits for its salts for some seconds only: make a fixture of it alone,
with the word `awaited`.
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
from tools.turn_situations import TURN_SITUATIONS  # noqa: E402

FIXTURES = ROOT / "tests" / "fixtures"


def make(folder: Path, words: list[str]) -> list[tuple[str, Opened]]:
    made = []
    for settings in (QUICK, SOON_AWAY, SLOW):
        with sockets, Server(folder, None, **settings) as server, Http(server.port) as http:
            for name, its, make_one in (*SITUATIONS, *TURN_SITUATIONS):
                if its is settings and (not words or any(word in name for word in words)):
                    print(name, flush=True)
                    made.append((name, make_one(http)))
            server.stop()
    return made


def record(http: Http, key: str, name: str, table: Opened) -> Json:
    """The shared view of a table and the own view of each seat."""
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
    """The database as SQL, limited to the game tables with these tokens."""
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
    """JSON with each field of a table on its own line."""
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
        made = make(folder, sys.argv[1:])
        # Record the views from a restarted server, which loads everything from the database. Its bots stay idle.
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
