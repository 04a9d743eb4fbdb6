"""Asking for a seat whose person does not play."""

from dataclasses import replace

import pytest

from app.table import actions as do
from app.table.effects import AwaitObjections, WindClock
from app.table.events import History
from app.table.picture import draw
from app.table.playing import CLOCKS_TURN, MOST_RETURNS, ON_ITS_WAY
from engine.game import Game
from tests.app.tables import Log

pytestmark = pytest.mark.usefixtures("tiny")

GRANTED = 1000.0


def kinds(log: Log) -> list[str]:
    return [one.kind for one in log.sitting.saved.announcements]


def test_a_table_whose_people_have_lost_their_cookies() -> None:
    log = Log("dark", 2)
    log("ada", do.Lock())
    assert log.refused("cy", do.Claim(1, "Cy")) == "not_away"
    for seat in (0, 1):
        log("", do.Away(seat))
    assert log.refused("cy", do.Claim(1, " ")) == "no_name"
    assert log.refused("cy", do.Claim(5, "Cy")) == "not_away"
    assert log.refused("ada", do.Claim(0, "Ada")) == "seated"
    assert log.refused("", do.Grant(1)) == "no_claim"
    log("cy", do.Claim(1, "Ada"), at=100)
    assert log.effects == [AwaitObjections(160)]
    assert log.refused("di", do.Claim(0, "Di")) == "claimed"
    assert log.refused("", do.Grant(1), at=159) == "not_yet"
    assert log.refused("", do.Grant(0), at=160) == "no_claim"
    log("", do.Grant(1), at=160)
    assert AwaitObjections(None) in log.effects
    granted = log.sitting.seats[1]
    assert (granted.name, granted.holders, granted.away, granted.newcomer) == ("Ada 2", ["cy"], False, True)
    assert log.sitting.is_host("cy"), "so the table can be unlocked"
    assert kinds(log)[-3:] == ["claimed", "took", "host"]
    assert log.refused("bo", do.Claim(0, "Bo")) == "held_another", "who knows the cards of another seat"
    assert log.refused("cy", do.Play(1, "walk")) == "newcomer", "Bo may have laid something"
    log("cy", do.StandIn(0))
    for seat in (0, 1):
        for word in ("walk", "south"):
            log("", do.PlayFor(seat, 1, word, "bot"))
    log("cy", do.Play(2, "walk"))


def test_whoever_sits_there_may_object() -> None:
    log = Log("dark", 3)
    log("", do.Away(1))
    log("di", do.Claim(1, "Di"), at=100)
    assert log.refused("ed", do.Object()) == "no_seat"
    log("cy", do.Object())
    assert log.sitting.saved.claim is None and kinds(log)[-2:] == ["claimed", "kept"]
    assert log.refused("cy", do.Object()) == "no_claim"
    assert log.refused("di", do.Claim(1, "Di")) == "turned_down"
    log("ed", do.Claim(1, "Ed"), at=200)
    log("", do.Back(1))
    assert log.sitting.saved.claim is None, "its person is back"


def test_seats_that_somebody_has_left_at_a_locked_table() -> None:
    log = Log("dark", 2)
    log("bo", do.Leave())
    assert log.refused("cy", do.Claim(1, "Cy")) == "not_away", "it can simply be taken"
    log("ada", do.Lock())
    log("cy", do.Claim(1, "Cy"), at=100)
    log("ada", do.Lock(False))
    assert log.sitting.saved.claim is None, "the same again"
    log("ada", do.Lock())
    log("cy", do.Claim(1, "Cy"), at=100)
    log("", do.Grant(1), at=GRANTED)
    assert log.sitting.seats[1].name == "Cy" and log.sitting.seats[1].newcomer


def test_in_a_lobby_only_where_nobody_can_sit_down() -> None:
    log = Log("dark")
    log("", do.Away(0))
    assert log.refused("bo", do.Claim(0, "Bo")) == "not_away"
    log("ada", do.Lock())
    log("bo", do.Claim(0, "Bo"), at=100)
    log("", do.Grant(0), at=GRANTED)
    assert log.sitting.seats[0].name == "Bo" and log.sitting.is_host("bo")


