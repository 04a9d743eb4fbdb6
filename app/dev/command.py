"""`facedown dev`: one table of a game in all faces, on this machine only."""

import argparse
import secrets
import signal
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from app import logs
from app.settings import Settings
from engine import simulate

if TYPE_CHECKING:
    from app.dev.tables import Beginning
    from engine.game import Game

HOST = "127.0.0.1"
DAY = 86400.0


def add_dev_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", help="the key of an installed game, like raiders")
    parser.add_argument("--seats", type=int, metavar="N", help="number of seats (the game's minimum)")
    parser.add_argument("--people", type=int, metavar="N", help="the first N seats are yours, bots play the others (1)")
    parser.add_argument("--seed", metavar="S", help="the deal of `facedown simulate` at the same seed (a new one)")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="an option of the game")
    parser.add_argument(
        "--position",
        type=Path,
        metavar="FILE",
        help="a position of the game, or an exported log whose moves are played first; all seats are yours",
    )
    parser.add_argument("--line", type=int, metavar="N", help="play only the moves up to this line of the log")
    parser.add_argument("--port", type=int, metavar="P", help="port to listen on (PORT, else 8000)")
    parser.add_argument("--sockets", help=argparse.SUPPRESS)  # in the process that the reloader starts
    parser.add_argument("--data", help=argparse.SUPPRESS)


def dev_command(args: argparse.Namespace) -> int:
    """Return 2 if an argument is not valid."""
    settings = Settings.read()
    settings = replace(
        settings,
        host=HOST,
        port=args.port or settings.port,
        data_dir=args.data or "",
        workers=1,
        database_url="",
        public_url="",
        trusted_proxies="",
        table_password="",
        away_seconds=DAY,
    )
    logs.set_up(settings.log_level, settings.log_format)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        return serve_table(args, settings) if args.sockets else supervise(args, settings)
    except KeyboardInterrupt:
        return 0
    except simulate.BadArgument as error:
        print(f"facedown dev: {error}", file=sys.stderr)
        return 2


def supervise(args: argparse.Namespace, settings: Settings) -> int:
    from app import server
    from app.cli import cannot_listen, failed
    from app.dev import reloader
    from app.dev.tables import Making
    from app.dev.watch import Watch, folders

    args.seed = args.seed or secrets.token_hex(4)
    Making(beginning_of(args)).make()  # what cannot begin is refused at once
    try:
        sockets = server.bind(settings.host, settings.port)
        for one in sockets:
            one.listen()
    except OSError as error:
        return failed(cannot_listen(settings, error))
    with tempfile.TemporaryDirectory(prefix="facedown-dev-") as folder:
        print(f"{table_title(args)}: open http://{HOST}:{settings.port}/dev", flush=True)
        more = ["--seed", args.seed, "--data", folder]
        reloader.run_reloader([*args.arguments, *more], sockets, Watch("code", folders()))


def serve_table(args: argparse.Namespace, settings: Settings) -> int:
    from app import server
    from app.dev import live
    from app.dev.desk import add_desk
    from app.dev.reloader import inherited

    app = live.create_live_app(settings)
    add_desk(app, lambda: beginning_of(args), table_title(args))
    return server.run_server(settings, inherited(args.sockets), app)


def beginning_of(args: argparse.Namespace) -> "Beginning":
    """How the table of this command begins. Raises BadArgument."""
    from app.dev.tables import at_seed

    game = simulate.find_game(args.game)
    if args.position is not None:
        found = at_file(args, game)
    elif args.line is not None:
        raise simulate.BadArgument("--line is for --position")
    else:
        seats = seats_of(args, game)
        people = 1 if args.people is None else args.people
        found = at_seed(game.key, seats, people, args.seed, simulate.parse_options(game, args.option, seats))
    if not 1 <= found.people <= len(found.names):
        raise simulate.BadArgument(f"--people takes 1 to {len(found.names)} here")
    return found


def seats_of(args: argparse.Namespace, game: "Game") -> int:
    seats: int = args.seats if args.seats is not None else game.seats[0]
    if seats not in game.seats:
        raise simulate.BadArgument(f"{game.key} is for {game.seats[0]} to {game.seats[-1]} seats, not {seats}")
    return seats


def at_file(args: argparse.Namespace, game: "Game") -> "Beginning":
    """The table of `--position`: a JSON object is a position, anything else a log."""
    from app.dev.tables import at_line, at_position

    try:
        text = args.position.read_bytes()
    except OSError as error:
        raise simulate.BadArgument(f"{args.position}: {error.strerror}") from None
    position = position_in(text)
    if position is not None:
        if args.line is not None:
            raise simulate.BadArgument("--line is for a log")
        seats = seats_of(args, game)
        options = simulate.parse_options(game, args.option, seats)
        return at_position(game.key, position, seats, args.people, args.seed, options)
    found = at_line(text.splitlines(), args.line, args.people)
    if found.game != game.key:
        raise simulate.BadArgument(f"{args.position} is a log of {found.game}, not of {game.key}")
    return found


def position_in(text: bytes) -> dict[str, Any] | None:
    """The position that a file describes; None if it is something else, such as a log, whose lines have a kind."""
    try:
        found = msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeError):
        return None
    return None if "kind" in found else found


def table_title(args: argparse.Namespace) -> str:
    """The table in words."""
    if args.position is None:
        return f"{args.game} at seed {args.seed}"
    return f"{args.position.name}, line {args.line}" if args.line else f"{args.position.name}"
