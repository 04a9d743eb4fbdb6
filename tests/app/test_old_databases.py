"""Databases of earlier versions go on: every table in `tests/fixtures` looks as it did, and is played to its end.

`tools/make_database_fixture.py` has made them and makes further ones. The real server opens a copy of each; all else is
HTTP and JSON, so that whatever changes inside the server, these tests stay as they are.
"""

import hashlib
import json
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import asyncpg
import pytest
from sqlalchemy.engine import make_url

from engine.game import find
from engine.verify import verify
from tests.support.aside import run_aside
from tests.support.programs import Denied, Http, Json, Table, signer
from tests.support.server import Server

FIXTURES = sorted((Path(__file__).resolve().parents[1] / "fixtures").glob("database-*.sql"))
DAY = 86400
# Nobody becomes away because of the server's downtime, and no table is too old.
SETTINGS = {"AWAY_SECONDS": str(DAY), "KEEP_DAYS": "0"}
# Each bot waits for 20 seconds before it completes an answer. By then the test has compared the table with its record.
LOOKING = {**SETTINGS, "BOT_PAUSE": "100"}
PLAYING = {**SETTINGS, "BOT_PAUSE": "0"}

# Differences to the recording that are allowed, by place in the view, with the reason.
DIFFERS = {
    "remaining": "the clock has gone on since",
    "shared.rules": "a table that is in play goes on by the rules of today",
}
# The same for single values: place, value then, value now.
REPLACED = {
    ("own.order", "able", "hit"): "Dungeoneer has another default for players who have given no standing order",
}

POSTGRES_TYPES = {"DOUBLE": "DOUBLE PRECISION"}


class Old:
    """A fixture: a database, and the recorded views of its tables."""

    def __init__(self, sql: Path) -> None:
        self.database = sqlite3.connect(":memory:", check_same_thread=False)
        self.database.executescript(sql.read_text("utf-8"))
        found = json.loads(sql.with_suffix(".json").read_text("utf-8"))
        self.tables: list[Json] = found["tables"]
        self.signer = signer(found["secret_key"])

    def bearers(self, table: Json) -> Iterator[tuple[int, str]]:
        """The holders of all seats, the newest device last."""
        for seat, people in table["people"].items():
            for person in people:
                yield int(seat), self.bearer(person)

    def bearer(self, person: list[str]) -> str:
        return str(self.signer.dumps(person))

    def renew(self, *kinds: str) -> None:
        """Postpone by a day: deadlines of these kinds, and the expiry of one-time links."""
        later = time.time() + DAY
        with self.database:
            for kind in kinds:
                self.database.execute("UPDATE deadlines SET at = ? WHERE kind = ?", [later, kind])
            self.database.execute("UPDATE links SET expires = ?", [later])

    def to_sqlite(self, file: Path) -> None:
        file.parent.mkdir()
        with closing(sqlite3.connect(file)) as copy:
            self.database.backup(copy)

    async def to_postgres(self, url: str) -> None:
        plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
        connection = await asyncpg.connect(plain)
        try:
            created = "SELECT tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL AND type = ? ORDER BY "
            tables = self.database.execute(created + "sql LIKE '%FOREIGN KEY%'", ["table"]).fetchall()
            indexes = self.database.execute(created + "name", ["index"]).fetchall()
            for _, statement in [*tables, *indexes]:
                await connection.execute(re.sub(r"\b[A-Z]+\b", lambda m: POSTGRES_TYPES.get(m[0], m[0]), statement))
            for name, _ in tables:
                rows = self.database.execute(f"SELECT * FROM {name}").fetchall()
                await connection.copy_records_to_table(name, records=rows)
        finally:
            await connection.close()


@pytest.fixture(params=FIXTURES, ids=[file.stem for file in FIXTURES])
def old(request: pytest.FixtureRequest) -> Iterator[Old]:
    found = Old(request.param)
    yield found
    found.database.close()


Open = Callable[..., Server]


@pytest.fixture(params=["sqlite", "postgres"])
def serve_copy(request: pytest.FixtureRequest, old: Old, tmp_path: Path) -> Open:
    """A server for a copy of the fixture; it starts when its block is entered."""

    def serve(**settings: str) -> Server:
        folder = tmp_path / "data"
        if request.param == "sqlite":
            old.to_sqlite(folder / "facedown.sqlite3")
        else:
            settings["DATABASE_URL"] = url = request.getfixturevalue("postgres_url")
            run_aside(old.to_postgres(url))
        return Server(folder, None, **settings)

    return serve