def test_who_does_not_answer_is_played_by_a_bot_after_a_minute() -> None:
    log = Log("dark", 3)
    assert log.refused("bo", do.StandIn(1)) == "no_such_seat"
    log("bo", do.StandIn(0), at=100)
    log("ada", do.Play(1, "walk"), at=110)
    assert log.sitting.saved.claim is None, "Ada has answered"
    assert log.effects == [AwaitObjections(None)]
    for person, word in (("ada", "south"), ("bo", "walk"), ("bo", "south"), ("cy", "walk"), ("cy", "south")):
        log(person, do.Play(1, word))
    log("bo", do.StandIn(0), at=300)
    log("", do.Grant(0), at=GRANTED)
    assert log.sitting.seats[0].bot and log.sitting.bots_to_move() == (0,)
    assert log.sitting.is_host("bo"), "a host who does not answer does not lock the table"
    assert log.refused("cy", do.StandIn(0)) == "no_such_seat"
    log("", do.Back(0))  # committed before whatever Ada does
    log("ada", do.Here())
    assert not log.sitting.seats[0].bot and log.sitting.is_host("bo")


def test_a_claim_ends_with_the_game_and_with_the_seat() -> None:
    log = Log("dark", 3)
    log("", do.Away(1))
    log("di", do.Claim(1, "Di"), at=100)
    log("ada", do.Free(1))
    assert log.sitting.saved.claim is None
    log("", do.Away(2))
    log("ed", do.Claim(2, "Ed"), at=100)
    log("cy", do.Leave())
    assert log.sitting.saved.claim is None
    lobby = Log("dark")
    for person in ("bo", "cy"):
        lobby(person, do.Sit(person))
    lobby("", do.Away(2))
    lobby("ada", do.Lock())
    lobby("di", do.Claim(2, "Di"), at=100)
    lobby("ada", do.Start())
    assert lobby.sitting.saved.claim is None, "seats have other numbers now"


def test_what_a_viewer_may_ask_for() -> None:
    log = Log("dark", 3)
    log("", do.Away(1))
    picture = draw(log.sitting, History())
    assert picture.me("di").can_claim == picture.me("").can_claim == (1,) and picture.me("cy").can_claim == ()
    log("di", do.Claim(1, "Di"), at=100)
    picture = draw(log.sitting, History(), picture)
    assert picture.me("di").claims == 1 and picture.me("ed").claims is None and picture.me("ed").can_claim == ()
    assert picture.card.claim is not None and picture.card.claim.name == "Di"
    log("ada", do.Object())
    picture = draw(log.sitting, History(), picture)
    assert picture.me("di").can_claim == () and picture.me("ed").can_claim == (1,)


def test_a_host_who_does_not_answer_locks_neither_lobby_nor_end() -> None:
    log = Log("dark")
    for person in ("bo", "cy"):
        log(person, do.Sit(person))
    assert log.refused("ada", do.StandIn(1)) == "not_started"
    log("cy", do.StandIn(0), at=100)
    log("", do.Grant(0), at=GRANTED)
    assert log.sitting.is_host("bo") and not log.sitting.seats[0].bot
    log("cy", do.StandIn(1), at=GRANTED)
    log("bo", do.Here(), at=GRANTED)
    assert log.sitting.saved.claim is None and log.sitting.is_host("bo")
    log("cy", do.StandIn(1), at=GRANTED)
    log("bo", do.Leave(), at=GRANTED)
    assert log.sitting.saved.claim is None


# the second request ---------------------------------------------------------------------------------------------------


def test_who_objects_every_minute_holds_no_table() -> None:
    log = Log("dark", 3)
    for person in ("bo", "cy"):
        for word in ("walk", "south"):
            log(person, do.Play(1, word))
    log("bo", do.StandIn(0), at=100)
    assert draw(log.sitting, History()).card.seats[0].reminded
    assert log.refused("cy", do.StandIn(0), at=101) == "claimed", "Ada has a minute to object"
    log("ada", do.Object(), at=110)
    log("cy", do.StandIn(0), at=120)
    assert log.effects == [WindClock(240)] and kinds(log)[-1] == "hurried"
    assert log.refused("ada", do.Object(), at=121) == "no_claim"
    assert log.refused("bo", do.StandIn(0), at=122) == "hurried"
    log("ada", do.Timer(0), at=130)
    log("ada", do.Timer(3600), at=131)
    assert log.sitting.saved.ends_at == 240, "the host cannot prolong it either"
    assert log.refused("", do.PlayFor(0, 1, "walk", "time"), at=239) == "not_yet"
    log("ada", do.Timer(0), at=239)
    for word in ("walk", "south"):
        log("", do.PlayFor(0, 1, word, "time"), at=240)
    assert not log.sitting.saved.ends_at and not log.sitting.saved.reminded, "another choice"
    assert not draw(log.sitting, History()).card.seats[0].reminded
    log("bo", do.StandIn(0), at=300)
    assert log.sitting.saved.claim is not None


