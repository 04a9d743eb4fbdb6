"""The `facedown` command line."""

import argparse
import asyncio
import errno
import gc
import os
import signal
import socket
import sqlite3
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import Any

from app import logs, table_commands
from app.settings import BadSetting, Settings, described, near_misses
from app.store.claim import Claimed, Unwritable, claim, need_writable

DATABASE_SECONDS = 30  # how long `serve` waits for a Postgres that is still starting
DATABASE_URL = "DATABASE_URL=… will not do; it takes postgresql://user:password@host/database."


def main(arguments: Sequence[str] | None = None) -> int:
    args = parser().parse_args(arguments)
    args.arguments = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return int(args.run(args))
    except BadSetting as error:
        print(f"facedown: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def parser() -> argparse.ArgumentParser:
    from app import new_game
    from app.dev import command as dev
    from engine import simulate

    top = argparse.ArgumentParser(
        prog="facedown",
        description="A server for card games in which everyone chooses in secret and everyone reveals at once.",
        epilog="Settings are variables of the environment:\n" + settings_text(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"facedown {version('facedown')}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    one = commands.add_parser("serve", help="bring the database up to date and serve")
    one.add_argument("--reload", action="store_true", help="for development: follow changes of code and pages")
    one.add_argument("--sockets", help=argparse.SUPPRESS)  # in the process that the reloader starts
    one.set_defaults(run=serve_command)

    one = commands.add_parser("dev", help="open one table of a game in all faces, for development")
    dev.add_dev_arguments(one)
    one.set_defaults(run=dev.dev_command)

    one = commands.add_parser("migrate", help="bring the database up to date")
    one.set_defaults(run=migrate_command)

    one = commands.add_parser("confirm-clock", help="say that the machine's clock is right, after the log doubted it")
    one.set_defaults(run=confirm_clock_command)

    one = commands.add_parser("backup", help="copy the SQLite database into a new file, while the server runs")
    one.add_argument("file", type=Path, metavar="FILE")
    one.set_defaults(run=backup_command)

    one = commands.add_parser("simulate", help="play whole games without a server")
    simulate.add_arguments(one)
    one.set_defaults(run=simulate.simulate_command)

    one = commands.add_parser("new-game", help="write a package with a small game, to be changed into your own")
    new_game.add_new_game_arguments(one)
    one.set_defaults(run=new_game.new_game_command)

    one = commands.add_parser("verify", help="replay an exported log and name the first line that does not hold")
    one.add_argument("file", metavar="FILE", help="- is standard input")
    one.set_defaults(run=verify_command)
    table_commands.add_table_commands(commands)
    return top


def settings_text() -> str:
    rows = described()
    width = max(len(variable) for variable, _, _ in rows)
    return "\n".join(f"  {variable:{width}}  {help}" for variable, _, help in rows)


def serve_command(args: argparse.Namespace) -> int:
    gc.disable()  # modules are never freed, so collections while they are loaded only delay the start
    from app import server

    gc.freeze()
    gc.enable()
    settings = Settings.read()
    if args.reload and settings.workers > 1:
        raise BadSetting("--reload is for one process: set WORKERS=1.")
    logs.set_up(settings.log_level, settings.log_format)
    for name, meant in near_misses():
        logs.get("settings").warning("a variable that is no setting", variable=name, meant=meant)
    server.raise_file_limit()
    # uvicorn shuts down cleanly on SIGTERM and then raises the signal again; that must not change the exit code.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    if args.sockets:
        from app.dev import live, reloader

        return server.run_server(settings, reloader.inherited(args.sockets), live.create_live_app(settings))
    try:
        sockets = server.bind(settings.host, settings.port)
        claimed = claim_database(settings)
        # Before the workers start: without a database each of them would fail.
        if problem := asyncio.run(prepare_database(settings, 0 if settings.sqlite else DATABASE_SECONDS)):
            return failed(problem)
        for one in sockets:
            one.listen()  # only now: until then clients are refused at once instead of waiting
    except Unwritable as error:
        return failed(unwritable(settings, error))
    except Claimed as error:
        return failed(f"another server uses the database {error}; stop that one, or set DATA_DIR to another folder.")
    except OSError as error:
        return failed(cannot_listen(settings, error))
    with claimed:
        return serve_until_signal(args, settings, sockets)


def claim_database(settings: Settings) -> AbstractContextManager[Any]:
    """Claim a SQLite file for this server while the returned context is open. Postgres may have several servers."""
    return claim(sqlite_file(settings)) if settings.sqlite else nullcontext()


def sqlite_file(settings: Settings) -> Path:
    from sqlalchemy.exc import ArgumentError

    from app.store.connect import address

    try:
        return Path(address(settings).database or "")
    except ArgumentError:
        raise BadSetting(DATABASE_URL) from None


def serve_until_signal(args: argparse.Namespace, settings: Settings, sockets: list[socket.socket]) -> int:
    from app import server

    try:
        if args.reload:
            from app.dev import reloader, watch

            server.greet(settings)
            reloader.run_reloader(args.arguments, sockets, watch.Watch("code", watch.folders()))
        return server.run_server(settings, sockets)
    except KeyboardInterrupt:
        return 0  # uvicorn raises it again after a clean shutdown


def migrate_command(args: argparse.Namespace) -> int:
    settings = Settings.read()
    try:
        if settings.sqlite:
            need_writable(sqlite_file(settings))
    except Unwritable as error:
        return failed(unwritable(settings, error))
    if problem := asyncio.run(prepare_database(settings)):
        return failed(problem)
    print("The database is up to date.")
    return 0


def confirm_clock_command(args: argparse.Namespace) -> int:
    from app.house.cleaning import confirm_clock

    async def confirm() -> int:
        store = await table_commands.opened_store()
        try:
            await confirm_clock(store)
        finally:
            await store.close()
        print(f"It is {time.strftime('%Y-%m-%d %H:%M %Z')}: old tables may be deleted again.")
        return 0

    return table_commands.run_command(confirm())


async def prepare_database(settings: Settings, patience: float = 0) -> str:
    """Bring the database up to date. Returns the problem as text, "" on success."""
    from sqlalchemy.exc import ArgumentError

    from app.store.connect import address
    from app.store.rows import Bad, Down, Newer
    from app.store.store import Store

    try:
        address(settings)
    except (ArgumentError, ValueError):  # the error's text may contain the password
        raise BadSetting(DATABASE_URL) from None
    end = time.monotonic() + patience
    warned = False
    while True:
        try:
            store = await Store.open(settings)
        except Down as error:
            if time.monotonic() >= end:
                return f"the database cannot be reached: {error}"
            if not warned:
                logs.get("database").warning("waiting for the database", reason=str(error))
                warned = True
            await asyncio.sleep(0.5)
        except Newer as error:
            return str(error)
        except (Bad, OSError) as error:
            return f"the database cannot be brought up to date: {error}"
        else:
            await store.close()
            return ""


def cannot_listen(settings: Settings, error: OSError) -> str:
    where = f"port {settings.port} on {settings.host}"
    if isinstance(error, socket.gaierror):
        return f"there is no host {settings.host}; set HOST to an address of this machine."
    if error.errno == errno.EADDRINUSE:
        return f"{where} is in use; set PORT to another one."
    if error.errno == errno.EACCES:
        return f"{where} is not allowed to this user; set PORT above 1023."
    if error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
        return f"{settings.host} is no address of this machine; set HOST to one that is."
    return f"{where} cannot be opened: {error.strerror}."


def unwritable(settings: Settings, error: Unwritable) -> str:
    other = "DATABASE_URL to another file" if settings.database_url else "DATA_DIR to another folder"
    return f"{error}, or set {other}."


def failed(problem: str) -> int:
    print(f"facedown: {problem}", file=sys.stderr)
    return 1


def backup_command(args: argparse.Namespace) -> int:
    from app.store.connect import address

    settings = Settings.read()
    if not settings.sqlite:
        print("facedown: for Postgres use pg_dump; docs/hosting.md shows how.", file=sys.stderr)
        return 2
    source = Path(address(settings).database or "")
    if not source.is_file():
        print(f"facedown: there is no database at {source}.", file=sys.stderr)
        return 2
    os.umask(0o077)  # the file contains the secret key and hidden moves
    try:
        with closing(sqlite3.connect(source)) as connection:
            connection.execute("VACUUM INTO ?", (str(args.file),))
    except sqlite3.Error as error:  # also raised when the file exists
        print(f"facedown: no back-up was made: {error}.", file=sys.stderr)
        return 1
    print(f"{args.file} holds everything, sealed cards and keys too: keep it private.")
    return 0


def verify_command(args: argparse.Namespace) -> int:
    from engine.verify import verify_and_print

    return verify_and_print(args.file)
