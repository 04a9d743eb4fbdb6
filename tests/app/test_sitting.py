"""The state machine of a table, played: every action, and every refusal, which changes nothing."""

from itertools import islice
from random import Random

import pytest

from app.house.open_table import encoded, read_saved
from app.table import actions as do
from app.table.sitting import Sitting
from engine.table import AnyTime, Revealed
from tests.app.tables import Log, names, wander

pytestmark = pytest.mark.usefixtures("tiny")


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


def test_any_time_moves_ask_nobody() -> None:
    log = Log("dark", 2)
    log("ada", do.Play(1, "walk"))
    log("ada", do.Play(1, "north"))
    (lit, *_) = log("ada", do.Play(1, "lamp"))
    assert isinstance(lit, AnyTime) and lit.seat == 0


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


# away and back --------------------------------------------------------------------------------------------------------


def test_any_player_may_let_a_bot_play_for_one_who_is_away() -> None:
    log = Log("dark", 3)
    assert log.refused("ada", do.StandIn(1)) == "not_away"
    log("", do.Away(1))
    assert log.sitting.bots_to_move() == ()
    assert log.refused("di", do.StandIn(1)) == "no_seat"
    assert log.refused("cy", do.StandIn(7)) == "not_away"
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


def test_the_clock_plays_only_when_time_is_up() -> None:
    log = Log("dark")
    log("bo", do.Sit("Bo"))
    log("ada", do.Start())
    assert log.refused("", do.PlayFor(0, 1, "walk", "time")) == "not_yet"
    log("ada", do.Timer(10), at=100)
    assert log.refused("", do.PlayFor(0, 1, "walk", "time"), at=109) == "not_yet"
    assert log.refused("", do.PlayFor(5, 1, "walk", "time"), at=110) == "no_such_seat"
    log("", do.PlayFor(0, 1, "walk", "time"), at=110)


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
    for person, action in wander(lambda: log.sitting, Random(1)):
        log(person, action)
    log("bo", do.Leave())
    assert [seat.name for seat in log.sitting.seats] == ["Ada", "Bo", "Cy"]  # the scores still name everybody
    log("ada", do.Rematch())
    assert names(log) == ["Ada", "Cy"]


# the log is the table -------------------------------------------------------------------------------------------------


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
    assert encoded(anew) == log.saved
    for count, saved in snapshots:
        later = Sitting.restore(read_saved(saved))
        for entry in log.entries[count:]:
            later = later.apply(entry).sitting
        assert encoded(later) == log.saved


@pytest.mark.parametrize("game", ["counting", "dice", "window", "dark", "wishes", "raiders", "scrawl"])
def test_a_sitting_never_changes(game: str) -> None:
    """Whatever is applied to it, in the lobby, in play and to those that follow."""
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
        assert encoded(sitting) == saved
