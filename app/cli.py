"""The program `facedown`."""

import argparse
import asyncio
import os
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from app.settings import BadSetting, Settings, described


def main(arguments: Sequence[str] | None = None) -> int:
    args = parser().parse_args(arguments)
    try:
        return int(args.run(args))
    except BadSetting as error:
        print(f"facedown: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def parser() -> argparse.ArgumentParser:
    from engine import simulate

    top = argparse.ArgumentParser(
        prog="facedown",
        description="A server for card games in which everyone chooses in secret and everyone reveals at once.",
        epilog="Settings are variables of the environment:\n" + settings_text(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    one = commands.add_parser("serve", help="bring the database up to date and serve")
    one.set_defaults(run=serve)

    one = commands.add_parser("migrate", help="bring the database up to date")
    one.set_defaults(run=migrate)

    one = commands.add_parser("backup", help="copy the SQLite database into a new file, while the server runs")
    one.add_argument("file", type=Path, metavar="FILE")
    one.set_defaults(run=backup)

    one = commands.add_parser("simulate", help="play whole games without a server")
    simulate.add_arguments(one)
    one.set_defaults(run=simulate.command)

    one = commands.add_parser("verify", help="replay an exported log and name the first line that does not hold")
    one.add_argument("file", metavar="FILE", help="- is standard input")
    one.set_defaults(run=verify)
    return top


def settings_text() -> str:
    rows = described()
    width = max(len(variable) for variable, _, _ in rows)
    return "\n".join(f"  {variable:{width}}  {help}" for variable, _, help in rows)


def serve(args: argparse.Namespace) -> int:
    from app import server

    return server.run(Settings.read())


def migrate(args: argparse.Namespace) -> int:
    from app.store.rows import Down
    from app.store.store import Store

    async def go() -> None:
        store = await Store.open(Settings.read())
        await store.close()

    try:
        asyncio.run(go())
    except Down as error:
        print(f"facedown: the database cannot be reached: {error}", file=sys.stderr)
        return 1
    print("The database is up to date.")
    return 0


def backup(args: argparse.Namespace) -> int:
    from app.store.connect import address

    settings = Settings.read()
    if not settings.sqlite:
        print("facedown: for Postgres use pg_dump; docs/hosting.md shows how.", file=sys.stderr)
        return 2
    source = Path(address(settings).database or "")
    if not source.is_file():
        print(f"facedown: there is no database at {source}.", file=sys.stderr)
        return 2
    os.umask(0o077)  # it holds the key and what lies face down
    try:
        with closing(sqlite3.connect(source)) as connection:
            connection.execute("VACUUM INTO ?", (str(args.file),))
    except sqlite3.Error as error:  # also where the file is there already
        print(f"facedown: no back-up was made: {error}.", file=sys.stderr)
        return 1
    print(f"{args.file} holds everything, sealed cards and keys too: keep it private.")
    return 0


def verify(args: argparse.Namespace) -> int:
    from engine.verify import command

    return command(args.file)
