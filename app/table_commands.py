"""The commands on stored tables: `facedown check`, `export` and `import`."""

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from app.settings import Settings
from app.store.connect import address
from app.store.rows import Bad, Down, Newer
from app.store.store import Store


def add_table_commands(commands: Any) -> None:
    one = commands.add_parser(
        "check", help="say which games cannot be loaded, or would not go on with this program; changes nothing"
    )
    one.set_defaults(run=check_command)

    one = commands.add_parser("export", help="write a table with everything that is stored of it into a new file")
    one.add_argument("table", metavar="TABLE", help="its link, token or code")
    one.add_argument("file", type=Path, metavar="FILE")
    one.set_defaults(run=export_command)

    one = commands.add_parser("import", help="take in an exported table; prints a link for each player")
    one.add_argument("file", type=Path, metavar="FILE")
    one.add_argument(
        "--unchecked",
        action="store_true",
        help="take in also what cannot be rebuilt by this program's rules; only for a file of your own server",
    )
    one.set_defaults(run=import_command)


class Failed(Exception):
    """The command cannot be carried out; the text says why."""


def run_command(work: Awaitable[int]) -> int:
    from app.house.transfer import NotTaken

    async def awaited() -> int:
        return await work

    try:
        return asyncio.run(awaited())
    except (Failed, NotTaken) as error:
        print(f"facedown: {for_terminal(str(error))}.", file=sys.stderr)
    except Newer as error:
        print(f"facedown: {error}", file=sys.stderr)
    except (Down, Bad) as error:
        print(f"facedown: the database cannot be used: {error}", file=sys.stderr)
    except OSError as error:
        print(f"facedown: {error.filename}: {error.strerror}.", file=sys.stderr)
    return 1


def for_terminal(text: str) -> str:
    """The text on one line, without what would control a terminal: it may be from a file of strangers."""
    return "".join(c if c.isprintable() else "�" for c in text)


def settings_of_database() -> Settings:
    """The settings. Raises Failed if they name a SQLite file that does not exist: it would be created."""
    settings = Settings.read()
    if settings.sqlite and not Path(file := address(settings).database or "").is_file():
        raise Failed(f"there is no database at {file}")
    return settings


async def opened_store() -> Store:
    """The store of a database that exists."""
    return await Store.open(settings_of_database())


def check_command(args: argparse.Namespace) -> int:
    return run_command(try_all())


async def try_all() -> int:
    from app.house.trial import try_tables
    from engine.game import left_out

    for key, why in left_out().items():
        print(f"game {key}: cannot be loaded: {why}")
    count = stopped = changed = 0
    async for trial in try_tables(settings_of_database()):
        count += 1
        stopped += bool(trial.stops)
        changed += bool(trial.changed)
        name = f"table {trial.code or trial.table}" + (f", {trial.game}" if trial.game else "")
        if trial.stops:
            print(for_terminal(f"{name}: does not go on: {trial.stops}"))
        elif trial.changed:
            print(for_terminal(f"{name}: goes on, but is not what its log says: {trial.changed}"))
        elif trial.log:
            print(for_terminal(f"{name}: goes on, but its log will not verify: {trial.log}"))
    print(f"{count} tables tried, {count - stopped} go on.")
    return 1 if stopped or changed or left_out() else 0


def export_command(args: argparse.Namespace) -> int:
    return run_command(give_out(args.table, args.file))


async def give_out(table: str, file: Path) -> int:
    from app.house.transfer import export_table

    store = await opened_store()
    try:
        data = await export_table(store, table)
    finally:
        await store.close()
    os.umask(0o077)
    with file.open("xb") as target:
        target.write(data)
    print(f"{file} holds sealed cards, too: keep it private.")
    return 0


def import_command(args: argparse.Namespace) -> int:
    return run_command(take_in(args.file, args.unchecked))


async def take_in(file: Path, unchecked: bool) -> int:
    from app.house.transfer import MOST_BYTES, import_table

    settings = Settings.read()
    with file.open("rb") as source:
        data = source.read(MOST_BYTES + 1)
    store = await Store.open(settings)
    try:
        saved, invitations = await import_table(store, data, unchecked)
    finally:
        await store.close()
    base = settings.public_url or f"http://{settings.host}:{settings.port}"
    print(f"The table is at {base}/t/{saved.token}. Each player takes the seat again by a link, once, within a week:")
    for name, token in invitations:
        print(f"  {name}: {base}/move#{token}")
    return 0
