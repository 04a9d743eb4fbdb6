"""`facedown simulate`: whole games without a server, the same bytes from the same seed."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import game as installed
from engine import simulate
from engine.bots import at_random
from engine.chance import Chance
from engine.game import find
from engine.proof import canonical
from engine.steps import Decided, snake
from engine.verify import verify
from tests.engine import tiny

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    simulate.add_arguments(parser)
    return simulate.simulate_command(parser.parse_args(arguments))


def written(tmp_path: Path, *arguments: str) -> bytes:
    file = tmp_path / "out.jsonl"
    assert run(*arguments, "--jsonl", str(file)) == 0
    return file.read_bytes()


def objects(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.splitlines()]


@pytest.mark.usefixtures("tiny_games")
def test_every_event_is_a_line_with_the_number_of_its_game_in_front(tmp_path: Path) -> None:
    data = written(tmp_path, "dice", "--seats", "3", "--games", "2", "--seed", "7")
    lines = objects(data)
    assert [line["game"] for line in lines] == sorted(line["game"] for line in lines)
    assert [line["kind"] for line in lines if line["game"] == 1] == [
        "began", "rolled", "revealed", "marked", "rolled", "revealed", "marked", "result", "opened",
    ]  # fmt: skip
    assert all(
        line.startswith(b'{"game":%d,"kind":"' % i)
        for i, line in zip([0] * 9 + [1] * 9, data.splitlines(), strict=True)
    )


@pytest.mark.usefixtures("tiny_games")
@pytest.mark.parametrize("game", tiny.TINY.values(), ids=tiny.TINY)
def test_a_simulated_game_is_a_log_that_verifies(game: Any) -> None:
    seats = game.seats[-1]
    assert verify(canonical(event) for event in simulate.simulate(game, [at_random] * seats, "7", 0)).holds


def test_a_game_may_tell_its_finished_story_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game's `chronicle` may move what was opened at the end to the place where it happened."""
    backwards = replace(tiny.dice, chronicle=lambda events: list(reversed(events)))
    monkeypatch.setattr(installed, "games", lambda: {"dice": backwards})
    kinds = [(line["game"], line["kind"]) for line in objects(written(tmp_path, "dice", "--games", "2"))]
    assert kinds[0] == (0, "opened") and kinds[-1] == (1, "began")
    assert [game for game, _ in kinds] == sorted(game for game, _ in kinds)


@pytest.mark.usefixtures("tiny_games")
def test_games_and_seeds_differ(tmp_path: Path) -> None:
    lines = objects(written(tmp_path, "dice", "--games", "20", "--seats", "2"))
    assert len({line["commitment"] for line in lines if line["kind"] == "began"}) == 20
    assert written(tmp_path, "dice", "--seed", "1") != written(tmp_path, "dice", "--seed", "2")


def test_the_issues_command_gives_the_same_bytes_under_any_hash_seed(tmp_path: Path) -> None:
    """With Raiders' own events in the documented format."""
    script = "import argparse, sys\nfrom engine import simulate\np = argparse.ArgumentParser()\n"
    script += "simulate.add_arguments(p)\nsys.exit(simulate.simulate_command(p.parse_args()))"
    arguments = "raiders --seats 4 --games 3 --seed 7 --bots random,raider --option edition=second --option play=open"

    def output(hash_seed: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-c", script, *arguments.split(), "--jsonl", "-"],
            cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": hash_seed}, check=True, capture_output=True,
        )  # fmt: skip

    first = output("0")
    assert first.stdout == output("4711").stdout
    lines = objects(first.stdout)
    rooms = [line for line in lines if line["kind"] == "room"]
    assert len(rooms) == 75
    for line in rooms:
        assert 1 <= line["floor"] <= 5 and 1 <= line["place"] <= 5
        assert set(line["room"]) >= {"kind", "name"}
        assert len(line["plays"]) == len(line["before"]) == len(line["after"]) == 4
        assert set(line["before"][0]) == {"coins", "wounds", "alive", "items"}
        assert set(line["supply_before"]) == set(line["supply_after"]) == {"torch", "ball", "key", "sword"}
    assert [line["game"] for line in lines if line["kind"] == "result"] == [0, 1, 2]
    assert {line["options"]["play"] for line in lines if line["kind"] == "began"} == {"open"}
    assert b"3 games in" in first.stderr and b"2 x    raider" in first.stderr


