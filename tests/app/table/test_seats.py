"""Seats: sitting down, leaving, hosting, bots, absence. A refusal changes nothing."""

from dataclasses import replace

import pytest

from app.refusals import Refusal
from app.table import actions as do
from app.table.events import History
from app.table.names import skeleton
from app.table.picture import draw
from app.table.sitting import Sitting
from app.web.context import shown_name
from app.web.languages import languages
from engine.game import Game
from tests.app.tables import PEOPLE, Log, names

pytestmark = pytest.mark.usefixtures("tiny")


# sitting down and leaving ---------------------------------------------------------------------------------------------


def test_who_opens_a_table_sits_and_is_its_host() -> None:
    log = Log("dark")
    assert names(log) == ["Ada"]
    assert log.sitting.seat_of("ada") == 0
    assert log.sitting.is_host("ada") and not log.sitting.is_host("bo") and not log.sitting.is_host("")
    assert len(log.sitting.seats) == 4
    assert log.sitting.saved.options == {"light": "same"}


def test_people_sit_on_the_first_free_seat_or_on_the_one_they_choose() -> None:
    log = Log("dark")
    log("bo", do.Sit("Bo", seat=3))
    log("cy", do.Sit("Cy"))
    assert [log.sitting.seat_of(person) for person in PEOPLE[:3]] == [0, 3, 1]
    assert log.refused("di", do.Sit("Di", seat=3)) == "taken"
    assert log.refused("di", do.Sit("Di", seat=4)) == "taken"
    assert log.refused("di", do.Sit("Di", seat=-1)) == "taken"
    assert log.refused("bo", do.Sit("Bo again")) == "seated"
    assert log.refused("di", do.Sit(" \u200b ")) == "no_name"
    log("di", do.Sit("Di"))
    assert log.refused("ed", do.Sit("Ed")) == "full"


def test_equal_names_get_a_number() -> None:
    log = Log("dark")
    log("bo", do.Sit("ada"))
    log("cy", do.Sit("Ада"))
    log("di", do.Sit("Аda"))  # the first letter is Cyrillic
    assert names(log) == ["Ada", "ada 2", "Ада", "Аda 3"]


def test_names_can_be_changed() -> None:
    log = Log("dark")
    log("bo", do.Sit("Bo"))
    log("bo", do.Name("  Bo   the <b>Bold</b> "))
    assert names(log) == ["Ada", "Bo the <b>Bold</b>"]
    log("bo", do.Name("ADA"))
    assert names(log) == ["Ada", "ADA 2"]
    log("ada", do.Name("Ada"))  # the seat's own name does not count
    assert names(log) == ["Ada", "ADA 2"]
    assert log.refused("bo", do.Name("\u202e")) == "no_name"
    assert log.refused("cy", do.Name("Cy")) == "no_seat"


def test_ready_is_a_courtesy() -> None:
    log = Log("dark")
    log("bo", do.Sit("Bo"))
    for ready in (True, False, True):
        log("bo", do.Ready(ready))
        assert log.sitting.seats[1].ready is ready
    assert log.refused("cy", do.Ready()) == "no_seat"
    log("ada", do.Start())
    assert log.refused("bo", do.Ready()) == "begun"


def test_bots_sit_where_the_host_puts_them() -> None:
    log = Log("raiders")
    assert log.refused("bo", do.AddBot()) == "not_host"
    log("ada", do.AddBot(seat=2))
    log("ada", do.AddBot("random"))
    assert [seat.bot for seat in log.sitting.seats] == ["", "random", "raider", "", ""]
    assert log.sitting.seats[1].ready and log.sitting.seats[1].name != log.sitting.seats[2].name
    assert log.refused("ada", do.AddBot("deep blue")) == "no_such_bot"
    assert log.refused("ada", do.AddBot(seat=0)) == "taken"
    assert log.refused("ada", do.AddBot(seat=9)) == "taken"
    log("ada", do.AddBot())
    log("ada", do.AddBot())
    assert log.refused("ada", do.AddBot()) == "full"
    log("ada", do.Free(2))
    assert not log.sitting.seats[2].taken