# views --------------------------------------------------------------------------------------------------------------


def test_every_table_looks_as_it_did(old: Old, serve_copy: Open) -> None:
    old.renew("choice", "deal")
    with serve_copy(**LOOKING) as server, Http(server.port) as http:
        wrong = [f"{table['situation']}: {one}" for table in old.tables for one in look(http, old, table)]
        assert not wrong, "\n".join(wrong)
        for table in old.tables:
            use_links(http, old, table)


def look(http: Http, old: Old, table: Json) -> Iterator[str]:
    """The differences to the recording."""
    path, view = f"/t/{table['token']}", table["view"]
    yield from differences(view, http.get(path), "")
    for seat, bearer in old.bearers(table):
        now = http.get(path, bearer)
        yield from differences({**view, "own": undrafted(table["own"][str(seat)], view, now, seat)}, now, "")
    log = Table(http, table["token"], {}).log()
    if table["log"] is None or log is None:
        yield from differences(table["log"], log, "log")
    else:
        yield from differences(table["log"]["sha256"], hashlib.sha256(log).hexdigest(), "log")
        if current(log.splitlines()):
            report = verify(log.splitlines())
            yield from differences([True, table["phase"] == "over"], [report.holds, report.finished], "log verified")
    if "sent" in table:  # a message that was sent before gets the same reply
        sent = table["sent"]
        again = http.post(f"{path}/act", dict(old.bearers(table))[sent["seat"]], do="play", **sent["said"])
        yield from differences({"version": sent["version"]}, again, "sent again")
        yield from differences(view, http.get(path), "")


def current(log: list[bytes]) -> bool:
    """Whether the game was begun under the rules of today; a log of older ones must be said to be one."""
    began = json.loads(log[1])
    if began["rules"] == find(began["key"]).rules:
        return True
    assert verify(log).say().startswith(f"This was played by version {began['rules']} of the rules")
    return False


def undrafted(own: Json, view: Json, now: Json, seat: int) -> Json:
    """What a seat was shown; without what depends on its draft if a bot that stands in has already gone on with it:
    only the word that completes an answer waits for the bot's pause."""
    draft = own["draft"] if own and view["table"]["seats"][seat]["stand_in"] else []
    if not draft or now["own"]["draft"] == draft or now["own"]["draft"][: len(draft)] != draft:
        return own
    return {name: value for name, value in own.items() if name not in ("draft", "moves")}


def differences(was: Any, now: Any, place: str) -> Iterator[str]:
    """New fields are not counted as differences."""
    if place in DIFFERS and was is not None and now is not None:
        return
    if isinstance(was, dict) and isinstance(now, dict):
        for name in was:
            if name in now:
                yield from differences(was[name], now[name], f"{place}.{name}" if place else name)
            else:
                yield f"{place}.{name} is gone"
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for n, (one, other) in enumerate(zip(was, now, strict=True)):
            yield from differences(one, other, f"{place}[{n}]")
    elif was != now and (place, was, now) not in REPLACED:
        yield f"{place} was {was!r}, is {now!r}"


def use_links(http: Http, old: Old, table: Json) -> None:
    """Use the code and the one-time links."""
    code = table["view"]["table"]["code"]
    if table["view"]["table"]["locked"]:
        assert refusal(http, "/join", code=code) == "locked_code"
    else:
        assert http.post("/join", code=code)["token"] == table["token"]
    if "link" in table:
        moved = http.post("/move", token=table["link"]["token"])
        assert (moved["token"], moved["seat"]) == (table["token"], table["link"]["seat"])
        own = http.get(f"/t/{table['token']}", moved["bearer"])["own"]
        assert not list(differences(table["own"][str(moved["seat"])], own, "own"))
        assert refusal(http, "/move", token=table["spent"]) == "link_spent"


def refusal(http: Http, path: str, bearer: str = "", **said: object) -> str:
    with pytest.raises(Denied) as denied:
        http.post(path, bearer, **said)
    return denied.value.reason


# playing on ---------------------------------------------------------------------------------------------------------


@pytest.mark.no_cover
def test_every_table_is_played_to_its_end(old: Old, serve_copy: Open) -> None:
    old.renew("deal")
    with serve_copy(**PLAYING) as server:
        with ThreadPoolExecutor(len(old.tables)) as pool:
            list(pool.map(partial(play_on, server, old), old.tables))


