"""For every way that a game can end there is a recorded one, which still plays alike."""

from pathlib import Path

import msgspec
import pytest

from engine.games.raiders import facts
from engine.games.raiders.modes import mode_of
from engine.steps import Result
from engine.table_events import Began
from engine.verify import verify
from tests.engine.games.raiders.endings import CORPUS, name, ways

FILES = sorted(CORPUS.glob("*.jsonl"))
READ = msgspec.json.Decoder(Began | facts.Room | Result)


def test_every_way_of_ending_has_a_recorded_game_and_every_game_is_of_one() -> None:
    recorded = {file.stem for file in FILES}
    assert sorted(ways() - recorded) == [], "python -m tests.engine.games.raiders.endings"
    assert sorted(recorded - ways()) == [], "no such way of ending"


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_a_recorded_game_plays_alike_and_ends_so(file: Path) -> None:
    lines = file.read_bytes().splitlines()
    report = verify(lines)
    assert report.holds and report.finished, report.say()
    kinds = {b"began", b"room", b"result"}
    events = [READ.decode(line) for line in lines if line.split(b'"')[3] in kinds]
    began, *rooms, result = events
    assert isinstance(began, Began) and isinstance(result, Result)
    assert name(mode_of(began.options["edition"], began.seats), result, len(rooms) < 25) == file.stem
