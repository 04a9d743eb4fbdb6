"""A sitting as a value: the same entries build the same bytes, and a sitting never changes."""

from itertools import islice
from random import Random

import pytest

from app.house.open_table import encode_sitting, read_saved
from app.table import actions as do
from app.table.sitting import Sitting
from tests.app.tables import Log, wander

pytestmark = pytest.mark.usefixtures("tiny")


@pytest.mark.parametrize("game", ["counting", "dice", "window", "dark", "wishes", "bids", "late", "raiders"])
@pytest.mark.parametrize("seed", range(3))
def test_the_same_entries_build_the_same_bytes_from_any_snapshot_on(game: str, seed: int) -> None:
    luck = Random(seed)
    log = Log(game, 3)
    snapshots = []
    for person, action in wander(lambda: log.sitting, luck):
        log(person, action)
        if luck.random() < 0.2:
            snapshots.append((len(log.entries), log.saved))
    assert log.sitting.phase == "over"
    anew = Sitting.open(log.entries[0])
    for entry in log.entries[1:]:
        anew = anew.apply(entry).sitting
    assert encode_sitting(anew) == log.saved
    for count, saved in snapshots:
        later = Sitting.restore(read_saved(saved))
        for entry in log.entries[count:]:
            later = later.apply(entry).sitting
        assert encode_sitting(later) == log.saved


@pytest.mark.parametrize("game", ["counting", "dice", "window", "dark", "wishes", "raiders", "scrawl"])
def test_a_sitting_never_changes(game: str) -> None:
    """Whatever is applied to it or to later sittings, in the lobby and in play."""
    luck, log = Random(1), Log(game)
    log("cy", do.Sit("Cy"))
    then = [(log.sitting, log.saved)]

    def note(person: str, action: do.Action) -> None:
        log(person, action)
        then.append((log.sitting, log.saved))

    actions: list[tuple[str, do.Action]] = [
        ("bo", do.Sit("Bo")),
        ("ada", do.AddBot()),
        ("bo", do.Name("Bob")),
        ("ada", do.Timer(30)),
        ("bo", do.Leave()),
        ("bo", do.Sit("Bo")),
        ("ada", do.Free(3)),
        ("ada", do.Start()),
        ("", do.Away(1)),
        ("ada", do.StandIn(1)),
        ("", do.Back(1)),
    ]
    for person, action in actions:
        note(person, action)
    for person, action in islice(wander(lambda: log.sitting, luck), 60):
        note(person, action)
    for sitting, saved in then:
        assert encode_sitting(sitting) == saved