def test_the_time_is_limited_only_by_asking_for_whom_the_table_may_wait_for() -> None:
    log = Log("counting", 2)
    for at in (100, 200):  # it is Ada's turn
        log("ada", do.StandIn(1), at=at)
        assert log.sitting.saved.claim is not None and not log.sitting.saved.reminded
        log("bo", do.Object(), at=at + 1)
    window = Log("window", 3)
    window("ada", do.Play(1, "hit 1"))
    for at in (100, 200):  # nobody knows for whom it waits
        window("bo", do.StandIn(2), at=at)
        window("cy", do.Here(), at=at + 1)
    assert window.sitting.saved.ends_at == 320


def test_a_timer_that_ends_sooner_is_not_prolonged_by_the_second_request() -> None:
    log = Log("dark", 2)
    log("ada", do.Timer(30), at=100)
    log("bo", do.StandIn(0), at=101)
    log("ada", do.Here(), at=102)
    assert log.refused("bo", do.StandIn(0), at=103) == "hurried"
    log("ada", do.Timer(300), at=104)
    assert log.sitting.saved.ends_at == 130


def test_who_is_back_whenever_a_bot_stands_in_holds_no_table() -> None:
    log = Log("dark", 2)
    for at in (100, 200, 210):
        log("", do.Away(0), at=at)
        log("bo", do.StandIn(0), at=at)
        assert log.sitting.seats[0].bot, "at once, each time"
        log("", do.Back(0), at=at)
    assert log.sitting.saved.ends_at == 320


def test_who_steps_back_into_the_choice_before_has_had_time() -> None:
    log = Log("digging", 2)
    log("bo", do.StandIn(0), at=100)
    log("ada", do.Play(1, "end"), at=110)
    assert log.sitting.saved.reminded == []
    log("ada", do.StepBack(2), at=111)
    log("bo", do.StandIn(0), at=112)
    assert log.sitting.saved.ends_at == 232


def test_who_hands_over_and_steps_back_again_and_again_holds_no_table() -> None:
    log = Log("digging", 2)
    round = 1
    for _ in range(MOST_RETURNS):
        log("ada", do.Play(round, "end"))
        log("ada", do.StepBack(round + 1))
        round += 2
    log("ada", do.Timer(30))
    assert log.sitting.saved.returns == [0] * MOST_RETURNS
    log("ada", do.Play(round, "end"))
    assert log.refused("ada", do.StepBack(round + 1)) == "no_way_back"
    log("bo", do.Play(round + 1, "end"))
    assert log.sitting.saved.returns == []


def test_one_alone_may_step_back_as_often_as_there_are_steps(tiny: dict[str, Game]) -> None:
    tiny["digging"] = replace(tiny["digging"], seats=range(1, 5))
    log = Log("digging", 1)
    round = 1
    for _ in range(2 * MOST_RETURNS):
        log("ada", do.Play(round, "end"))
        log("ada", do.StepBack(round + 1))
        round += 2
    assert log.sitting.saved.returns == []


def test_who_claims_other_seats_all_the_time_prevents_no_request() -> None:
    log = Log("dark", 3)
    log("ada", do.StandIn(1), at=100)
    log("cy", do.StandIn(0), at=101)
    claim = log.sitting.saved.claim
    assert claim is not None and claim.seat == 1 and log.sitting.saved.reminded == [1, 0]
    assert log.refused("ada", do.StandIn(1), at=102) == "claimed"
    log("cy", do.StandIn(0), at=103)
    assert log.sitting.saved.claim == claim and log.effects == [WindClock(223)]


def test_nobody_outruns_the_clock() -> None:
    log = Log("dark", 2)
    log("ada", do.Timer(30), at=100)
    log("ada", do.Play(1, "walk"), at=130 + ON_ITS_WAY)
    late = 131 + ON_ITS_WAY
    assert log.refused("ada", do.Undo(1), at=late) == "time_up"
    assert log.refused("ada", do.Play(1, "south"), at=late) == "time_up"
    assert log.refused("ada", do.StepBack(1), at=late) == "time_up"
    log("", do.PlayFor(0, 1, "south", "time"), at=late)
    assert log.refused("ada", do.Undo(1), at=late) == "time_up"
    log("bo", do.Play(1, "walk"), at=130 + CLOCKS_TURN)  # the clock has failed


def test_outside_a_game_a_second_request_is_like_the_first() -> None:
    log = Log("counting", 2)
    log("bo", do.StandIn(0), at=100)
    while log.sitting.phase == "playing":
        table = log.sitting.table
        assert table is not None
        log(("ada", "bo")[table.waits[0]], do.Play(table.round, table.moves(table.waits[0])[0]))
    for at in (200, 300):
        log("bo", do.StandIn(0), at=at)
        assert log.sitting.saved.claim is not None
        assert log.sitting.saved.ends_at is None
        log("ada", do.Here(), at=at + 1)
