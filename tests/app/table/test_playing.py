"""The game at a table: start, moves, timer, rematch. A refusal changes nothing."""

from random import Random
from typing import Any

import pytest

from app.house.open_table import read_saved
from app.table import actions as do
from app.table.effects import PlayOut
from app.table.sitting import Sitting
from engine import beats
from engine.table_events import AnyTime, Began, Revealed, SteppedBack
from tests.app.tables import Log, names, wander

pytestmark = pytest.mark.usefixtures("tiny")


# start ----------------------------------------------------------------------------------------------------------------


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


# play -----------------------------------------------------------------------------------------------------------------


def test_play_before_the_start_and_after_the_end() -> None:
    log = Log("counting")
    log("bo", do.Sit("Bo"))
    assert log.refused("ada", do.Play(1, "1")) == "not_started"
    assert log.refused("ada", do.Undo(1)) == "not_started"
    assert log.refused("ada", do.Rematch()) == "not_started"
    assert log.refused("ada", do.StandIn(1)) == "not_started"
    log("ada", do.Start())
    for person, action in wander(lambda: log.sitting, Random(1)):
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


def test_several_words_of_an_answer_are_played_together_or_not_at_all() -> None:
    log = Log("dark", 2)
    for then in (("nowhere",), ("north", "north")):
        assert log.refused("ada", do.Play(1, "hide", then)) in ("not_legal", "already_in")
        assert log.sitting.table is not None and not log.sitting.table.drafts
    log("ada", do.Play(1, "hide", ("north",)))
    (revealed, *_) = log("bo", do.Play(1, "walk", ("north",)))
    assert [answer.words for answer in revealed.answers] == [("hide", "north"), ("walk", "north")]


def test_any_time_moves_ask_nobody() -> None:
    log = Log("dark", 2)
    log("ada", do.Play(1, "walk"))
    log("ada", do.Play(1, "north"))
    (lit, *_) = log("ada", do.Play(1, "lamp"))
    assert isinstance(lit, AnyTime) and lit.seat == 0


def test_an_any_time_move_is_taken_although_others_have_gone_on_meanwhile() -> None:
    log = Log("dark", 2)
    for person in ("ada", "bo"):
        log(person, do.Play(1, "walk", ("north",)))
    (lit, *_) = log("ada", do.Play(1, "lamp"))
    assert isinstance(lit, AnyTime) and lit.round == 2
    assert log.refused("ada", do.Play(1, "walk")) == "past_round"


def test_a_move_that_finishes_the_game_ends_the_sitting() -> None:
    log = Log("bids", 3)
    log("ada", do.Timer(60))
    log("cy", do.Leave())  # a bot plays on
    for person, card in (("ada", "3"), ("bo", "1")):
        log(person, do.Play(1, card))
        log(person, do.Play(1, "bluff"))
    for word in ("2", "bluff"):
        log("", do.PlayFor(2, 1, word, "bot"))
    for word in ("1", "bluff"):
        log("ada", do.Play(2, word))
    events = log("bo", do.Play(2, "give up"))
    assert [type(event).__name__ for event in events] == ["AnyTime", "GaveUp", "Result", "Opened"]
    assert log.sitting.phase == "over" and log.sitting.saved.ends_at is None
    assert log.sitting.bots_to_move() == ()
    assert log.refused("", do.PlayFor(2, 2, "1", "bot")) == "over"
    assert log.refused("ada", do.Play(2, "1")) == "over"
    assert log.refused("ada", do.Undo(2)) == "over"
    assert log.refused("bo", do.Play(2, "give up")) == "over"
    assert Sitting.restore(read_saved(log.saved)).phase == "over"
    log("ada", do.Rematch())
    assert log.sitting.phase == "lobby"


def test_nobody_plays_for_another_seat() -> None:
    log = Log("dark", 2)
    log("bo", do.Play(1, "walk"))
    assert log.sitting.table is not None and set(log.sitting.table.drafts) == {1}


# timer and bots -------------------------------------------------------------------------------------------------------


def test_the_clock_plays_only_when_time_is_up() -> None:
    log = Log("dark")
    log("bo", do.Sit("Bo"))
    log("ada", do.Start())
    assert log.refused("", do.PlayFor(0, 1, "walk", "time")) == "not_yet"
    log("ada", do.Timer(10), at=100)
    assert log.refused("", do.PlayFor(0, 1, "walk", "time"), at=109) == "not_yet"
    assert log.refused("", do.PlayFor(5, 1, "walk", "time"), at=110) == "no_such_seat"
    log("", do.PlayFor(0, 1, "walk", "time"), at=110)


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
        then(person, do.Play(1, move), 110)  # handing in does not set the timer
    then("bo", do.Play(1, "south"), 120)
    then("ada", do.Timer(0), 121)
    then("ada", do.Timer(10), 122)
    shown = 120 + beats.seconds(("turned",))
    assert ends == [None, 130, 130, 130, 130, shown + 30, None, 132]


def test_a_timer_runs_once_for_what_a_seat_does_in_a_turn() -> None:
    log = Log("digging", 3)
    log("ada", do.Timer(30), 100)

    def then(person: str, *words: str, at: float) -> float | None:
        assert log.sitting.table is not None
        for word in words:
            log(person, do.Play(log.sitting.table.round, word), at)
        return log.sitting.saved.ends_at

    assert then("ada", "dig", "here", at=105) == 130
    assert then("ada", "dig", "here", at=105.2) == 130
    shown = 105 + 2 * beats.BEAT  # the pages tell one step after the other
    assert log.effects == [PlayOut(shown - 105.2)]
    assert then("ada", "ask", at=120) == 120 + beats.BEAT + 30  # the time of another seat
    log("ada", do.StepBack(4), 125)
    assert log.sitting.saved.ends_at == 130
    then("ada", "ask", at=126)
    assert then("bo", "yes", at=128) == 128 + beats.BEAT + 30
    log("ada", do.Timer(0), 129)
    then("ada", "end", at=130)
    log("ada", do.StepBack(8), 131)
    assert log.sitting.saved.ends_at is None