@pytest.mark.usefixtures("tiny_games")
def test_bots_go_round_the_seats(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate.cast(tiny.dice, 3, ["random"]) == ["random"] * 3
    assert run("counting", "--games", "30", "--seats", "3") == 0
    summary = capsys.readouterr().err.splitlines()
    assert summary[0].startswith("30 games in ")
    assert [line.split()[:3] for line in summary[1:4]] == [["seat", str(seat), "random"] for seat in range(3)]
    assert sum(int(line.split()[4]) for line in summary[1:4]) == 30
    assert "30 of 90" in summary[4]


@pytest.mark.usefixtures("tiny_games")
@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["chess"], "no game 'chess' is installed; there are counting"),
        (["dice", "--seats", "9"], "dice is for 1 to 8 seats, not 9"),
        (["dice", "--seats", "0"], "dice is for 1 to 8 seats, not 0"),
        (["dice", "--games", "0"], "at least one game"),
        (["dice", "--bots", "raider"], "dice has no bot 'raider'; it has random"),
        (["dice", "--bots", ""], "dice has no bot ''"),
        (["dice", "--seats", "1", "--bots", "random,random"], "2 bots for 1 seats"),
        (["counting", "--option", "goal"], "--option goal: write KEY=VALUE"),
        (["counting", "--option", "goal=9"], "counting has no option goal=9"),
        (["dark", "--seats", "4", "--option", "light=longer"], "dark with 4 seats has no light=longer"),
        (["dice", "--jsonl", "/no/such/folder/file"], "No such file or directory"),
    ],
)
def test_what_there_is_not_is_said(arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*arguments) == 2
    assert why in capsys.readouterr().err


def fields(thing: Any) -> set[str]:
    """All field names of an event, except the keys of dicts by seat, value, item or option."""
    found: set[str] = set()
    if isinstance(thing, msgspec.Struct):
        for name in thing.__struct_fields__:
            value = getattr(thing, name)
            if value is not msgspec.UNSET:
                found |= {name} | fields(value)
    elif isinstance(thing, tuple | list):
        found = found.union(*map(fields, thing))
    elif isinstance(thing, dict):
        found = found.union(*map(fields, thing.values()))
    return found


def test_every_event_of_raiders_and_every_field_is_documented() -> None:
    documented = (ROOT / "docs" / "formats.md").read_text("utf-8")
    raiders = find("raiders")
    told: set[str] = set()
    for number in range(12):
        for play in ("sealed", "open"):
            for event in simulate.simulate(raiders, [at_random] * 3, "fields", number, {"play": play}):
                told |= {snake(type(event).__name__)} | fields(event)
    assert {"heroes", "outcome", "flee", "kept", "supply_before"} <= told
    assert [name for name in sorted(told) if f"`{name}`" not in documented] == []


# Positions ------------------------------------------------------------------------------------------------------------


def told_whole(fields: Mapping[str, Any], seats: int) -> Any:
    state = tiny.counting.setup(seats, {"goal": "7"}, Chance("00" * 32))
    state.total = int(fields["total"])
    return state


KNOWN = replace(tiny.counting, whole=lambda g: {"total": g.total}, position=told_whole)


def test_each_round_is_told_with_the_position_before_and_after_it() -> None:
    events = list(simulate.simulate(KNOWN, [at_random] * 2, "whole", 1))
    decided = [event for event in events if isinstance(event, Decided)]
    totals = [event.total for event in events if isinstance(event, tiny.Said)]
    assert [event.after["total"] for event in decided] == totals
    assert [event.before["total"] for event in decided] == [0, *totals[:-1]]
    assert decided[0].answers.keys() == {0} and {event.asks for event in decided} == {"Say"}
    assert not [
        event for event in simulate.simulate(tiny.counting, [at_random] * 2, "whole", 1) if isinstance(event, Decided)
    ]


def test_a_game_can_begin_at_a_position() -> None:
    events = list(simulate.simulate(KNOWN, [at_random] * 2, "position", 1, {}, {"total": 6}))
    assert [event.total for event in events if isinstance(event, tiny.Said)] == [7]


def test_a_position_that_cannot_be_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    for text, message in ((b'{"total": "many"}', "invalid literal"), (b"[]", "Expected"), (b"{", "truncated")):
        file.write_bytes(text)
        with pytest.raises(simulate.BadArgument, match=message):
            simulate.read_position(KNOWN, str(file), 2)
    with pytest.raises(simulate.BadArgument, match="cannot begin"):
        simulate.read_position(tiny.counting, str(file), 2)
    assert simulate.read_position(KNOWN, None, 2) is None
