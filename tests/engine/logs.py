"""Exported logs in tests, for changes that must be found."""

import json
from collections.abc import Iterator
from typing import Any

from engine.game import Game
from engine.proof import canonical
from engine.testing import whole_log
from engine.verify import export, verify

Json = dict[str, Any]


def log(game: Game, seats: int, seed: int = 1) -> list[Json]:
    """A whole game's log as Python objects, beginning with the header."""
    return [json.loads(line) for line in export(whole_log(game, seats, seed), ["Ada"] * seats)]


def lines(log: list[Json]) -> list[bytes]:
    return [canonical(line) for line in log]


def broken(log: list[Json]) -> tuple[int | None, str]:
    report = verify(lines(log))
    assert not report.holds
    return report.line, report.say()


def find(log: list[Json], kind: str, nth: int = 0) -> int:
    return [i for i, line in enumerate(log) if line["kind"] == kind][nth]


def spoilt(value: Any) -> Iterator[Any]:
    """The log with one change, for every possible place."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ({**value, key: other} for other in spoilt(inner))
            yield {name: inner for name, inner in value.items() if name != key}
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from ([*value[:i], other, *value[i + 1 :]] for other in spoilt(inner))
            yield value[:i] + value[i + 1 :]
    elif isinstance(value, bool) or value is None:
        yield 7
    elif isinstance(value, int):
        yield value + 1
        yield str(value)
    else:
        yield value[:-1] + ("0" if value[-1:] != "0" else "1")
