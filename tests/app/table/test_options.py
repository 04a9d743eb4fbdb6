"""The host's settings: options that fit the number of seats, and the lock."""

import pytest

from app.table import actions as do
from app.table.events import History
from app.table.picture import draw
from tests.app.tables import Log

pytestmark = pytest.mark.usefixtures("tiny")


def test_options_follow_the_number_of_seats() -> None:
    log = Log("dark")
    assert log.refused("bo", do.Options({"light": "longer"})) == "not_host"
    log("ada", do.Options({"light": "longer"}))
    assert log.refused("ada", do.Options({"light": "blinding"})) == "no_such_option"
    assert log.refused("ada", do.Options({"shadow": "longer"})) == "no_such_option"
    for person in ("bo", "cy"):
        log(person, do.Sit(person))
    assert log.sitting.saved.options == {"light": "longer"}
    log("di", do.Sit("Di"))
    assert log.sitting.saved.options == {"light": "same"}  # the other choice is for two or three seats
    log("ada", do.Start())
    assert log.refused("ada", do.Options({"light": "same"})) == "begun"


def test_what_was_chosen_counts_again_when_it_fits_again() -> None:
    log = Log("raiders")
    assert log.sitting.saved.options == {"edition": "first", "difficulty": "2"}, "alone"
    log("bo", do.Sit("Bo"))
    assert log.sitting.saved.options == {"edition": "first", "play": "open"}
    log("cy", do.Sit("Cy"))
    assert log.sitting.saved.options == {"edition": "second", "play": "sealed"}, "a default is no choice"
    log("ada", do.Options({"edition": "first"}))
    assert log.sitting.saved.options == {"edition": "first", "play": "open"}
    log("ada", do.Options({"play": "sealed"}))
    log("ada", do.Options({"edition": "second"}))
    log("cy", do.Leave())
    assert log.sitting.saved.options == {"edition": "first", "play": "sealed"}
    log("bo", do.Leave())
    assert log.sitting.saved.options == {"edition": "first", "difficulty": "2"}
    log("ada", do.Options({"difficulty": "4"}))
    log("bo", do.Sit("Bo"))
    log("cy", do.Sit("Cy"))
    assert log.sitting.saved.options == {"edition": "second", "play": "sealed"}


def test_members_are_picked_as_many_as_the_seats_need() -> None:
    log, six = Log("tomb"), "rats+lemmings+beavers+mole_rats+pacas+capybaras"
    log("ada", do.Options({"factions": six}))
    in_order = "beavers+capybaras+pacas+rats+mole_rats+lemmings"
    assert log.sitting.saved.options["factions"] == in_order
    for wrong in ("rats+pacas", six + "+rats", six + "+jerboas", ""):  # seven are for three seats
        assert log.refused("ada", do.Options({"factions": wrong})) == "wrong_pick"
    assert log.refused("ada", do.Options({"factions": six + "+cats"})) == "no_such_option"
    assert log.sitting.saved.options["factions"] == in_order, "a refusal changes nothing"
    for person in ("bo", "cy"):
        log(person, do.Sit(person))
    assert log.sitting.saved.options["factions"] == "random"
    log("ada", do.Options({"factions": six + "+jerboas"}))
    assert log.sitting.saved.options["factions"].count("+") == 6
    log("cy", do.Leave())
    assert log.sitting.saved.options["factions"] == "random"


def test_options_chosen_under_older_rules_give_way_to_the_defaults() -> None:
    log = Log("dark")
    log("ada", do.Options({"light": "longer"}))
    log.sitting.saved.wanted["shadow"] = "long"
    log("bo", do.Sit("Bo"))
    assert (log.sitting.saved.wanted, log.sitting.saved.options) == ({}, {"light": "same"})


def test_nobody_joins_a_locked_table() -> None:
    log = Log("dark")
    assert log.refused("bo", do.Lock()) == "not_host"
    log("ada", do.Lock())
    assert log.refused("bo", do.Sit("Bo")) == "locked"
    log("ada", do.Lock(False))
    log("bo", do.Sit("Bo"))


def test_a_table_at_which_nobody_sits_is_open() -> None:
    log = Log("dark")
    for _ in range(3):
        log("ada", do.AddBot())
    log("ada", do.Lock())
    log("ada", do.Leave())
    assert not log.sitting.saved.locked and log.refused("ada", do.Lock()) == "no_seat"
    log("ada", do.AddBot())
    assert draw(log.sitting, History()).me("bo").can_take == (0, 1, 2, 3), "bots have all seats"
    log("bo", do.Sit("Bo"))
    assert log.sitting.is_host("bo") and log.refused("cy", do.Sit("Cy")) == "full"
