"""Compares what clients of a table were told with the database: nothing lost, nothing twice, nothing changed."""

import asyncio
import json
import time
from copy import deepcopy

import httpx

from app.house.commit import snapshot_of
from app.house.open_table import OpenTable, encode_sitting, read_action
from app.store.rows import Down, StoredEntry, StoredTable
from app.store.store import Store
from app.table import actions as do
from app.table.sitting import Sitting
from app.web.json_view import JsonView
from app.web.render_cache import RenderCache
from engine.proof import canonical
from engine.verify import verify
from tests.chaos.players import LOST, Player
from tests.chaos.script import Scripted
from tests.chaos.told import Json, Told, Wrong

GOES_ON = "it goes on"
PATIENCE = 120  # seconds for the bots and the other process to come to rest, while servers may be down


class Rebuilt:
    """A table made from its log alone, with the events of all games at it."""

    def __init__(self, id: str, rows: list[StoredEntry]) -> None:
        entries = [do.Entry(row.person, read_action(row.action), row.secret, row.at) for row in rows]
        sitting = Sitting.open(entries[0])
        self.events: dict[int, list[Json]] = {}
        for entry, row in zip(entries[1:], rows[1:], strict=True):
            change = sitting.apply(entry)
            sitting = change.sitting
            made = canonical(change.events).decode() if change.events else None
            if made != row.events or sitting.seq != row.seq or sitting.version != row.version:
                raise Wrong(f"entry {row.seq} of table {id} has another effect than it had")
            if made is not None:
                self.events.setdefault(sitting.saved.plays, []).extend(json.loads(made))
        began = sitting.saved.began
        told = [row for row in rows if began and row.seq >= began and row.events]
        self.sitting = sitting
        self.table = OpenTable(StoredTable(id, snapshot_of(sitting), told))

    def view(self, seat: int | None) -> Json:
        """What this seat sees, as JSON."""
        found: Json = json.loads(JsonView(RenderCache(), "", self.table.picture).encoded(seat, None))
        return found


async def audit(script: Scripted, store: Store) -> None:
    """To be called while no player acts at the table. If bots play on for long, their game is not compared with what
    the players see. Raises Wrong."""
    end, differences = time.monotonic() + PATIENCE, [""]
    while True:
        try:
            difference = await compare(script, store)
            if not difference:
                return
        except (Down, httpx.HTTPError, *LOST) as error:
            difference = repr(error)
        if difference != differences[-1]:
            differences.append(difference[:1000])
        if time.monotonic() > end:
            if difference.startswith(GOES_ON) and not script.finished:
                return
            raise Wrong(f"table {script.token} after {PATIENCE} s: {differences[-5:]}")
        await asyncio.sleep(0.05)


async def compare(script: Scripted, store: Store) -> str:
    """What may be different because bots play or a process is a moment behind; "" if everything is equal. Raises Wrong
    for what may never be different."""
    told = deepcopy(script.told)  # before the log is read, since bots may play on meanwhile
    stored = await store.by_token(script.token)
    found = stored and await store.since(stored.table, 0)
    if stored is None or found is None:
        raise Wrong(f"table {script.token} is gone")
    rows = found.entries
    compare_log(script.token, told, rows)
    # In a thread, since it takes seconds on a busy machine, in which no player would hear anything.
    rebuilt = await asyncio.to_thread(Rebuilt, stored.table, rows)
    for plays, events in rebuilt.events.items():
        for number, text in told.game(plays).items():
            if number >= len(events) or json.loads(text) != events[number]:
                raise Wrong(f"event {number} of game {plays} of table {script.token} is not what was told: {text}")
    fetched = [await asked(script, player) for player in script.players]
    whole = await store.by_token(script.token)
    if whole is None or (loaded := OpenTable(whole)).seq != len(rows):
        newest = [f"{row.at:.1f} {row.person} {row.action}" for row in rows[-6:]]
        return f"{GOES_ON} at {loaded.seq}: {newest}"
    if encode_sitting(loaded.sitting) != encode_sitting(rebuilt.sitting):
        raise Wrong(f"the snapshot of table {script.token} is not what its log makes")
    for player, view in zip(script.players, fetched, strict=True):
        truth = rebuilt.view(player.seat)
        for shown in (view, player.view):
            if names := [name for name in truth if name != "remaining" and shown.get(name) != truth[name]]:
                return f"{player.name} is shown other {names}: {shown}"
    return ""


def compare_log(token: str, told: Told, rows: list[StoredEntry]) -> None:
    if [row.seq for row in rows] != list(range(1, len(rows) + 1)):
        raise Wrong(f"the log of table {token} has gaps: {[row.seq for row in rows]}")
    mine = [row for row in rows if row.client_id]
    logged = {(row.person, row.client_id): row.version for row in mine}
    if len(logged) != len(mine):
        raise Wrong(f"an action of table {token} is in the log twice")
    for message, version in told.accepted.items():
        if logged.get(message) != version:
            raise Wrong(f"{message} was accepted at version {version}; the log has {logged.get(message)}")
    if doubted := [message for message in told.refused if message in logged]:
        raise Wrong(f"{doubted} were refused and are in the log")


async def asked(script: Scripted, player: Player) -> Json:
    """The view as a server gives it to this player now."""
    headers = {"Accept": "application/json", "Authorization": f"Bearer {player.bearer}"}
    async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
        answer = await client.get(f"http://127.0.0.1:{script.port()}/t/{script.token}", headers=headers)
        answer.raise_for_status()
        found: Json = answer.json()
        return found


async def verify_log(script: Scripted) -> None:
    """The exported log of a finished game must hold. Raises Wrong."""
    async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
        answer = await client.get(f"http://127.0.0.1:{script.port()}/t/{script.token}/log")
        answer.raise_for_status()
    report = await asyncio.to_thread(verify, answer.content.split(b"\n"))
    if not (report.holds and report.finished):
        raise Wrong(f"the log of table {script.token}: {report.say()}")
