"""Whole games without a server: `facedown simulate`. `docs/formats.md` describes the output."""

import argparse
import hashlib
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from random import Random
from typing import Any, BinaryIO

import msgspec

from engine.bots import bots_of, choose_move
from engine.chance import Chance
from engine.game import Bot, Game, UnknownGame, find
from engine.proof import Deal, canonical
from engine.steps import Decided, Event, Result
from engine.table import Table


class BadArgument(ValueError):
    """The command names something that does not exist or is not allowed."""


def simulate(
    game: Game,
    players: Sequence[Bot],
    seed: str,
    number: int,
    options: Mapping[str, str] | None = None,
    position: Mapping[str, Any] | None = None,
) -> Iterator[Event]:
    """Play one game and yield its events, from the start or from a position. All randomness, the bots' included, comes
    from `seed` and `number`."""
    root, seats = deal_seed(seed, number), len(players)
    lucks = [Random(f"{root} seat {seat}") for seat in range(seats)]
    deal = Deal(root, ("",) * seats)
    if position is None:
        table, events = Table.begin(game, seats, deal, options)
    else:
        table, events = begin_at(game, position, seats, deal, options)
    yield from events
    while not table.over:
        yield from play_round(table, players, lucks)


def begin_at(
    game: Game, position: Mapping[str, Any], seats: int, deal: Deal, options: Mapping[str, str] | None = None
) -> tuple[Table, list[Event]]:
    """A table at a position that the game can set up, with the random numbers of this deal. Raises ValueError."""
    if game.position is None:
        raise ValueError(f"{game.key} cannot begin at a position")
    state = game.position(position, seats)
    state.chance = Chance(deal.mixed())
    return Table.at(game, state, seats=seats, options=game.choose_options(options or {}, seats), deal=deal)


def play_round(table: Table, players: Sequence[Bot], lucks: Sequence[Random]) -> Iterator[Event]:
    """Everybody who is asked answers; yield what happens."""
    game, round, asks = table.game, table.round, type(table.ask).__name__
    before = game.whole(table.state) if game.whole else None
    answers: dict[int, tuple[str, ...]] = {}
    while table.round == round and not table.over:
        seat = table.waits[0]
        luck = lucks[seat]
        move = choose_move(table, seat, players[seat], luck)
        if move in table.moves(seat):
            answers[seat] = (*answers.get(seat, ()), move)
        yield from table.play(seat, move, round, luck.randbytes(16).hex())
    if game.whole:
        yield Decided(round, asks, dict(sorted(answers.items())), before, game.whole(table.state))


def deal_seed(seed: str, number: int = 0) -> str:
    """The seed of the deal of game `number` at this seed of the command."""
    return hashlib.sha256(canonical(["facedown simulate", seed, number])).hexdigest()


def line(number: int, event: Event) -> bytes:
    return b'{"game":%d,' % number + canonical(event)[1:] + b"\n"


def cast(game: Game, seats: int, names: Sequence[str]) -> list[str]:
    """A bot's name for every seat; the given names repeat in order."""
    known = bots_of(game)
    for name in names:
        if name not in known:
            raise BadArgument(f"{game.key} has no bot {name!r}; it has {', '.join(known)}")
    if len(names) > seats:
        raise BadArgument(f"{len(names)} bots for {seats} seats")
    return [names[seat % len(names)] for seat in range(seats)]