def test_leaving_in_the_lobby_frees_the_seat() -> None:
    log = Log("dark")
    log("bo", do.Sit("Bo"))
    log("bo", do.Leave())
    assert names(log) == ["Ada"]
    assert log.refused("bo", do.Leave()) == "no_seat"
    log("bo", do.Sit("Bo"))
    assert log.refused("bo", do.Free(0)) == "not_host"
    log("ada", do.Free(1))
    assert names(log) == ["Ada"]
    for seat in (1, 9, -1):
        assert log.refused("ada", do.Free(seat)) == "no_such_seat"


def test_leaving_in_a_game_gives_the_seat_to_a_bot_of_the_same_name() -> None:
    log = Log("dark", 3)
    log("bo", do.Leave())
    seat = log.sitting.seats[1]
    assert (seat.name, seat.bot, seat.left, seat.person) == ("Bo", "random", True, False)
    assert log.sitting.bots_to_move() == (1,)
    assert log.refused("ada", do.Free(1)) == "no_such_seat"
    log("ada", do.Free(2))
    assert log.sitting.bots_to_move() == (1, 2)


def test_a_late_friend_takes_over_a_bot_but_nobody_changes_seats() -> None:
    log = Log("dark")
    log("bo", do.Sit("Bo"))
    log("ada", do.AddBot())
    log("ada", do.Start())
    assert log.refused("cy", do.Sit("Cy")) == "taken"
    assert log.refused("cy", do.Sit("Cy", seat=1)) == "taken"
    assert log.refused("cy", do.Sit("Cy", seat=3)) == "taken"
    log("bo", do.Leave())
    assert log.refused("bo", do.Sit("Bo", seat=2)) == "held_another"
    log("cy", do.Sit("Cy", seat=2))
    assert log.sitting.seats[2].newcomer and log.sitting.bots_to_move() == (1, 2)
    log("bo", do.Sit("Bo", seat=1))
    assert log.sitting.bots_to_move() == (2,)
    log("bo", do.Leave())
    log("ada", do.Lock())
    assert log.refused("di", do.Sit("Di", seat=1)) == "locked"


# hosting --------------------------------------------------------------------------------------------------------------


def test_hosting_passes_to_the_next_who_is_here() -> None:
    log = Log("dark")
    for person in ("bo", "cy"):
        log(person, do.Sit(person))
    log("", do.Away(1))
    log("", do.Away(0))
    assert log.sitting.saved.host == "cy"
    log("", do.Back(0))
    assert log.sitting.saved.host == "cy"
    log("cy", do.Leave())
    assert log.sitting.saved.host == "ada"


def test_hosting_stays_while_nobody_is_here_and_goes_to_the_first_who_comes_back() -> None:
    log = Log("dark")
    log("bo", do.Sit("Bo"))
    log("", do.Away(1))
    log("", do.Away(0))
    assert log.sitting.saved.host == "ada"
    log("", do.Back(1))
    assert log.sitting.saved.host == "bo"


def test_an_empty_table_gets_a_host_again() -> None:
    log = Log("dark")
    log("ada", do.Leave())
    log("bo", do.Sit("Bo"))
    assert log.sitting.is_host("bo")


def test_all_devices_of_the_host_are_the_host() -> None:
    log = Log("dark")
    log("ada's phone", do.Device(0, "link"))
    log("ada's phone", do.Lock())
    assert log.sitting.saved.locked
    log("ada", do.Name("A"))
    assert log.sitting.is_host("ada") and log.sitting.is_host("ada's phone")


@pytest.mark.parametrize("salt", ["0", "zz", "00" * 65, "0 0 ", "００"])
def test_a_malformed_salt_is_ignored(salt: str) -> None:
    log = Log("dark")
    log("bo", do.Sit("Bo", salt=salt))
    assert log.sitting.seats[1].salt == ""


