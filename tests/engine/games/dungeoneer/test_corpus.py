"""For every way that a game can end, and for every variant, there is a recorded one, which still plays alike."""

import msgspec
import pytest

from engine.games.dungeoneer import game
from engine.steps import Result
from engine.table_events import Began
from engine.verify import verify
from tests.engine.games.dungeoneer.endings import CORPUS, KINDS, Kind, why

READ = msgspec.json.Decoder(Began | Result)


def test_every_way_of_ending_is_recorded() -> None:
    for seats in (2, 3, 4):
        assert {kind.why for kind in KINDS if kind.seats == seats} >= {"quests", "last_hero", "rounds"}
    assert {kind.why for kind in KINDS if kind.seats == 1} == {"won", "lost", "defeated"}


def test_every_variant_is_recorded() -> None:
    for option in game.options:
        for choice in option.choices[1:]:
            assert any(kind.options.get(option.key) == choice.value for kind in KINDS), choice


def test_there_are_no_others() -> None:
    assert sorted(file.stem for file in CORPUS.iterdir()) == sorted(kind.name for kind in KINDS), (
        "python -m tests.engine.games.dungeoneer.endings"
    )
    assert sum(file.stat().st_size for file in CORPUS.iterdir()) < 3_000_000


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_a_recorded_game_plays_alike_and_ends_so(kind: Kind) -> None:
    lines = (CORPUS / f"{kind.name}.jsonl").read_bytes().splitlines()
    report = verify(lines, {game.key: game}.__getitem__)
    assert report.holds and report.finished, report.say()
    began, result = [READ.decode(line) for line in lines if line.split(b'"')[3] in (b"began", b"result")]
    assert isinstance(began, Began) and isinstance(result, Result)
    assert began.seats == kind.seats and kind.options.items() <= began.options.items() and why(result) == kind.why
