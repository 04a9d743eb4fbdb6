"""Logs of earlier versions go on verifying, so that the result of an old game can still be checked.

There is a recorded game for each version of each game's rules. If the one of the current rules does not hold any more,
logs replay differently now: increase the game's `rules`, and record it: `python -m tests.engine.test_recorded_logs`.
"""

import json
from pathlib import Path
from random import Random

import pytest

from engine.game import games
from engine.proof import canonical
from engine.testing import whole_log
from engine.verify import export, verify
from tests.engine.logs import spoilt

LOGS = Path(__file__).resolve().parents[1] / "fixtures" / "logs"
OURS = {key: game for key, game in games().items() if game.state.__module__.startswith("engine.games.")}
CHANGES = 20
RECORDED = sorted(file.stem for file in LOGS.glob("*.jsonl"))


def test_every_game_is_recorded_with_its_current_rules() -> None:
    assert {f"{key}-{game.rules}" for key, game in OURS.items()} <= set(RECORDED)


@pytest.mark.parametrize("recorded", RECORDED)
def test_a_recorded_game_holds_or_is_said_to_be_of_older_rules(recorded: str) -> None:
    key, _, rules = recorded.rpartition("-")
    report = verify((LOGS / f"{recorded}.jsonl").read_bytes().splitlines())
    if int(rules) == OURS[key].rules:
        assert report.holds and report.finished, report.say()
    else:
        assert report.say().startswith(f"This was played by version {rules} of the rules")


@pytest.mark.no_cover
@pytest.mark.parametrize("key", sorted(OURS))
def test_changes_of_a_recorded_game_are_found(key: str) -> None:
    """One field of one line at a time, anywhere; the tests of `verify` change every field of small games."""
    data = (LOGS / f"{key}-{OURS[key].rules}.jsonl").read_bytes().splitlines()
    luck = Random(key)
    for _ in range(CHANGES):
        at = luck.randrange(1, len(data))
        other = luck.choice(list(spoilt(json.loads(data[at]))))
        changed = [*data[:at], canonical(other), *data[at + 1 :]]
        report = verify(changed)
        assert not (report.holds and report.finished), (at + 1, other)


if __name__ == "__main__":
    for game in OURS.values():
        seats = 3 if 3 in game.seats else max(game.seats)
        file = LOGS / f"{game.key}-{game.rules}.jsonl"
        if not file.exists():
            file.write_bytes(b"".join(export(whole_log(game, seats, 1), ("Ada", "Bo", "Cy")[:seats])))
