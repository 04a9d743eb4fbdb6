"""Asking for a seat whose person does not play."""

from dataclasses import replace

import pytest

from app.table import actions as do
from app.table.claims import GRACE
from app.table.effects import AwaitObjections, AwaitReturn, WindClock
from app.table.events import History
from app.table.picture import draw
from app.table.playing import CLOCKS_TURN, MOST_RETURNS, ON_ITS_WAY
from app.table.seats import REST
from engine.game import Game
from tests.app.tables import Log

pytestmark = pytest.mark.usefixtures("tiny")

GRANTED = 1000.0


def kinds(log: Log) -> list[str]:
    return [one.kind for one in log.sitting.saved.announcements]


def long_away(log: Log, *seats: int) -> None:
    """Nobody has seen these people for so long that others may ask for their seats."""
    for seat in seats:
        log("", do.Away(seat), at=0)
        log("", do.LongAway(seat), at=REST)


def claimed(log: Log, person: str, seat: int, agrees: str, at: float = GRANTED) -> None:
    log(person, do.Claim(seat, person.title()), at=at)
    if agrees:
        log(agrees, do.Agree(), at=at + 1)
    log("", do.Grant(seat), at=at + GRACE)


def test_a_seat_is_given_to_somebody_if_the_table_agrees() -> None:
    log = Log("dark", 3)
    assert log.refused("di", do.Claim(1, "Di")) == "not_away"
    long_away(log, 1)
    assert log.refused("di", do.Claim(1, " ")) == "no_name"
    assert log.refused("di", do.Claim(5, "Di")) == "not_away"
    assert log.refused("ada", do.Claim(1, "Ada")) == "seated"
    assert log.refused("", do.Grant(1)) == log.refused("cy", do.Agree()) == "no_claim"
    log("di", do.Claim(1, "Ada"), at=1000)
    assert log.effects == [AwaitObjections(1060)]
    assert log.refused("ed", do.Claim(1, "Ed")) == "claimed"
    assert log.refused("ed", do.Agree()) == "no_seat", "who does not sit there has no say"
    log("cy", do.Agree(), at=1001)
    log("cy", do.Agree(), at=1002)
    claim = draw(log.sitting, History()).card.claim
    assert claim is not None and claim.agreed == [2]
    assert log.refused("", do.Grant(1), at=1059) == "not_yet", "the others may still object"
    assert log.refused("", do.Grant(0), at=1060) == "no_claim"
    log("", do.Grant(1), at=1060)
    assert AwaitObjections(None) in log.effects
    granted = log.sitting.seats[1]
    assert (granted.name, granted.holders, granted.away, granted.newcomer) == ("Ada 2", ["di"], False, True)
    assert kinds(log)[-2:] == ["claimed", "took"]
    assert log.refused("di", do.Play(1, "walk")) == "newcomer", "Bo may have laid something"
    for person in ("ada", "cy"):
        for word in ("walk", "south"):
            log(person, do.Play(1, word))
    for word in ("walk", "south"):
        log("", do.PlayFor(1, 1, word, "bot"))
    log("di", do.Play(2, "walk"))


@pytest.mark.parametrize("seats", [2, 3])
def test_silence_gives_nobody_a_seat(seats: int) -> None:
    """Also in a duel, where nobody but the rival could object."""
    log = Log("dark", seats)
    long_away(log, 1)
    claimed(log, "di", 1, agrees="")
    assert log.sitting.seats[1].holders == ["bo"] and kinds(log)[-1] == "lapsed"
    claimed(log, "di", 1, agrees="ada", at=2000)
    assert log.sitting.seats[1].holders == ["di"]


def test_the_host_may_allow_silence() -> None:
    log = Log("dark", 3)
    assert log.refused("bo", do.Silence()) == "not_host"
    log("ada", do.Silence())
    long_away(log, 1)
    assert draw(log.sitting, History()).card.silence
    log("di", do.Claim(1, "Di"), at=1000)
    log("ada", do.Silence(False), at=1001)
    log("", do.Grant(1), at=1060)
    assert kinds(log)[-1] == "lapsed", "what counts is what holds at the end"
    log("ada", do.Silence())
    claimed(log, "di", 1, agrees="", at=2000)
    assert log.sitting.seats[1].holders == ["di"]


def test_before_ten_minutes_only_a_bot_stands_in() -> None:
    log = Log("dark", 3)
    log("", do.Away(1), at=100)
    assert AwaitReturn(700) in log.effects
    assert draw(log.sitting, History()).me("di").can_claim == ()
    assert log.refused("di", do.Claim(1, "Di"), at=699) == "too_soon"
    assert log.refused("", do.LongAway(1), at=699) == "not_yet"
    assert log.refused("", do.LongAway(0), at=800) == log.refused("", do.LongAway(9), at=800) == "no_such_seat"
    log("ada", do.StandIn(1), at=200)
    assert log.sitting.seats[1].bot
    log("", do.Away(2), at=300)
    log("", do.LongAway(1), at=700)
    assert AwaitReturn(900) in log.effects
    assert draw(log.sitting, History()).me("di").can_claim == (1,)
    log("", do.Back(1), at=750)
    log("", do.Away(1), at=751)
    assert log.refused("di", do.Claim(1, "Di"), at=800) == "too_soon", "counted anew"