def test_a_step_is_taken_back_by_its_player_only() -> None:
    log = Log("digging", 3)
    log("ada", do.Play(1, "dig"))
    log("ada", do.Play(1, "here"))
    before = log.sitting
    assert log.refused("bo", do.StepBack(2)) == "nothing_to_undo" and log.refused("di", do.StepBack(2)) == "no_seat"
    assert log.refused("ada", do.StepBack(1)) == "past_round"
    assert log("ada", do.StepBack(2)) == [SteppedBack(2, 0, 1, "turn 0")]
    assert log.sitting.table is not None and log.sitting.table.round == 3
    assert log.sitting.events_revision == log.sitting.seq > before.seats_revision == log.sitting.seats_revision
    assert log.refused("ada", do.StepBack(3)) == "no_way_back"


def test_a_game_is_told_who_made_a_move() -> None:
    log = Log("late", 2)
    log("ada", do.Timer(10), at=100)
    log("", do.Away(1))
    log("ada", do.StandIn(1))
    for word in ("1", "2"):
        log("", do.PlayFor(1, 1, word, "bot"), at=101)
    assert log.sitting.table is not None and log.sitting.table.by == {1: "bot"}
    for word in ("1", "3"):
        events = log("", do.PlayFor(0, 1, word, "time"), at=110)
    assert [answer.by for answer in events[0].answers] == ["time", "bot"]
    assert events[1].made == ("time", "bot")
    (shout, *_) = log("ada", do.Play(2, "shout"), at=111)
    assert shout.by == "player"


# rematch --------------------------------------------------------------------------------------------------------------


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
    assert names(log) == ["Ada", "Bo", log.sitting.seats[2].name]  # the person who left has got no bot in the lobby
    assert log.sitting.seats[1].away and log.sitting.seats[1].salt == "" and log.sitting.seats[2].ready
    assert len(log.sitting.seats) == 8
    log("cy", do.Sit("Cy"))
    log("ada", do.Start())
    assert log.sitting.saved.plays == 2


def test_who_leaves_after_the_end_is_not_in_the_rematch() -> None:
    log = Log("counting", 3)
    for person, action in wander(lambda: log.sitting, Random(1)):
        log(person, action)
    log("bo", do.Leave())
    assert [seat.name for seat in log.sitting.seats] == ["Ada", "Bo", "Cy"]  # the scores still contain all names
    log("ada", do.Rematch())
    assert names(log) == ["Ada", "Cy"]


# another game ---------------------------------------------------------------------------------------------------------


def end(log: Log) -> None:
    for person, action in wander(lambda: log.sitting, Random(1)):
        log(person, action)
    assert log.sitting.phase == "over"


def test_another_game_keeps_people_code_link_and_settings() -> None:
    log = Log("dark", 3, light="longer")
    assert log.refused("ada", do.ChangeGame("counting")) == "begun"
    end(log)
    seed = log.sitting.saved.seed
    log("ada", do.Timer(30))
    log("cy", do.Leave())
    assert log.refused("bo", do.ChangeGame("counting")) == "not_host"
    assert log.refused("ada", do.ChangeGame("bridge")) == "unknown_game"
    log("ada", do.ChangeGame("counting"))
    saved = log.sitting.saved
    assert (saved.phase, saved.game, saved.token, saved.code, saved.seconds) == (
        "lobby",
        "counting",
        "token",
        "CODE",
        30,
    )
    assert saved.seed != seed and saved.options == {"goal": "7"} and saved.wanted == {}
    assert names(log) == ["Ada", "Bo"] and len(log.sitting.seats) == 8
    log("ada", do.ChangeGame("dark"))  # in the lobby, too
    assert log.sitting.saved.options == {"light": "same"} and len(log.sitting.seats) == 4
    log("ada", do.ChangeGame("counting"))
    (began, *_) = log("ada", do.Start())
    assert began.key == "counting" and log.sitting.saved.plays == 2


def test_people_too_many_for_another_game_keep_their_seats_but_cannot_start() -> None:
    log = Log("counting", 5)
    end(log)
    log("ada", do.ChangeGame("dark"))
    assert names(log) == ["Ada", "Bo", "Cy", "Di", "Ed"] and len(log.sitting.seats) == 5
    assert log.refused("ada", do.Start()) == "too_many"
    assert log.refused("fay", do.Sit("Fay")) == "full"
    log("bo", do.Leave())
    assert names(log) == ["Ada", "Cy", "Di", "Ed"] and len(log.sitting.seats) == 4
    assert log.refused("bo", do.Sit("Bo")) == "full"
    log("ada", do.Start())


def test_bots_too_many_for_another_game_leave() -> None:
    log = Log("counting")
    for seat in (1, 2, 3, 5):
        log("ada", do.AddBot(seat=seat))
    log("bo", do.Sit("Bo", seat=6))
    log("ada", do.ChangeGame("dark"))
    assert [seat.person for seat in log.sitting.seats] == [True, False, False, True]
    assert all(seat.bot for seat in log.sitting.seats[1:3]) and not log.sitting.seats[3].ready
    log("ada", do.Start())
