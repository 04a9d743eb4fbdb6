"""The state machine of a table, lobby and play: every action, and every refusal, which changes nothing."""

from random import Random
from typing import Any

import pytest

from app import actions as do
from app.live import copied, encoded, read_saved
from app.sitting import Sitting
from engine.table import AnyTime, Began, Revealed
from tests.app.tables import PEOPLE, Log, wander

pytestmark = pytest.mark.usefixtures("tiny")


def names(log: Log) -> list[str]:
    return [seat.name for seat in log.sitting.seats if seat.taken]


# sitting down and getting up ------------------------------------------------------------------------------------------


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


def test_two_of_a_name_can_be_told_apart() -> None:
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
    log("ada", do.Name("Ada"))  # one's own name is no double
    assert names(log) == ["Ada", "ADA 2"]
    assert log.refused("bo", do.Name("\u202e")) == "no_name"
    assert log.refused("cy", do.Name("Cy")) == "no_seat"


def test_nobody_joins_a_locked_table() -> None:
    log = Log("dark")
    assert log.refused("bo", do.Lock()) == "not_host"
    log("ada", do.Lock())
    assert log.refused("bo", do.Sit("Bo")) == "locked"
    log("ada", do.Lock(False))
    log("bo", do.Sit("Bo"))


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


def test_who_gets_up_in_the_lobby_leaves_a_free_seat() -> None:
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


def test_who_gets_up_in_a_game_leaves_a_bot_under_the_name() -> None:
    log = Log("dark", 3)
    log("bo", do.Leave())
    seat = log.sitting.seats[1]
    assert (seat.name, seat.bot, seat.left, seat.person) == ("Bo", "random", True, False)
    assert log.sitting.bots_to_move() == [1]
    assert log.refused("ada", do.Free(1)) == "no_such_seat"
    log("ada", do.Free(2))
    assert log.sitting.bots_to_move() == [1, 2]


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
    assert log.sitting.seats[2].bot == "" and log.sitting.bots_to_move() == [1]
    log("bo", do.Sit("Bo", seat=1))
    assert log.sitting.bots_to_move() == []
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


# options, timer, start ------------------------------------------------------------------------------------------------


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
    assert log.sitting.saved.options == {"light": "same"}  # the other is for two or three
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


def test_one_alone_may_begin() -> None:
    log = Log("raiders")
    (began, *_) = log("ada", do.Start())
    assert isinstance(began, Began) and began.seats == 1 and began.options["difficulty"] == "2"


def test_a_table_needs_enough_people() -> None:
    log = Log("window")
    log("bo", do.Sit("Bo"))
    assert log.refused("ada", do.Start()) == "too_few"
    log("cy", do.Sit("Cy", seat=4))
    assert log.refused("bo", do.Start()) == "not_host"
    (first, *_) = log("ada", do.Start())
    assert isinstance(first, Began) and first.seats == 3
    assert [seat.name for seat in log.sitting.seats] == ["Ada", "Bo", "Cy"]
    assert log.refused("ada", do.Start()) == "begun"


def test_the_deal_is_mixed_from_the_seed_and_all_salts() -> None:
    log = Log("dark")
    commitment = log.sitting.commitment
    log("bo", do.Sit("Bo", salt="b0"))
    log("ada", do.Salt("AD" * 32))
    assert log.refused("ada", do.Salt("00")) == "salted"
    log("cy", do.Sit("Cy", salt="not hex"))
    (began, *_) = log("ada", do.Start())
    assert began.salts == ("ad" * 32, "b0", "") and began.commitment == commitment
    assert log.refused("ada", do.Salt("00")) == "begun"


@pytest.mark.parametrize("salt", ["0", "zz", "00" * 65, "0 0 ", "００"])
def test_a_bad_salt_is_no_salt(salt: str) -> None:
    log = Log("dark")
    log("bo", do.Sit("Bo", salt=salt))
    assert log.sitting.seats[1].salt == ""


