"""Tries the tables of a database with this program, without changing anything: which games would go on?"""

from collections.abc import AsyncIterator

import msgspec
from msgspec import Struct

from app.house.open_table import OpenTable
from app.house.rebuild import LONGEST_REBUILD, Differs, NotRebuilt, rebuild
from app.settings import Settings
from app.store.rows import StoredTable
from app.store.store import Store
from engine.game import UnknownGame
from engine.verify import verify_running

MOST_STEPS = 2000  # answers with which a game is tried; random ones may take longer to its end
SECRET = "00" * 32


class Trial(Struct, frozen=True):
    """What would become of one table."""

    table: str
    code: str = ""
    game: str = ""
    stops: str = ""  # why it would not go on; "": it does
    changed: str = ""  # what is stored of it and does not follow from its log; "": nothing
    log: str = ""  # why its log would not verify after the game; "": it does


async def try_tables(settings: Settings) -> AsyncIterator[Trial]:
    async with Store.as_if_migrated(settings) as store:
        for id in await store.not_over():
            stored = await store.by_id(id)
            assert stored is not None
            trial = try_table(stored)
            yield trial if trial.stops else msgspec.structs.replace(trial, changed=await what_differs(store, id))


async def what_differs(store: Store, id: str) -> str:
    """What is stored of a table and does not follow from its log; "" also if an earlier game had other rules."""
    whole = await store.since(id, 0)
    try:
        if whole is None:
            return "it has no entries"
        rebuild(whole.snapshot, whole.entries, LONGEST_REBUILD)
    except Differs as error:
        return str(error)
    except NotRebuilt:
        pass
    return ""


def try_table(stored: StoredTable) -> Trial:
    """Load the table, play its game from the beginning again, show it to everybody, and play on."""
    try:
        table = OpenTable(stored)
    except UnknownGame as error:
        return Trial(stored.table, stops=str(error))
    except Exception as error:
        return Trial(stored.table, stops=f"it cannot be read: {what(error)}")
    found = Trial(stored.table, table.picture.card.code, table.picture.card.game)
    try:
        for seat in range(len(table.picture.card.seats)):
            table.picture.own(seat)
        play_on(table)
    except Exception as error:
        return msgspec.structs.replace(found, stops=f"it cannot be played on: {what(error)}")
    return msgspec.structs.replace(found, log=replayed(table))


def replayed(table: OpenTable) -> str:
    """Why this program does not make the same game of the seed and the moves; "" if it does."""
    sitting = table.sitting
    if sitting.table is None:
        return ""
    events = [bytes(event) for event in table.history.all.raw()]
    report = verify_running(events, sitting.saved.seed, sitting.table.kept)
    return "" if report.holds else f"event {report.line}: {report.say()}"


def play_on(table: OpenTable) -> None:
    """Play with the default answers, on a copy."""
    if table.sitting.table is None:
        return
    game = table.sitting.table.copy()
    for _ in range(MOST_STEPS):
        if game.over:
            return
        seat = game.waits[0]
        game.play(seat, game.default(seat), game.round, SECRET, "bot")


def what(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".rstrip(": ")
