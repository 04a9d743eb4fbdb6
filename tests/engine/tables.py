"""A table of a tiny game in tests: making moves, and checking that refused moves change nothing."""

from collections.abc import Iterable
from typing import get_args

import msgspec
import pytest

from engine.move_error import MoveError, MoveErrorReason
from engine.proof import canonical
from engine.steps import Event
from engine.table import Table
from engine.testing.moves import SECRET


def told(events: Iterable[Event]) -> list[bytes]:
    return [canonical(event) for event in events]


def refused(table: Table, seat: int, move: str, round: int | None = None) -> str:
    """The reason for which the move is not accepted. Checks that nothing has changed."""
    before = everything(table)
    with pytest.raises(MoveError) as caught:
        table.play(seat, move, table.round if round is None else round, SECRET)
    assert everything(table) == before
    assert caught.value.reason in get_args(MoveErrorReason)
    return caught.value.reason


def everything(table: Table) -> bytes:
    views = [table.shared(), *(table.own(seat) for seat in range(table.seats))]
    return canonical([table.save(), views])


def public_bytes(table: Table) -> bytes:
    """What everybody sees, except who is ready and the digests."""
    return canonical(msgspec.structs.replace(table.shared(), waits=[], digests={}))
