"""Pledges before the start, salts after it, and deals that are called off."""

import pytest

from app.table import actions as do
from app.table.effects import AwaitSalts
from engine.proof import pledge_to
from engine.table_events import Began
from tests.app.tables import Log

SALTS = {"ada": "ad" * 16, "bo": "b0" * 16, "cy": "c1" * 16}


def pledge(log: Log, *people: str) -> None:
    for person in people:
        log(person, do.Pledge(pledge_to(log.sitting.commitment, SALTS[person])))


@pytest.fixture
def log(tiny: object) -> Log:
    """A lobby of three."""
    found = Log("dark")
    found("bo", do.Sit("Bo"))
    found("cy", do.Sit("Cy"))
    return found


def test_the_game_is_dealt_when_the_last_salt_is_open(log: Log) -> None:
    commitment = log.sitting.commitment
    pledge(log, "ada", "bo")
    assert log.refused("bo", do.Pledge("0" * 64)) == "salted"
    assert log.refused("bo", do.Salt(SALTS["bo"])) == "not_started", "it would be known too early"
    log("cy", do.Salt(SALTS["cy"]))  # a program without a pledge
    assert not log("ada", do.Start()) and log.sitting.phase == "lobby"
    assert AwaitSalts(log.sitting.saved.dealing) in log.effects
    for action in (do.Start(), do.Options({}), do.ChangeGame("dice"), do.AddBot(), do.Ready(), do.Pledge("0" * 64)):
        assert log.refused("ada", action) == "begun"
    assert log.refused("ada", do.Salt(SALTS["bo"])) == "not_pledged"
    assert log.refused("ada", do.Salt("")) == "not_pledged"
    assert log.refused("di", do.Sit("Di")) == "begun"
    assert not log("bo", do.Salt(SALTS["bo"]))
    (began, *_) = log("ada", do.Salt(SALTS["ada"]))
    assert isinstance(began, Began)
    assert (began.commitment, began.salts) == (commitment, tuple(SALTS.values()))
    assert AwaitSalts(None) in log.effects
    assert log.sitting.phase == "playing" and log.sitting.saved.dealing is None
    assert log.sitting.saved.began == log.sitting.seq


def test_a_deal_is_called_off_in_public_if_a_salt_does_not_come(log: Log) -> None:
    pledge(log, "ada", "bo")
    commitment = log.sitting.commitment
    assert log.refused("", do.CallOff()) == "not_started"
    log("ada", do.Start())
    log("ada", do.Salt(SALTS["ada"]))
    assert log.refused("", do.CallOff()) == "not_yet"
    log("", do.CallOff(), at=log.sitting.saved.dealing)
    assert [(told.kind, told.name) for told in log.sitting.saved.announcements] == [("unopened", "Bo")]
    assert log.sitting.commitment != commitment, "Ada's salt is known by now"
    assert not any(seat.pledge or seat.salt for seat in log.sitting.seats)
    pledge(log, "ada")
    log("ada", do.Start())
    (began, *_) = log("ada", do.Salt(SALTS["ada"]))
    assert began.salts == (SALTS["ada"], "", ""), "who has not pledged again is not waited for"
    assert log.refused("", do.CallOff()) == "begun"


@pytest.mark.parametrize("change", [("bo", do.Leave()), ("ada", do.Free(1))])
def test_a_deal_is_called_off_if_somebody_leaves(log: Log, change: tuple[str, do.Action]) -> None:
    pledge(log, "ada", "bo")
    log("ada", do.Start())
    seed = log.sitting.saved.seed
    log(*change)
    assert log.sitting.saved.dealing is None and log.sitting.saved.seed != seed
    log("di", do.Sit("Di"))


def test_who_is_away_at_the_start_is_not_waited_for(log: Log) -> None:
    pledge(log, "ada", "bo")
    log("", do.Away(1))
    log("ada", do.Start())
    (began, *_) = log("ada", do.Salt(SALTS["ada"]))
    assert began.salts[1] == ""


@pytest.mark.parametrize("digest", ["", "0" * 63, "G" * 64, "A" * 64])
def test_a_malformed_pledge(log: Log, digest: str) -> None:
    assert log.refused("bo", do.Pledge(digest)) == "malformed"


def test_a_salt_that_could_not_be_in_a_log(log: Log) -> None:
    log("bo", do.Pledge(pledge_to(log.sitting.commitment, "not hex")))
    log("ada", do.Start())
    assert log.refused("bo", do.Salt("not hex")) == "not_pledged"