def test_a_timer_runs_from_reveal_to_reveal() -> None:
    log = Log("dark")
    ends = []

    def then(person: str, action: Any, at: float) -> None:
        log(person, action, at)
        ends.append(log.sitting.saved.ends_at)

    log("bo", do.Sit("Bo"))
    assert log.refused("bo", do.Timer(30)) == "not_host"
    for seconds in (-1, 1, 4, 3601):
        assert log.refused("ada", do.Timer(seconds)) == "bad_timer"
    then("ada", do.Timer(30), 90)
    then("ada", do.Start(), 100)
    for person, move in (("ada", "walk"), ("ada", "north"), ("bo", "walk")):
        then(person, do.Play(1, move), 110)  # handing in winds nothing
    then("bo", do.Play(1, "south"), 120)
    then("ada", do.Timer(0), 121)
    then("ada", do.Timer(10), 122)
    assert ends == [None, 130, 130, 130, 130, 150, None, 132]


# play -----------------------------------------------------------------------------------------------------------------


def test_play_before_the_start_and_after_the_end() -> None:
    log = Log("counting")
    log("bo", do.Sit("Bo"))
    assert log.refused("ada", do.Play(1, "1")) == "not_started"
    assert log.refused("ada", do.Undo(1)) == "not_started"
    assert log.refused("ada", do.Rematch()) == "not_started"
    assert log.refused("ada", do.StandIn(1)) == "not_started"
    log("ada", do.Start())
    for person, action in wander(log.sitting, Random(1)):
        log(person, action)
    assert log.sitting.phase == "over"
    assert log.refused("ada", do.Play(1, "1")) == "over"
    assert log.refused("ada", do.Undo(1)) == "over"
    assert log.refused("ada", do.Start()) == "over"
    assert log.refused("cy", do.Sit("Cy", seat=1)) == "over"


def test_moves_that_are_not_legal_here() -> None:
    log = Log("counting", 3)
    assert log.refused("bo", do.Play(1, "1")) == "not_asked"
    assert log.refused("ada", do.Play(0, "1")) == "past_round"
    assert log.refused("ada", do.Play(2, "1")) == "future_round"
    assert log.refused("ada", do.Play(1, "3")) == "not_legal"
    assert log.refused("ada", do.Undo(1)) == "nothing_to_undo"
    assert log.refused("di", do.Play(1, "1")) == "no_seat"
    log("ada", do.Play(1, "1"))
    assert log.refused("ada", do.Play(1, "1")) == "past_round"


def test_a_hand_in_may_be_taken_back_until_the_last_is_in() -> None:
    log = Log("dark", 2)
    log("ada", do.Play(1, "hide"))
    log("ada", do.Play(1, "north"))
    assert log.refused("ada", do.Play(1, "north")) == "already_in"
    log("ada", do.Undo(1))
    assert log.sitting.table is not None and log.sitting.table.drafts == {0: ("hide",)}
    log("ada", do.Play(1, "south"))
    log("bo", do.Play(1, "walk"))
    (revealed, *_) = log("bo", do.Play(1, "north"))
    assert isinstance(revealed, Revealed)
    assert [answer.words for answer in revealed.answers] == [("hide", "south"), ("walk", "north")]
    assert log.refused("ada", do.Undo(1)) == "past_round"


def test_any_time_moves_ask_nobody() -> None:
    log = Log("dark", 2)
    log("ada", do.Play(1, "walk"))
    log("ada", do.Play(1, "north"))
    (lit, *_) = log("ada", do.Play(1, "lamp"))
    assert isinstance(lit, AnyTime) and lit.seat == 0


def test_nobody_plays_for_another_seat() -> None:
    log = Log("dark", 2)
    log("bo", do.Play(1, "walk"))
    assert log.sitting.table is not None and set(log.sitting.table.drafts) == {1}


# away and back --------------------------------------------------------------------------------------------------------


