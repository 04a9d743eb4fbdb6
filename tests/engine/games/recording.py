"""Recording a game for each way in which a game can end or be varied."""

import sys
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Protocol, TypeVar

from engine.steps import Event
from engine.verify import export


class Recordable(Protocol):
    """A kind of game: who plays with which options, and what decides it."""

    @property
    def seats(self) -> int: ...

    @property
    def name(self) -> str: ...


Sort = TypeVar("Sort", bound=Recordable)


def record_missing(folder: Path, kinds: Sequence[Sort], played: Callable[[Sort, int], list[Event] | None]) -> None:
    """Play until each kind has a log in the folder.

    `played` plays a game with this seed and returns its events, or None if the game ended in another way.
    """
    folder.mkdir(exist_ok=True)
    for kind in kinds:
        file = folder / f"{kind.name}.jsonl"
        for seed in count():
            if file.exists():
                break
            if (events := played(kind, seed)) is not None:
                file.write_bytes(b"".join(export(events, [f"Seat {seat}" for seat in range(kind.seats)])))
                print(kind.name, seed, file=sys.stderr)