def play_on(server: Server, old: Old, was: Json) -> None:
    try:
        with Http(server.port) as http:
            play_to_the_end(old, was, Table(http, was["token"], dict(old.bearers(was))))
    except Exception as error:
        error.add_note(f"the table: {was['situation']}")
        raise


def play_to_the_end(old: Old, was: Json, table: Table) -> None:
    playing = was["phase"] == "playing"
    before = (table.log() or b"").splitlines()
    if playing:
        go_on(old, was, table)
    else:
        begin(was, table)
    view = table.play(Random(was["token"]))
    log = table.log()
    assert log is not None
    assert (view["phase"], view["plays"]) == ("over", was["view"]["plays"] + (not playing))
    lines = log.splitlines()
    if current(lines):
        report = verify(lines)
        assert report.holds and report.finished, report
    if playing:
        assert lines[1 : len(before)] == before[1:], "the log has changed"
        check_answers(was, [json.loads(line) for line in lines])


def begin(was: Json, table: Table) -> None:
    """Start a game: in a lobby with another player, if there is a free seat; after the end with a rematch. If it has
    been started already, send the salts that it waits for."""
    seats = was["view"]["table"]["seats"]
    host = next(seat["n"] for seat in seats if seat["host"])
    if was["phase"] == "over":
        table.act(host, "rematch")
    elif was["view"]["table"].get("dealing"):
        for seat in was["awaited"]:
            table.act(seat, "salt", salt=was["salts"][str(seat)])
    elif was["view"]["table"]["locked"]:
        assert refusal(table.http, f"{table.path}/join", name="Late") == "locked"
    else:
        joined = table.http.post(f"{table.path}/join", name="Late")
        assert joined["seat"] == next(seat["n"] for seat in seats if seat["kind"] == "free")
        table.bearers[joined["seat"]] = joined["bearer"]
    if not was["view"]["table"].get("dealing"):
        table.act(host, "start")
    began = json.loads((table.log() or b"").splitlines()[1])
    # Free seats are removed, and the seats behind them move up.
    now = {seat: table.view(seat)["own"]["seat"] for seat in table.bearers}
    salts = {str(seat): began["salts"][now[seat]] for seat in now if began["salts"][now[seat]]}
    assert salts == was["salts"]
    table.bearers = {now[seat]: bearer for seat, bearer in table.bearers.items()}
    if was["phase"] == "lobby":
        assert began["commitment"] == was["view"]["table"]["commitment"]
        assert was.get("chosen", {}).items() <= began["options"].items()
        assert table.view()["table"]["seconds"] == was["view"]["table"]["seconds"]


def go_on(old: Old, was: Json, table: Table) -> None:
    """What happens first without the players: timers, bots, and people who return."""
    seats, version = was["view"]["table"]["seats"], was["version"]
    luck = Random(was["token"])
    if was["view"]["table"]["seconds"]:
        table.until(lambda view: view["version"] > version)  # the time runs out
    if "left" in was:
        seat, bearer = was["left"]["seat"], old.bearer(was["left"]["person"])
        other = next(seat["n"] for seat in seats if seat["kind"] == "bot" and not seat["left"])
        assert refusal(table.http, f"{table.path}/join", bearer, name="Back", seat=other) == "held_another"
        assert table.http.post(f"{table.path}/join", bearer, name="Back", seat=seat)["seat"] == seat
        table.bearers[seat] = bearer
    for seat in [seat["n"] for seat in seats if seat["stand_in"]]:
        bearer = table.bearers.pop(seat)
        table.play(luck, until=lambda view: view["version"] > version)  # the bot has played
        table.bearers[seat] = bearer
        table.act(seat, "name", name="Back")
        now = table.view()["table"]["seats"][seat]
        assert (now["away"], now["stand_in"], now["bot"]) == (False, False, "")


def check_answers(was: Json, events: list[Json]) -> None:
    """Sealed answers were revealed, drafts continued, and lifted power cards played. Time that runs out uses no
    item."""
    revealed = next(event for event in events if event["kind"] == "revealed" and event["round"] == was["round"])
    for answer in revealed["answers"]:
        seat = str(answer["seat"])
        drafted = was["own"][seat]["draft"] if seat in was["own"] else []
        lifted = was.get("lifted", {}).get(seat) or ""
        drafted = drafted or ([lifted] if lifted.isdecimal() else [])
        assert all(word == before for word, before in zip(answer["words"], drafted, strict=False))
        if digests := was["view"]["shared"]["digests"].get(seat):
            assert digests == [part for part in (answer["digest"], answer["kept"]) if part]