def test_any_player_may_let_a_bot_play_for_one_who_is_away() -> None:
    log = Log("dark", 3)
    assert log.refused("ada", do.StandIn(1)) == "not_away"
    log("", do.Away(1))
    assert log.sitting.bots_to_move() == []
    assert log.refused("di", do.StandIn(1)) == "no_seat"
    assert log.refused("cy", do.StandIn(7)) == "not_away"
    log("cy", do.StandIn(1))
    assert log.sitting.bots_to_move() == [1]


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


def test_the_clock_plays_only_when_time_is_up() -> None:
    log = Log("dark")
    log("bo", do.Sit("Bo"))
    log("ada", do.Start())
    assert log.refused("", do.PlayFor(0, 1, "walk", "time")) == "not_yet"
    log("ada", do.Timer(10), at=100)
    assert log.refused("", do.PlayFor(0, 1, "walk", "time"), at=109) == "not_yet"
    assert log.refused("", do.PlayFor(5, 1, "walk", "time"), at=110) == "no_such_seat"
    log("", do.PlayFor(0, 1, "walk", "time"), at=110)


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


# again ----------------------------------------------------------------------------------------------------------------


def test_a_rematch_keeps_people_code_and_link() -> None:
    log = Log("counting")
    log("bo", do.Sit("Bo", salt="b0"))
    log("cy", do.Sit("Cy"))
    log("ada", do.AddBot())
    log("ada", do.Start())
    seed = log.sitting.saved.seed
    log("cy", do.Leave())
    while log.sitting.phase == "playing":
        assert log.sitting.table is not None
        (seat,) = log.sitting.table.waits
        if log.sitting.seats[seat].bot:
            log("", do.PlayFor(seat, log.sitting.table.round, "1", "bot"))
        else:
            log(log.sitting.seats[seat].holders[0], do.Play(log.sitting.table.round, "1"))
    log("", do.Away(1))
    assert log.refused("bo", do.Rematch()) == "not_host"
    log("ada", do.Rematch())
    assert log.sitting.phase == "lobby" and log.sitting.table is None
    assert (log.sitting.saved.token, log.sitting.saved.code) == ("token", "CODE")
    assert log.sitting.saved.seed != seed
    assert names(log) == ["Ada", "Bo", log.sitting.seats[2].name]  # the one who left has no bot's seat now
    assert log.sitting.seats[1].away and log.sitting.seats[1].salt == "" and log.sitting.seats[2].ready
    assert len(log.sitting.seats) == 8
    log("cy", do.Sit("Cy"))
    log("ada", do.Start())
    assert log.sitting.saved.plays == 2


def test_who_leaves_after_the_end_is_not_in_the_rematch() -> None:
    log = Log("counting", 3)
    for person, action in wander(log.sitting, Random(1)):
        log(person, action)
    log("bo", do.Leave())
    assert [seat.name for seat in log.sitting.seats] == ["Ada", "Bo", "Cy"]  # the scores still name everybody
    log("ada", do.Rematch())
    assert names(log) == ["Ada", "Cy"]


# the log is the table -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["counting", "dice", "window", "dark", "wishes", "raiders"])
@pytest.mark.parametrize("seed", range(3))
def test_the_same_entries_build_the_same_bytes_from_any_snapshot_on(game: str, seed: int) -> None:
    luck = Random(seed)
    log = Log(game, 3)
    snapshots = []
    for person, action in wander(log.sitting, luck):
        log(person, action)
        if luck.random() < 0.2:
            snapshots.append((len(log.entries), log.saved))
    assert log.sitting.phase == "over"
    anew = Sitting.open(log.entries[0])
    for entry in log.entries[1:]:
        anew.apply(entry)
    assert encoded(anew) == log.saved
    for count, saved in snapshots:
        later = Sitting(read_saved.decode(saved))
        for entry in log.entries[count:]:
            later.apply(entry)
        assert encoded(later) == log.saved


def test_a_copy_goes_its_own_way() -> None:
    log = Log("dark", 2)
    before = log.saved
    other = copied(log.sitting)
    other.apply(log.entry("ada", do.Play(1, "walk")))
    other.apply(log.entry("ada", do.Lock()))
    assert log.saved == before and encoded(other) != before
