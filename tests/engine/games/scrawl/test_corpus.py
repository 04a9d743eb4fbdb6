"""For every way that a game can end, and for every variant, there is a recorded one, which still plays alike."""

from pathlib import Path

import msgspec
import pytest

from engine.games.scrawl import game
from engine.games.scrawl.facts import Chapter, Dungeon, Round, ScrawlResult
from engine.table_events import Began
from engine.verify import verify
from tests.engine.games.scrawl.endings import CORPUS, KINDS, Kind, ways, why

READ = msgspec.json.Decoder(Began | Dungeon | Round | Chapter | ScrawlResult)


def test_every_way_of_ending_is_recorded_for_one_dungeon_and_for_a_campaign() -> None:
    for campaign in (False, True):
        kinds = [kind for kind in KINDS if (kind.options["campaign"] != "none") is campaign and kind.seats > 1]
        assert {kind.why for kind in kinds} == ways()


def test_every_variant_is_recorded() -> None:
    for option in game.options:
        for choice in option.choices:
            assert any(kind.options[option.key] == choice.value for kind in KINDS), choice
    solo = [kind.options for kind in KINDS if kind.seats == 1]
    assert {options["missions"] for options in solo} == {"yes", "no"}
    assert {options["campaign"] == "none" for options in solo} == {True, False}


def test_there_are_no_others() -> None:
    assert sorted(file.stem for file in CORPUS.iterdir()) == sorted(kind.name for kind in KINDS), (
        "python -m tests.engine.games.scrawl.endings"
    )
    assert sum(file.stat().st_size for file in CORPUS.iterdir()) < 1_000_000


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_a_recorded_game_plays_alike_and_ends_so(kind: Kind) -> None:
    lines = Path(CORPUS / f"{kind.name}.jsonl").read_bytes().splitlines()
    report = verify(lines)
    assert report.holds and report.finished, report.say()
    names = {b"began", b"dungeon", b"round", b"chapter", b"result"}
    events = [READ.decode(line) for line in lines if line.split(b'"')[3] in names]
    began, *_, result = events
    assert isinstance(began, Began) and isinstance(result, ScrawlResult)
    assert (began.seats, began.options, why(result)) == (kind.seats, kind.options, kind.why)
    chapters = 1 if kind.options["campaign"] == "none" else 3
    assert [event.round for event in events if isinstance(event, Round)] == [*range(1, 9)] * chapters
    assert sum(isinstance(event, Dungeon) for event in events) == chapters
