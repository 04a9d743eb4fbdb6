"""Exported logs in tests, for changes that must be found."""

import json
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