# bots' names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", languages())
def test_no_two_at_a_table_full_of_bots_have_the_same_name(tiny: dict[str, Game], language: str) -> None:
    tiny["dice"] = replace(tiny["dice"], seats=range(1, 13))
    log = Log("dice")
    for _ in range(11):
        log("ada", do.AddBot())
    for seat in (2, 7, 11):  # and after some seats have become free
        log("ada", do.Free(seat))
    for _ in range(3):
        log("ada", do.AddBot())
    card = draw(log.sitting, History()).card
    shown = [shown_name(seat, language) for seat in card.seats]
    assert len({skeleton(name) for name in shown}) == len(shown) == 12
    if language != "en":
        assert [name for name, seat in zip(shown, card.seats, strict=True) if name == seat.name] == ["Ada"]


def test_a_bot_is_not_called_as_somebody_who_sits_there() -> None:
    log = Log("dice")
    log("bo", do.Sit("WICK"))
    log("cy", do.Sit("Ember"))
    for _ in range(5):
        log("ada", do.AddBot())
    assert names(log)[:3] == ["Ada", "WICK", "Ember"] and len({skeleton(name) for name in names(log)}) == 8


# away and back --------------------------------------------------------------------------------------------------------


def test_any_player_may_let_a_bot_play_for_one_who_is_away() -> None:
    log = Log("dark", 3)
    log("", do.Away(1))
    assert log.sitting.bots_to_move() == ()
    assert log.refused("di", do.StandIn(1)) == "no_seat"
    assert log.refused("cy", do.StandIn(7)) == "no_such_seat"
    log("cy", do.StandIn(1))
    assert log.sitting.bots_to_move() == (1,)


def test_who_comes_back_plays_again_and_may_take_back_what_the_bot_laid() -> None:
    log = Log("dark", 2)
    log("", do.Away(1))
    log("ada", do.StandIn(1))
    log("", do.PlayFor(1, 1, "walk", "bot"))
    log("", do.PlayFor(1, 1, "south", "bot"))
    log("", do.Back(1))
    assert log.sitting.seats[1].bot == ""
    log("bo", do.Undo(1))
    log("bo", do.Undo(1))
    log("bo", do.Play(1, "hide"))
    assert log.refused("", do.PlayFor(1, 1, "north", "bot")) == "not_a_bot"


def test_away_and_back_of_seats_that_cannot() -> None:
    log = Log("dark")
    log("ada", do.AddBot())
    for seat in (1, 2, 9, -1):
        assert log.refused("", do.Away(seat)) == "no_such_seat"
        assert log.refused("", do.Back(seat)) == "no_such_seat"
        assert log.refused("", do.Device(seat)) == "no_such_seat"
    log("", do.Away(0))
    assert log.refused("", do.Away(0)) == "no_such_seat"


def test_a_seat_may_be_held_by_four_devices_and_the_first_stays() -> None:
    log = Log("dark", 2)
    for n in range(6):
        log(f"phone {n}", do.Device(0, f"link {n}"))
    assert log.sitting.seats[0].holders == ["ada", "phone 3", "phone 4", "phone 5"]
    assert log.refused("phone 6", do.Device(0, "link 5")) == "link_spent"
    assert log.refused("bo", do.Device(0, "link 6")) == "held_another"
    log("phone 5", do.Play(1, "walk"))
    log("phone 4", do.Leave())
    assert not log.sitting.seats[0].person
    assert log.refused("phone 3", do.Sit("Ada", seat=1)) == "taken"


def test_nobody_gets_a_second_seat_by_a_link() -> None:
    log = Log("dark")
    log("bo", do.Sit("Bo"))
    assert log.refused("bo", do.Device(0, "link")) == "seated"


# a table that nobody has opened ---------------------------------------------------------------------------------------


def test_who_sits_down_first_at_an_empty_table_is_the_host() -> None:
    opening = do.Entry("", do.Open("token", "CODE", "dark", ""), "ab" * 32, 1.0)
    sitting = Sitting.open(opening)
    assert sitting.taken() == [] and len(sitting.seats) == 4 and sitting.saved.options == {"light": "same"}
    with pytest.raises(Refusal):
        sitting.apply(do.Entry("bo", do.AddBot(), "cd" * 32, 2.0))
    sitting = sitting.apply(do.Entry("bo", do.Sit("Bo", seat=2), "cd" * 32, 2.0)).sitting
    assert sitting.is_host("bo") and sitting.taken() == [2]
