"""What every game must do. Each function checks one thing; most of them play a whole game for it."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import zip_longest
from random import Random
from typing import Any

import msgspec

from engine.beats import beats_of
from engine.bots import bots_of, choose_move
from engine.game import Game
from engine.proof import canonical
from engine.saved_table import SavedTable
from engine.steps import Event, Result
from engine.table import Table
from engine.table_events import Opened
from engine.testing.failed import CheckFailed
from engine.testing.game_settings import GameSetting, ways_to_choose
from engine.testing.leaks import check_leaks, views
from engine.testing.moves import LONGEST_GAME, make_moves, move_at_random, play_at_random, secret
from engine.verify import export, verify

KEY = re.compile("[a-z][a-z0-9_]*")
LONGEST_MOVE = 600  # characters; the server accepts no longer text
RESERVED = {"game", "kind"}  # fields that files with many games add to each event

encode = msgspec.json.encode


# The description ------------------------------------------------------------------------------------------------------


def check_description(game: Game) -> None:
    """The fields of `Game` fit together, and every choice of an option can be made."""
    need(KEY.fullmatch(game.key), f"the key {game.key!r} must consist of lower-case letters, digits and _")
    need(game.rules >= 1, "`rules` counts from 1")
    need(game.minutes >= 0, "`minutes` is negative")
    need("random" not in game.bots, "no bot may be called `random`: every game has one of that name")
    need(find_spec(game.package), f"`package`: there is no package {game.package!r}")
    keys = [option.key for option in game.options]
    need(len(set(keys)) == len(keys), f"two options have the same key: {', '.join(keys)}")
    for option in game.options:
        for choice in option.choices:
            possible = ways_to_choose(game, option, choice)
            need(possible, f"the choice {option.key}={choice.value} fits no number of seats and no earlier options")


def need(holds: object, otherwise: str) -> None:
    if not holds:
        raise CheckFailed(otherwise)


# Moves and views ------------------------------------------------------------------------------------------------------


def check_moves(setting: GameSetting, seed: int) -> None:
    """Whoever is asked can say something, the default is legal, and looking at a table changes nothing."""
    table, _ = setting.begin(seed)
    luck = Random(seed)
    check_asked(table)
    for _ in play_at_random(table, luck):
        if not table.over:
            check_asked(table)
        check_looking(table, luck.randrange(table.seats))


def check_asked(table: Table) -> None:
    ask = table.ask
    assert ask is not None
    name, who = type(ask).__name__, ask.who(table.state)
    need(
        len(set(who)) == len(who) and set(who) <= set(range(table.seats)),
        f"`who` of {name} returns {who}: it must return seats, each once",
    )
    need(
        sorted(who) == table.asked,
        f"`who` of {name} was {table.asked}, now it is {who}: it may change at a reveal only",
    )
    scope = ask.scope(table.state)
    need(
        isinstance(scope, str) and scope == table.scope,
        f"`scope` of {name} was {table.scope!r}, now it is {scope!r}: it is a text, and may change at a reveal only",
    )
    for seat in range(table.seats):
        moves, anytime, draft = table.moves(seat), table.anytime(seat), table.drafts.get(seat, ())
        if seat in table.waits:
            need(moves, f"`options` of {name} offers seat {seat} nothing after {list(draft)}")
            unfinished = draft or ask.unfinished(table.state, seat, ())
            need(unfinished, f"`unfinished` of {name} is false before seat {seat} has said anything")
            default = table.default(seat)
            need(default in moves, f"`default` of {name} is {default!r} for seat {seat}; legal are {moves}")
            frugal = table.frugal(seat)
            need(
                default in frugal and set(frugal) <= set(moves),
                f"`frugal` of {name} is {frugal} for seat {seat}: it must have the default, and only options",
            )
        for word in (*moves, *anytime):
            sayable = isinstance(word, str) and 0 < len(word) <= LONGEST_MOVE and word.isprintable()
            need(sayable, f"{word!r} is no move: a move is a printable text of at most {LONGEST_MOVE} characters")
        once = len({*moves, *anytime}) == len(moves) + len(anytime)
        need(once, f"a move of seat {seat} occurs twice: {moves}, at any time {anytime}")


def check_looking(table: Table, seat: int) -> None:
    """Views, forecasts and questions leave the state as it is, and views do not show the random stream."""
    game, ask = table.game, table.ask
    with only_reads(table, "`public`"):
        shared = table.shared()
    with only_reads(table, "`private`, `options` or `anytime`"):
        own = table.own(seat)
    check_view(table, "`public`", shared.public)
    check_view(table, "`private`", own.private)
    if game.summary is not None:
        with only_reads(table, "`summary`"):
            game.summary(shared)
    if ask is not None and game.forecast is not None:
        with only_reads(table, "`forecast`"):
            game.forecast(shared, own)
    if ask is not None and seat in table.waits:
        with only_reads(table, f"`who` or `default` of {type(ask).__name__}"):
            ask.who(table.state)
            table.default(seat)


@contextmanager
def only_reads(table: Table, what: str) -> Iterator[None]:
    before = encode(table.state)
    yield
    need(encode(table.state) == before, f"{what} changed the state; only `do`, `take` and `take_anytime` may")


def check_view(table: Table, what: str, view: Any) -> None:
    try:
        sent = canonical(view)
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError) as error:
        raise CheckFailed(f"{what} cannot be sent as JSON: {error}") from error
    need(table.state.chance.seed.encode() not in sent, f"{what} shows the seed of the random stream")


def check_secrets(setting: GameSetting, seed: int) -> None:
    """Nothing that a viewer is sent depends on what it cannot know."""
    check_leaks(setting.begin(seed)[0], Random(seed))


# Saving and replaying -------------------------------------------------------------------------------------------------


def check_saving(setting: GameSetting, seed: int) -> None:
    """A table can be saved and read back at any moment, and a copy of a table goes on by itself."""
    table, _ = setting.begin(seed)
    luck = Random(seed)
    for _ in range(LONGEST_GAME):
        if table.over:
            return
        viewer, luck_before = luck.randrange(table.seats), luck.getstate()
        before = everything(table, viewer)
        others = {"a table that was saved and read back": read_back(table), "a copy of a table": table.copy()}
        happened, after = move_at_random(table, luck), everything(table, viewer)
        for what, other in others.items():
            need(everything(other, viewer) == before, f"{what} is not the same. {STATE}")
            luck.setstate(luck_before)
            goes_on = canonical(move_at_random(other, luck)) == canonical(happened)
            need(goes_on and everything(other, viewer) == after, f"{what} goes on differently. {STATE}")


STATE = "All that the rules use and change must be fields of the state, of the types that they are declared with."


def everything(table: Table, viewer: int) -> bytes:
    return canonical([table.save(), views(table, viewer)])


def read_back(table: Table) -> Table:
    try:
        return Table.restore(msgspec.json.decode(encode(table.save()), type=SavedTable), table.game)
    except (TypeError, ValueError, msgspec.MsgspecError) as error:
        raise CheckFailed(f"the state cannot be read back from JSON: {error}. Does `todo` name all steps?") from error


def check_replay(setting: GameSetting, seed: int) -> None:
    """The same moves from the same deal give the same events and views, and the log verifies."""
    first, again = replay(setting, seed), replay(setting, seed)
    for number, (one, other) in enumerate(zip_longest(first, again)):
        need(one == other, f"move {number} has another effect when the same game is played again. {CHANCE}")
    table, events = setting.begin(seed)
    for happened in play_at_random(table, Random(seed)):
        events += happened
    report = verify(export(events, []), {setting.game.key: setting.game}.__getitem__)
    need(report.holds and report.finished, f"line {report.line} of its log does not verify: {report.say()}")


CHANCE = "All that is random must come from `g.chance`, and nothing may be remembered outside of the state."


def replay(setting: GameSetting, seed: int) -> list[bytes]:
    """The events and the views of one seat after each move of a game."""
    table, events = setting.begin(seed)
    seen = [canonical([events, everything(table, 0)])]
    for number, happened in enumerate(play_at_random(table, Random(seed))):
        seen.append(canonical([happened, everything(table, number % table.seats)]))
    return seen


# To the end -----------------------------------------------------------------------------------------------------------


def check_defaults(setting: GameSetting, seed: int) -> None:
    """The game ends if only defaults are played."""
    check_absence(setting, seed, here=0.0)


def check_leaving(setting: GameSetting, seed: int) -> None:
    """The game ends if players leave: for each move it is decided anew whether its player or the default makes it."""
    check_absence(setting, seed, here=0.5)


def check_absence(setting: GameSetting, seed: int, here: float) -> None:
    table, events = setting.begin(seed)
    luck = Random(seed)
    check_events(table, events)
    for _ in range(LONGEST_GAME):
        if table.over:
            return check_end(table, events)
        seat = luck.choice(table.waits)
        if luck.random() < here:
            happened = table.play(seat, luck.choice(table.moves(seat)), table.round, secret(luck))
        else:
            happened = make_moves(table, seat, table.default(seat), by="time")
        check_events(table, happened)
        events += happened
    raise CheckFailed(f"the game has not ended after {LONGEST_GAME} moves")


def check_events(table: Table, happened: Sequence[Event]) -> None:
    game = table.game
    for event in happened:
        if reserved := RESERVED & set(event.__struct_fields__):
            raise CheckFailed(f"a field of the event {type(event).__name__} may not be called {', '.join(reserved)}")
        shown = not isinstance(event, Opened) and table.deal.mixed().encode() in canonical(event)
        need(not shown, f"the event {type(event).__name__} shows the seed of the random stream")
    beats = beats_of(game, msgspec.to_builtins(happened, str_keys=True), table.options)
    names = all(isinstance(beat, str) for beat in beats)
    need(names, f"`beats` returns {list(beats)}; it must return names")


def check_end(table: Table, events: list[Event]) -> None:
    results = [event for event in events if isinstance(event, Result)]
    need(len(results) == 1, f"a game ends with one Result, by `finish`; this one has {len(results)}")
    result = results[0]
    seats = sorted(standing.seat for standing in result.standings)
    need(seats == list(range(table.seats)), f"the standings must name each seat once, not {seats}")
    places = [standing.place for standing in result.standings]
    need(
        places == sorted(places) and places[0] == 1, f"the standings must begin with place 1, best first, not {places}"
    )
    first = {standing.seat for standing in result.standings if standing.place == 1}
    need(first >= set(result.winners), f"winners have place 1; the seats with place 1 are {sorted(first)}")
    if table.game.chronicle is not None:
        canonical(table.game.chronicle(events))


def check_bot(setting: GameSetting, name: str, seed: int) -> None:
    """A bot plays to the end and makes only legal moves, even where a player began the draft."""
    table, _ = setting.begin(seed)
    bot, luck = bots_of(setting.game)[name], Random(seed)
    for _ in range(LONGEST_GAME):
        if table.over:
            return
        seat = luck.choice(table.waits)
        moves = [*table.moves(seat), *table.anytime(seat)]
        move = luck.choice(table.moves(seat)) if luck.random() < 0.1 else choose_move(table, seat, bot, luck)
        need(move in moves, f"the bot {name} chose {move!r} for seat {seat}; legal are {moves}")
        table.play(seat, move, table.round, secret(luck), "bot")
    raise CheckFailed(f"the game has not ended after {LONGEST_GAME} moves")