def test_tables_of_earlier_versions_know_only_that_somebody_is_away() -> None:
    log = Log("dark", 3)
    log("", do.Away(1), at=100)
    log.sitting.seats[1].rests_until = 0.0
    log("di", do.Claim(1, "Di"), at=200)


def test_after_an_objection_the_seat_is_left_alone_whoever_asks() -> None:
    log = Log("dark", 3)
    long_away(log, 1)
    log("di", do.Claim(1, "Di"), at=1000)
    assert log.refused("ed", do.Object()) == "no_seat"
    log("cy", do.Object(), at=1001)
    assert log.sitting.saved.claim is None and kinds(log)[-2:] == ["claimed", "kept"]
    assert AwaitReturn(1001 + REST) in log.effects
    assert log.refused("cy", do.Object()) == "no_claim"
    for n in range(624):
        assert log.refused(f"stranger {n}", do.Claim(1, "Eve"), at=1002 + n / 52) == "too_soon"
    assert log.refused("di", do.Claim(1, "Di"), at=2000) == "turned_down"
    log("", do.LongAway(1), at=1001 + REST)
    log("ed", do.Claim(1, "Ed"), at=2000)
    log("", do.Back(1), at=2001)
    assert log.sitting.saved.claim is None, "its person is back"


def test_to_ask_and_to_sit_down_elsewhere_counts_like_an_objection() -> None:
    log = Log("dark")
    log("bo", do.Sit("Bo"))
    log("ada", do.AddBot())
    log("ada", do.Start())
    long_away(log, 1)
    log("di", do.Claim(1, "Di"), at=1000)
    log("di", do.Sit("Di", 2), at=1001)
    assert log.sitting.saved.claim is None
    log("di", do.Leave(), at=1002)
    assert log.refused("di", do.Claim(1, "Di"), at=1003) == "too_soon"


def test_a_newcomer_has_no_say() -> None:
    """A rival's second browser would agree to the claim of the third."""
    log = Log("dark")
    log("bo", do.Sit("Bo"))
    log("ada", do.AddBot())
    log("ada", do.Start())
    long_away(log, 1)
    log("eve", do.Sit("Eve", 2))
    log("di", do.Claim(1, "Di"), at=1000)
    assert log.refused("eve", do.Agree(), at=1001) == "newcomer"


def test_at_a_locked_table_no_stranger_asks() -> None:
    log = Log("dark", 3)
    long_away(log, 1)
    log("di", do.Claim(1, "Di"), at=1000)
    log("ada", do.Lock(), at=1001)
    assert log.sitting.saved.claim is None
    assert log.refused("ed", do.Claim(1, "Ed"), at=1002) == "locked"
    assert draw(log.sitting, History()).me("ed").can_claim == ()
    log("cy", do.Leave())
    assert log.refused("ed", do.Claim(2, "Ed")) == "locked"
    assert draw(log.sitting, History()).me("cy").can_claim == (2,), "who has had it may ask"
    claimed(log, "cy", 2, agrees="ada")
    assert log.sitting.seats[2].holders == ["cy"] and not log.sitting.seats[2].newcomer
    log("cy", do.Leave())
    log("ada", do.Lock(False))
    assert log.refused("cy", do.Claim(2, "Cy"), at=3000) == "not_away", "it can simply be taken"


def test_in_a_lobby_only_where_nobody_can_sit_down() -> None:
    log = Log("dark")
    long_away(log, 0)
    assert log.refused("bo", do.Claim(0, "Bo"), at=1000) == "not_away"
    while draw(log.sitting, History()).open_in_lobby:
        log("ada", do.AddBot())
    log("ada", do.Silence())
    claimed(log, "bo", 0, agrees="")
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
    long_away(log, 1, 2)
    log("di", do.Claim(1, "Di"), at=1000)
    log("ada", do.Free(1), at=1001)
    assert log.sitting.saved.claim is None
    log("ed", do.Claim(2, "Ed"), at=1002)
    log("cy", do.Leave(), at=1003)
    assert log.sitting.saved.claim is None
    lobby = Log("dark")
    for person in ("bo", "cy"):
        lobby(person, do.Sit(person))
    while draw(lobby.sitting, History()).open_in_lobby:
        lobby("ada", do.AddBot())
    long_away(lobby, 2)
    lobby("eve", do.Claim(2, "Eve"), at=1000)
    lobby("ada", do.Start(), at=1001)
    assert lobby.sitting.saved.claim is None, "seats have other numbers now"


def test_what_a_viewer_may_ask_for() -> None:
    log = Log("dark", 3)
    long_away(log, 1)
    picture = draw(log.sitting, History())
    assert picture.me("di").can_claim == picture.me("").can_claim == (1,) and picture.me("cy").can_claim == ()
    log("di", do.Claim(1, "Di"), at=1000)
    picture = draw(log.sitting, History(), picture)
    assert picture.me("di").claims == 1 and picture.me("ed").claims is None and picture.me("ed").can_claim == ()
    assert picture.card.claim is not None and picture.card.claim.name == "Di"
    log("ada", do.Object(), at=1001)
    log("", do.LongAway(1), at=1001 + REST)
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
