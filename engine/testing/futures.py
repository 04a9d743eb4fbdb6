"""Checks in a whole game that what is told of a move tells nothing that the public cannot know afterwards."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from engine.chance import Chance
from engine.proof import canonical
from engine.steps import Event
from engine.table import Table
from engine.table_events import Revealed
from engine.testing.failed import CheckFailed
from engine.testing.game_settings import GameSetting
from engine.testing.moves import LONGEST_GAME, move_at_random
from engine.testing.requirements import read_back

POSITIONS = 4  # of a short game; of one that is ten times as long, about twice as many
GLANCE = 4  # futures that are looked at first: in most positions nothing hidden happens
FUTURES = 40
MORE = 120  # to be sure of what was found
SURE = 20  # futures with the same private view that were told alike
TRIES = 30  # number of times that `shuffle_unknown` is called
SECRET = "5a" * 16


class Future(NamedTuple):
    """What a move, chance and what nobody knew have led to."""

    table: Table
    seen: bytes  # what everybody sees then
    told: bytes  # what everybody was told of the move
    events: list[Event]
    private: tuple[bytes, ...]  # by seat


def check_telling(setting: GameSetting, seed: int) -> None:
    """Futures that `shuffle_unknown` can turn into each other tell the same events."""
    table, _ = setting.begin(seed)
    luck, number = Random(seed), 0
    for _ in range(LONGEST_GAME):
        if table.over:
            return
        if len(table.waits) == 1:  # the answer will be revealed
            number += 1
            if luck.random() < POSITIONS / number:
                compare_futures(table, luck)
        move_at_random(table, luck)


def compare_futures(table: Table, luck: Random) -> None:
    futures = list(futures_of(table, GLANCE, luck))
    if all(len({one.private for one in alike}) < 2 for alike in by_sight(futures)):
        return
    futures += futures_of(table, FUTURES - GLANCE, luck)
    for alike in by_sight(futures):
        for seat in range(table.seats):
            if is_told(alike, seat) and (found := contradiction(alike, seat, luck)):
                alike = [one for one in [*alike, *futures_of(table, MORE, luck)] if one.seen == found[0].seen]
                if is_told(alike, seat, SURE):
                    raise CheckFailed(tells(table, seat, *found))


def futures_of(table: Table, number: int, luck: Random) -> Iterator[Future]:
    """Futures in which the seat that the table waits for answers anything. In half of them other random numbers come,
    in half of them all that the public does not know was different before."""
    (seat,) = table.waits
    for _ in range(number):
        other = elsewhere(table, luck) if luck.random() < 0.5 else read_back(table)
        if luck.random() < 0.5:
            other.state.chance = Chance(luck.randbytes(32).hex())
        events = list[Event]()
        while other.round == table.round and not other.over:
            events += other.play(seat, luck.choice(other.moves(seat)), table.round, SECRET)
        if not other.over:  # at the end everything is told
            yield Future(other, seen_by_all(other), told(events), events, privately(other))


def elsewhere(table: Table, luck: Random) -> Table:
    """This table, but what the public or one of the seats does not know is different. The same table, if answers that
    have been begun or handed in are not legal there."""
    other = read_back(table)
    viewer = luck.choice([None, *range(table.seats)])
    table.game.shuffle_unknown(other.state, viewer, Chance(luck.randbytes(32).hex()))
    other.drop_illegal_drafts()
    return other if other.drafts == table.drafts else read_back(table)


def seen_by_all(table: Table) -> bytes:
    return canonical([table.round, replace(table.shared(), version=0, digests={})])


def privately(table: Table) -> tuple[bytes, ...]:
    return tuple(canonical(table.game.private(table.state, seat)) for seat in range(table.seats))


def told(events: list[Event]) -> bytes:
    """What these events say, without the digests of secrets."""
    return canonical([open_part(event) for event in events])


def open_part(event: Event) -> Any:
    if isinstance(event, Revealed):
        return [event.round, [[answer.seat, answer.words] for answer in event.answers]]
    return msgspec.to_builtins(event, str_keys=True)


def by_sight(futures: list[Future]) -> list[list[Future]]:
    """Those that look the same to everybody."""
    found = defaultdict[bytes, list[Future]](list)
    for one in futures:
        found[one.seen].append(one)
    return list(found.values())


def is_told(futures: list[Future], seat: int, sure: int = 3) -> bool:
    """Whether what was told follows from what this seat knows in private, and differs. Where chance or other moves are
    told besides, it does not follow. `sure`: how often it must have been confirmed."""
    known: dict[bytes, bytes] = {}
    for one in futures:
        if known.setdefault(one.private[seat], one.told) != one.told:
            return False
    return len(futures) - len(known) >= sure and len(set(known.values())) > 1


def contradiction(futures: list[Future], seat: int, luck: Random) -> tuple[Future, Future] | None:
    """Two futures that tell different events, although `shuffle_unknown` says that the public cannot tell the first one
    from one in which the seat knows what it knows in the second one."""
    often = Counter(one.private[seat] for one in futures)
    others = {one.private[seat]: one for one in futures if often[one.private[seat]] > 1}
    for one in {one.told: one for one in futures}.values():
        for _ in range(TRIES):
            shuffled = read_back(one.table)
            shuffled.game.shuffle_unknown(shuffled.state, None, Chance(luck.randbytes(32).hex()))
            other = others.get(canonical(shuffled.game.private(shuffled.state, seat)))
            if other is not None and other.told != one.told:
                return one, other
    return None


def tells(table: Table, seat: int, one: Future, other: Future) -> str:
    first, second = next((a, b) for a, b in zip(one.events, other.events, strict=False) if open_part(a) != open_part(b))
    return (
        f"after an answer to {type(table.ask).__name__}, the event {type(first).__name__} depends on what only seat "
        f"{seat} knows: {said(first)} or {said(second)}. Tell everybody nothing that was hidden and stays hidden (an "
        "answer's word that stays secret needs `kept`), or let `shuffle_unknown(state, None, chance)` leave what was "
        "told as it is."
    )


def said(event: Event) -> str:
    return msgspec.json.encode(open_part(event)).decode()[:200]
