"""For every way that a game can end there is a recorded one, which still plays alike."""

from pathlib import Path

import msgspec
import pytest

from engine.games.tomb.facts import Act, Deal, Done, Ends, TombResult
from engine.table_events import Began
from engine.verify import verify
from tests.engine.games.tomb.endings import CORPUS, KINDS, WAYS, Kind

READ = msgspec.json.Decoder(Began | Deal | Act | Done | Ends | TombResult)
NAMES = {b"began", b"deal", b"act", b"done", b"ends", b"result"}


def test_every_way_is_recorded_for_two_for_three_and_with_secret_entrances() -> None:
    assert {(kind.seats, kind.secret_entrance) for kind in KINDS} == {(2, "off"), (2, "on"), (3, "")}
    assert len(KINDS) == 3 * len(WAYS)
    assert sorted(file.stem for file in CORPUS.iterdir()) == sorted(kind.name for kind in KINDS), (
        "python -m tests.engine.games.tomb.endings"
    )


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_a_recorded_game_plays_alike_and_ends_so(kind: Kind) -> None:
    lines = Path(CORPUS / f"{kind.name}.jsonl").read_bytes().splitlines()
    report = verify(lines)
    assert report.holds and report.finished, report.say()
    events = [READ.decode(line) for line in lines if line.split(b'"')[3] in NAMES]
    began, *_, result = events
    assert isinstance(began, Began) and isinstance(result, TombResult)
    (ends,) = [event for event in events if isinstance(event, Ends)]
    assert (began.seats, began.options, result.ended) == (kind.seats, kind.options, kind.ended)
    assert (ends.why, ends.seat) == (result.ended, result.trigger)
    acts = [event for event in events if isinstance(event, Act)]
    assert len(acts) == sum(isinstance(event, Done) for event in events)
    last = [event.seat for event in acts if event.sort == "last"]
    after = [(result.trigger + n) % kind.seats for n in range(1, kind.seats)]
    assert last == ([] if kind.ended == "turns" else after)