class Tally:
    """Counts wins by seat."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.games = 0
        self.alone = [0] * len(names)
        self.shared = [0] * len(names)
        self.nobody = 0

    def count(self, result: Result) -> None:
        self.games += 1
        self.nobody += not result.winners
        for seat in result.winners:
            (self.alone if len(result.winners) == 1 else self.shared)[seat] += 1

    def lines(self, seconds: float) -> Iterator[str]:
        yield f"{self.games} games in {seconds:.1f} s, {self.games / max(seconds, 1e-9):.0f} a second"
        for seat, name in enumerate(self.names):
            yield f"seat {seat}  {name:<10} {won(self.alone[seat], self.shared[seat], self.games)}"
        for name in dict.fromkeys(self.names):
            seats = [seat for seat, other in enumerate(self.names) if other == name]
            alone, shared = sum(self.alone[seat] for seat in seats), sum(self.shared[seat] for seat in seats)
            yield f"{len(seats)} x    {name:<10} {won(alone, shared, self.games * len(seats))}"
        if self.nobody:
            yield f"nobody won {self.nobody}"


def won(alone: int, shared: int, games: int) -> str:
    return f"won {alone + shared:>5} of {games} ({100 * (alone + shared) / games:.1f} %), {shared} of them shared"


# The command --------------------------------------------------------------------------------------------------------


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", help="the key of an installed game, like raiders")
    parser.add_argument("--seats", type=int, metavar="N", help="number of players (the game's minimum)")
    parser.add_argument("--games", type=int, default=1, metavar="N", help="number of games (1)")
    parser.add_argument("--seed", default="0", help="the same seed gives the same output (0)")
    parser.add_argument(
        "--bots", default="random", metavar="A,B", help="one bot for each seat; the list repeats (random)"
    )
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="an option of the game")
    parser.add_argument("--position", metavar="FILE", help="begin at this position, if the game can; - is stdin")
    parser.add_argument("--jsonl", metavar="FILE", help="write one JSON object per event and line; - is stdout")


def simulate_command(args: argparse.Namespace) -> int:
    """Return 0 if all games were played, 2 if an argument is not valid."""
    try:
        game = find_game(args.game)
        seats = args.seats if args.seats is not None else game.seats[0]
        if seats not in game.seats:
            raise BadArgument(f"{game.key} is for {game.seats[0]} to {game.seats[-1]} seats, not {seats}")
        if args.games < 1:
            raise BadArgument("at least one game")
        names = cast(game, seats, args.bots.split(","))
        options = parse_options(game, args.option, seats)
        position = read_position(game, args.position, seats)
        with open_output(args.jsonl) as output:
            play_games(game, names, args.seed, args.games, options, output, position)
    except (BadArgument, OSError) as error:
        if isinstance(error, BrokenPipeError):  # the reader closed the pipe, as `head` does
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        print(f"facedown simulate: {error}", file=sys.stderr)
        return 2
    return 0


def play_games(
    game: Game,
    names: Sequence[str],
    seed: str,
    count: int,
    options: Mapping[str, str],
    output: BinaryIO | None,
    position: Mapping[str, Any] | None = None,
) -> None:
    everyone, tally = bots_of(game), Tally(names)
    players = [everyone[name] for name in names]
    started = time.perf_counter()
    for number in range(count):
        events: Sequence[Event] = list(simulate(game, players, seed, number, options, position))
        if game.chronicle:
            events = game.chronicle(events)
        for event in events:
            if output:
                output.write(line(number, event))
            if isinstance(event, Result):
                tally.count(event)
    for text in tally.lines(time.perf_counter() - started):
        print(text, file=sys.stderr)


def find_game(key: str) -> Game:
    try:
        return find(key)
    except UnknownGame as error:
        raise BadArgument(str(error)) from None


def parse_options(game: Game, given: Sequence[str], seats: int) -> dict[str, str]:
    """Parse the options. Unlike a lobby, which falls back to the default, a choice that does not fit is an error."""
    wanted = {}
    for option in given:
        key, equals, value = option.partition("=")
        if not equals:
            raise BadArgument(f"--option {option}: write KEY=VALUE")
        wanted[key] = value
    try:
        options = game.choose_options(wanted, seats)
        game.check_picks(wanted, seats)
    except ValueError as error:
        raise BadArgument(str(error)) from None
    known = {option.key: option for option in game.options}
    for key, value in wanted.items():
        if options.get(key) != known[key].fits(value, seats, options):
            raise BadArgument(f"{game.key} with {seats} seats has no {key}={value}")
    return options


def read_position(game: Game, path: str | None, seats: int) -> Mapping[str, Any] | None:
    """The plain data of a position, if one is given; it is tried out."""
    if path is None:
        return None
    if game.position is None:
        raise BadArgument(f"{game.key} cannot begin at a position")
    try:
        text = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        fields = msgspec.json.decode(text, type=dict[str, Any])
        game.position(fields, seats)
    except (ValueError, msgspec.MsgspecError) as error:
        raise BadArgument(f"--position {path}: {error}") from None
    return fields


def open_output(path: str | None) -> "nullcontext[BinaryIO | None] | BinaryIO":
    if path is None:
        return nullcontext(None)
    return nullcontext(sys.stdout.buffer) if path == "-" else open(path, "wb")
